import Domain
import Testing

@testable import BusMosquitto

/// The bus's small parts, without a broker.
@Suite struct BusPartsTests {
    @Test func backoff_doublesUpToOneSecond_withJitter_andBeginsAnew() {
        var backoff = Backoff()
        let longest = (0..<6).map { _ in backoff.next(share: 1) / .milliseconds(1) }
        #expect(longest == [100, 200, 400, 800, 1_000, 1_000])
        #expect(backoff.next(share: 0) == .milliseconds(500))
        for _ in 0..<1_000 { #expect(backoff.next() <= .seconds(1)) }
        backoff.reset()
        #expect(backoff.next(share: 1) == .milliseconds(100))
    }

    @Test func acknowledgementBeforeTheNumberIsKnown_findsItsWaiter() {
        var publications = Publications<String>()
        let ticket = publications.begin("lamp", deadline: .now)
        #expect(publications.acknowledged(7) == nil)
        #expect(publications.sent(ticket, message: 7) == "lamp")
        #expect(publications.removeAll().isEmpty)
    }

    @Test func lostConnection_givesEveryWaiterOnce_andALateNumberFindsNobody() {
        var publications = Publications<String>()
        let first = publications.begin("first", deadline: .now)
        let second = publications.begin("second", deadline: .now)
        #expect(publications.sent(first, message: 1) == nil)
        #expect(publications.removeAll() == ["first", "second"])
        #expect(publications.sent(second, message: 2) == nil)
        #expect(publications.acknowledged(2) == nil)
        #expect(publications.nextDeadline == nil)
    }

    @Test func fullBuffer_dropsTheOldestMessages_andKeepsConnections() async {
        let buffer = EventBuffer(capacity: 4, byteCapacity: 1_000)
        buffer.yield(.connected)
        for number in 0..<10 { buffer.yield(message("\(number)", bytes: 1)) }
        #expect(buffer.dropped == 7)
        buffer.finish()
        var seen: [BusEvent] = []
        for await event in buffer.stream() { seen.append(event) }
        #expect(seen == [.connected] + (7..<10).map { message("\($0)", bytes: 1) })
    }

    @Test func buffer_isBoundedInBytes() {
        let buffer = EventBuffer(capacity: 100, byteCapacity: 1_000)
        for number in 0..<10 { buffer.yield(message("\(number)", bytes: 299)) }
        #expect(buffer.dropped == 7)
    }

    @Test func flood_leavesTheNewestOfEachTopic_inTheOrderInWhichTheyCame() async {
        let buffer = EventBuffer(capacity: 100, calm: 4)
        for round in 0..<5_000 {
            for topic in ["a", "b", "c", "d", "e"] { buffer.yield(message(topic, bytes: round % 7 + 1)) }
            buffer.yield(round == 2_500 ? .disconnected("away") : message("f", bytes: 1))
        }
        buffer.finish()
        var seen: [BusEvent] = []
        for await event in buffer.stream() { seen.append(event) }
        #expect(buffer.dropped == 0)
        // The first four waited before the flood began, and were replaced in it.
        let last = 4_999 % 7 + 1
        #expect(
            seen == [.disconnected("away")] + ["a", "b", "c", "d", "e"].map { message($0, bytes: last) } + [
                message("f", bytes: 1)
            ])
    }

    @Test func calmBus_losesNoMessage_ofWhateverTopic() async {
        let buffer = EventBuffer()
        for number in 1...500 { buffer.yield(message("text", bytes: number)) }
        buffer.finish()
        var count = 0
        for await _ in buffer.stream() { count += 1 }
        #expect(count == 500)
    }

    @Test func buffer_thatIsTakenFromWhileItFills_keepsTheOrder() async {
        let buffer = EventBuffer(calm: 8)
        let stream = buffer.stream()
        var iterator = stream.makeAsyncIterator(), taken: [BusEvent] = []
        for number in 0..<6_000 {
            buffer.yield(message("\(number)", bytes: 1))
            if number % 3 != 0, let event = await iterator.next() { taken.append(event) }
        }
        buffer.finish()
        while let event = await iterator.next() { taken.append(event) }
        #expect(taken == (0..<6_000).map { message("\($0)", bytes: 1) })
    }

    @Test func cancelledConsumer_isReleased() async {
        let buffer = EventBuffer()
        let task = Task { for await _ in buffer.stream() {} }
        task.cancel()
        await task.value
    }

    @Test(arguments: [
        MosquittoConfiguration(host: "", port: 1_883, clientID: "x"),
        MosquittoConfiguration(host: "h", port: 0, clientID: "x"),
        MosquittoConfiguration(host: "h", port: 70_000, clientID: "x"),
        MosquittoConfiguration(host: "h", port: 1_883, clientID: ""),
        MosquittoConfiguration(host: "h", port: 1_883, clientID: "x", credentials: .init(password: "p")),
        MosquittoConfiguration(host: "h", port: 1_883, clientID: "x", session: .init(keepAlive: 1)),
        MosquittoConfiguration(host: "h", port: 1_883, clientID: "x", session: .init(subscriptions: ["a/#/b"])),
        MosquittoConfiguration(host: "h", port: 1_883, clientID: "x", session: .init(subscriptions: [""])),
        MosquittoConfiguration(host: "h", port: 1_883, clientID: "x", tls: .init(caFile: "ca", clientCertificate: "c")),
        MosquittoConfiguration(
            host: "h", port: 1_883, clientID: "x",
            session: .init(will: .init(topic: "a/+", payload: "", retain: true))),
    ]) func configurationThatCouldNeverWork_isRefusedAtTheStart(configuration: MosquittoConfiguration) {
        #expect(throws: MosquittoError.self) {
            try MosquittoBus(configuration: configuration, logger: .init(label: "test"))
        }
    }

    private func message(_ topic: String, bytes: Int) -> BusEvent {
        .message(BusMessage(topic: topic, payload: Array(repeating: 0, count: bytes), isRetained: false))
    }
}
