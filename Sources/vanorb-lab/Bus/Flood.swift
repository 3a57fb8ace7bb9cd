import Control
import Foundation

/// More states a second than any van has, to the daemon over a real broker.
struct Flood {
    let project: String
    let devices: Int, rate: Int, seconds: Int

    /// A turn that needs no device, and one that asks a device that is being flooded.
    private static let turns = 200

    func measure(into figures: inout [Figure]) async throws {
        let stage = try Stage(project: project, crowd: 0, recognisers: ["recogniser.engine=pocketsphinx"])
        defer { stage.close() }
        let crowd = DeviceCrowd(devices)
        let client = try WireClient(port: stage.port, clientID: "crowd")
        try crowd.describe(on: client)
        let began = ContinuousClock.now
        _ = try await stage.startDaemon(["speech.auto_speak=false"])
        try await stage.waitForDevices()
        try await wait("the devices") {
            try await discovered(stage).count { $0.state != nil } == crowd.count
        }
        figures.append(
            Figure(
                name: "the daemon's start to \(crowd.count) discovered devices listed",
                value: began.duration(to: .now).seconds, unit: "s", limit: nil))
        try await wait("the names") {
            try await stage.client.call(SayCall.self, .init(text: question(crowd))).handler == "van"
        }
        figures.append(
            Figure(
                name: "the daemon's start to their names understood", value: began.duration(to: .now).seconds,
                unit: "s",
                limit: nil))

        let still = try await latencies(stage, crowd)
        // The names' language model is still being made, which takes memory and gives it back.
        try await rest(stage)
        let before = try await stage.client.call(StatusCall.self)
        let port = stage.port
        let flooding = Task.detached { try pour(crowd, port) }
        // The first messages fill what is there to be filled.
        try await Task.sleep(for: .seconds(2))
        let flooded = try await latencies(stage, crowd)
        let (sent, time) = try await flooding.value
        let after = try await stage.client.call(StatusCall.self)

        figures += [
            Figure(name: "states poured a second", value: Double(sent) / time, unit: "", limit: nil),
            Figure(
                name: "the daemon's processor in the flood", value: 100 * (after.cpuSeconds - before.cpuSeconds) / time,
                unit: "% of a core", limit: nil),
            Figure(
                name: "resident memory before the flood", value: Double(before.residentBytes) / 1e6, unit: "MB",
                limit: nil),
            Figure(
                name: "growth of resident memory", value: Double(after.residentBytes - before.residentBytes) / 1e6,
                unit: "MB", limit: 20),
            Figure(name: "understanding a typed command, p95", value: still.percentile(0.95), unit: "ms", limit: nil),
            Figure(
                name: "understanding a typed command in the flood, p95", value: flooded.percentile(0.95), unit: "ms",
                limit: still.percentile(0.95) * 1.2),
            Figure(name: "the same without flood, p50", value: still.median, unit: "ms", limit: nil),
            Figure(name: "the same in the flood, p50", value: flooded.median, unit: "ms", limit: nil),
        ]
        let settled = ContinuousClock.now
        let isNewest = await isTrue("the newest states", within: .seconds(20)) {
            try await discovered(stage).count { ($0.state ?? "").hasPrefix("\(sent)") } == crowd.count
        }
        figures.append(
            Figure(
                name: isNewest ? "the newest states are there, after" : "the newest states were NOT there, after",
                value: settled.duration(to: .now).seconds, unit: "s", limit: isNewest ? nil : 0))
    }

    /// Waits until the daemon's memory has stayed as it is for some seconds.
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

    /// Understanding alone: what is done then waits for nobody.
    private func latencies(_ stage: Stage, _ crowd: DeviceCrowd) async throws -> [Double] {
        var times: [Double] = []
        for turn in 0..<Self.turns {
            let text = turn.isMultiple(of: 2) ? "where is the first aid kit" : question(crowd)
            times.append(try await stage.client.call(SayCall.self, .init(text: text)).milliseconds("understanding"))
        }
        return times
    }

    /// Pours states in batches of ten milliseconds; the last round gives each device one known state.
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
            guard ContinuousClock.now < end else { throw Stage.Failure(description: "\(what) never came") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
