import Foundation
import Synchronization
import SystemTestKit
import Testing

@testable import Control

/// A daemon that hangs is told from one that takes its time.
@Suite(.serialized, .timeLimit(.minutes(1))) struct ServerPingTests {
    private static let silence = Duration.milliseconds(500)

    /// What a body throws.
    private func failure(_ body: () async throws -> Void) async -> (any Error)? {
        do { try await body() } catch { return error }
        return nil
    }

    private func isSilent(_ error: (any Error)?) -> Bool { (error as? DaemonUnreachable)?.isSilent == true }

    @Test func daemonThatSaysNothingMore_isGivenUp_byCallsAndStreams() async throws {
        try await withFolder { folder in
            let daemon = try SilentDaemon("\(folder)/control.sock", greets: true)
            defer { daemon.stop() }
            let client = ControlClient(path: daemon.path, silence: Self.silence)
            let call = await failure { _ = try await client.call(BackupMakeCall.self) }
            #expect(isSilent(call), "\(String(describing: call))")
            let stream = await failure { for try await _ in client.stream(EventsWatch.self) {} }
            #expect(isSilent(stream), "\(String(describing: stream))")
        }
    }

    @Test func daemonThatDoesNotEvenGreet_isSaidToRun() async throws {
        try await withFolder { folder in
            let daemon = try SilentDaemon("\(folder)/control.sock", greets: false)
            defer { daemon.stop() }
            let client = ControlClient(path: daemon.path)
            let call = await failure { _ = try await client.call(VersionCall.self) }
            #expect(isSilent(call), "\(String(describing: call))")
        }
    }

    @Test func longCall_andQuietWatch_areNotGivenUp_whileTheDaemonLives() async throws {
        let (pings, pinged) = AsyncStream.makeStream(of: Void.self)
        var calls = CallTable()
        calls.register(BackupMakeCall.self) { _ in
            // Many times as long as a silence may be.
            var count = 0
            for await _ in pings {
                count += 1
                if count == 20 { break }
            }
            return BackupResult(path: "/backup", date: Date(timeIntervalSince1970: 0), bytes: 1, kept: 1)
        }
        let hub = WatchHub()
        try await withServer(calls: calls, watch: hub, alive: { pinged.yield() }) { path in
            let client = ControlClient(path: path, silence: Self.silence)
            let watching = Task { () throws -> String? in
                for try await event in client.stream(EventsWatch.self) { return event.text }
                return nil
            }
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            let made = try await client.call(BackupMakeCall.self)
            #expect(made.path == "/backup")
            hub.publish(.notice("still there"))
            let seen = try await watching.value
            #expect(seen == "still there")
        }
    }

    @Test func daemonWhosePartsNoLongerAnswer_isGivenUp_thoughItsSocketDoes() async throws {
        let (never, signal) = AsyncStream.makeStream(of: Void.self)
        try await withServer(alive: { for await _ in never {} }) { path in
            let client = ControlClient(path: path, silence: Self.silence)
            let call = await failure { _ = try await client.call(CloseCall.self) }
            #expect(isSilent(call), "\(String(describing: call))")
            signal.finish()
        }
    }

    @Test func readerThatIsSlow_isNotTakenForASilentDaemon() async throws {
        let hub = WatchHub()
        let (pings, pinged) = AsyncStream.makeStream(of: Void.self)
        try await withServer(watch: hub, alive: { pinged.yield() }) { path in
            let client = ControlClient(path: path, silence: Self.silence)
            var events = client.stream(EventsWatch.self).makeAsyncIterator()
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            for number in 0..<100 { hub.publish(.notice("\(number)")) }
            // Nothing is taken while the daemon is asked several times.
            var count = 0
            for await _ in pings {
                count += 1
                if count == 10 { break }
            }
            for number in 0..<100 {
                let event = try await events.next()
                #expect(event?.text == "\(number)")
            }
        }
    }
}

/// Takes connections, perhaps greets, and says nothing more: a daemon whose threads wait for each other.
final class SilentDaemon: @unchecked Sendable {
    // Unchecked: the socket never changes; the clients are used by the queue alone.
    let path: String
    private let socket: Int32
    private let queue = DispatchQueue(label: "silent daemon")
    private var clients: [Int32] = []

    init(_ path: String, greets: Bool) throws {
        self.path = path
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0 && listen(socket, 8) == 0)
        let greeting = Data("{\"vanorb\": \"1.2.3\", \"protocol\": \(ControlLimits.protocolVersion)}\n".utf8)
        queue.async { [self] in
            while true {
                let client = accept(socket, nil, nil)
                guard client >= 0 else { break }
                clients.append(client)
                guard greets else { continue }
                _ = greeting.withUnsafeBytes { Glibc.send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            }
            for client in clients { close(client) }
        }
    }

    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        queue.sync {}
        close(socket)
    }
}
