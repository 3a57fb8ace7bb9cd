/// All handlers. Adding one is a line here, a file beside it, and a phrasebook.
public enum HandlerTable {
    /// The handlers in routing order. `session` is acted on by the conversation itself.
    public static let all: [any Handler.Type] = [
        EmergencyHandler.self, VanHandler.self, ModesHandler.self, FinanceHandler.self, ManifestHandler.self,
        ChecklistHandler.self, TravelHandler.self, CustomHandler.self,
    ]

    /// The handler of this name.
    package static func handler(_ name: String) -> (any Handler.Type)? { all.first { $0.name == name } }
}
