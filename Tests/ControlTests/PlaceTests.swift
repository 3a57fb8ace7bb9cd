import Foundation
import Logging
import NIOCore
import NIOEmbedded
import Synchronization
import SystemTestKit
import Testing

@testable import Control

/// Who connects, and at what time.
final class Places: Sendable {
    private let state = Mutex((user: UInt32(1000), now: NIODeadline.uptimeNanoseconds(1_000_000_000)))

    var user: UInt32 { state.withLock { $0.user } }
    var now: NIODeadline { state.withLock { $0.now } }

    /// Whose connections the next ones are.
    func become(_ user: UInt32) { state.withLock { $0.user = user } }
    func advance(_ time: TimeAmount) { state.withLock { $0.now = $0.now + time } }
}

/// The places on the control socket, shared by user.
@Suite(.serialized) struct PlaceTests {
    private static let greeting = Greeting(vanorb: "1.2.3", protocol: 1)

    /// Connects `count` clients; each is welcome.
    private func connect(_ count: Int, _ path: String) async throws -> [RawClient] {
        var clients: [RawClient] = []
        for _ in 0..<count {
            let client = try RawClient(path)
            let line = await client.line()
            #expect(line?.contains("vanorb\"") == true, "\(line ?? "closed")")
            clients.append(client)
        }
        return clients
    }

    private func refusal(_ path: String) async throws -> String {
        try #require(await RawClient(path).line())
    }

    private func isAnswered(_ path: String) async throws {
        #expect(try await ControlClient(path: path).call(VersionCall.self).version == "1.2.3")
    }

    @Test func idleConnectionsOfOneUser_shutNobodyElseOut() async throws {
        let places = Places()
        try await withServer(places: places) { path in
            let idle = try await connect(ControlLimits.connectionsPerUser, path)
            for _ in ControlLimits.connectionsPerUser..<ControlLimits.connections {
                let said = try await refusal(path)
                #expect(said.contains("\"busy\"") && said.contains("You already have 128 connections"), "\(said)")
            }
            for user: UInt32 in [1001, ClientConnection.root] {
                places.become(user)
                try await isAnswered(path)
            }
            withExtendedLifetime(idle) {}
        }
    }

    @Test func oneConnectionTooMany_takesThePlaceOfTheLongestIdle_ofItsUser() async throws {
        let places = Places()
        try await withServer(calls: echoCalls(), places: places) { path in
            var clients = try await connect(ControlLimits.connectionsPerUser, path)
            // The first is busy, the second was used later than the third.
            await clients[0].send("{\"id\": 1, \"call\": \"close\"}")
            await clients[0].send("{\"id\": 2, \"call\": \"version\"}")
            _ = await clients[0].line()
            places.advance(.seconds(2))
            await clients[1].send("{\"id\": 1, \"call\": \"version\"}")
            _ = await clients[1].line()
            try await isAnswered(path)
            let said = await clients[2].line()
            #expect(said?.contains("\"busy\"") == true && said?.contains("was idle") == true, "\(said ?? "closed")")
            #expect(await clients[2].line() == nil)
            await clients[1].send("{\"id\": 2, \"call\": \"version\"}")
            #expect(await clients[1].line()?.contains("1.2.3") == true)
            await clients[0].send("{\"id\": 3, \"call\": \"version\"}")
            #expect(await clients[0].line()?.contains("1.2.3") == true)
            clients = []
        }
    }

    @Test func connectionsThatAreAllBusy_areKept_andTheNextIsToldSo() async throws {
        let places = Places()
        try await withServer(places: places) { path in
            var clients = try await connect(ControlLimits.connectionsPerUser, path)
            for client in clients {
                await client.send("{\"id\": 1, \"call\": \"close\"}")
                await client.send("{\"id\": 2, \"call\": \"version\"}")
                _ = await client.line()
            }
            places.advance(.seconds(60))
            #expect(try await refusal(path).contains("You already have 128 connections"))
            let error = await #expect(throws: ControlError.self) { try await isAnswered(path) }
            #expect(error?.code == ControlError.Code.busy)
            clients = []
            try await eventually("there is room again") {
                (try? await ControlClient(path: path).call(VersionCall.self)) != nil
            }
        }
    }

    @Test func allPlacesTaken_rootHasOneLeft_andOthersGetTheIdleOnesOfWhoHoldsMost() async throws {
        let places = Places()
        try await withServer(places: places) { path in
            let most = try await connect(ControlLimits.connectionsPerUser, path)
            places.become(1001)
            let some = try await connect(
                ControlLimits.connections - ControlLimits.connectionsForRoot - ControlLimits.connectionsPerUser, path)
            places.become(1002)
            #expect(try await refusal(path).contains("Already 240 connections to VanOrb are open, of all users"))
            places.become(ClientConnection.root)
            let root = try await connect(ControlLimits.connectionsForRoot, path)
            // Each of them was used just now.
            #expect(try await refusal(path).contains("Already 256 connections"))
            places.advance(.seconds(2))
            places.become(1002)
            try await isAnswered(path)
            #expect(await most[0].line()?.contains("was idle") == true)
            withExtendedLifetime((some, root)) {}
        }
    }

    @Test func user_isTheKernelsWord() async throws {
        let users = Mutex<[UInt32]>([])
        var calls = CallTable()
        calls.registerForConnection(VersionCall.self) { _, connection in
            users.withLock { $0.append(connection.user) }
            return VersionResult(version: "1.2.3")
        }
        try await withServer(calls: calls) { path in try await isAnswered(path) }
        #expect(users.withLock { $0 } == [getuid()])
    }

    // MARK: saying nothing

    /// A connection whose clock only goes by hand.
    private func quiet(_ body: (EmbeddedChannel) throws -> Void) throws {
        let channel = EmbeddedChannel(), open = OpenConnections()
        let handler = try ConnectionHandler(
            greeting: Self.greeting, calls: echoCalls(), admission: open.enter(channel, user: 1000), open: open,
            logger: Logger(label: "test"))
        try channel.pipeline.syncOperations.addHandlers([
            ByteToMessageHandler(LineDecoder(limit: ControlLimits.lineBytes)), handler,
        ])
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        #expect(try said(channel)?.contains("1.2.3") == true)
        try body(channel)
    }

    private func said(_ channel: EmbeddedChannel) throws -> String? {
        try channel.readOutbound(as: ByteBuffer.self).map { String(buffer: $0) }
    }

    @Test(arguments: ["", "{\"id\": 1, \"call\": \"ver", "\n \r\n"])
    func connectionWithoutOneCompleteRequest_isClosed_andToldWhy(_ sent: String) throws {
        try quiet { channel in
            channel.embeddedEventLoop.advanceTime(by: .seconds(9))
            if !sent.isEmpty { try channel.writeInbound(ByteBuffer(string: sent)) }
            #expect(try said(channel) == nil)
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            let line = try said(channel)
            #expect(line?.contains("\"idle\"") == true && line?.contains("within 10 s") == true, "\(line ?? "nothing")")
            channel.embeddedEventLoop.advanceTime(by: .seconds(1))
            #expect(!channel.isActive)
        }
    }

    @Test func connectionThatHasAskedOnce_mayStay() throws {
        try quiet { channel in
            try channel.writeInbound(ByteBuffer(string: "{\"id\": 1, \"call\": \"no such call\"}\n"))
            #expect(try said(channel)?.contains("unknown-call") == true)
            channel.embeddedEventLoop.advanceTime(by: .hours(24))
            #expect(channel.isActive)
            #expect(try said(channel) == nil)
        }
    }

    @Test func connectionsTurnedAway_lingerInABoundedNumber() {
        let open = OpenConnections()
        var isLingering: [Bool] = []
        for _ in 0..<ControlLimits.connectionsPerUser { _ = open.enter(EmbeddedChannel(), user: 1) }
        for _ in 0..<(OpenConnections.lingering + 3) {
            guard case .refused(let connection, _) = open.enter(EmbeddedChannel(), user: 1) else { continue }
            isLingering.append(open.leave(connection))
        }
        #expect(isLingering.count { $0 } == OpenConnections.lingering)
        #expect(isLingering.suffix(3) == [false, false, false])
    }
}
