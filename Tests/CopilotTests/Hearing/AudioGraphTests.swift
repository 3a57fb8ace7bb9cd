import Configuration
import AudioPipeline
import Foundation
import Testing

/// A chain with a slip in it, and what is said of it.
struct WrongChain: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Further nodes, or others in place of the usual ones.
    var nodes: [String: String] = [:]
    var without: [String] = []
    var connections = ["microphone → fork", "fork → recogniser", "fork → vad", "vad.end → recogniser.finish"]
    let line: Int
    let message: [String]
}

/// How a chain is read from the board file, and what is refused.
@Suite struct AudioGraphTests {
    private static let usual = [
        ("microphone", "{kind: microphone}"), ("fork", "{kind: split}"), ("recogniser", "{kind: recogniser}"),
        ("vad", "{kind: voice_activity}"),
    ]

    private static func text(_ wrong: WrongChain) -> String {
        let kept = usual.filter { !wrong.without.contains($0.0) }.map { ($0.0, wrong.nodes[$0.0] ?? $0.1) }
        let more = wrong.nodes.filter { node in !usual.contains { $0.0 == node.key } }.sorted { $0.key < $1.key }
        let nodes = kept + more.map { ($0.key, $0.value) }
        return "nodes:\n" + nodes.map { "  \($0.0): \($0.1)\n" }.joined() + "connections:\n"
            + wrong.connections.map { "  - \($0)\n" }.joined()
    }

    private func graph(_ text: String) throws -> AudioGraph {
        try AudioGraph(ConfigurationNode(parsing: text, file: "board.yaml"))
    }

    static let wrong = [
        WrongChain(
            testDescription: "unknown kind", nodes: ["vad": "{kind: voice}"], line: 5,
            message: ["nodes.vad", "“voice”", "voice_activity"]),
        WrongChain(
            testDescription: "no kind", nodes: ["vad": "{frame: 512}"], line: 5, message: ["nodes.vad", "“kind”"]),
        WrongChain(
            testDescription: "unknown parameter", nodes: ["vad": "{kind: voice_activity, treshold: 0.4}"], line: 5,
            message: ["nodes.vad.treshold", "unknown key", "threshold"]),
        WrongChain(
            testDescription: "out of range", nodes: ["vad": "{kind: voice_activity, threshold: 5}"], line: 5,
            message: ["nodes.vad.threshold", "0.05 to 0.95", "5"]),
        WrongChain(
            testDescription: "another frame", nodes: ["vad": "{kind: voice_activity, frame: 100}"], line: 5,
            message: ["nodes.vad.frame", "512", "100"]),
        WrongChain(
            testDescription: "a word for a number", nodes: ["microphone": "{kind: microphone, rate: fast}"], line: 2,
            message: ["nodes.microphone.rate", "whole number", "fast"]),
        WrongChain(
            testDescription: "unknown voice activity", nodes: ["vad": "{kind: voice_activity, engine: ear}"], line: 5,
            message: ["nodes.vad.engine", "“ear”", "silero, speex"]),
        WrongChain(
            testDescription: "unknown engine", nodes: ["calm": "{kind: noise_suppression, engine: x}"], line: 6,
            message: ["nodes.calm.engine", "“x”", "speex"]),
        WrongChain(
            testDescription: "no such node", connections: ["microphone → fork", "fork → eer"], line: 8,
            message: ["fork → eer", "no node “eer”", "recogniser"]),
        WrongChain(
            testDescription: "no arrow", connections: ["microphone fork"], line: 7, message: ["fork → recogniser"]),
        WrongChain(
            testDescription: "a dangling arrow", connections: ["microphone →"], line: 7,
            message: ["fork → recogniser"]),
        WrongChain(
            testDescription: "an output connected twice",
            connections: ["microphone → recogniser", "microphone → vad", "vad.end → recogniser.finish"], line: 8,
            message: ["“microphone”", "twice", "split"]),
        WrongChain(
            testDescription: "an input connected twice",
            connections: ["microphone → fork", "fork → recogniser", "fork → vad", "fork → recogniser"], line: 10,
            message: ["“recogniser”", "twice"]),
        WrongChain(
            testDescription: "a cycle", nodes: ["a": "{kind: gain}", "b": "{kind: gain}"],
            connections: ["microphone → fork", "fork → recogniser", "fork → vad", "a → b", "b → a"], line: 6,
            message: ["nodes.a", "cycle", "a → b → a"]),
        WrongChain(
            testDescription: "nothing feeds a node", connections: ["microphone → fork", "fork → recogniser"], line: 5,
            message: ["nodes.vad", "nothing feeds it"]),
        WrongChain(
            testDescription: "a node feeds nothing", nodes: ["louder": "{kind: gain}"],
            connections: ["microphone → fork", "fork → recogniser", "fork → vad", "fork → louder"], line: 6,
            message: ["nodes.louder", "feeds nothing"]),
        WrongChain(
            testDescription: "behind the end", connections: ["microphone → recogniser", "recogniser → vad"], line: 8,
            message: ["ends in “recogniser”", "split"]),
        WrongChain(
            testDescription: "before the beginning", connections: ["fork → microphone"], line: 7,
            message: ["“microphone”", "nothing can feed it"]),
        WrongChain(
            testDescription: "no recogniser", without: ["recogniser"], connections: ["microphone → fork → vad"],
            line: 1,
            message: ["no recogniser"]),
        WrongChain(
            testDescription: "no microphone", without: ["microphone"], connections: ["fork → vad"], line: 1,
            message: ["no microphone"]),
        WrongChain(
            testDescription: "two recognisers", nodes: ["recogniser2": "{kind: recogniser}"],
            connections: ["microphone → fork", "fork → recogniser", "fork → vad", "fork → recogniser2"], line: 6,
            message: ["nodes.recogniser2", "“recogniser” and “recogniser2”", "one is allowed"]),
        WrongChain(
            testDescription: "an event of a node without any",
            connections: ["microphone → fork", "fork → recogniser", "fork → vad", "fork.end → recogniser.finish"],
            line: 10,
            message: ["“fork” has no events"]),
        WrongChain(
            testDescription: "an unknown event",
            connections: ["microphone → fork", "fork → recogniser", "fork → vad", "vad.stop → recogniser.finish"],
            line: 10,
            message: ["“vad” has no “stop”", "end"]),
        WrongChain(
            testDescription: "an unknown command",
            connections: ["microphone → fork", "fork → recogniser", "fork → vad", "vad.end → recogniser.stop"],
            line: 10,
            message: ["“recogniser” has no “stop”", "finish"]),
        WrongChain(
            testDescription: "an event into sound",
            connections: ["microphone → fork", "fork → recogniser", "fork → vad", "vad.end → recogniser"], line: 10,
            message: ["event", "“recogniser”"]),
        WrongChain(
            testDescription: "stereo at 48 kHz into the recogniser",
            nodes: ["microphone": "{kind: microphone, rate: 48000, channels: 2}"], line: 4,
            message: ["nodes.recogniser", "16000 Hz mono", "48000 Hz with 2 channels", "mono", "resample"]),
        WrongChain(
            testDescription: "stereo into a filter",
            nodes: ["microphone": "{kind: microphone, channels: 2}", "low": "{kind: high_pass}"],
            connections: ["microphone → low → fork", "fork → recogniser", "fork → vad"], line: 6,
            message: ["nodes.low", "mono", "2 channels"]),
        WrongChain(
            testDescription: "a channel that there is none of",
            nodes: ["microphone": "{kind: microphone, channels: 2}", "left": "{kind: mono, channel: 3}"],
            connections: ["microphone → left → fork", "fork → recogniser", "fork → vad"], line: 6,
            message: ["nodes.left", "3 channels"]),
    ]

    @Test(arguments: wrong) func aSlip_isRefused_withFileLineAndNode(_ wrong: WrongChain) throws {
        let error = try #require(throws: ConfigurationError.self) { try graph(Self.text(wrong)) }
        #expect(error.line == wrong.line, "\(error)")
        for part in wrong.message { #expect(error.description.contains(part), "\(error)") }
    }

    @Test func whatShips_isTheStandardChain() throws {
        let path = #filePath.replacing("Tests/CopilotTests/Hearing/AudioGraphTests.swift", with: "board/virtual.yaml")
        let entries = try ConfigurationNode(contentsOf: path).entries()
        let audio = try #require(entries.first { $0.key == "audio" }?.value)
        #expect(try AudioGraph(audio) == .standard)
    }

    @Test func theStandardChain_isInOrder() throws {
        let standard = AudioGraph.standard
        #expect(try AudioGraph(nodes: standard.nodes, connections: standard.connections) == standard)
        var settings = Endpointer.Settings()
        AudioGraph.standard.adopt(into: &settings)
        #expect(settings.tail == .milliseconds(200))
        settings.tail = .zero
        #expect(settings == Endpointer.Settings())
    }

    @Test func withoutItsEvent_silenceEndsNothing() throws {
        let chain = try graph(
            Self.text(
                WrongChain(
                    testDescription: "", nodes: ["vad": "{kind: voice_activity, threshold: 0.7, minimum_silence: 0.1}"],
                    connections: ["microphone -> fork", "fork -> recogniser", "fork -> vad"], line: 0, message: [])))
        var settings = Endpointer.Settings()
        chain.adopt(into: &settings)
        #expect(!settings.endsAtSilence)
        #expect(settings.threshold == 0.7)
        #expect(settings.minimumSilence == .milliseconds(100))
        var endpointer = Endpointer(settings)
        let verdicts = (0..<469).compactMap { endpointer.accept(probability: $0 < 20 ? 1 : 0, count: 512) }
        #expect(verdicts == [.speechBegan, .limit])
    }

    @Test(arguments: ["", "nodes: 3\nconnections: []", "nodes: {}", "nodes: {}\nconnections: 4", "[]", "nodes: {a: }"])
    func nonsense_isRefused(text: String) throws {
        #expect(throws: ConfigurationError.self) { try graph(text) }
    }
}
