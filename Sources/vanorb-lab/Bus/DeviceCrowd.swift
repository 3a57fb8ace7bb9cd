import Devices
import BusMosquitto
import Foundation
import Logging

/// Many devices by Home Assistant's convention, for measuring.
struct DeviceCrowd {
    private let names: [String]

    init(_ count: Int) { names = Array(MadeUpNames.words.devices(count)) }

    var count: Int { names.count }

    /// What one of them is called.
    func name(_ number: Int) -> String { names[number % names.count] }

    func stateTopic(_ number: Int) -> String { "crowd/\(number % names.count)/state" }

    /// Publishes the descriptions of all, retained, with a state each.
    func describe(on client: WireClient) throws {
        for (number, name) in names.enumerated() {
            let config = """
                {"name":"\(name)","uniq_id":"crowd_\(number)","dev_cla":"power","unit_of_meas":"W",\
                "stat_t":"\(stateTopic(number))","val_tpl":"{{ value_json.power }}"}
                """
            try client.publish(
                [
                    ("homeassistant/sensor/crowd/\(number)/config", config),
                    (stateTopic(number), Self.state(number)),
                ], retained: true)
        }
    }

    static func state(_ value: Int) -> String { "{\"power\":\(value)}" }

    /// From the connection to the last device with its state, in this process.
    static func measure(_ count: Int, into figures: inout [Figure]) async throws {
        let broker = try BenchBroker(), crowd = DeviceCrowd(count)
        try crowd.describe(on: WireClient(port: broker.port, clientID: "crowd"))
        let logger = Logger(label: "bench-bus") { _ in SwiftLogNoOpLogHandler() }
        let bus = try MosquittoBus(
            configuration: MosquittoConfiguration(host: "127.0.0.1", port: broker.port, clientID: "bench"),
            logger: logger)
        let conventions: [any DeviceConvention] = [
            HomeAssistantDiscovery(), Zigbee2MQTTDiscovery(), TasmotaDiscovery(), VictronDiscovery(),
        ]
        let van = Van(discovery: DiscoverySettings(conventions: conventions), bus: bus, logger: logger)
        let start = ContinuousClock.now
        let running = Task { try await bus.run() }, following = Task { await van.run() }
        defer {
            running.cancel()
            following.cancel()
        }
        let limit = start + .seconds(60)
        var known = 0
        while known < crowd.count, ContinuousClock.now < limit {
            try await Task.sleep(for: .milliseconds(5))
            let devices = van.devices
            guard devices.count == crowd.count else { continue }
            known = 0
            for device in devices where await van.report(on: device).state != .unknown { known += 1 }
        }
        let time = start.duration(to: .now).seconds
        guard known == crowd.count else {
            throw Stage.Failure(description: "only \(known) of \(crowd.count) devices were known after a minute")
        }
        figures.append(
            Figure(
                name: "\(crowd.count) devices described and with state after connect", value: time, unit: "s", limit: 2)
        )
    }
}
