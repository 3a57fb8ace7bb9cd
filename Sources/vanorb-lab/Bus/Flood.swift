import Control
import Foundation

/// More states per second than any van has, sent to the daemon through a real broker.
struct Flood {
    let project: String
    let devices: Int, rate: Int, seconds: Int

    /// Every second turn needs no device, the others ask a device that is being flooded.
    private static let turns = 200

    func measure(into figures: inout [Figure]) async throws {
        let stage = try Stage(project: project, crowd: 0, recognisers: ["recogniser.engine=pocketsphinx"])
        defer { stage.close() }
        let crowd = DeviceCrowd(devices)
        figures += try await discovery(stage, crowd)
        let still = try await latencies(stage, crowd)
        // The language model with the names is still being compiled, which takes and releases memory.
        try await rest(stage)
        let before = try await stage.client.call(StatusCall.self)
        let port = stage.port
        let flooding = Task.detached { try pour(crowd, port) }
        // The first messages fill buffers and caches.
        try await Task.sleep(for: .seconds(2))
        let flooded = try await latencies(stage, crowd)
        let (sent, time) = try await flooding.value
        let after = try await stage.client.call(StatusCall.self)
        let processor = 100 * (after.cpuSeconds - before.cpuSeconds) / time
        let growth = Double(after.residentBytes - before.residentBytes) / 1e6
        figures += [
            Figure(name: "states published per second", value: Double(sent) / time, unit: ""),
            Figure(name: "the daemon's processor during the flood", value: processor, unit: "% of a core"),
            Figure(
                name: "resident memory before the flood", value: Double(before.residentBytes) / 1e6, unit: "MB"),
            Figure(name: "growth of resident memory", value: growth, unit: "MB", limit: 20),
            Figure(name: "understanding a typed command, p95", value: still.percentile(0.95), unit: "ms"),
            Figure(
                name: "understanding a typed command during the flood, p95", value: flooded.percentile(0.95),
                unit: "ms", limit: still.percentile(0.95) * 1.2),
            Figure(name: "the same without flood, p50", value: still.median, unit: "ms"),
            Figure(name: "the same during the flood, p50", value: flooded.median, unit: "ms"),
        ]
        figures.append(try await catchingUp(stage, crowd, sent))
    }

    /// Starts the daemon with the crowd on the bus.
    private func discovery(_ stage: Stage, _ crowd: DeviceCrowd) async throws -> [Figure] {
        let client = try WireClient(port: stage.port, clientID: "crowd")
        try crowd.describe(on: client)
        let began = ContinuousClock.now
        func elapsed(_ name: String) -> Figure {
            Figure(name: name, value: began.duration(to: .now).seconds, unit: "s")
        }
        _ = try await stage.startDaemon(["speech.auto_speak=false"])
        try await stage.waitForDevices()
        try await wait("the devices") {
            try await discovered(stage).count { $0.state != nil } == crowd.count
        }
        let listed = elapsed("start of the daemon to \(crowd.count) discovered devices listed")
        try await wait("the names") {
            try await stage.client.call(SayCall.self, .init(text: question(crowd))).handler == "van"
        }
        return [listed, elapsed("start of the daemon to their names understood")]
    }

    /// How long the newest states take to arrive after the flood.
    private func catchingUp(_ stage: Stage, _ crowd: DeviceCrowd, _ sent: Int) async throws -> Figure {
        let start = ContinuousClock.now
        let isNewest = await isTrue("the newest states", within: .seconds(20)) {
            try await discovered(stage).count { ($0.state ?? "").hasPrefix("\(sent)") } == crowd.count
        }
        return Figure(
            name: isNewest ? "newest states arrived after" : "newest states did NOT arrive within",
            value: start.duration(to: .now).seconds, unit: "s", limit: isNewest ? nil : 0)
    }

    /// Waits until the daemon's memory has been stable for some seconds.
    private func rest(_ stage: Stage) async throws {
        var last = try await stage.client.call(StatusCall.self).residentBytes, quiet = 0
        for _ in 0..<60 where quiet < Self.quietSeconds {
            try await Task.sleep(for: .seconds(1))
            let now = try await stage.client.call(StatusCall.self).residentBytes
            quiet = abs(now - last) < 1_000_000 ? quiet + 1 : 0
            last = now
        }
    }

    private static let quietSeconds = 4

    private func question(_ crowd: DeviceCrowd) -> String { "what is the \(crowd.name(crowd.count - 1))" }

    /// Of understanding alone: what follows does not depend on the flood.
    private func latencies(_ stage: Stage, _ crowd: DeviceCrowd) async throws -> [Double] {
        var times: [Double] = []
        for turn in 0..<Self.turns {
            let text = turn.isMultiple(of: 2) ? "where is the first aid kit" : question(crowd)
            times.append(try await stage.client.call(SayCall.self, .init(text: text)).milliseconds("understanding"))
        }
        return times
    }

    /// Publishes states in batches of ten milliseconds; the last round gives each device one known state.
    /// - Returns: how many were sent, which is also the last state, and the seconds that it took.
    private func pour(_ crowd: DeviceCrowd, _ port: Int) throws -> (sent: Int, seconds: Double) {
        let client = try WireClient(port: port, clientID: "flood")
        let start = ContinuousClock.now, batch = rate / 100
        var sent = 0
        for round in 0..<(seconds * 100) {
            try client.publish(
                (0..<batch).map { (crowd.stateTopic(sent + $0), DeviceCrowd.state(sent + $0)) })
            sent += batch
            let next = start + .milliseconds(10 * (round + 1))
            let rest = ContinuousClock.now.duration(to: next)
            if rest > .zero { usleep(UInt32(rest / .microseconds(1))) }
        }
        let time = start.duration(to: .now).seconds
        let last = sent + crowd.count
        try client.publish((0..<crowd.count).map { (crowd.stateTopic($0), DeviceCrowd.state(last)) })
        return (last, time)
    }

    private func discovered(_ stage: Stage) async throws -> [DeviceRow] {
        try await stage.client.call(DevicesListCall.self).devices.filter { $0.source == "home_assistant" }
    }

    private func isTrue(
        _ what: String, within limit: Duration, _ condition: () async throws -> Bool
    ) async -> Bool {
        do {
            try await wait(what, within: limit, condition)
            return true
        } catch { return false }
    }

    private func wait(
        _ what: String, within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
    ) async throws {
        let end = ContinuousClock.now + limit
        while try await !condition() {
            guard ContinuousClock.now < end else { throw Stage.Failure(description: "\(what) did not arrive") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
