import Domain
import Configuration
import Devices
import ArgumentParser
import Dispatch
import BusMosquitto
import Foundation
import Logging

/// Devices on a real broker that obey: every command sets the state, and sensors report values.
struct SimulatedVan: Sendable {
    let devices: [Device]
    let bus: MosquittoBus

    init(devices: [Device], host: String, port: Int, logger: Logger) throws {
        self.devices = devices
        var configuration = MosquittoConfiguration(host: host, port: port, clientID: "simulated-van-\(getpid())")
        configuration.session.subscriptions = Set(devices.flatMap(\.commandTopics)).sorted()
        bus = try MosquittoBus(configuration: configuration, logger: logger)
    }

    /// Obeys until the task is cancelled. Starts with everything off, closed and locked.
    func run(onReady: @escaping @Sendable () -> Void = {}) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await bus.run() }
            group.addTask {
                for await event in bus.events() {
                    switch event {
                    case .connected:
                        try? await announce()
                        onReady()
                    case .message(let message) where !message.isRetained: try? await obey(message)
                    default: break
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func announce() async throws {
        for device in devices {
            for there in device.availability {
                try await bus.publish(topic: there.topic, payload: there.payloadAvailable, retain: true)
            }
            for (topic, payload) in device.beginnings {
                try await bus.publish(topic: topic, payload: payload, retain: true)
            }
        }
    }

    private func obey(_ message: BusMessage) async throws {
        guard let payload = message.text else { return }
        for device in devices {
            for (topic, state) in device.answers(to: payload, on: message.topic) {
                try await bus.publish(topic: topic, payload: state, retain: true)
            }
        }
    }
}

/// How simulated devices behave. Their payloads are plain: a command's payload is reported as the state.
extension Device {
    /// The topics on which it takes commands.
    fileprivate var commandTopics: [String] {
        [
            commandTopic, level?.commandTopic, colourTemperature?.commandTopic, target?.commandTopic,
            options?.commandTopic,
        ].compactMap { $0 }
    }

    /// What it reports at the start.
    fileprivate var beginnings: [(topic: String, payload: String)] {
        var states: [(String?, String)] = [
            (level?.stateTopic, level.map { "\(Int($0.minimum))" } ?? ""), (target?.stateTopic, "18"),
            (current?.stateTopic, "17"), (colourTemperature?.stateTopic, "2700"),
        ]
        if let options, let first = options.all.first { states.append((options.stateTopic, first.payload)) }
        switch kind {
        case .cover: states.append((stateTopic, payload(of: .closed)))
        case .lock: states.append((stateTopic, payload(of: .locked)))
        case .sensor: states.append((stateTopic, Self.readings[deviceClass ?? ""] ?? "1"))
        case .number: states.append((stateTopic, "\(Int(value?.minimum ?? 0))"))
        case .select, .button, .scene: break
        case .switch, .light, .fan, .climate, .heater, .binarySensor: states.append((stateTopic, stateOff))
        }
        return states.compactMap { topic, payload in topic.map { ($0, payload) } }
    }

    private func payload(of position: Position) -> String {
        stateWords.first { $0.value == position }?.key ?? position.rawValue
    }

    /// What the sensors of a van on a fine afternoon say.
    private static let readings = [
        "battery": "82", "starter_battery": "12.7", "voltage": "13.1", "battery_power": "-46", "load_power": "46",
        "fresh_water": "64", "grey_water": "35", "black_water": "20", "gas": "71", "temperature": "17.5",
        "temperature_outside": "9", "humidity": "58", "solar": "120", "tyre_pressure": "3.6",
    ]

    /// What it reports after a command, in order: a cover is on its way before it is there.
    fileprivate func answers(to payload: String, on topic: String) -> [(topic: String, payload: String)] {
        var states: [(String?, String)] = []
        if topic == level?.commandTopic {
            states.append((level?.stateTopic, payload))
            if kind == .cover {
                let isClosed = Double(payload) == level?.minimum
                states.append((stateTopic, self.payload(of: isClosed ? .closed : .open)))
            }
        }
        if topic == colourTemperature?.commandTopic { states.append((colourTemperature?.stateTopic, payload)) }
        if topic == target?.commandTopic { states.append((target?.stateTopic, payload)) }
        if topic == options?.commandTopic, options?.all.contains(where: { $0.payload == payload }) == true {
            states.append((options?.stateTopic, payload))
        }
        if topic == commandTopic { states += mainAnswers(to: payload) }
        return states.compactMap { topic, payload in topic.map { ($0, payload) } }
    }

    private func mainAnswers(to payload: String) -> [(String?, String)] {
        switch kind {
        case .cover:
            guard let verb = verbs.first(where: { $0.value == payload })?.key, verb != .stop else { return [] }
            let isOpening = verb == .open
            let end = level.map { "\(Int(isOpening ? $0.maximum : $0.minimum))" } ?? ""
            return [
                (stateTopic, self.payload(of: isOpening ? .opening : .closing)), (level?.stateTopic, end),
                (stateTopic, self.payload(of: isOpening ? .open : .closed)),
            ]
        case .lock:
            if payload == verbs[.lock] { return [(stateTopic, self.payload(of: .locked))] }
            return payload == verbs[.unlock] ? [(stateTopic, self.payload(of: .unlocked))] : []
        case .number: return [(stateTopic, payload)]
        case .switch, .light, .fan, .climate, .heater:
            if payload == payloadOn { return [(stateTopic, stateOn)] }
            return payload == payloadOff ? [(stateTopic, stateOff)] : []
        case .select, .sensor, .binarySensor, .button, .scene: return []
        }
    }
}

/// Plays the devices of a device file on a broker.
struct SimulateVan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Simulate the devices of a device file on a broker.")

    @Option(help: "The device file.")
    var devices: String
    @Option(help: "The broker's host.")
    var host = "127.0.0.1"
    @Option(help: "The broker's port.")
    var port: Int

    func run() async throws {
        let devices = try DeviceFile.devices(ConfigurationNode(contentsOf: devices))
        let van = try SimulatedVan(devices: devices, host: host, port: port, logger: Logger(label: "simulated-van"))
        let bus = van.bus
        // SIGTERM ends it in an orderly way.
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { bus.shutdown() }
        source.resume()
        try await van.run {
            // Unbuffered: the parent process waits for this line.
            FileHandle.standardOutput.write(Data("\(van.devices.count) devices on \(host):\(port)\n".utf8))
        }
    }
}
