/// Who changes the owner's data now, and who waits for it, in the order in which they came. One that does not end keeps
/// its place: what it may still write must not become a part of the next change.
struct ChangeQueue {
    /// What comes of waiting.
    package enum Admission: Sendable {
        case admitted
        /// The changes before did not end in time.
        case blocked
        /// The turn was dropped.
        case left
    }

    /// One that waits.
    package struct Place {
        /// Under what it is withdrawn.
        let number: Int
        /// Nil for what is no turn.
        let turn: Int?
        let admission: CheckedContinuation<Admission, Never>
    }

    private var isBusy = false
    private var waiting: [Place] = []
    private var nextNumber = 0

    /// Begins a change, if nobody makes one.
    mutating func begin() -> Bool {
        guard !isBusy else { return false }
        isBusy = true
        return true
    }

    /// For the next place.
    mutating func newNumber() -> Int {
        nextNumber += 1
        return nextNumber
    }

    /// Waits behind the others.
    mutating func wait(_ place: Place) { waiting.append(place) }

    /// The change under way has ended: the next begins.
    mutating func end() {
        guard waiting.isEmpty else { return waiting.removeFirst().admission.resume(returning: .admitted) }
        isBusy = false
    }

    /// One that has waited long enough.
    mutating func giveUp(_ number: Int) {
        withdraw(.blocked) { $0.number == number }
    }

    /// A turn that was dropped while it waited.
    mutating func leave(_ turn: Int) {
        withdraw(.left) { $0.turn == turn }
    }

    private mutating func withdraw(_ admission: Admission, where isMeant: (Place) -> Bool) {
        for place in waiting.filter(isMeant) { place.admission.resume(returning: admission) }
        waiting.removeAll(where: isMeant)
    }
}
