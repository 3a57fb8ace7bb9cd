import Foundation
import Logging
import Synchronization
import SystemTestKit
import Testing

@testable import PositionGPSD

/// The client against Debian's gpsd.
@Suite(.serialized) struct GPSDPositionTests {
    private final class States: Sendable {
        private let all = Mutex<[GPSDPosition.State]>([])
        var list: [GPSDPosition.State] { all.withLock { $0 } }
        func note(_ state: GPSDPosition.State) { all.withLock { $0.append(state) } }
        var connections: Int { list.filter { $0 == .connected }.count }
    }

    private static func client(_ port: Int, _ states: States) -> GPSDPosition {
        GPSDPosition(
            host: "127.0.0.1", port: port, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
            onState: { states.note($0) })
    }

    /// Drives north, 22 m a second; each second is sent again until the client has it, for a datagram may be lost.
    private static func drive(
        _ gpsd: GPSDFixture, _ client: GPSDPosition, from start: Double, seconds: Range<Int>
    ) async throws {
        for second in seconds {
            let latitude = start + Double(second) * 0.0002
            try await eventually("the fix of second \(second)") {
                gpsd.send(latitude: latitude, speed: 22.24, second: second)
                return await client.latest().map { abs($0.position.latitude - latitude) < 0.00001 } ?? false
            }
        }
    }

    @Test func aDrive_isFollowed_andItsLengthCounted() async throws {
        let gpsd = try await GPSDFixture(), states = States()
        defer { gpsd.kill() }
        let client = Self.client(gpsd.port, states)
        let running = Task { await client.run() }
        try await eventually("the client to connect") { states.connections == 1 }
        gpsd.feed("$GPRMC,nonsense*00\r\n\u{0}\u{1}garbage\r\n")
        try await Self.drive(gpsd, client, from: 45.75, seconds: 0..<60)
        // 59 steps of 0.0002°, 22.239 m each; at most one step of the meter may be missing.
        let metres = await client.distance()
        #expect(metres > 1_312 - 60 && metres < 1_312 + 5, "\(metres) m")
        let fix = try #require(await client.latest())
        #expect(fix.isCurrent)
        #expect(abs(fix.position.longitude - 4.85) < 0.0001)
        running.cancel()
        await running.value
    }

    @Test func aKilledDaemon_isFoundAgain_andTheDistanceGoesOn() async throws {
        let gpsd = try await GPSDFixture(), states = States()
        defer { gpsd.kill() }
        let client = Self.client(gpsd.port, states)
        let running = Task { await client.run() }
        try await eventually("the client to connect") { states.connections == 1 }
        try await Self.drive(gpsd, client, from: 45.75, seconds: 0..<10)
        let before = await client.distance()
        gpsd.kill()
        try await eventually("the client to notice") { states.list.count > 1 }
        #expect(await client.latest() != nil)
        try await gpsd.start()
        try await eventually("the client to come back") { states.connections == 2 }
        try await Self.drive(gpsd, client, from: 45.75, seconds: 10..<20)
        #expect(await client.distance() > before + 100)
        running.cancel()
        await running.value
    }

    @Test func whereNoDaemonIs_itSaysSo_andEndsWhenCancelled() async throws {
        let states = States()
        let client = Self.client(1, states)
        let running = Task { await client.run() }
        try await eventually("the refusal") { !states.list.isEmpty }
        guard case .disconnected = states.list.first else {
            Issue.record("connected to port 1")
            return
        }
        #expect(await client.latest() == nil)
        running.cancel()
        await running.value
    }
}
