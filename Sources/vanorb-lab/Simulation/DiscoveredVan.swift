import Domain
import BusMosquitto
import Foundation
import Logging

/// Devices on a real broker that describe themselves, and behave as set by
/// `simulation/<device>/behaviour`.
///
/// Beside it, `simulation/<device>/value/<name>` changes a value as if the device had noticed something, and
/// `simulation/<device>/reset` resets it, so that it obeys. Each is answered on `simulation/<device>/done` with the
/// request, after everything that follows from it has been published.
actor DiscoveredVan {
    private static let lateness = Duration.seconds(5), heartbeat = Duration.seconds(3)
    private static let control = "simulation"

    nonisolated let bus: MosquittoBus
    nonisolated let gadgets: [Gadget]
    private var behaviours: [String: GadgetBehaviour] = [:]
    private var values: [String: Gadget.Values] = [:]
    /// How often each device's behaviour was set: what it was to do late before that is dropped.
    private var turns: [String: Int] = [:]
    private var listenedUntil: ContinuousClock.Instant?

    init(gadgets: [Gadget], host: String, port: Int, logger: Logger) throws {
        self.gadgets = gadgets
        var configuration = MosquittoConfiguration(host: host, port: port, clientID: "discovered-van-\(getpid())")
        configuration.session.subscriptions =
            gadgets.flatMap(\.commands) + ["\(Self.control)/+/behaviour", "\(Self.control)/+/reset"]
            + ["\(Self.control)/+/value/#", "\(VenusOS.requests)/#"]
        bus = try MosquittoBus(configuration: configuration, logger: logger)
        values = Dictionary(uniqueKeysWithValues: gadgets.map { ($0.name, $0.beginning) })
    }

    /// Plays until the task is cancelled.
    /// - Parameter onReady: called when all have described themselves, after each connection.
    func run(onReady: @escaping @Sendable () -> Void = {}) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { [bus] in
                try await bus.run()
                throw CancellationError()
            }
            group.addTask {
                for await event in self.bus.events() {
                    switch event {
                    case .connected:
                        await self.announceAll()
                        onReady()
                    case .message(let message) where !message.isRetained: await self.take(message)
                    default: break
                    }
                }
            }
            if gadgets.contains(where: \.isOfVenus) { group.addTask { try await self.beat() } }
            do { try await group.waitForAll() } catch is CancellationError {}
        }
    }

    private func beat() async throws {
        while true {
            try await Task.sleep(for: Self.heartbeat)
            await send([VenusOS.heartbeat(at: Int(Date().timeIntervalSince1970))])
        }
    }

    private func send(_ messages: [GadgetMessage]) async {
        for message in messages {
            // What cannot be sent now is sent with everything else after the next connection.
            try? await bus.publish(topic: message.topic, payload: message.payload, retain: message.isRetained)
        }
    }

    // MARK: descriptions

    private func announceAll() async {
        if let gadget = gadgets.first(where: \.isOfZigbee) {
            await send([ZigbeeBridge.state])
            await describe(gadget, isThere: true)
        }
        for gadget in gadgets { await announce(gadget) }
    }

    private func announce(_ gadget: Gadget) async {
        let behaviour = behaviours[gadget.name] ?? .obey
        if !gadget.isOfZigbee { await describe(gadget, isThere: behaviour != .gone) }
        if let presence = gadget.presence {
            let payload = behaviour == .offline ? presence.away : presence.there
            await send([GadgetMessage(presence.topic, payload, retained: true)])
        }
        if behaviour != .gone { await publish(gadget) }
    }

    private func describe(_ gadget: Gadget, isThere: Bool) async {
        switch gadget.description {
        case .own(let messages):
            await send(messages.map { GadgetMessage($0.topic, isThere ? $0.payload : "", retained: true) })
        case .zigbee:
            await send([
                ZigbeeBridge.devices(
                    gadgets.compactMap { gadget in
                        guard case .zigbee(let element) = gadget.description, behaviours[gadget.name] != .gone else {
                            return nil
                        }
                        return element
                    })
            ])
        case .values:
            // A removed device clears its topics.
            guard !isThere, isListenedTo else { return }
            await send(gadget.report(values[gadget.name] ?? [:]).map { GadgetMessage($0.topic, "") })
        }
    }

    // MARK: states

    private var isListenedTo: Bool { listenedUntil.map { $0 > .now } ?? false }

    /// Publishes a device's state; Venus OS publishes to listeners only.
    private func publish(_ gadget: Gadget, as values: Gadget.Values? = nil) async {
        let behaviour = behaviours[gadget.name] ?? .obey
        guard ![.gone, .offline, .silent].contains(behaviour), !gadget.isOfVenus || isListenedTo else { return }
        await send(gadget.report(values ?? self.values[gadget.name] ?? [:]))
    }

    private func keepAlive(_ payload: String) async {
        listenedUntil = .now + .seconds(VenusOS.patience)
        guard !payload.contains("suppress-republish") else { return }
        for gadget in gadgets where gadget.isOfVenus { await publish(gadget) }
        await send([VenusOS.completed(at: Int(Date().timeIntervalSince1970))])
    }

    /// Requested values are published unconditionally.
    private func answer(_ path: String) async {
        for gadget in gadgets where gadget.isOfVenus && ![.gone, .offline, .silent].contains(behaviours[gadget.name]) {
            await send(gadget.report(values[gadget.name] ?? [:]).filter { $0.topic == VenusOS.topic(path) })
        }
    }

    // MARK: control messages

    private func take(_ message: BusMessage) async {
        guard let payload = message.text else { return }
        let parts = message.topic.split(separator: "/").map(String.init)
        if message.topic == VenusOS.keepalive { return await keepAlive(payload) }
        if message.topic.hasPrefix(VenusOS.requests) {
            return await answer(String(message.topic.dropFirst(VenusOS.requests.count + 1)))
        }
        if parts.first == Self.control, parts.count >= 3 {
            guard let gadget = gadgets.first(where: { $0.name == parts[1] }) else { return }
            await conduct(gadget, Array(parts.dropFirst(2)), payload)
            await send([GadgetMessage("\(Self.control)/\(gadget.name)/done", payload)])
            return
        }
        for gadget in gadgets {
            let isItsOwn = gadget.commands.contains { filter in
                filter == message.topic || filter.last == "+" && message.topic.hasPrefix(filter.dropLast())
            }
            if isItsOwn { await act(gadget, on: GadgetMessage(message.topic, payload)) }
        }
    }

    private func conduct(_ gadget: Gadget, _ what: [String], _ payload: String) async {
        if what.first == "value", what.count > 1 {
            values[gadget.name]?[what.dropFirst().joined(separator: "/")] = payload
            return await publish(gadget)
        }
        turns[gadget.name, default: 0] += 1
        let before = behaviours[gadget.name]
        if what == ["reset"] {
            behaviours[gadget.name] = .obey
            values[gadget.name] = gadget.beginning
        } else if let behaviour = GadgetBehaviour(rawValue: payload) {
            behaviours[gadget.name] = behaviour
        }
        let now = behaviours[gadget.name]
        // The network's list is not published again without a change: it causes requests for all states.
        if before == .gone || now == .gone { await describe(gadget, isThere: now != .gone) }
        if let presence = gadget.presence, before == .offline || now == .offline {
            let payload = now == .offline ? presence.away : presence.there
            await send([GadgetMessage(presence.topic, payload, retained: true)])
        }
        await publish(gadget)
    }

    private func act(_ gadget: Gadget, on command: GadgetMessage) async {
        let behaviour = behaviours[gadget.name] ?? .obey, now = values[gadget.name] ?? [:]
        guard ![.gone, .offline].contains(behaviour), let steps = gadget.effect(command, now) else { return }
        guard let last = steps.last else { return await publish(gadget) }
        switch behaviour {
        case .refuse: await publish(gadget)
        case .lie: await publish(gadget, as: now.merging(last.mapValues { gadget.lie($0) }) { $1 })
        case .late:
            let turn = turns[gadget.name]
            Task { [weak self] in
                guard (try? await Task.sleep(for: Self.lateness)) != nil else { return }
                await self?.follow(steps, gadget, inTurn: turn)
            }
        default: await follow(steps, gadget, inTurn: turns[gadget.name])
        }
    }

    private func follow(_ steps: [Gadget.Values], _ gadget: Gadget, inTurn turn: Int?) async {
        guard turns[gadget.name] == turn else { return }
        for step in steps {
            values[gadget.name]?.merge(step) { $1 }
            await publish(gadget)
        }
    }
}

extension Gadget {
    fileprivate var isOfVenus: Bool { if case .values = description { true } else { false } }
    fileprivate var isOfZigbee: Bool { if case .zigbee = description { true } else { false } }
}
