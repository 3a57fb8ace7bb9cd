@testable import Domain
@testable import Language
@testable import Devices
@testable import Handlers
@testable import Dialogue
import CopilotTestKit
import Foundation
import Logging
import StoreSQLite
import SystemTestKit
import Testing

/// A van on the bench: stores in memory, devices behind a fake bus, and a Saturday in November at half past ten.
struct VanBench: Sendable {
    let stores: Stores
    let bus: FakeBus
    let van: Van
    let books: Phrasebooks
    let context: HandlerContext
    /// Notes each time that the van has taken note of the broker.
    let connections: Journal<BusEvent>

    /// 21 November 2026, 10:30 in London.
    static let now = date(2026, 11, 21, 10, 30)

    static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "Europe/London") ?? .gmt
        calendar.locale = Locale(identifier: "en_GB")
        return calendar
    }()

    static func date(_ year: Int, _ month: Int, _ day: Int, _ hour: Int = 12, _ minute: Int = 0) -> Date {
        let parts = DateComponents(year: year, month: month, day: day, hour: hour, minute: minute)
        return calendar.date(from: parts) ?? .distantPast
    }

    static let devices: [Device] = [
        device("water pump", .switch), device("fridge", .switch), device("roof fan", .fan),
        device("kitchen light", .light, area: "kitchen"),
        device("reading light", .light, area: "bedroom", id: "reading_left"),
        device("reading light", .light, area: "lounge", id: "reading_right"),
        device("porch light", .light, state: false), device("leisure battery", .sensor, command: false),
    ]

    static func device(
        _ name: String, _ kind: Device.Kind, area: String? = nil, id: String? = nil, command: Bool = true,
        state: Bool = true, expiresAfter: Duration? = nil
    ) -> Device {
        let id = id ?? name.replacing(" ", with: "_")
        return Device(
            id: id, name: name, aliases: [], kind: kind, area: area, commandTopic: command ? "van/\(id)/set" : nil,
            stateTopic: state ? "van/\(id)/state" : nil, availability: [Device.Availability(topic: "van/\(id)/there")],
            payloadOn: "ON", payloadOff: "OFF", stateOn: "ON", stateOff: "OFF", expiresAfter: expiresAfter)
    }

    init(
        devices: [Device] = VanBench.devices, scenes: [Scene] = [], modes: [Mode] = Mode.plain, stores: Stores? = nil,
        books: Phrasebooks = English.books,
        now: Date = VanBench.now, confirmationLimit: Duration = .seconds(10), isTimeCertain: Bool = true,
        hasBus: Bool = true
    ) throws {
        self.stores = try stores ?? SQLiteStore.inMemory().stores
        let bus = FakeBus(), connections = Journal<BusEvent>("connections")
        self.bus = bus
        self.connections = connections
        self.books = books
        van = Van(
            VanFile(devices: devices, scenes: scenes, modes: modes), bus: hasBus ? bus : nil,
            confirmation: ConfirmationLimit(confirmationLimit), logger: .silent,
            onConnection: { connections.note($0) })
        context = HandlerContext(
            stores: self.stores, van: van, bus: hasBus ? bus : nil, location: LocationSources(places: .few),
            environment: HandlerEnvironment(
                books: books, region: RegionalSettings(calendar: Self.calendar),
                time: WallTime(now: { now }, isCertain: { isTimeCertain })))
    }

    /// Lets the van follow the bus while `body` runs.
    func run(_ body: () async throws -> Void) async throws {
        let van = van
        let following = Task { await van.run() }
        try await connections.until("the van follows the bus") { !$0.isEmpty }
        var failure: (any Error)?
        do { try await body() } catch { failure = error }
        bus.close()
        await following.value
        if let failure { throw failure }
    }

    /// The devices say something, and the van has heard it.
    func report(_ messages: (device: String, payload: String)...) async throws {
        for message in messages { bus.deliver("van/\(message.device)/state", message.payload) }
        try await heard()
    }

    /// A device comes or goes.
    func isThere(_ device: String, _ isThere: Bool) async throws {
        bus.deliver("van/\(device)/there", isThere ? "online" : "offline")
        try await heard()
    }

    /// Returns once the van has taken everything that was delivered so far: events are taken in order.
    func heard() async throws {
        let count = connections.entries.count
        bus.reach(bus.isConnected)
        try await connections.until("the van has heard everything") { $0.count > count }
    }

    /// Devices that do as they are told, and say so.
    func answersAll() {
        bus.answer { publication in
            guard publication.topic.hasSuffix("/set") else { return [] }
            let topic = String(publication.topic.dropLast(4)) + "/state"
            return [BusMessage(topic: topic, payload: Array(publication.payload.utf8), isRetained: false)]
        }
    }

    /// No handler took a sentence.
    struct NotUnderstood: Error, CustomStringConvertible {
        let text: String
        var description: String { "“\(text)” was not understood" }
    }

    /// Routes a sentence with the names of the moment and acts on it.
    /// - Parameter known: the names; nil for those that the stores have.
    func say(_ text: String, _ known: OwnerNames? = nil) async throws -> Reply {
        let names = if let known { known } else { try await OwnerNamesReader.names(context) }
        let routing = Router(index: PhraseIndex(books: books, names: names), classifier: nil).route(text)
        guard let chosen = routing.chosen else { throw NotUnderstood(text: text) }
        return try await act(Command(handler: chosen.handler, intent: chosen.intent, slots: chosen.slots))
    }

    /// Acts on a command.
    func act(_ command: Command) async throws -> Reply {
        let handler = try #require(HandlerTable.handler(command.handler))
        // What the test itself wrote is a change of its own.
        _ = try? await stores.journal.seal("")
        let reply = try await handler.act(on: command, in: context)
        if let undo = reply.undo, undo.perform == nil { _ = try await stores.journal.seal(undo.description.spoken) }
        return reply
    }

    /// Takes a reply's change back, as the conversation does.
    func undo(_ reply: Reply) async throws -> Bool {
        let undo = try #require(reply.undo)
        if let perform = undo.perform { return try await perform()?.left.isEmpty ?? false }
        let changes = try await stores.journal.changes(limit: 50)
        guard let change = changes.first(where: { $0.description == undo.description.spoken }) else { return false }
        return try await stores.journal.revert(change.id)
    }

    /// Stores an item.
    @discardableResult
    func item(_ name: String, quantity: Int = 1, in place: String? = nil, aliases: [String] = []) async throws -> Item {
        try await stores.manifest.add(Item(name: name, quantity: quantity, place: place, aliases: aliases))
    }

    /// Stores an expense or an income.
    @discardableResult
    func entry(
        _ kind: LedgerEntry.Kind, _ minorUnits: Int64, _ currency: String = "GBP", category: String? = nil,
        on date: Date = VanBench.now
    ) async throws -> LedgerEntry {
        try await stores.ledger.add(
            LedgerEntry(
                kind: kind, amount: Money(minorUnits: minorUnits, currency: currency), category: category, date: date))
    }
}

extension Logger {
    /// Logs nothing.
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}

/// The shipped English with the owner's own commands.
func english(with custom: String...) throws -> Phrasebooks {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var files: [String] = []
    for (number, text) in custom.enumerated() {
        let file = folder.file("custom\(number + 1).yaml")
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        files.append(file)
    }
    return try Phrasebooks(
        folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot), customFiles: files)
}
