import Foundation
import Synchronization

#if canImport(Glibc)
    import Glibc
#endif

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
        port = try Self.freePort(SOCK_STREAM)
        feedPort = try Self.freePort(SOCK_DGRAM)
        try await start()
    }

    /// Starts it (again) and waits until it listens.
    func start() async throws {
        daemon = try ChildProcess(
            "/usr/sbin/gpsd", ["-N", "-n", "-S", "\(port)", "udp://127.0.0.1:\(feedPort)"])
        try await eventually("gpsd to listen on \(port)") { Self.listens(self.port) }
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
    func feed(_ text: String) {
        let socket = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(socket) }
        var address = Self.loopback(feedPort)
        let bytes = Array(text.utf8)
        _ = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, bytes, bytes.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// A sentence with its checksum: the bytes between $ and * combined by exclusive or (NMEA 0183).
    static func sentence(_ body: String) -> String {
        let sum = body.utf8.reduce(0 as UInt8) { $0 ^ $1 }
        return "$\(body)*\(String(format: "%02X", sum))\r\n"
    }

    private static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        return address
    }

    /// True where somebody takes connections on a port of the loopback interface.
    static func listens(_ port: Int) -> Bool {
        let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = loopback(port)
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    /// A port of the loopback interface that nobody uses at this moment.
    static func freePort(_ type: __socket_type) throws -> Int {
        let socket = socket(AF_INET, Int32(type.rawValue), 0)
        defer { close(socket) }
        var address = loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, length) == 0 && getsockname(socket, $0, &length) == 0
            }
        }
        guard isBound else { throw NotInTime(description: "no free port: errno \(errno)") }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
