import ArgumentParser
import Dispatch
import BusMosquitto
import Copilot
import Foundation
import Logging

/// Devices on a real broker that obey: every command on a device's topic becomes its state.
struct SimulatedVan: Sendable {
    let devices: [Device]
    let bus: MosquittoBus

    init(devices: [Device], host: String, port: Int, logger: Logger) throws {
        self.devices = devices.filter(\.canSwitch)
        var configuration = MosquittoConfiguration(host: host, port: port, clientID: "simulated-van-\(getpid())")
        configuration.subscriptions = self.devices.compactMap(\.commandTopic)
        bus = try MosquittoBus(configuration: configuration, logger: logger)
    }

    /// Obeys until the task is cancelled. Starts with everything off.
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
            if let topic = device.availabilityTopic {
                try await bus.publish(topic: topic, payload: device.payloadAvailable, retain: true)
            }
            if let topic = device.stateTopic {
                try await bus.publish(topic: topic, payload: device.stateOff, retain: true)
            }
        }
    }

    private func obey(_ message: BusMessage) async throws {
        for device in devices where device.commandTopic == message.topic {
            guard let topic = device.stateTopic else { continue }
            if message.text == device.payloadOn {
                try await bus.publish(topic: topic, payload: device.stateOn, retain: true)
            }
            if message.text == device.payloadOff {
                try await bus.publish(topic: topic, payload: device.stateOff, retain: true)
            }
        }
    }
}

/// Plays the devices of a device file on a broker.
struct SimulateVan: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Play the devices of a device file on a broker: each obeys and reports its state.")

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
            // Unbuffered: whoever started it waits for this line.
            FileHandle.standardOutput.write(Data("\(van.devices.count) devices on \(host):\(port)\n".utf8))
        }
    }
}
