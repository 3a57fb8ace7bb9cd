import Domain

/// What is asked about the van's modes.
package enum ModesIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case setMode = "set_mode", getMode = "get_mode", listModes = "list_modes", checkMode = "check_mode"
    }

    package enum Slot: String, Sendable {
        case mode
        /// The phrasebook's words for the standard modes, whose names they stand for.
        case standard = "said"
    }

    /// A mode by one of its names; nil where none was said.
    case set(SpokenName?)
    case get(SpokenName?)
    case list
    case check(SpokenName?)

    package static let handler = ModesHandler.name
    package static let lookUps: [Name] = [
        .getMode, .listModes, .checkMode,
    ]

    package init(_ name: Name, _ slots: SlotReader<Slot>) {
        let mode = slots.name(.mode) ?? slots.name(.standard)
        self =
            switch name {
            case .setMode: .set(mode)
            case .getMode: .get(mode)
            case .listModes: .list
            case .checkMode: .check(mode)
            }
    }
}
