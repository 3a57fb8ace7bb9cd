import Logging

/// The van's devices as they are now: follows the bus, keeps the last state of each device, and waits for the state
/// that confirms a command.
public actor Van {
    private struct Record {
        var state = DeviceReport.State.unknown
        var isAvailable = true
        var arrival: ContinuousClock.Instant?
    }
    private struct Waiter {
        let device: String
        let wanted: DeviceReport.State
        let continuation: CheckedContinuation<Bool, Never>
    }

    /// All devices, in the order of the file.
    public nonisolated let devices: [Device]
    private let bus: (any Bus)?
    private let confirmationLimit: Duration
    private let logger: Logger
    private let onChange: @Sendable (BusEvent) -> Void
    private var records: [String: Record] = [:]
    private var byStateTopic: [String: [Device]] = [:]
    private var byAvailabilityTopic: [String: [Device]] = [:]
    private var waiters: [Int: Waiter] = [:]
    private var nextWaiter = 0
    private var abandoned: Set<Int> = []
    private var disconnection = "not connected yet"

    /// A van of `devices`; without a bus nothing can be commanded, which is said as it is.
    /// - Parameter confirmationLimit: how long a command waits for the state that confirms it.
    /// - Parameter onConnection: called when the broker comes or goes.
    public init(
        devices: [Device], bus: (any Bus)?, confirmationLimit: Duration = .seconds(2), logger: Logger,
        onConnection: @escaping @Sendable (BusEvent) -> Void = { _ in }
    ) {
        self.devices = devices
        self.bus = bus
        self.confirmationLimit = confirmationLimit
        self.logger = logger
        onChange = onConnection
        for device in devices {
            if let topic = device.stateTopic { byStateTopic[topic, default: []].append(device) }
            if let topic = device.availabilityTopic { byAvailabilityTopic[topic, default: []].append(device) }
        }
    }

    /// The topics to subscribe to.
    public static func subscriptions(of devices: [Device]) -> [String] {
        Set(devices.flatMap { [$0.stateTopic, $0.availabilityTopic].compactMap { $0 } }).sorted()
    }

    /// Follows the bus until its events end.
    public func run() async {
        guard let bus else { return }
        for await event in bus.events() {
            switch event {
            case .connected:
                onChange(event)
            case .disconnected(let reason):
                disconnection = reason
                // States may change unseen while the broker is away; the retained ones come again with the reconnect.
                for id in records.keys { records[id]?.state = .unknown }
                onChange(event)
            case .message(let message):
                receive(message)
            }
        }
    }

    /// True while the broker is connected.
    public nonisolated var isConnected: Bool { bus?.isConnected ?? false }

    /// Why there is no connection, in words.
    public var connectionDetail: String { isConnected ? "connected" : disconnection }

    private func receive(_ message: BusMessage) {
        for device in byAvailabilityTopic[message.topic] ?? [] {
            if message.text == device.payloadAvailable { records[device.id, default: Record()].isAvailable = true }
            if message.text == device.payloadNotAvailable { records[device.id, default: Record()].isAvailable = false }
        }
        for device in byStateTopic[message.topic] ?? [] {
            let state = Self.state(of: device, payload: message)
            records[device.id, default: Record()].state = state
            records[device.id]?.arrival = .now
            for (number, waiter) in waiters where waiter.device == device.id && waiter.wanted == state {
                waiters[number] = nil
                waiter.continuation.resume(returning: true)
            }
        }
    }

    private static func state(of device: Device, payload: BusMessage) -> DeviceReport.State {
        guard let text = payload.text, !text.isEmpty else { return .invalid }
        if text == device.stateOn { return .on }
        if text == device.stateOff { return .off }
        return text == "null" || text == "None" ? .invalid : .value(String(text.prefix(200)))
    }

    /// What is known of a device now.
    public func report(on device: Device) -> DeviceReport {
        let record = records[device.id] ?? Record()
        let age = record.arrival.map { $0.duration(to: .now) }
        let isStale = if let age, let limit = device.expiresAfter { age > limit } else { false }
        return DeviceReport(state: record.state, isAvailable: record.isAvailable, isStale: isStale, age: age)
    }

    /// Turns a device on or off and waits for its state to say so. What cannot be sent now is never sent.
    public func turn(_ device: Device, on isOn: Bool) async -> CommandOutcome {
        guard device.canSwitch, let topic = device.commandTopic else { return .unsupported }
        guard let bus, bus.isConnected else { return .unreachable(disconnection) }
        let report = report(on: device)
        guard report.isAvailable else { return .offline }
        let wanted: DeviceReport.State = isOn ? .on : .off
        if report.state == wanted, !report.isStale { return .already }
        guard device.stateTopic != nil else {
            do {
                try await bus.publish(topic: topic, payload: isOn ? device.payloadOn : device.payloadOff, retain: false)
                return .told
            } catch { return .unreachable("\(error)") }
        }
        // The answer may arrive before the broker's acknowledgement: listen first, then send.
        let number = nextWaiter
        nextWaiter += 1
        // Taken here: an argument of the child task is evaluated when that begins, which may be after the answer.
        let start = ContinuousClock.now
        async let isConfirmed = confirmation(number, device: device.id, wanted: wanted, since: start)
        do {
            try await bus.publish(topic: topic, payload: isOn ? device.payloadOn : device.payloadOff, retain: false)
        } catch {
            if waiters[number] == nil { abandoned.insert(number) }
            giveUp(number)
            _ = await isConfirmed
            abandoned.remove(number)
            return .unreachable("\(error)")
        }
        return await isConfirmed ? .confirmed : .unconfirmed
    }

    private func confirmation(
        _ number: Int, device: String, wanted: DeviceReport.State, since start: ContinuousClock.Instant
    ) async -> Bool {
        // Both may have happened before this call came to run.
        if abandoned.remove(number) != nil { return false }
        if let record = records[device], record.state == wanted, let arrival = record.arrival, arrival >= start {
            return true
        }
        let limit = confirmationLimit
        let timeout = Task { [weak self] in
            try? await Task.sleep(for: limit)
            await self?.giveUp(number)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { continuation in
            waiters[number] = Waiter(device: device, wanted: wanted, continuation: continuation)
        }
    }

    private func giveUp(_ number: Int) {
        if let waiter = waiters.removeValue(forKey: number) {
            waiter.continuation.resume(returning: false)
        }
    }
}
