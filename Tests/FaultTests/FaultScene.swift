@testable import Domain
@testable import Language
import Foundation
import Synchronization

/// What the owner does.
enum FaultLine: Sendable, CustomStringConvertible {
    /// A sentence typed, or spoken after a press or into the open microphone.
    case typed(String), spoken(String)
    /// A recording that is heard in place of the room.
    case recording(String)
    /// `vanorb undo`.
    case undo

    var description: String {
        switch self {
        case .typed(let text): "typed “\(text)”"
        case .spoken(let text): "spoken “\(text)”"
        case .recording(let text): "recorded “\(text)”"
        case .undo: "vanorb undo"
        }
    }
}

/// A few turns on a van of their own: short, so that each of their calls can fail in each way.
struct FaultScene: Sendable {
    let name: String
    /// The handlers whose phrases are loaded; `session` always is.
    let handlers: Set<String>
    let lines: [FaultLine]
    /// What must work once the fault is gone, and leaves a row or a publication.
    let probe: String
    var hasSecondRecogniser = false
    var prepare: @Sendable (Stores) async throws -> Void = { _ in }

    private static let compiled = Mutex<[Set<String>: Phrasebooks]>([:])

    /// The shipped English with the phrases of some handlers only, and the owner's own commands.
    static func books(of handlers: Set<String>) throws -> Phrasebooks {
        if let known = compiled.withLock({ $0[handlers] }) { return known }
        let manager = FileManager.default, root = NSTemporaryDirectory() + "vanorb-faults-\(UUID().uuidString)"
        try manager.createDirectory(atPath: root, withIntermediateDirectories: true)
        defer { try? manager.removeItem(atPath: root) }
        try manager.copyItem(atPath: LanguageFolder.shippedRoot + "/en", toPath: "\(root)/en")
        for handler in HandlerName.order where handler != HandlerName.custom && handler != "session" {
            guard !handlers.contains(handler) else { continue }
            try "language: en\nintents: {}\n".write(
                toFile: "\(root)/en/\(handler).yaml", atomically: true, encoding: .utf8)
        }
        let custom = "\(root)/custom.yaml"
        try Self.custom.write(toFile: custom, atomically: true, encoding: .utf8)
        let files = handlers.contains("custom") ? [custom] : []
        let books = try Phrasebooks(folder: LanguageFolder(language: "en", root: root), customFiles: files)
        compiled.withLock { $0[handlers] = books }
        return books
    }

    private static let custom = """
        language: en
        intents:
          cosy:
            phrases: ["make it cosy"]
            publish:
              - {topic: scene/light, payload: dim}
              - {topic: scene/music, payload: jazz}
            reply: "Cosy."
          party:
            phrases: ["party time"]
            confirm: "Really?"
            publish: {topic: scene/party, payload: "1"}
        """

    static let devices = """
        devices:
          - {name: kitchen light, kind: light, area: kitchen, command_topic: van/kl/set, state_topic: van/kl/state,
             brightness: {command_topic: van/kl/dim/set, state_topic: van/kl/dim, max: 255}}
          - {name: roof fan, kind: fan, area: lounge, command_topic: van/fan/set, state_topic: van/fan/state}
          - {name: roof vent, kind: cover, area: lounge, command_topic: van/vent/set, state_topic: van/vent/state}
          - {name: front door, kind: lock, command_topic: van/door/set, state_topic: van/door/state}
          - {name: heater, kind: heater, area: lounge, command_topic: van/heat/set, state_topic: van/heat/state}
        scenes:
          - name: movie night
            actions: [{device: kitchen light, do: "off"}, {device: roof fan, do: "on"}, {device: heater, do: "on"}]
        modes:
          - name: drive
            checks: [{device: roof vent, is: closed}]
            actions: [{device: roof fan, do: "off"}, {device: heater, do: "off"}]
        """

    /// What the devices say first.
    static let states = [
        ("van/kl/state", "ON"), ("van/fan/state", "ON"), ("van/vent/state", "open"), ("van/door/state", "LOCKED"),
        ("van/heat/state", "ON"),
    ]

    private static func ledger(_ stores: Stores) async throws {
        let now = VanAssembly.now
        try await stores.budgets.setBudget(
            Budget(category: "fuel", amount: Money(minorUnits: 6_000, currency: "GBP")))
        try await stores.rates.setRate(ExchangeRate(currency: "EUR", millionths: 850_000))
        _ = try await stores.ledger.add(
            LedgerEntry(
                kind: .expense, amount: Money(minorUnits: 1_250, currency: "GBP"), category: "food", note: "Food",
                date: now.addingTimeInterval(-86_400)))
    }

    private static func lists(_ stores: Stores) async throws {
        for text in ["Close the vent", "Lock the rack", "Check the gas"] {
            _ = try await stores.checklist.add(ChecklistTask(list: "arrival", text: text))
        }
    }

    private static func items(_ stores: Stores) async throws {
        _ = try await stores.manifest.add(Item(name: "torch", quantity: 2, unitGrams: 300, place: "cab"))
        _ = try await stores.manifest.add(Item(name: "first aid kit", quantity: 1, place: "cab"))
    }

    private static func trip(_ stores: Stores) async throws {
        let now = VanAssembly.now
        _ = try await stores.trips.add(OdometerReading(metres: 44_000_000, date: now.addingTimeInterval(-86_400)))
        _ = try await stores.trips.addStop(
            Stop(position: Position(latitude: 45.75, longitude: 4.85, time: now), country: "FR", date: now))
        try await stores.kept.set("medical_notes", to: "allergic to nuts")
    }

    /// All handlers, typed and spoken.
    static let all: [FaultScene] = [
        FaultScene(
            name: "ledger", handlers: ["finance"],
            lines: [
                .typed("log diesel for 57 pounds"), .typed("make it 58 pounds"), .typed("how much money do I have"),
                .typed("undo that"), .typed("delete the last entry"), .undo,
            ], probe: "log diesel for 3 pounds", prepare: ledger),
        FaultScene(
            name: "ledger's questions", handlers: ["finance"],
            lines: [
                .typed("log 50 pounds"), .typed("diesel"), .typed("log diesel for 20000 pounds"), .typed("yes"),
                .typed("set the food budget to 200 pounds"), .typed("log 20 euros for food"), .typed("undo that"),
            ], probe: "log diesel for 3 pounds", prepare: ledger),
        FaultScene(
            name: "manifest", handlers: ["manifest"],
            lines: [
                .typed("add two ropes to the garage"), .typed("where is the torch"),
                .typed("move the torch to the garage"), .typed("the torch weighs 400 grams"),
                .typed("remove the torch"), .typed("undo that"),
            ], probe: "add three blankets to the cab", prepare: items),
        FaultScene(
            name: "checklist", handlers: ["checklist"],
            lines: [
                .typed("add a task to check the tyres to the arrival list"), .typed("start the arrival checklist"),
                .typed("done"), .typed("skip"), .typed("stop"), .typed("undo that"), .typed("tick off lock the rack"),
                .typed("reset the arrival list"),
            ], probe: "add a task to buy milk to the arrival list", prepare: lists),
        FaultScene(
            name: "usual list", handlers: ["checklist"],
            lines: [
                .typed("start the departure checklist"), .typed("yes"), .typed("done"),
                .typed("add milk to the shopping list"), .typed("yes"), .typed("undo that"),
            ], probe: "add a task to buy milk to the arrival list", prepare: lists),
        FaultScene(
            name: "trip", handlers: ["travel"],
            lines: [
                .typed("start a trip to Spain"), .typed("the odometer is at 44200"), .typed("how far have we driven"),
                .typed("start a trip to France"), .typed("yes"), .typed("undo that"), .typed("end the trip"),
                .typed("undo that"),
            ], probe: "the odometer is at 44300", prepare: trip),
        FaultScene(
            name: "trip with odometer", handlers: ["travel"],
            lines: [.typed("start a trip to Spain at 44100 kilometres"), .typed("end the trip at 44200 kilometres")],
            probe: "the odometer is at 44300", prepare: trip),
        FaultScene(
            name: "devices", handlers: ["van"],
            lines: [
                .typed("turn off the kitchen light"), .typed("undo that"),
                .typed("dim the kitchen light to 30 percent"),
                .typed("unlock the front door"), .typed("yes"), .typed("undo that"),
            ], probe: "dim the kitchen light to 40 percent"),
        FaultScene(
            name: "devices together", handlers: ["van"],
            lines: [
                .typed("turn everything off"), .typed("yes"), .typed("undo that"), .typed("movie night"),
                .typed("undo that"), .typed("what's on"),
            ], probe: "dim the kitchen light to 40 percent"),
        FaultScene(
            name: "modes", handlers: ["modes", "van"],
            lines: [
                .typed("switch to drive mode"), .typed("yes"), .typed("which mode are we in"), .typed("undo that"),
                .typed("switch to night mode"),
            ], probe: "dim the kitchen light to 40 percent"),
        FaultScene(
            name: "owner's commands", handlers: ["custom"],
            lines: [.typed("make it cosy"), .typed("party time"), .typed("yes")], probe: "make it cosy"),
        FaultScene(
            name: "emergency", handlers: ["emergency"],
            lines: [.typed("emergency"), .typed("what is the emergency number"), .typed("fire")], probe: "gas leak",
            prepare: {
                try await items($0)
                try await trip($0)
            }),
        FaultScene(
            name: "session", handlers: ["finance", "travel"],
            lines: [
                .typed("speak slower"), .typed("log diesel for 10 pounds and start a trip to France"),
                .typed("what time is it"), .typed("undo that"), .typed("undo that"), .typed("undo that"),
                .typed("bye"),
            ], probe: "log diesel for 3 pounds", prepare: ledger),
        FaultScene(
            name: "spoken", handlers: ["finance"],
            lines: [
                .spoken("log diesel for 57 pounds"), .spoken("undo that"), .spoken("log 50 pounds"), .spoken("diesel"),
            ], probe: "log diesel for 3 pounds", prepare: ledger),
        FaultScene(
            name: "spoken free text", handlers: ["checklist"],
            lines: [.spoken("add a task to oil the hinges to the arrival list"), .recording("what is left to do")],
            probe: "add a task to buy milk to the arrival list", prepare: lists),
        FaultScene(
            name: "two recognisers", handlers: ["van"],
            lines: [.spoken("turn off the kitchen light"), .spoken("unlock the front door"), .spoken("yes")],
            probe: "dim the kitchen light to 40 percent", hasSecondRecogniser: true),
    ]
}
