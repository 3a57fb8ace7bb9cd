@testable import Domain
@testable import Handlers
@testable import Language
import CopilotTestKit
import Testing

/// The decoding of commands into each handler's own intents.
@Suite struct IntentDecodingTests {
    private static let handlers = HandlerTable.intents

    @Test func everyHandlerButTheOwners_hasIntents() {
        let decoded = Self.handlers.map { $0.handler }
        #expect(decoded + [HandlerName.custom] == HandlerTable.all.map { $0.name })
    }

    @Test(arguments: Self.handlers.map { $0.handler })
    func theIntents_areThoseOfThePhrasebook(handler: String) throws {
        let type = try #require(Self.handlers.first { $0.handler == handler })
        let book = try #require(English.books.books.first { $0.handler == handler })
        #expect(Set(type.names) == Set(book.intents.map(\.name)))
        #expect(Set(type.names).count == type.names.count)
        for intent in book.intents { _ = try type.init(Command(handler: handler, intent: intent.name)) }
    }

    /// Slots whose words only point to an intent.
    private static let unread: [String: Set<String>] = [
        "emergency": ["what", "where", "who"], "travel": ["country", "number", "other", "count"],
        "modes": ["why", "old", "other"],
        "finance": ["wrong", "journey", "spending", "means", "funds", "allowance", "rate", "to"],
    ]

    @Test(arguments: Self.handlers.map { $0.handler })
    func everySlotOfThePhrasebook_isRead(handler: String) throws {
        let type = try #require(Self.handlers.first { $0.handler == handler })
        let book = try #require(English.books.books.first { $0.handler == handler })
        let names = Set(book.intents.flatMap { $0.phrases.flatMap { $0.slots.map(\.name) } })
        let unread = names.filter { !Self.knows($0, type) }
        #expect(unread == Self.unread[handler, default: []])
    }

    private static func knows<Intent: HandlerIntent>(_ slot: String, _ type: Intent.Type) -> Bool {
        Intent.Slot(rawValue: slot) != nil
    }

    @Test(arguments: Self.handlers.map { $0.handler })
    func anIntentThatTheHandlerDoesNotHave_fails(handler: String) throws {
        let type = try #require(Self.handlers.first { $0.handler == handler })
        #expect(throws: HandlerFailure.self) { try type.init(Command(handler: handler, intent: "make_tea")) }
    }

    @Test func aCommandThatIsEncoded_isDecodedToTheSame() throws {
        let money = SlotValue(text: "5 pounds", content: .money(minorUnits: 500, currency: "GBP"))
        let command = FinanceIntent.command(.setBudget, [.money: money, .category: SlotValue(text: "fuel")])
        guard case .setBudget(let change) = try FinanceIntent(command) else {
            Issue.record("not a budget: \(command)")
            return
        }
        #expect(change.amount == SpokenMoney(minorUnits: 500, currency: "GBP"))
        #expect(change.category == "fuel")
        #expect(!change.isRemoval)
    }

    @Test func anAmountWithoutANumber_isAsMissing() throws {
        let command = FinanceIntent.command(.logExpense, [.money: SlotValue(text: "a lot")])
        guard case .log(.expense, let details) = try FinanceIntent(command) else {
            Issue.record("not an expense: \(command)")
            return
        }
        #expect(details.amount == nil)
    }
}
