import Domain
import CopilotTestKit
import Foundation
import Synchronization

/// A broker whose acknowledgements may fail to come.
struct FaultyBus: Bus {
    let real: FakeBus
    let plan: FaultPlan

    var isConnected: Bool { real.isConnected }
    func events() -> AsyncStream<BusEvent> { real.events() }
    func subscribe(_ filters: [String]) { real.subscribe(filters) }
    func publish(topic: String, payload: String, retain: Bool) async throws {
        try await plan.call(.bus, "publish \(topic)", BusFailure(detail: "publish: connection lost")) {
            try await real.publish(topic: topic, payload: payload, retain: retain)
        }
    }
}

/// What is said in the van, utterance by utterance: the microphone hears a voice, the recogniser the words.
final class VanRoom: Sendable {
    private struct State: Sendable {
        var text = ""
        /// True where somebody speaks as soon as the microphone opens.
        var isSpeaking = false
        var latest: ScriptedMicrophone?
    }
    private let state = Mutex(State())

    /// A voice and the silence that ends the utterance.
    static let utterance =
        SampleSound.voice(.milliseconds(512)) + SampleSound.silence(.seconds(1)) + SampleSound.silence(.seconds(1))

    /// Somebody says something into the open microphone, or as soon as it opens.
    func say(_ text: String) {
        let latest = state.withLock { state in
            state.text = text
            state.isSpeaking = state.latest == nil
            return state.latest
        }
        latest?.feed(Self.utterance)
    }

    var text: String { state.withLock { $0.text } }

    fileprivate func open() -> ScriptedMicrophone {
        state.withLock { state in
            let samples = state.isSpeaking ? Self.utterance : []
            state.isSpeaking = false
            let microphone = ScriptedMicrophone([.hears(samples, then: .waiting)], blockSize: 4_096)
            state.latest = microphone
            return microphone
        }
    }

    fileprivate func closed(_ microphone: ScriptedMicrophone) {
        state.withLock { if $0.latest === microphone { $0.latest = nil } }
    }
}

struct FaultyMicrophone: Microphone {
    let room: VanRoom
    let plan: FaultPlan

    func open(_ source: SoundSource) async throws -> any MicrophoneCapture {
        let trouble = DeviceFailure(device: "fake", reason: .unusable, detail: "open: as the test wants it")
        return try await plan.call(.microphone, "open", trouble) {
            let microphone = room.open()
            let capture = try await microphone.open(source)
            return FaultyCapture(real: capture, microphone: microphone, room: room, plan: plan)
        }
    }

    func probe() async throws {
        let trouble = DeviceFailure(device: "fake", reason: .unusable, detail: "probe: as the test wants it")
        try await plan.call(.microphone, "probe", trouble) {}
    }
}

private struct FaultyCapture: MicrophoneCapture {
    let real: any MicrophoneCapture
    let microphone: ScriptedMicrophone
    let room: VanRoom
    let plan: FaultPlan

    var losses: AudioLosses { real.losses }

    func next() async throws -> AudioBlock? {
        let trouble = DeviceFailure(device: "fake", reason: .lost, detail: "read: as the test wants it")
        return try await plan.call(.microphone, "next", trouble, waits: true) { try await real.next() }
    }

    func close() {
        room.closed(microphone)
        real.close()
    }
}

/// A recogniser that hears what is said in the van.
struct FaultyRecogniser: Recogniser {
    struct Trouble: Error {}

    let room: VanRoom
    let plan: FaultPlan
    var name: String { "scripted" }

    private func call<Value: Sendable>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
        try await plan.call(.recogniser, name, Trouble(), body)
    }

    func prepare(_ vocabulary: Vocabulary) async throws { try await call("prepare") {} }
    func begin() async throws { try await call("begin") {} }
    func accept(_ samples: [Int16]) async throws -> String? { try await call("accept") { nil } }
    func speculativelyFinish(_ speech: Range<Int>) async {
        await plan.quietCall(.recogniser, "speculativelyFinish", otherwise: ()) {}
    }
    func finish() async throws -> [Transcript] { try await call("finish") { [transcript] } }
    func diagnostics() async -> [String] {
        await plan.quietCall(.recogniser, "diagnostics", otherwise: []) { ["heard"] }
    }
    func cancel() async { await plan.quietCall(.recogniser, "cancel", otherwise: ()) {} }
    func dictate(_ range: Range<Int>) async throws -> Transcript? { try await call("dictate") { nil } }
    func adaptationState() async -> String? {
        await plan.quietCall(.recogniser, "adaptationState", otherwise: nil) { "a voice" }
    }
    func provisionalResult() async -> [Transcript]? {
        await plan.quietCall(.recogniser, "provisionalResult", otherwise: nil) { [transcript] }
    }
    func restore(_ adaptationState: String) async { await plan.quietCall(.recogniser, "restore", otherwise: ()) {} }

    /// Words evenly spread over the utterance.
    private var transcript: Transcript {
        let words = room.text.split(separator: " ").map(String.init)
        let length = AudioFormat.samples(in: .milliseconds(512)) / max(1, words.count)
        return Transcript(
            words.enumerated().map { place, word in
                TranscribedWord(text: word, start: place * length, end: (place + 1) * length, confidence: 0.95)
            })
    }
}

/// Hears the whole utterance as the same words.
struct FaultySecondRecogniser: UtteranceRecogniser {
    struct Trouble: Error {}

    let room: VanRoom
    let plan: FaultPlan
    var name: String { "second" }

    private func call<Value: Sendable>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
        try await plan.call(.secondRecogniser, name, Trouble(), body)
    }

    private var reading: ConstrainedResult.Reading { .init(text: room.text, logLikelihoodRatio: 0, score: 10) }

    func prepare(_ vocabulary: Vocabulary) async throws { try await call("prepare") {} }
    func transcribe(_ samples: [Int16], answering: Bool) async throws -> ConstrainedResult {
        try await call("transcribe") { ConstrainedResult(readings: [reading], free: room.text) }
    }
    func rescore(_ texts: [String]) async throws -> [ConstrainedResult.Reading] {
        try await call("rescore") { [reading] }
    }
    func release() async { await plan.quietCall(.secondRecogniser, "release", otherwise: ()) {} }
}

struct FaultySpeaker: Speaker {
    let real: RecordingSpeaker
    let plan: FaultPlan

    private func call<Value: Sendable>(_ name: String, _ body: () async throws -> Value) async throws -> Value {
        let trouble = DeviceFailure(device: "speech", reason: .lost, detail: "\(name): as the test wants it")
        return try await plan.call(.speaker, name, trouble, body)
    }

    func chime(_ sound: Sound) async throws { try await call("chime") { try await real.chime(sound) } }
    func speak(
        _ sentences: AsyncThrowingStream<SynthesisedSentence, any Error>,
        played: @escaping @Sendable (_ sentence: Int, _ samples: Int) -> Void
    ) async throws -> Bool {
        try await call("speak") { try await real.speak(sentences, played: played) }
    }
    func stopSpeech() { real.stopSpeech() }
    func probe(_ output: SpeakerOutput) async throws { try await call("probe") { try await real.probe(output) } }
}

struct FaultySynthesiser: Synthesiser {
    struct Trouble: Error {}

    let real: FakeSynthesiser
    let plan: FaultPlan

    func synthesise(_ sentence: String, voice: VoiceSettings) async throws -> SynthesisedSentence {
        try await plan.call(.synthesiser, "synthesise", Trouble()) {
            try await real.synthesise(sentence, voice: voice)
        }
    }
}

/// Somebody presses while it is told something.
struct FaultyPanel: Panel {
    let real: FakePanel
    let plan: FaultPlan

    func edges() -> AsyncStream<TimedEdge> { real.edges() }
    func show(_ look: RingLook, palette: Palette) {
        _ = plan.brief(.panel, "show")
        real.show(look, palette: palette)
    }
    func loudness(_ level: Double) {
        _ = plan.brief(.panel, "loudness")
        real.loudness(level)
    }
    func pulse(_ haptic: Haptic) {
        _ = plan.brief(.panel, "pulse")
        real.pulse(haptic)
    }
    func setNight(_ isNight: Bool) { real.setNight(isNight) }
}

/// A receiver in Lyon.
struct FaultyReceiver: PositionSource {
    let plan: FaultPlan
    let now: Date

    func latest() async -> PositionFix? {
        await plan.quietCall(.position, "latest", otherwise: nil) {
            let position = Position(latitude: 45.75, longitude: 4.85, time: now)
            return PositionFix(position: position, age: .zero, isCurrent: true)
        }
    }
    func distance() async -> Double { await plan.quietCall(.position, "distance", otherwise: 0) { 0 } }
}

/// A clock whose timers may fail to run out.
struct FaultyClock: Clock {
    struct Trouble: Error {}

    let real: ManualClock
    let plan: FaultPlan
    var now: ManualClock.Instant { real.now }
    var minimumResolution: Duration { real.minimumResolution }

    func sleep(until deadline: ManualClock.Instant, tolerance: Duration?) async throws {
        try await plan.timer("sleep", Trouble()) { try await real.sleep(until: deadline, tolerance: tolerance) }
    }
}

/// Reads what stands in place of the room, and keeps what was said: the audio chain's own files.
struct FaultyStages: SampleStageMaker, UtteranceRecorder {
    struct Trouble: Error {}

    let plan: FaultPlan

    func stage(_ work: AudioNode.Work, rate: Int) throws -> (any SampleStage)? {
        if plan.brief(.files, "stage") { throw Trouble() }
        return nil
    }
    func keep(_ samples: [Int16]) { _ = plan.brief(.files, "keep") }
}
