import AudioALSA
import Control
import Devices
import Dialogue
import Domain
import Foundation
import Handlers
import Logging
import ServiceLifecycle
import Setup
import StoreSQLite
import Threads

/// The daemon's parts, wired: five builders, each on top of those before it. Nothing decides anything here.
struct Appliance: Sendable {
    let environment: DaemonEnvironment
    let storage: Storage
    let connection: VanConnection
    let peripherals: Peripherals
    let dialogue: DialogueParts
    let started = ContinuousClock.now

    var settings: Settings { environment.settings }
    var health: Health { environment.health }
    var logger: Logger { environment.logger }
    var context: HandlerContext { dialogue.context }
    var conversation: Conversation { dialogue.conversation }

    /// - Throws: `ConfigurationError` where a file of the owner's is at fault. Anything else that is missing is done
    ///   without, and reported.
    init(_ environment: DaemonEnvironment) async throws {
        self.environment = environment
        let files = try OwnerFiles(environment)
        storage = try await Storage(environment)
        connection = VanConnection(environment, files.van)
        peripherals = try Peripherals(environment, files.books)
        dialogue = await DialogueParts(environment, files, storage, connection, peripherals)
    }

    /// Runs until SIGTERM or SIGINT.
    /// - Parameter claim: the claim to the control socket's path.
    func run(claim: SocketClaim?) async throws {
        reportPriority()
        peripherals.sound.begin()
        await prepareSpeech()
        let server = try controlServer()
        var services = self.services(server, claim: claim)
        if let watchdog = watchdog(server: server) { services.append(Running { await watchdog.run() }) }
        // Ended in reverse: the devices before the bus, whose end would end them unasked, which counts as a failure.
        services += busServices + receiverServices
        let group = ServiceGroup(
            configuration: .init(
                services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger))
        // Ends by itself when the clock is known, which a service may not, and with this call.
        async let _ = storage.clockMonitor.run()
        async let _ = recoverStore()
        // The end of the training, which takes a minute on a small board, is not waited for.
        Task.detached(priority: .utility) { await trainClassifier() }
        try await group.run()
        // A restart is not a stop: systemd must not count the time that it takes against TimeoutStopSec.
        if !ProcessRestart.isUnderWay { SystemdNotify.send("STOPPING=1") }
    }

    private func controlServer() throws -> ControlServer {
        let owner = OwnerLocale(
            timeZone: context.calendar.timeZone.identifier, language: settings.language, country: settings.country,
            currency: settings.currency)
        return ControlServer(
            socket: .init(path: settings.controlSocket),
            identity: .init(version: Release.version, owner: owner), calls: try ControlCalls(self).table(),
            watch: environment.hub,
            alive: { [conversation, van = connection.van] in
                _ = await conversation.state
                await van.answer()
            }, logger: logger)
    }

    private func services(_ server: ControlServer, claim: SocketClaim?) -> [any Service] {
        [
            Running {
                try await server.run(claim: claim) { [logger] in
                    SystemdNotify.send("READY=1")
                    logger.info("ready")
                }
            },
            Running { await conversation.run() },
            Running { await recoverHearing() },
            Running { await recoverSound() },
            Running { await storage.diskMonitor.run() },
            Running { await storage.backups.run(health: health, kept: storage.stores.kept) },
        ]
    }

    private var busServices: [any Service] {
        guard let bus = connection.bus else { return [] }
        var services: [any Service] = [
            Running { try await bus.run() }, Running { await connection.van.run() }, Running { await followDevices() },
            Running { await followAlarms() },
        ]
        if let presence = dialogue.presence {
            services += [
                Running { await presence.introduce() }, Running { await presence.publishState() },
                Running { await presence.listen() },
            ]
        }
        return services
    }

    private var receiverServices: [any Service] {
        guard let receiver = connection.receiver else { return [] }
        let log = DriveLog(
            source: receiver, trips: context.stores.trips, places: context.location.places, logger: logger)
        return [Running { await receiver.run() }, Running { await log.run() }]
    }

    // MARK: following

    /// A vocabulary takes a second to make; devices come by the hundred.
    private static let renaming = Duration.seconds(1)

    /// Learns the names of devices that describe themselves.
    private func followDevices() async {
        for await _ in connection.van.deviceChanges.stream {
            let devices = connection.van.devices, discovered = devices.count { $0.origin != Device.ownersOrigin }
            health.report("devices", .ok, "\(devices.count) devices, \(discovered) of them discovered")
            await conversation.services.vocabulary.refreshNames()
            guard (try? await Task.sleep(for: Self.renaming)) != nil else { return }
        }
    }

    /// Warns of what sensors report, each on its own: a second one does not wait until the first has been heard.
    private func followAlarms() async {
        await withDiscardingTaskGroup { group in
            for await device in connection.van.alarms.stream { group.addTask { await conversation.alarm(device) } }
        }
    }

    /// Opens a database that could not be opened at the start, and learns the names in it.
    private func recoverStore() async {
        guard let store = storage.database, !store.wasOpenAtOnce else { return }
        await withDiscardingTaskGroup { group in
            group.addTask { await storage.service.recover(store) }
            // Also where a command was what opened it.
            group.addTask { await learnNames(of: store) }
        }
    }

    private func learnNames(of store: SQLiteStore) async {
        let changes = health.changes()
        if store.obstacle != nil {
            for await _ in changes where store.obstacle == nil { break }
        }
        guard !Task.isCancelled else { return }
        await conversation.services.vocabulary.refreshNames()
    }

    // MARK: health of the process

    /// Feeds systemd's watchdog; nil where systemd does not ask for it. Threads and queues register their heartbeats
    /// themselves; what is named here must be asked.
    private func watchdog(server: ControlServer) -> Watchdog? {
        let interval = Watchdog.interval(
            environment: ProcessInfo.processInfo.environment, process: ProcessInfo.processInfo.processIdentifier)
        guard let interval else { return nil }
        var asked = [
            ProbedHeartbeat("conversation") { [conversation] in _ = await conversation.state },
            ProbedHeartbeat("van") { [van = connection.van] in await van.answer() },
            ProbedHeartbeat("control socket") { await server.answer() },
        ]
        // A slow card may hold up a write for long.
        if let store = storage.database {
            asked.append(ProbedHeartbeat("database", patience: .seconds(120)) { await store.answer() })
        }
        if let receiver = connection.receiver { asked.append(ProbedHeartbeat("position") { await receiver.answer() }) }
        if let ducker = peripherals.sound.ducker {
            asked.append(ProbedHeartbeat("ducking") { await ducker.settled() })
        }
        let logger = logger
        return Watchdog(loops: [.process, HeartbeatRegistry(asking: asked)], interval: interval) {
            SystemdNotify.send("WATCHDOG=1")
        } complain: { overdue in
            logger.critical(
                "no answer from \(overdue.joined(separator: ", ")); systemd restarts VanOrb unless one comes")
        }
    }

    /// Reports whether the audio threads get real-time priority, which a thread of their kind finds out.
    private func reportPriority() {
        let priority = RealTimePriority.process
        priority.want()
        PumpThread(name: "vanorb-priority", isUrgent: true) { _ in }.join()
        guard let code = priority.refusal else {
            return health.report("real-time priority", .ok, "granted to the audio threads")
        }
        // No warning for a daemon that is run by hand.
        let isService = SystemdNotify.isService
        health.report(
            "real-time priority", isService ? .warning : .ok,
            "refused (\(String(cString: strerror(code)))): sound may stutter while the board is busy",
            advice: isService ? "Set LimitRTPRIO=20 in the unit vanorb.service." : nil)
    }
}

/// A service that ends when the appliance must end.
struct Running: Service {
    let body: @Sendable () async throws -> Void

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            do { try await body() } catch is CancellationError {}
        }
    }
}

/// What the daemon was started with, and where its parts report to.
struct DaemonEnvironment: Sendable {
    let source: SettingsSource
    let settings: Settings
    let board: Board
    let logger: Logger
    /// True where the parts are only wired to check that they can be; nothing is used then.
    var isCheck = false
    let health = Health()
    let hub = WatchHub()
}

extension Settings {
    /// The control socket's path.
    var controlSocket: String { run + "/control.sock" }
}
