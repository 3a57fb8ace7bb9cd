import Domain
import Foundation
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The position from gpsd over TCP (gpsd(8), gpsd_json(5)); reconnects when gpsd is back.
public final class GPSDPosition: PositionSource {
    /// How the connection is.
    public enum State: Sendable, Equatable {
        /// gpsd answers.
        case connected
        /// It does not, with the reason.
        case disconnected(String)
    }

    /// A fix is the present place for this long.
    public static let expiry = Duration.seconds(10)

    private struct Known: Sendable {
        var meter = DistanceMeter()
        var fix: (position: Position, at: ContinuousClock.Instant)?
    }

    private let known = Mutex(Known())
    private let host: String
    private let port: Int
    private let logger: Logger
    private let onState: @Sendable (State) -> Void
    private let loop = Mutex<(any EventLoop)?>(nil)
    private let now: @Sendable () -> ContinuousClock.Instant

    /// A client of the gpsd at `host` and `port`; it connects in `run`.
    public init(
        host: String = "127.0.0.1", port: Int = 2947, logger: Logger,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now },
        onState: @escaping @Sendable (State) -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        self.logger = logger
        self.now = now
        self.onState = onState
    }

    /// The latest fix with its age.
    public func latest() async -> PositionFix? {
        let instant = now()
        return known.withLock { known in
            known.fix.map { fix in
                let age = max(.zero, instant - fix.at)
                return PositionFix(position: fix.position, age: age, isCurrent: age <= Self.expiry)
            }
        }
    }

    /// Metres driven since the start.
    public func distance() async -> Double { known.withLock { $0.meter.metres } }

    /// Handles one line of gpsd's; one without a fix changes nothing.
    func receive(_ line: [UInt8]) {
        guard let report = GPSDReport(line: line) else { return }
        let instant = now()
        known.withLock { known in
            known.meter.add(report, at: instant)
            known.fix = (report.position, instant)
        }
    }

    // MARK: the connection

    /// Stays connected until the task is cancelled: a second's pause after the first failure, doubled up to half a
    /// minute, and a second again once gpsd has answered.
    public func run() async {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        loop.withLock { $0 = group.next() }
        defer { loop.withLock { $0 = nil } }
        var pause = 1
        while !Task.isCancelled {
            do {
                try await follow(group) { pause = 1 }
                if !Task.isCancelled { onState(.disconnected("gpsd closed the connection")) }
            } catch {
                if !Task.isCancelled { onState(.disconnected("\(host):\(port): \(error)")) }
            }
            guard (try? await Task.sleep(for: .seconds(pause))) != nil else { break }
            pause = min(30, pause * 2)
        }
        do { try await group.shutdownGracefully() } catch { logger.debug("gpsd: \(error)") }
    }

    /// Returns when the connection's thread has processed its queue; at once while it does not run.
    public func answer() async { try? await loop.withLock { $0 }?.submit {}.get() }

    private func follow(_ group: MultiThreadedEventLoopGroup, isConnected: () -> Void) async throws {
        let channel = try await ClientBootstrap(group: group).connectTimeout(.seconds(5))
            .connect(host: host, port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await channel.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "?WATCH={\"enable\":true,\"json\":true};\n"))
            var splitter = LineSplitter(), hasAnswered = false
            for try await buffer in inbound {
                // Something else may listen on the port; gpsd greets with JSON at once.
                let lines = splitter.take(buffer.readableBytesView)
                if !hasAnswered, lines.contains(where: { $0.first == UInt8(ascii: "{") }) {
                    hasAnswered = true
                    isConnected()
                    onState(.connected)
                }
                for line in lines { receive(line) }
            }
        }
    }
}
