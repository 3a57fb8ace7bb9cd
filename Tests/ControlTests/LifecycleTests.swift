import Foundation
import Logging
import SystemTestKit
import Testing

@testable import Control

@Suite(.serialized) struct LifecycleTests {
    private func server(_ path: String) -> ControlServer {
        ControlServer(
            socket: .init(path: path), identity: .init(version: "1.2.3"), calls: echoCalls(), watch: WatchHub(),
            logger: Logger(label: "test"))
    }

    private func expectVersion(_ path: String) async throws {
        #expect(try await ControlClient(path: path).call(VersionCall.self).version == "1.2.3")
    }

    @Test func socket_hasItsMode_andIsGoneAfterwards() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            try await withRunning(server(path)) {
                let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
                #expect(mode == 0o660)
            }
            #expect(!FileManager.default.fileExists(atPath: path))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["control.sock.lock"])
        }
    }

    @Test func secondDaemon_isRefused_andTheFirstGoesOn() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let second = server(path)
            try await withRunning(server(path)) {
                await #expect(throws: ControlServerError.self) { try await second.run() }
                try await expectVersion(path)
            }
        }
    }

    @Test func otherProgramOnTheSocket_isNotPushedAside() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let other = try Listener(path)
            do {
                try await server(path).run()
                Issue.record("it started")
            } catch let error as ControlServerError {
                #expect(error.call == "connect")
            }
            other.stop()
        }
    }

    @Test func staleSocket_isReplaced() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            try Listener(path).stop()
            #expect(FileManager.default.fileExists(atPath: path))
            try await withRunning(server(path)) {
                try await expectVersion(path)
            }
        }
    }

    @Test func somethingElseAtThePath_isLeftAlone() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            try Data("precious".utf8).write(to: URL(fileURLWithPath: path))
            await #expect(throws: ControlServerError.self) { try await server(path).run() }
            #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        }
    }

    @Test(arguments: ["/nowhere/at/all/control.sock", "/tmp/\(String(repeating: "x", count: 120))"])
    func impossiblePath_isSaidSo(_ path: String) async throws {
        await #expect(throws: ControlServerError.self) { try await server(path).run() }
        unlink("\(path).lock")
    }

    @Test func startAndStop_manyTimes_leavesNothingBehind() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            for _ in 0..<20 {
                try await withRunning(server(path)) {
                    _ = try await ControlClient(path: path).call(VersionCall.self)
                }
            }
        }
    }

    @Test func shutdown_endsCallsUnderWay() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let client = ControlClient(path: path)
            let waiting = try await withRunning(server(path)) {
                let raw = try RawClient(path)
                _ = await raw.line()
                await raw.send("{\"id\": 1, \"call\": \"close\"}")
                let waiting = Task { try await client.call(CloseCall.self) }
                await raw.send("{\"id\": 2, \"call\": \"version\"}")
                _ = await raw.line()
                return waiting
            }
            await #expect(throws: (any Error).self) { try await waiting.value }
        }
    }

    @Test func callThatIgnoresItsCancellation_doesNotHoldUpTheEnd_forEver() async throws {
        let (began, signal) = AsyncStream.makeStream(of: Void.self)
        let (release, releaser) = AsyncStream.makeStream(of: Void.self)
        var calls = CallTable()
        calls.register(CloseCall.self) { _ in
            signal.yield()
            // A task of its own does not learn of the cancellation.
            await Task { for await _ in release { break } }.value
            return Acknowledgement(message: "late")
        }
        try await withServer(calls: calls) { path in
            let client = try RawClient(path)
            await client.send("{\"id\": 1, \"call\": \"close\"}")
            for await _ in began { break }
        }
        releaser.finish()
    }

    @Test func client_waitsForADaemonThatStartsLate() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let late = server(path)
            let asking = Task { try await ControlClient(path: path, patience: .seconds(30)).call(VersionCall.self) }
            for _ in 0..<100 { await Task.yield() }
            try await withRunning(late) {
                let answer = try await asking.value
                #expect(answer.version == "1.2.3")
            }
        }
    }

    @Test func client_withoutADaemon_failsAsUnreachable_afterItsPatience() async throws {
        try await withFolder { folder in
            let began = ContinuousClock.now
            await #expect(throws: DaemonUnreachable.self) {
                try await ControlClient(path: "\(folder)/control.sock", patience: .milliseconds(200)).call(
                    VersionCall.self)
            }
            #expect(ContinuousClock.now - began >= .milliseconds(200))
        }
    }

    @Test func daemonOfAnotherProtocol_isToldApart() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let other = try Listener(path, greeting: "{\"vanorb\": \"9.0.0\", \"protocol\": 9}\n")
            do {
                _ = try await ControlClient(path: path).call(VersionCall.self)
                Issue.record("it was accepted")
            } catch let error as ControlError {
                #expect(error.code == "wrong-protocol")
                #expect(error.message.contains("9.0.0"))
            }
            other.stop()
        }
    }

    @Test func daemonThatHangsUpAtOnce_isUnreachable() async throws {
        try await withFolder { folder in
            let path = "\(folder)/control.sock"
            let other = try Listener(path, greeting: "")
            await #expect(throws: DaemonUnreachable.self) { try await ControlClient(path: path).call(VersionCall.self) }
            other.stop()
        }
    }
}

/// Something that listens and is not the daemon: it says its greeting, if any, and hangs up.
private final class Listener: @unchecked Sendable {
    // Unchecked: both members never change.
    private let socket: Int32
    private let thread: DispatchQueue

    init(_ path: String, greeting: String? = nil) throws {
        socket = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        thread = DispatchQueue(label: "listener")
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let result = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(socket, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(result == 0 && listen(socket, 8) == 0)
        guard let greeting else { return }
        let descriptor = socket
        thread.async {
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                _ = greeting.withCString { Glibc.send(client, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
                close(client)
            }
        }
    }

    /// Stops listening and leaves the file behind, as a killed program does.
    func stop() {
        shutdown(socket, Int32(SHUT_RDWR))
        close(socket)
    }
}
