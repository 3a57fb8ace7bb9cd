@testable import Domain
@testable import Handlers
@testable import Language
import CopilotTestKit
import Testing

/// The decoding of commands into each handler's own intents.
@Suite struct IntentDecodingTests {
    private static let handlers: [any HandlerIntent.Type] = [
        EmergencyIntent.self, VanIntent.self, ModesIntent.self, FinanceIntent.self, ManifestIntent.self,
        ChecklistIntent.self, TravelIntent.self,
    ]

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

    @Test(arguments: Self.handlers.map { $0.handler })
    func everySlotOfThePhrasebook_isKnown(handler: String) throws {
        let type = try #require(Self.handlers.first { $0.handler == handler })
        let book = try #require(English.books.books.first { $0.handler == handler })
        for intent in book.intents {
            for template in intent.phrases {
                for slot in template.slots {
                    let isKnown = Self.knows(slot.name, type)
                    #expect(isKnown, "\(handler).\(intent.name): \(slot.name)")
                }
            }
        }
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
