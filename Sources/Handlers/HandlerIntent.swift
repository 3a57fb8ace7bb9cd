import Domain

/// What a command of one handler means: a case for each intent of its phrasebook, with the slots as values. A command
/// is decoded once, where the handler begins to act on it. Names of intents and slots occur in the decoding file only.
package protocol HandlerIntent: Sendable {
    /// The intents as phrasebook and trace name them.
    associatedtype Name: RawRepresentable & CaseIterable & Sendable where Name.RawValue == String
    /// The slots as the phrasebook names them. Those that end in `!` are never heard: they carry the state of a
    /// dialogue that goes on over several commands.
    associatedtype Slot: RawRepresentable & Hashable & Sendable where Slot.RawValue == String

    /// The handler's name.
    static var handler: String { get }
    /// The intents that only look something up in the owner's data.
    static var lookUps: [Name] { get }

    /// Decodes the slots of one intent.
    init(_ name: Name, _ slots: SlotReader<Slot>)
}

extension HandlerIntent {
    package static var lookUps: [Name] { [] }

    /// True where the intent of this name only looks something up.
    package static func looksUp(_ intent: String) -> Bool { lookUps.contains { $0.rawValue == intent } }

    /// Decodes a command.
    /// - Throws: `HandlerFailure` for an intent that the handler does not have.
    package init(_ command: Command) throws(HandlerFailure) {
        guard let name = Name(rawValue: command.intent) else {
            throw HandlerFailure(
                replyKey: "general.failed", detail: "the handler “\(Self.handler)” has no intent “\(command.intent)”")
        }
        self.init(name, SlotReader(command))
    }

    /// The names of all intents.
    package static var names: [String] { Name.allCases.map(\.rawValue) }

    /// The command that is decoded to an intent with these slots.
    /// - Parameter isConfirmed: true where the owner's yes is given already.
    package static func command(
        _ name: Name, _ slots: [Slot: SlotValue] = [:], isConfirmed: Bool = false
    ) -> Command {
        let values = Dictionary(uniqueKeysWithValues: slots.map { ($0.key.rawValue, $0.value) })
        let command = Command(handler: handler, intent: name.rawValue, slots: values)
        return isConfirmed ? command.confirmed : command
    }

    /// A command with some slots filled differently, or emptied by nil.
    package static func changed(_ command: Command, _ slots: [Slot: SlotValue?]) -> Command {
        var command = command
        for (slot, value) in slots { command.slots[slot.rawValue] = value }
        return command
    }

    /// The slots of a handler, out of those that the phrasebooks' matcher found under their names.
    package static func slots(_ found: [String: SlotValue]) -> [Slot: SlotValue] {
        Dictionary(
            found.compactMap { name, value in Slot(rawValue: name).map { ($0, value) } }, uniquingKeysWith: { $1 })
    }

    /// The question for a slot that a command lacks.
    package static func question(for slot: Slot, of command: Command) -> Question {
        .slot(slot.rawValue, of: command)
    }

    /// The question which of several things of one name a slot means.
    package static func question(_ slot: Slot, among choices: [OwnerName], of command: Command) -> Question {
        .choice(slot: slot.rawValue, among: choices, of: command)
    }
}

/// The filled slots of a command.
package struct SlotReader<Slot: RawRepresentable & Sendable>: Sendable where Slot.RawValue == String {
    private let values: [String: SlotValue]

    package init(_ command: Command) { values = command.slots }

    package subscript(_ slot: Slot) -> SlotValue? { values[slot.rawValue] }

    /// True where the slot is filled, whatever with.
    package func has(_ slot: Slot) -> Bool { self[slot] != nil }

    /// The canonical value of a list, else the words that were said.
    package func text(_ slot: Slot) -> String? { self[slot]?.text }

    /// A number, or a measure in its canonical unit.
    package func number(_ slot: Slot) -> Double? { self[slot]?.number }

    package func period(_ slot: Slot) -> Period? { self[slot]?.period }

    /// The name of the owner's thing that was named, the first where several have that name.
    package func ownerName(_ slot: Slot) -> String? { self[slot]?.names.first?.name }

    package func name(_ slot: Slot) -> SpokenName? { self[slot].map(SpokenName.init) }

    package func money(_ slot: Slot) -> SpokenMoney? {
        guard case .money(let minor, let currency)? = self[slot]?.content else { return nil }
        return SpokenMoney(minorUnits: minor, currency: currency)
    }
}

/// An amount as it was said.
package struct SpokenMoney: Sendable, Equatable {
    package let minorUnits: Int64
    /// ISO 4217; nil where none was said.
    package let currency: String?

    /// The amount, in `standard` where no currency was said.
    package func money(else standard: String) -> Money {
        Money(minorUnits: minorUnits, currency: currency ?? standard)
    }
}

/// Something that was named.
package struct SpokenName: Sendable, Equatable {
    /// The canonical value of a list, else the words that were said.
    package let text: String
    /// The words that were said.
    package let spoken: String
    /// The owner's things of this name; empty where it is not one of the owner's names.
    package let things: [OwnerName]

    package init(_ value: SlotValue) {
        text = value.text
        spoken = value.spoken
        things = value.names
    }

    /// The identities of the owner's things.
    package var ids: Set<String> { Set(things.map(\.id)) }
    /// The numbers of the owner's things, where a store gave them.
    package var numbers: [Int64] { things.compactMap { Int64($0.id) } }
    /// The owner's way to write it, else the text.
    package var ownName: String { things.first?.name ?? text }
}
