import Control
import Foundation

extension Bench {
    /// Presses into a reply again and again, and measures how soon it is silent and how soon the chime begins.
    /// - Returns: the figures, as the daemon's traces have them: from the press that it has taken to the device.
    static func press(_ rounds: Int, on stage: Stage) async throws -> [Figure] {
        var chime: [Double] = [], silence: [Double] = []
        for _ in 0..<rounds {
            _ = try await stage.client.call(SayCall.self, .init(text: "what can I say"))
            try await stage.wait(for: .speaking)
            // In the middle of the sound, and too late for a double tap.
            try await Task.sleep(for: .milliseconds(Int.random(in: 400...700)))
            _ = try await stage.client.call(PressCall.self, .init(gesture: .tap))
            try await stage.wait(for: .listening)
            _ = try await stage.client.call(CloseCall.self)
            let turn = try await stage.client.call(TraceCall.self, .init(count: 1)).turns.first
            chime.append(turn?.milliseconds("press to chime") ?? 0)
            silence.append(turn?.milliseconds("press to silence") ?? 0)
        }
        return [
            Figure(name: "press to chime, p50 of \(rounds)", value: chime.percentile(0.5), unit: "ms", limit: 20),
            Figure(name: "press to chime, p95", value: chime.percentile(0.95), unit: "ms", limit: 20),
            Figure(name: "press to silence, p50 of \(rounds)", value: silence.percentile(0.5), unit: "ms", limit: 50),
            Figure(name: "press to silence, p95", value: silence.percentile(0.95), unit: "ms", limit: 50),
        ]
    }
}

extension Stage {
    /// Waits until the daemon is in a state, at most ten seconds.
    func wait(for state: ApplianceState) async throws {
        for _ in 0..<1_000 {
            if try await client.call(StatusCall.self).state == state { return }
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Failure(description: "the daemon did not come to “\(state)”; see \(folder)/daemon.log")
    }
}
