import Control
import Foundation

/// The measurements of `bench` on a running daemon.
struct BenchSession {
    let stage: Stage
    /// True without the constrained recogniser, which needs more memory and less time.
    let isStreamingOnly: Bool

    /// Spoken one after the other; the replies need no device, so that no simulated device is measured with them.
    private static let sentences = [
        "log diesel for fifty pounds", "where is the first aid kit", "how much money do I have",
        "how many camping chairs are there",
        "what is in the garage", "log twenty pounds for groceries", "where is the tow rope", "what's my burn rate",
    ]
    /// With words that are in no phrasebook.
    private static let freeSentences = [
        "add a task to check the roof box straps", "add a task to oil the squeaky hinges",
    ]
    private static let voices = ["slt", "rms", "awb", "kal16"]

    /// Megabytes that the daemon may hold.
    private var memoryLimit: Double { isStreamingOnly ? 180 : 330 }

    private func status() async throws -> StatusResult { try await stage.client.call(StatusCall.self) }

    /// Starts of the daemon; the last one stays running, without a voice.
    func starts() async throws -> [Figure] {
        let first = try await stage.startDaemon().seconds
        stage.stopDaemon()
        var starts: [Double] = []
        for _ in 0..<3 {
            stage.stopDaemon()
            starts.append(try await stage.startDaemon(["speech.auto_speak=false"]).seconds)
        }
        try await stage.waitForDevices()
        return [
            Figure(name: "first start to Ready, compiling the language model", value: first, unit: "s"),
            Figure(name: "cold start to Ready", value: starts.median, unit: "s", limit: 1.0),
        ]
    }

    /// Commands as text.
    func typedCommands() async throws -> [Figure] {
        var commits: [Double] = []
        for count in 1...200 {
            let turn = try await stage.client.call(SayCall.self, .init(text: "log diesel for \(count) pounds"))
            commits.append(turn.milliseconds("understanding") + turn.milliseconds("acting"))
        }
        let name = "typed ledger command, including its commit"
        return [
            Figure(name: "\(name), p50", value: commits.percentile(0.5), unit: "ms", limit: 5),
            Figure(name: "\(name), p99", value: commits.percentile(0.99), unit: "ms"),
        ]
    }

    /// Presses during a reply, and measures how soon it is silent and how soon the chime starts.
    /// - Returns: the daemon's own times, from the press to the device.
    func presses(_ rounds: Int) async throws -> [Figure] {
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

    /// Plays a sentence to the daemon, in real time.
    /// - Returns: the turn, with the times of its reply.
    private func turn(_ sentence: String, _ voice: String) async throws -> TraceRecord {
        let heard = try await stage.hear(stage.speak(sentence, voice: voice))
        try await stage.waitForReady()
        let turn = try await stage.client.call(TraceCall.self, .init(count: 1)).turns.first ?? heard
        Notes.say("  \(turn.transcript) → \(turn.reply)")
        return turn
    }

    /// Spoken commands.
    func spokenTurns() async throws -> [Figure] {
        let before = try await status().cpuSeconds
        var plain: [TraceRecord] = [], free: [TraceRecord] = []
        for voice in Self.voices {
            for sentence in Self.sentences { plain.append(try await turn(sentence, voice)) }
        }
        let resident = try await status().residentBytes
        for voice in Self.voices {
            for sentence in Self.freeSentences { free.append(try await turn(sentence, voice)) }
        }
        let count = plain.count + free.count
        let processor = (try await status().cpuSeconds - before) / Double(count)
        let transcript = "last sample to transcript"
        let audio = plain.map {
            $0.milliseconds("understanding") + $0.milliseconds("acting") + $0.milliseconds("reply to first audio")
        }
        return [
            Figure(
                name: "spoken turns that were carried out, of \(count)",
                value: Double((plain + free).count { $0.outcome == .done }), unit: "turns"),
            Figure(
                name: "press to microphone open, p95",
                value: plain.map { $0.milliseconds("microphone open") }.percentile(0.95), unit: "ms", limit: 30),
            Figure(
                name: "resident memory after \(plain.count) spoken turns", value: Double(resident) / 1e6, unit: "MB",
                limit: memoryLimit),
            Figure(
                name: "last sample of the closing silence to transcript, p95",
                value: plain.map { $0.milliseconds(transcript) }.percentile(0.95), unit: "ms",
                limit: isStreamingOnly ? 150 : 50),
            Figure(
                name: "the same with a free-text slot, p95",
                value: free.map { $0.milliseconds(transcript) }.percentile(0.95), unit: "ms",
                limit: isStreamingOnly ? 800 : nil),
            Figure(
                name: "transcript to first audio sample, p95", value: audio.percentile(0.95), unit: "ms", limit: 100),
            Figure(name: "processor seconds per spoken turn", value: processor, unit: "s"),
        ]
    }

    /// Half a minute without anything to do.
    func idle() async throws -> [Figure] {
        _ = try await stage.client.call(CloseCall.self)
        let before = try await status().cpuSeconds, start = ContinuousClock.now
        try await Task.sleep(for: .seconds(30))
        let idle = try await status().cpuSeconds - before
        let share = 100 * idle / start.duration(to: .now).seconds
        // The vocabulary with the new tasks is compiled by now.
        let resident = try await status().residentBytes
        let turns = Self.voices.count * Self.freeSentences.count
        return [
            Figure(name: "idle processor, session closed", value: share, unit: "% of a core", limit: 0.5),
            Figure(
                name: "resident memory after \(turns) more turns with free text, and a rest",
                value: Double(resident) / 1e6, unit: "MB", limit: isStreamingOnly ? 260 : memoryLimit),
        ]
    }

    /// Forty turns in ten minutes.
    func conversation() async throws -> [Figure] {
        let start = ContinuousClock.now
        let before = try await status().cpuSeconds
        for turn in 0..<40 {
            let sentence = Self.sentences[turn % Self.sentences.count]
            _ = try await stage.hear(stage.speak(sentence, voice: Self.voices[turn % Self.voices.count]))
            try await Task.sleep(until: start.advanced(by: .seconds(15 * (turn + 1))))
        }
        let end = try await status()
        return [
            Figure(
                name: "processor seconds for ten minutes of 40 turns", value: end.cpuSeconds - before, unit: "s"),
            Figure(
                name: "resident memory after the conversation", value: Double(end.residentBytes) / 1e6, unit: "MB",
                limit: memoryLimit),
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
        throw Failure(description: "the daemon did not reach the state “\(state)”; see \(folder)/daemon.log")
    }
}
