/// Which change of the owner's data is under way, and those that wait for it, in the order in which they came. One that
/// does not end keeps its place: what it may still write must not become a part of the next change.
struct ChangeQueue {
    /// What waiting comes to.
    enum Admission: Sendable {
        case admitted
        /// The changes before did not end in time.
        case blocked
        /// The one that waited was cancelled.
        case withdrawn
    }

    private var isBusy = false
    private var waiting: [(number: Int, admission: CheckedContinuation<Admission, Never>)] = []
    private var nextNumber = 0

    /// Begins a change, unless one is under way.
    mutating func begin() -> Bool {
        guard !isBusy else { return false }
        isBusy = true
        return true
    }

    /// The number under which the next to wait is withdrawn.
    mutating func newNumber() -> Int {
        nextNumber += 1
        return nextNumber
    }

    /// Waits behind the others.
    mutating func wait(_ number: Int, _ admission: CheckedContinuation<Admission, Never>) {
        waiting.append((number, admission))
    }

    /// The change under way has ended: the next begins.
    mutating func end() {
        guard waiting.isEmpty else { return waiting.removeFirst().admission.resume(returning: .admitted) }
        isBusy = false
    }

    /// Takes one out of the queue, if it still waits.
    mutating func withdraw(_ number: Int, _ admission: Admission) {
        guard let place = waiting.firstIndex(where: { $0.number == number }) else { return }
        waiting.remove(at: place).admission.resume(returning: admission)
    }
}
