import Domain
import Logging
import Synchronization

/// How devices are discovered, and how VanOrb describes itself.
public struct DiscoverySettings: Sendable {
    /// The conventions that are read.
    public let conventions: [any DeviceConvention]
    /// What VanOrb publishes of itself, which is not taken for a device; nil where it publishes nothing.
    public let presence: HubPresence?

    /// Settings; the default discovers nothing.
    public init(conventions: [any DeviceConvention] = [], presence: HubPresence? = nil) {
        self.conventions = conventions
        self.presence = presence
    }
}

/// How long a command waits for the state that confirms it.
public struct ConfirmationLimit: Sendable {
    /// The time limit.
    public let limit: Duration
    /// What it is measured by.
    public let clock: any Clock<Duration>

    /// A limit of two seconds unless given.
    public init(_ limit: Duration = .seconds(2), clock: any Clock<Duration> = ContinuousClock()) {
        self.limit = limit
        self.clock = clock
    }
}

/// The van's devices as they are now: follows the bus, keeps the last state of each device, and waits for the state
/// that confirms a command.
public actor Van {
    /// What one of a device's topics said last.
    package struct Reading {
        package var state: DeviceReport.State
        var arrival: ContinuousClock.Instant
    }

    /// Bytes of a payload that are kept for diagnostics.
    static let shownBytes = 512
    package struct Record {
        package var readings: [Aspect: Reading] = [:]
        package var presence = Device.Presence()
    }
    package struct Waiter {
        package let device: String, plan: CommandPlan, start: ContinuousClock.Instant
        package let continuation: CheckedContinuation<Confirmation, Never>
    }

    /// All devices: the owner's in the order of the file, then those that described themselves.
    public nonisolated var devices: [Device] { known.withLock { $0 } }
    private nonisolated let known: Mutex<[Device]>
    /// Reports that devices were added, removed or changed; one consumer.
    public nonisolated let deviceChanges = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    /// Sensors that begin to warn of fire, gas or carbon monoxide; one consumer.
    public nonisolated let alarms = AsyncStream.makeStream(of: Device.self)
    /// Messages on topics that do not belong to a device; one consumer, the newest 16.
    public nonisolated let others = AsyncStream.makeStream(of: BusMessage.self, bufferingPolicy: .bufferingNewest(16))
    private let otherTopics: Set<String>
    /// The topic of VanOrb's own description, which is not a device of the van.
    let ownTopic: String?
    /// The sensors that warn: each is reported once, until it has reported that the danger is over.
    private var warning: Set<String> = []
    var registry: DeviceRegistry
    package var conventions: [any DeviceConvention]
    var pendingUpdate: Task<Void, Never>?
    /// Topics that devices only receive commands on, and those of them with a retained message.
    private var commandTopics: Set<String> = []
    var keptCommands: Set<String> = []
    /// The last payload on each topic of a device.
    package var payloads: [String: [UInt8]] = [:]
    /// What newly described devices are to be asked once their states are subscribed to.
    package var requests: [BusRequest] = []
    /// Messages under the conventions' filters for a device that is not known yet, by topic: a Victron installation
    /// describes its parts by publishing their values, once.
    package var unread: [String: (message: BusMessage, arrival: ContinuousClock.Instant)] = [:]
    /// The owner's scenes.
    public nonisolated let scenes: [Scene]
    /// The modes: those that every van has, and the owner's.
    public nonisolated let modes: [Mode]
    package nonisolated let adjustments: [DeviceAdjustment]
    package let bus: (any Bus)?
    package let confirmationLimit: Duration
    package let clock: any Clock<Duration>
    package let logger: Logger
    private let onChange: @Sendable (BusEvent) -> Void
    var records: [String: Record] = [:]
    package private(set) var byStateTopic: [String: [(device: Device, aspect: Aspect)]] = [:]
    private var byAvailabilityTopic: [String: [Device]] = [:]
    /// When installations without an availability said anything.
    private var pulses: [Device.Pulse: ContinuousClock.Instant] = [:]
    package var waiters: [Int: Waiter] = [:]
    package var nextWaiter = 0
    var abandoned: Set<Int> = []
    package private(set) var disconnection = "not connected yet"

    /// A van of the devices that the owner describes and of those that are discovered.
    /// - Parameters:
    ///   - bus: nil where there is no broker; commands are then unreachable.
    ///   - onConnection: called when the broker connects or disconnects.
    public init(
        _ file: VanFile = VanFile(), discovery: DiscoverySettings = DiscoverySettings(), bus: (any Bus)?,
        confirmation: ConfirmationLimit = ConfirmationLimit(), logger: Logger,
        onConnection: @escaping @Sendable (BusEvent) -> Void = { _ in }
    ) {
        let devices = file.devices
        known = Mutex([])
        registry = DeviceRegistry(owners: devices, adjustments: file.adjustments)
        adjustments = file.adjustments
        otherTopics = Set(discovery.presence?.topics ?? [])
        ownTopic = discovery.presence?.descriptionTopic
        conventions = discovery.conventions
        scenes = file.scenes
        modes = file.modes
        self.bus = bus
        confirmationLimit = confirmation.limit
        clock = confirmation.clock
        self.logger = logger
        onChange = onConnection
        (byStateTopic, byAvailabilityTopic) = Self.index(devices)
        commandTopics = Set(devices.flatMap(\.commandTopics)).subtracting(byStateTopic.keys)
        known.withLock { $0 = devices }
    }

    private static func index(
        _ devices: [Device]
    ) -> ([String: [(device: Device, aspect: Aspect)]], [String: [Device]]) {
        var states: [String: [(device: Device, aspect: Aspect)]] = [:], presence: [String: [Device]] = [:]
        for device in devices {
            for source in device.sources { states[source.topic, default: []].append((device, source.aspect)) }
            for topic in Set(device.availability.map(\.topic)) { presence[topic, default: []].append(device) }
        }
        return (states, presence)
    }

    /// Replaces the devices; what is known of those that stay is kept.
    package func use(_ devices: [Device]) {
        (byStateTopic, byAvailabilityTopic) = Self.index(devices)
        commandTopics = Set(devices.flatMap(\.commandTopics)).subtracting(byStateTopic.keys)
        keptCommands.formIntersection(commandTopics)
        payloads = payloads.filter { byStateTopic[$0.key] != nil || byAvailabilityTopic[$0.key] != nil }
        let ids = Set(devices.map(\.id))
        records = records.filter { ids.contains($0.key) }
        let beating = Set(devices.compactMap(\.pulse))
        pulses = pulses.filter { beating.contains($0.key) }
        for pulse in beating where pulses[pulse] == nil { pulses[pulse] = .now }
        known.withLock { $0 = devices }
    }

    /// The topics to subscribe to.
    public static func subscriptions(of devices: [Device]) -> [String] {
        // The command topics for the sake of diagnostics: a message retained there is carried out again after every
        // connect.
        Set(devices.flatMap { $0.sources.map(\.topic) + $0.availability.map(\.topic) + $0.commandTopics }).sorted()
    }

    /// Returns when the actor is free: a heartbeat.
    public func answer() {}

    /// Follows the bus until its events end.
    public func run() async {
        guard let bus else { return }
        bus.subscribe(conventions.flatMap(\.filters) + otherTopics.sorted())
        let keeping = Task { [weak self] in await self?.keepAlive() }
        defer { keeping.cancel() }
        for await event in bus.events() {
            switch event {
            case .connected:
                for pulse in pulses.keys { pulses[pulse] = .now }
                request(conventions.flatMap { $0.keepalive(isFirst: true) })
                onChange(event)
            case .disconnected(let reason):
                disconnection = reason
                // States may change unseen while the broker is away; the retained ones come again with the reconnect.
                for id in records.keys { records[id]?.readings = [:] }
                (unread, requests) = ([:], [])
                onChange(event)
            case .message(let message):
                if otherTopics.contains(message.topic) { others.continuation.yield(message) }
                let isRead = receive(message, at: .now)
                if message.topic != ownTopic { discover(message, isRead: isRead) }
            }
        }
    }

    /// True while the broker is connected.
    public nonisolated var isConnected: Bool { bus?.isConnected ?? false }

    /// Why there is no connection, in words.
    public var connectionDetail: String { isConnected ? "connected" : disconnection }

    /// Stores a message of a device.
    /// - Returns: false where its topic does not belong to a device.
    @discardableResult package func receive(_ message: BusMessage, at arrival: ContinuousClock.Instant) -> Bool {
        if commandTopics.contains(message.topic) {
            // The broker delivers it again after every connect, and the device carries it out again.
            if message.isRetained, !message.payload.isEmpty { keptCommands.insert(message.topic) }
            return true
        }
        for pulse in pulses.keys where pulse.covers(message.topic) { pulses[pulse] = arrival }
        if byStateTopic[message.topic] != nil || byAvailabilityTopic[message.topic] != nil {
            payloads[message.topic] = Array(message.payload.prefix(Self.shownBytes))
        }
        for device in byAvailabilityTopic[message.topic] ?? [] {
            records[device.id, default: Record()].presence.note(message, of: device.availability)
        }
        let states = byStateTopic[message.topic] ?? []
        for (device, aspect) in states {
            guard let state = device.state(aspect, payload: message) else { continue }
            records[device.id, default: Record()].readings[aspect] = Reading(state: state, arrival: arrival)
            if device.alarm != nil { watch(device, state) }
            for (number, waiter) in waiters where waiter.device == device.id {
                let confirmation = answer(to: waiter.plan, device.id, since: waiter.start)
                guard confirmation != .no else { continue }
                waiters[number] = nil
                waiter.continuation.resume(returning: confirmation)
            }
        }
        return !states.isEmpty
    }

    private func watch(_ device: Device, _ state: DeviceReport.State) {
        if state == .off { warning.remove(device.id) }
        if state == .on, warning.insert(device.id).inserted { alarms.continuation.yield(device) }
    }

    /// Whether a sensor warns, by its last report: a broker that is away, and takes all states with it, ends no
    /// danger.
    package func warns(_ device: Device) -> Bool { warning.contains(device.id) }

    /// What is known of a device now.
    public func report(on device: Device) -> DeviceReport { report(on: device, at: .now) }

    package func report(on device: Device, at now: ContinuousClock.Instant) -> DeviceReport {
        let record = records[device.id] ?? Record()
        func number(_ aspect: Aspect) -> Double? {
            guard case .value(let text)? = record.readings[aspect]?.state else { return nil }
            return Double(text)
        }
        func degrees(_ scale: Scale?, _ aspect: Aspect) -> Double? {
            guard let scale, let number = number(aspect) else { return nil }
            return scale.spoken(number)
        }
        var report = DeviceReport(
            state: .unknown, isAvailable: record.presence.isThere(device.availability.count, device.availabilityMode),
            isStale: false)
        if let pulse = device.pulse, let last = pulses[pulse], last.duration(to: now) > pulse.limit {
            report.isAvailable = false
        }
        report.level = device.level.flatMap { scale in number(.level).flatMap { scale.percent(raw: $0) } }
        report.colourTemperature = degrees(device.colourTemperature, .colourTemperature)
        if case .value(let kept)? = record.readings[.colour]?.state { report.colour = device.colour?.colour(kept) }
        report.tilt = device.tilt.flatMap { scale in number(.tilt).flatMap { scale.percent(raw: $0) } }
        if let swing = record.readings[.oscillation]?.state, swing == .on || swing == .off {
            report.isOscillating = swing == .on
        }
        report.target = degrees(device.target, .target)
        report.current = degrees(device.current, .current)
        if case .value(let name)? = record.readings[.option]?.state { report.option = name }
        let main = record.readings[.main] ?? substitute(for: device, record, report)
        report.state = main?.state ?? .unknown
        report.age = main.map { $0.arrival.duration(to: now) }
        if let age = report.age, let limit = device.expiresAfter { report.isStale = age > limit }
        if let age = report.age, let limit = device.offAfter, report.state == .on, age > limit { report.state = .off }
        return report
    }

    /// The state of a device that reports only its level, its option or its temperature.
    private func substitute(for device: Device, _ record: Record, _ report: DeviceReport) -> Reading? {
        if let level = report.level, var reading = record.readings[.level] {
            switch device.kind {
            case .cover: reading.state = .value((level < 1 ? Device.Position.closed : .open).rawValue)
            case .light, .fan: reading.state = level < 1 ? .off : .on
            default: break
            }
            return reading
        }
        if device.kind == .select || device.isHeating {
            return record.readings[.option] ?? record.readings[.target] ?? record.readings[.current]
        }
        return record.readings[.level]
    }
}
