/// What a slot may be filled with, other than a list or a template written in the phrasebook.
public enum SlotKind: String, Sendable, Hashable, CaseIterable {
    // The owner's data.
    case device, area, item, place, task, list, mode, category, country, trip
    case scene, option
    /// Made from the tasks: what a task is about, and what is said of it when it is done.
    case taskObject = "task_object", doneTask = "done_task"
    // Numbers and measures.
    case number, money, percent, temperature, mass, volume, distance, duration
    // Times.
    case date, period
    /// Any words, as heard.
    case text
    /// One such word that means nothing by itself: the name of somebody.
    case word

    /// True for names that come from the owner's data.
    public var isOwners: Bool {
        switch self {
        case .device, .area, .item, .place, .task, .list, .mode, .category, .country, .trip, .scene, .option,
            .taskObject,
            .doneTask:
            true
        default: false
        }
    }
}

/// A name of the owner's data: what is said, and what it stands for.
public struct OwnerName: Sendable, Equatable, Hashable {
    /// The name as the owner writes it, which replies use.
    public let name: String
    /// Other names for the same thing.
    public let aliases: [String]
    /// The identity of the thing: a store's number or a device's id, as text.
    public let id: String

    /// A name for the thing of this identity.
    public init(name: String, aliases: [String] = [], id: String? = nil) {
        self.name = name
        self.aliases = aliases
        self.id = id ?? name
    }
}

/// The owner's data as far as it can be spoken of; a snapshot.
public struct OwnerNames: Sendable, Equatable {
    private var names: [SlotKind: [OwnerName]]
    /// How the owner says words, as phones of the CMU set: instead of a dictionary's.
    public var pronunciations: [String: [[String]]] = [:]

    /// No names.
    public init() { names = [:] }

    /// The names of one kind, in a stable order.
    public subscript(kind: SlotKind) -> [OwnerName] {
        get { names[kind] ?? [] }
        set { names[kind] = newValue }
    }
}

/// What a slot was filled with.
public struct SlotValue: Sendable, Equatable {
    /// The meaning of the words.
    public enum Content: Sendable, Equatable {
        /// The words themselves.
        case text
        /// One thing of the owner's, or several of the same name.
        case names([OwnerName])
        /// A plain number.
        case number(Double)
        /// An amount; the currency is nil where none was said.
        case money(minorUnits: Int64, currency: String?)
        /// A measure in its canonical unit: percent, degrees Celsius, grams, litres, kilometres, seconds.
        case measure(Double)
        /// A day or a stretch of time, relative to the present.
        case period(Period)
    }

    /// The value as text: the canonical value of a list, else the words that were said.
    public let text: String
    /// The words that were said.
    public let spoken: String
    /// Its meaning.
    public let content: Content

    /// A value; `spoken` is the text itself unless given.
    public init(text: String, spoken: String? = nil, content: Content = .text) {
        self.text = text
        self.spoken = spoken ?? text
        self.content = content
    }

    /// True where it means the same as another, however it was put.
    package func meansTheSame(as other: SlotValue) -> Bool {
        content == .text ? other.content == .text && text == other.text : content == other.content
    }

    /// The owner's things of this name; empty for other kinds.
    public var names: [OwnerName] {
        if case .names(let names) = content { names } else { [] }
    }

    /// The number or measure, where it is one.
    public var number: Double? {
        switch content {
        case .number(let value), .measure(let value): value
        default: nil
        }
    }

    /// True for money, a number or a measure.
    package var isAmount: Bool {
        if case .money = content { true } else { number != nil }
    }

    /// The period, where it is one.
    public var period: Period? {
        if case .period(let period) = content { period } else { nil }
    }
}
