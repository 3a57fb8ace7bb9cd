/// A line of a table that can be stored.
public struct TableRow<Value: Sendable>: Sendable {
    /// The line of the file.
    public var line: Int
    /// What it says.
    public var value: Value

    /// A line.
    public init(line: Int, value: Value) {
        self.line = line
        self.value = value
    }
}

/// What an import would do with the lines of a table.
public struct TablePlan<Value: Sendable>: Sendable {
    /// What is new.
    public var new: [Value] = []
    /// Lines that say what is there already.
    public var present: [Int] = []
    /// Lines that say otherwise than what is there, or than another line.
    public var problems: [TableProblem] = []
    /// What is worth saying of it.
    public var notes: [String] = []

    /// Nothing yet.
    public init() {}
}

/// Tells rows that are there already from new ones: by their number, else by all that they say, so that two equal rows
/// of a file are two unless as many are there.
struct TableMatcher<Value: Sendable> {
    private let stored: [Value], number: (Value) -> Int64, key: (Value) -> String, isSame: (Value, Value) -> Bool
    private let byNumber: [Int64: Value], byKey: [String: [Int]]
    private var used: Set<Int> = []
    private var numbers: [Int64: Int] = [:]

    package enum Finding {
        case present
        case new
        /// Its number is another's.
        case taken(by: Value)
        /// Its number stands on this line already.
        case twice(line: Int)
    }

    /// - Parameters:
    ///   - number: a row's number, 0 for none.
    ///   - key: equal for rows that may be the same; only those are compared by `isSame`.
    init(
        _ stored: [Value], number: @escaping (Value) -> Int64, key: @escaping (Value) -> String,
        isSame: @escaping (Value, Value) -> Bool
    ) {
        (self.stored, self.number, self.key, self.isSame) = (stored, number, key, isSame)
        byNumber = Dictionary(stored.map { (number($0), $0) }) { first, _ in first }
        byKey = Dictionary(grouping: stored.indices) { key(stored[$0]) }
    }

    /// The stored values of a row's key.
    func like(_ value: Value) -> [Value] { (byKey[key(value)] ?? []).map { stored[$0] } }

    /// What a row is; each is asked for once, in their order.
    mutating func find(_ row: TableRow<Value>) -> Finding {
        let wanted = number(row.value)
        if wanted > 0 {
            if let line = numbers[wanted] { return .twice(line: line) }
            numbers[wanted] = row.line
            if let other = byNumber[wanted] { return isSame(row.value, other) ? .present : .taken(by: other) }
        }
        let same = (byKey[key(row.value)] ?? []).first { !used.contains($0) && isSame(row.value, stored[$0]) }
        guard let same else { return .new }
        used.insert(same)
        return .present
    }
}
