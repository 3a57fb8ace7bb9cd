import Domain
import Language
import Devices

/// All handlers, and what each of them gets. Adding one is a line in `all`, its initialiser here, a folder and a
/// phrasebook.
public enum HandlerTable {
    /// The handlers in routing order. `session` is acted on by the conversation itself.
    public static let all: [any Handler.Type] = [
        EmergencyHandler.self, VanHandler.self, ModesHandler.self, FinanceHandler.self, ManifestHandler.self,
        ChecklistHandler.self, TravelHandler.self, CustomHandler.self,
    ]

    /// What commands are decoded to; custom commands are as the owner's phrasebook has them.
    package static let intents: [any HandlerIntent.Type] = [
        EmergencyIntent.self, VanIntent.self, ModesIntent.self, FinanceIntent.self, ManifestIntent.self,
        ChecklistIntent.self, TravelIntent.self,
    ]

    /// The reply to a command that a failing store prevents: a question was not answered, or a change not made.
    package static func failureKey(for command: Command?) -> String {
        guard let command, intents.contains(where: { $0.handler == command.handler && $0.looksUp(command.intent) })
        else { return "general.store_failed" }
        return "general.look_up_failed"
    }

    /// The handler of this name.
    package static func handler(_ name: String) -> (any Handler.Type)? { all.first { $0.name == name } }
}

extension EmergencyHandler {
    package init(_ context: HandlerContext) {
        let stores = context.stores
        self.init(
            manifest: stores.manifest, kept: stores.kept, trips: stores.trips, bus: context.bus,
            van: context.van, location: context.location, environment: context.environment)
    }
}

extension VanHandler {
    package init(_ context: HandlerContext) {
        self.init(van: context.van, kept: context.stores.kept, environment: context.environment)
    }
}

extension ModesHandler {
    package init(_ context: HandlerContext) {
        self.init(devices: VanHandler(context), kept: context.stores.kept)
    }
}

extension FinanceHandler {
    package init(_ context: HandlerContext) {
        self.init(
            entries: EntryKeeper(context), budgets: BudgetKeeper(context), questions: LedgerQuestions(context),
            environment: context.environment)
    }
}

extension ManifestHandler {
    package init(_ context: HandlerContext) {
        self.init(
            questions: ItemQuestions(context), changes: ItemChanges(context), load: LoadQuestions(context),
            vehicle: VehicleChanges(context), environment: context.environment)
    }
}

extension ChecklistHandler {
    package init(_ context: HandlerContext) {
        self.init(checklist: context.stores.checklist, environment: context.environment)
    }
}

extension TravelHandler {
    package init(_ context: HandlerContext) {
        self.init(
            trips: context.stores.trips, ledger: context.stores.ledger, location: context.location,
            environment: context.environment)
    }
}

extension CustomHandler {
    package init(_ context: HandlerContext) { self.init(bus: context.bus, environment: context.environment) }
}
