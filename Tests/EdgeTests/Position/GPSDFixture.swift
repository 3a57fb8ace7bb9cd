import Foundation
import Synchronization
import SystemTestKit

/// A moment that stands still until the test moves it.
final class TestInstant: Sendable {
    private let instant = Mutex(ContinuousClock.now)
    var now: ContinuousClock.Instant { instant.withLock { $0 } }
    func advance(_ duration: Duration) { instant.withLock { $0 += duration } }
}

/// Debian's gpsd on free ports of the loopback interface, fed with NMEA sentences as from a receiver in the network. It
/// can be killed and started again on the same port.
final class GPSDFixture: @unchecked Sendable {
    // Unchecked: a test uses it from one task.
    let port: Int
    private let feedPort: Int
    private var daemon: ChildProcess?

    /// Starts a gpsd.
    init() async throws {
        port = try Port.free()
        feedPort = try Port.free(.udp)
        try await start()
    }

    /// Starts it (again) and waits until it listens.
    func start() async throws {
        daemon = try ChildProcess(
            "/usr/sbin/gpsd", ["-N", "-n", "-S", "\(port)", "udp://127.0.0.1:\(feedPort)"])
        try await eventually("gpsd to listen on \(port)") { Port.listens(self.port) }
    }

    /// Ends it the hard way.
    func kill() { daemon?.end() }

    /// Sends one second of a receiver's life.
    func send(latitude: Double, speed metresPerSecond: Double, second: Int) {
        feed(Self.sentences(latitude: latitude, speed: metresPerSecond, second: second))
    }

    /// One second of a receiver's life: RMC and GGA for a place on the meridian 4° 51' east.
    static func sentences(latitude: Double, speed metresPerSecond: Double, second: Int) -> String {
        let degrees = Int(latitude), minutes = (latitude - Double(degrees)) * 60
        let place = String(format: "%02d%07.4f,N,00451.0000,E", degrees, minutes)
        let time = String(format: "10%02d%02d.00", second / 60, second % 60)
        let knots = String(format: "%.1f", metresPerSecond * 3_600 / 1_852)
        let sentences = [
            "GPRMC,\(time),A,\(place),\(knots),0.0,211126,,,A", "GPGGA,\(time),\(place),1,08,0.9,200.0,M,47.0,M,,",
        ]
        return sentences.map(sentence).joined()
    }

    /// Sends any bytes.
    func feed(_ text: String) { Port.send(text, to: feedPort) }

    /// A sentence with its checksum: the bytes between $ and * combined by exclusive or (NMEA 0183).
    static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0 as UInt8) { $0 ^ $1 }
        return "$\(body)*\(String(format: "%02X", sum))\r\n"
    }
}
