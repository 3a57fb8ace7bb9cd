import ArgumentParser
import Dispatch
import Foundation
import Logging

/// Plays devices that describe themselves, on a broker.
struct SimulateDiscovered: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Simulate devices with discovery on a broker, by four conventions.",
        discussion: """
            Home Assistant's discovery, Zigbee2MQTT, Tasmota and Victron's Venus OS. How a device behaves is set by a \
            message on simulation/<device>/behaviour: \
            \(GadgetBehaviour.allCases.map(\.rawValue).joined(separator: ", ")). \
            simulation/<device>/value/<name> changes a value, simulation/<device>/reset has the device begin again.
            """)

    @Option(help: "The devices, separated by commas; all by default.")
    var devices = ""
    @Option(help: "The broker's host.")
    var host = "127.0.0.1"
    @Option(help: "The broker's port.")
    var port: Int

    private var chosen: [Gadget] {
        get throws {
            guard !devices.isEmpty else { return Gadget.all }
            return try devices.split(separator: ",").map { name in
                guard let gadget = Gadget.all.first(where: { $0.name == name }) else {
                    let names = Gadget.all.map(\.name).joined(separator: ", ")
                    throw ValidationError("--devices: unknown device “\(name)”; expected: \(names)")
                }
                return gadget
            }
        }
    }

    func validate() throws { _ = try chosen }

    func run() async throws {
        let van = try DiscoveredVan(
            gadgets: chosen, host: host, port: port, logger: Logger(label: "simulated-van"))
        let bus = van.bus
        // SIGTERM ends it in an orderly way.
        signal(SIGTERM, SIG_IGN)
        let source = DispatchSource.makeSignalSource(signal: SIGTERM)
        source.setEventHandler { bus.shutdown() }
        source.resume()
        try await van.run {
            // Unbuffered: the parent process waits for this line.
            FileHandle.standardOutput.write(Data("\(van.gadgets.count) devices on \(host):\(port)\n".utf8))
        }
    }
}
