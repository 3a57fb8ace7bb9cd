import BusMosquitto
import Control
import Devices
import Domain
import Handlers
import PositionGPSD
import Setup

/// Builder 3 of 5: the van's bus with its devices, and where the van is.
struct VanConnection: Sendable {
    let bus: MosquittoBus?
    let van: Van
    /// VanOrb as a device of Home Assistant; nil where the settings turn that off.
    let presence: HubPresence?
    /// One element for each connect to the broker.
    let connects: AsyncStream<Void>
    /// Nil where the settings turn the receiver off.
    let receiver: GPSDPosition?
    /// The towns by which a position is named; nil where they are not installed.
    let places: Places?

    init(_ environment: DaemonEnvironment, _ file: VanFile) {
        let settings = environment.settings, health = environment.health
        bus = Self.bus(for: file.devices, environment)
        presence = settings.presencePrefix.map {
            HubPresence(prefix: $0, version: Release.version, takesInputs: settings.takesInputs)
        }
        let connects = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        self.connects = connects.stream
        let broker = settings.broker.map { "\($0.host):\($0.port)" } ?? ""
        van = Van(
            file, discovery: DiscoverySettings(conventions: settings.conventions, presence: presence), bus: bus,
            confirmation: ConfirmationLimit(settings.confirmation), logger: environment.logger,
            onConnection: { event in
                switch event {
                case .connected:
                    health.report("broker", .ok, "connected to \(broker)")
                    connects.continuation.yield()
                case .disconnected(let reason):
                    health.report("broker", .failed, reason, advice: Self.brokerAdvice)
                case .message: break
                }
            })
        receiver = Self.receiver(environment)
        places = Self.places(environment)
    }

    private static let brokerAdvice = "Start mosquitto, or check `vanorb settings mqtt`."

    private static func bus(for devices: [Device], _ environment: DaemonEnvironment) -> MosquittoBus? {
        let health = environment.health
        guard var configuration = environment.settings.broker else {
            health.report("broker", .warning, "turned off in the settings (mqtt.enabled)")
            return nil
        }
        configuration.session.subscriptions = Van.subscriptions(of: devices)
        do {
            health.report("broker", .warning, "connecting to \(configuration.host):\(configuration.port)")
            return try MosquittoBus(configuration: configuration, logger: environment.logger)
        } catch {
            environment.logger.error("MQTT: \(error)")
            health.report("broker", .failed, "\(error)", advice: "Check `vanorb settings mqtt`.")
            return nil
        }
    }

    /// A van may have no receiver: unless the settings require one, its absence is not a fault.
    private static func receiver(_ environment: DaemonEnvironment) -> GPSDPosition? {
        let settings = environment.settings, health = environment.health, logger = environment.logger
        guard settings.receiver != .off else { return nil }
        let isRequired = settings.receiver == .required
        let address = "\(settings.receiverHost):\(settings.receiverPort)"
        health.report("position", .ok, "no gpsd at \(address) yet")
        let onState: @Sendable (GPSDPosition.State) -> Void = { state in
            switch state {
            case .connected:
                logger.info("gpsd answers at \(address)")
                health.report("position", .ok, "gpsd at \(address)")
            case .disconnected(let reason) where isRequired:
                health.report(
                    "position", .failed, reason, advice: "Start gpsd, or check `vanorb settings position`.")
            case .disconnected(let reason):
                logger.debug("no gpsd: \(reason)")
                health.report("position", .ok, "no gpsd at \(address)")
            }
        }
        return GPSDPosition(
            host: settings.receiverHost, port: settings.receiverPort, logger: logger, onState: onState)
    }

    /// Without the towns all works, but places have no names, and the country is always the settings'.
    private static func places(_ environment: DaemonEnvironment) -> Places? {
        let file = environment.settings.places
        do {
            let places = try Places(contentsOf: file)
            environment.health.report("places", .ok, "\(places.count) towns")
            return places
        } catch {
            environment.logger.warning("no place names: \(error)")
            environment.health.report(
                "places", .warning, "\(error); places are described by coordinates only",
                advice: "Install libgeonames0 and libglib2.0-bin, then: gresource extract "
                    + "/usr/lib/*/libgeonames.so.0 /com/lomiri/geonames/cities.compiled > \(file)")
            return nil
        }
    }
}
