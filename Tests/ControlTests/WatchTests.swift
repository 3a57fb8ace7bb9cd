import Foundation
import SystemTestKit
import Testing

@testable import Control

@Suite(.serialized) struct WatchTests {
    @Test func watcher_getsEventsInOrder_untilItHangsUp() async throws {
        let hub = WatchHub()
        try await withServer(watch: hub) { path in
            var seen: [String] = []
            let stream = ControlClient(path: path).stream(EventsWatch.self)
            let publishing = Task {
                try await eventually("somebody watches") { hub.watcherCount == 1 }
                for number in 0..<100 { hub.publish(.notice("\(number)")) }
            }
            for try await event in stream {
                seen.append(event.text ?? "")
                if seen.count == 100 { break }
            }
            try await publishing.value
            #expect(seen == (0..<100).map(String.init))
            _ = consume stream
            try await eventually("nobody watches") { hub.watcherCount == 0 }
        }
    }

    @Test func newWatcher_firstGetsHowThingsAre() async throws {
        let hub = WatchHub()
        hub.publish(.status("Thinking…", state: .thinking))
        hub.publish(.status("Ready", state: .ready))
        hub.publish(.notice("gone"))
        hub.publish(.ring(look: "ready", palette: "finance"))
        try await withServer(watch: hub) { path in
            var events = ControlClient(path: path).stream(EventsWatch.self).makeAsyncIterator()
            let first = try await events.next()
            #expect(first == .status("Ready", state: .ready))
            let second = try await events.next()
            #expect(second == .ring(look: "ready", palette: "finance"))
        }
    }

    @Test func cancelLine_endsTheStream_andKeepsTheConnection() async throws {
        let hub = WatchHub()
        try await withServer(watch: hub) { path in
            let client = try RawClient(path)
            _ = await client.line()
            await client.send("{\"id\": 1, \"call\": \"events.watch\"}")
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.chime("start"))
            #expect(await client.line() == "{\"event\":{\"kind\":\"chime\",\"text\":\"start\"},\"id\":1}")
            await client.send("{\"cancel\": 1}")
            #expect(await client.line() == "{\"id\":1,\"result\":{}}")
            try await eventually("nobody watches") { hub.watcherCount == 0 }
            await client.send("{\"id\": 2, \"call\": \"version\"}")
            #expect(await client.line()?.contains("1.2.3") == true)
        }
    }

    @Test func slowWatcher_isDisconnected_andTheDaemonGoesOn() async throws {
        let hub = WatchHub(capacity: 16)
        try await withServer(watch: hub, patience: .milliseconds(200)) { path in
            let slow = try RawClient(path)
            await slow.send("{\"id\": 1, \"call\": \"events.watch\"}")
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            let text = String(repeating: "x", count: 10_000)
            let deadline = ContinuousClock.now + .seconds(20)
            while hub.watcherCount > 0, ContinuousClock.now < deadline {
                hub.publish(.notice(text))
                await Task.yield()
            }
            #expect(hub.watcherCount == 0)
            #expect(await slow.isClosedInTheEnd())
            #expect(try await ControlClient(path: path).call(VersionCall.self).version == "1.2.3")
        }
    }

    @Test func watcherThatIsBrieflyBehind_isToldSo_beforeItIsDisconnected() async throws {
        let hub = WatchHub(capacity: 8)
        let stream = hub.subscribe()
        for number in 0..<9 { hub.publish(.notice("\(number)")) }
        var seen = 0
        await #expect(throws: ControlError.self) {
            for try await _ in stream { seen += 1 }
        }
        #expect(seen == 8)
        #expect(hub.watcherCount == 0)
    }

    @Test func daemonsEnd_endsTheWatch() async throws {
        let hub = WatchHub()
        let (seen, signal) = AsyncStream.makeStream(of: Void.self)
        let watching = try await withServer(watch: hub) { path in
            let watching = Task {
                for try await _ in ControlClient(path: path).stream(EventsWatch.self) { signal.yield() }
            }
            try await eventually("somebody watches") { hub.watcherCount == 1 }
            hub.publish(.notice("hello"))
            for await _ in seen { break }
            return watching
        }
        await #expect(throws: DaemonUnreachable.self) { try await watching.value }
    }
}
