import Domain

/// A typed command that waits.
struct TypedCommand: Sendable {
    let number: Int
    let text: String
    /// True where nobody has heard a question that the text could answer.
    let isUnheard: Bool
    let answer: CheckedContinuation<TurnTrace, Never>
}

/// Commands that are typed, or come from another program: one after the other, none at the cost of another.
struct TypedCommandQueue {
    /// How many typed commands wait at most; one more is refused.
    static let limit = 100

    private var waiting: [TypedCommand] = []
    private var nextNumber = 0

    var count: Int { waiting.count }
    var isEmpty: Bool { waiting.isEmpty }
    var isFull: Bool { waiting.count >= Self.limit }

    /// The number under which the next command can be withdrawn.
    mutating func newNumber() -> Int {
        nextNumber += 1
        return nextNumber
    }

    mutating func append(_ command: TypedCommand) { waiting.append(command) }

    /// The one that has waited longest.
    mutating func removeFirst() -> TypedCommand { waiting.removeFirst() }

    /// Takes a command out of the queue.
    /// - Returns: nil where it does not wait any more.
    mutating func withdraw(_ number: Int) -> TypedCommand? {
        waiting.firstIndex { $0.number == number }.map { waiting.remove(at: $0) }
    }

    mutating func removeAll() -> [TypedCommand] {
        defer { waiting = [] }
        return waiting
    }
}
