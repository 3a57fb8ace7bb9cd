@testable import Domain
@testable import Configuration
@testable import Devices
@testable import AudioPipeline
@testable import Handlers
@testable import Dialogue
import CopilotTestKit
import Foundation
import GRDB
import Logging
import Synchronization
import Testing

@testable import StoreSQLite

/// Counts, from any thread.
final class Counter: Sendable {
    private let state = Atomic(0)
    var value: Int { state.load(ordering: .relaxed) }
    func count() { state.add(1, ordering: .relaxed) }
}

/// The rows of all tables that hold the owner's data, as text.
struct Rows: Equatable, Sendable {
    var tables: [String: [String]] = [:]

    /// What came and went between two looks, a line a row.
    func changes(since before: Rows) -> [String] {
        Set(tables.keys).union(before.tables.keys).sorted().flatMap { table in
            let now = tables[table] ?? [], then = before.tables[table] ?? []
            return now.difference(from: then).map { change in
                switch change {
                case .insert(_, let row, _): "+ \(table) \(row)"
                case .remove(_, let row, _): "- \(table) \(row)"
                }
            }.sorted()
        }
    }
}

/// The whole core on one store in memory, with seams that fare ill as the plan says.
final class VanAssembly: Sendable {
    let plan: FaultPlan
    let store: SQLiteStore
    let bus = FakeBus()
    let van: Van
    let conversation: Conversation
    let clock = ManualClock()
    let panel = FakePanel()
    let room = VanRoom()
    let speaker = RecordingSpeaker()
    /// Counts what the conversation has told, so that one can see that nothing moves any more.
    let told = Counter()
    /// How long nothing may move before the clock is moved on, to the next moment that somebody waits for.
    let patience: Duration
    private let following = Mutex<[Task<Void, Never>]>([])

    static let now = Date(timeIntervalSince1970: 1_795_257_000)
    static let calendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.locale = Locale(identifier: "en_GB")
        return calendar
    }()

    init(_ scene: FaultScene, _ plan: FaultPlan, patience: Duration) async throws {
        self.plan = plan
        self.patience = patience
        store = try SQLiteStore.inMemory()
        try await scene.prepare(store.stores)
        try await store.forgetChanges()
        let books = try FaultScene.books(of: scene.handlers)
        let file = try DeviceFile.read(ConfigurationNode(parsing: FaultScene.devices, file: "devices.yaml"))
        let bus = FaultyBus(real: bus, plan: plan), stores = store.stores.faulty(plan)
        van = Van(
            VanFile(devices: file.devices, scenes: file.scenes, modes: file.modes), bus: bus,
            confirmation: ConfirmationLimit(.milliseconds(300), clock: clock), logger: .silent)
        let environment = HandlerEnvironment(
            books: books, region: RegionalSettings(calendar: Self.calendar), time: WallTime(now: { Self.now }),
            clock: clock)
        let context = HandlerContext(
            stores: stores, van: van, bus: bus,
            location: LocationSources(receiver: FaultyReceiver(plan: plan, now: Self.now)), environment: environment)
        let names = try await OwnerNamesReader.names(
            HandlerContext(stores: store.stores, van: van, bus: nil, environment: environment))
        let chime = Sound(samples: Array(repeating: 0, count: 16), sampleRate: 16_000)
        let timer = FaultyClock(real: clock, plan: plan)
        var recogniser: any Recogniser = FaultyRecogniser(room: room, plan: plan)
        if scene.hasSecondRecogniser {
            recogniser = RecogniserCascade(
                first: recogniser, second: FaultySecondRecogniser(room: room, plan: plan),
                judge: TranscriptSelector { books.normaliser.normalise($0).text }, deadline: .init(clock: timer),
                logger: .silent)
        }
        let files = FaultyStages(plan: plan)
        let parts = ConversationParts(
            panel: FaultyPanel(real: panel, plan: plan), microphone: FaultyMicrophone(room: room, plan: plan),
            speaker: FaultySpeaker(real: speaker, plan: plan),
            synthesiser: FaultySynthesiser(real: FakeSynthesiser(), plan: plan), recogniser: recogniser,
            hearing: Hearing(stages: [files], recorder: files) { EnergyVoiceActivity() }, classifier: nil,
            context: context, chimes: [.start: chime, .end: chime, .error: chime])
        var settings = ConversationSettings()
        settings.endpointer.closingSilence = .milliseconds(700)
        settings.endpointer.fleeting = .zero
        settings.endpointer.burst = .zero
        conversation = await Conversation(
            parts: parts, settings: settings, start: SessionStart(names: names), logger: .silent, clock: timer
        ) { [told] _ in told.count() }
    }

    /// Follows button and bus, as the daemon does, and lets the devices obey.
    func start() async throws {
        obey()
        let conversation = conversation, van = van
        following.withLock { $0 = [Task { await conversation.run() }, Task { await van.run() }] }
        try await bus.consumers.until("the van follows the bus") { !$0.isEmpty }
        for (topic, payload) in FaultScene.states { bus.deliver(topic, payload) }
        try await bus.subscriptions.until("the van has subscribed") { _ in true }
        let told = await poll(within: .seconds(10)) {
            var known = 0
            for device in van.devices where await van.report(on: device).state != .unknown { known += 1 }
            return known >= FaultScene.states.count
        }
        guard told else { throw NeverHappened(description: "the devices' first states") }
        await conversation.onlyForInterrupt(plan)
    }

    /// Ends what `start` began; returns false where that did not end.
    func stop() async -> Bool {
        plan.onInterrupt(nil)
        plan.release()
        panel.unplug()
        bus.close()
        let tasks = following.withLock { $0 }
        let ended = Counter()
        for task in tasks { Task { await Self.note(task, ended) } }
        return await poll(within: .seconds(10)) { ended.value == tasks.count }
    }

    private static func note(_ task: Task<Void, Never>, _ ended: Counter) async {
        await task.value
        ended.count()
    }

    private func obey() {
        let words = ["OPEN": "open", "CLOSE": "closed", "STOP": "stopped", "LOCK": "LOCKED", "UNLOCK": "UNLOCKED"]
        bus.answer { publication in
            guard publication.topic.hasSuffix("/set") else { return [] }
            var topic = String(publication.topic.dropLast(4))
            if topic.split(separator: "/").count == 2 { topic += "/state" }
            let payload = words[publication.payload] ?? publication.payload
            return [BusMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)]
        }
    }

    // MARK: what is there

    /// What is stored, past all faults.
    func rows() async throws -> Rows {
        let passedOver: Set<String> = ["change", "change_step", "grdb_migrations"]
        return try await store.connection.writer.read { database in
            var rows = Rows()
            let tables = try String.fetchAll(
                database,
                sql: "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
            for table in tables where !passedOver.contains(table) {
                // What the recogniser has learnt is kept in the background, whenever a turn was heard.
                let rest = table == "kept_value" ? " WHERE key NOT LIKE 'learnt.%'" : ""
                rows.tables[table] = try Row.fetchAll(database, sql: "SELECT * FROM \"\(table)\"\(rest)")
                    .map { "\($0)" }.sorted()
            }
            return rows
        }
    }

    /// What was published, but for what attached screens are to do.
    var published: [FakeBus.Publication] { bus.journal.entries.filter { $0.topic != AppAction.topic } }

    // MARK: waiting

    /// Asks again and again, until `isMet` holds.
    func poll(within limit: Duration, _ isMet: () async -> Bool) async -> Bool {
        let deadline = ContinuousClock.now + limit
        while await !isMet() {
            guard ContinuousClock.now < deadline else { return false }
            try? await ContinuousClock().sleep(for: .milliseconds(1))
        }
        return true
    }

    /// More than all limits of a turn together: listening to an answer 37 s, thinking 10 s, speaking 120 s, the notice
    /// about it 10 s.
    private static let allLimits = Duration.seconds(200)

    /// Waits until `isMet` holds, and moves the clock on where a call is held and nothing moves any more.
    /// - Returns: false where that does not happen within all limits.
    func wait(movesClock: Bool = true, _ isMet: () async -> Bool) async -> Bool {
        var moved = Duration.zero, last = -1, since = ContinuousClock.now
        return await poll(within: .seconds(20)) {
            if await isMet() { return true }
            let movements = plan.movements + told.value
            if movements != last {
                (last, since) = (movements, .now)
            } else if movesClock, since.duration(to: .now) > (plan.held > 0 ? patience : patience * 15),
                moved < Self.allLimits
            {
                // Where the clock is what fails, nobody waits by it.
                let now = clock.now.elapsed, next = clock.sleeping.first.map { $0 - now } ?? .seconds(11)
                clock.advance(by: next)
                (moved, since) = (moved + next, .now)
            }
            return false
        }
    }

    /// Waits until nothing goes on any more: no call under way, and a state in which somebody may speak.
    func settle() async -> Bool {
        let isIdle = await wait { await self.isIdle }
        let background = Counter(), conversation = conversation
        Task {
            await conversation.finishBackgroundWork()
            background.count()
        }
        // What is held may be a part of it.
        _ = await poll(within: .seconds(10)) { background.value > 0 || plan.held > 0 }
        var last = -1, same = 0
        return await poll(within: .seconds(10)) {
            let movements = plan.movements
            same = movements == last && plan.running == 0 ? same + 1 : 0
            last = movements
            return same > 4
        } && isIdle
    }

    private var isIdle: Bool {
        get async {
            let state = await conversation.state
            return state == .ready || state == .closed || state == .listening
        }
    }
}

extension Conversation {
    /// Waits for what goes on beside the turns.
    func finishBackgroundWork() async {
        await services.vocabulary.finish()
        await services.keptValues.finish()
        await services.screens.finish()
        await services.changes.naming?.value
    }

    /// From now on the plan's cancellations are the owner's.
    func onlyForInterrupt(_ plan: FaultPlan) {
        plan.onInterrupt { [weak self] in await self?.cancel() }
    }
}

extension Logger {
    static let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
}
