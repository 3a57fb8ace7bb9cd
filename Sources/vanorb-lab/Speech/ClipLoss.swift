import AudioPipeline
import Domain
import Language

/// Where a command was lost between the microphone and the handler.
enum ClipLoss: String, Encodable, Sendable, CaseIterable {
    /// No speech was found, or what was heard was taken for a noise.
    case notHeard = "not_heard"
    /// The recognisers did not get the first words, or the last.
    case begunLate = "begun_late"
    case endCut = "end_cut"
    /// What was said is the best transcript, and its confidence did not suffice.
    case notBelieved = "not_believed"
    /// What was said was the constrained recogniser's best sentence, and another one was taken.
    case overturned
    /// What was said is among the recognisers' sentences, behind another one.
    case outranked
    /// The words are right, the command is not.
    case matchedWrongly = "matched_wrongly"
    /// Nobody heard what was said.
    case misheard

    /// As a table names it.
    var words: String { rawValue.replacing("_", with: " ") }
}

/// Finds where commands are lost.
struct LossJudge: Sendable {
    private let router: Router, normaliser: Normaliser

    /// A judge that understands as the appliance does.
    init(_ index: PhraseIndex, _ classifier: (any IntentClassifier)?) {
        router = Router(index: index, classifier: classifier)
        normaliser = index.books.normaliser
    }

    /// Why a recording's command was lost; nil where it was not, or where none was labelled.
    /// - Parameter speech: the recording without noise, 16 kHz mono.
    func loss(of clip: HeardClip, in speech: [Int16]) -> ClipLoss? {
        guard case .command = clip.label.wanted, clip.verdict != .right else { return nil }
        let turn = clip.turn
        guard turn.speech.count == 2 else { return .notHeard }
        if isRight(turn.transcript, clip.label) { return turn.commands.isEmpty ? .notBelieved : .matchedWrongly }
        let readings = RecogniserCascade.readings(in: turn.hearing)
        if let first = readings.first, isRight(first, clip.label) { return .overturned }
        if let said = SoundExtent(of: speech) {
            if turn.speech[0] - RecogniserCascade.keptBefore.seconds > said.start + Self.tolerance { return .begunLate }
            if turn.speech[1] + RecogniserCascade.keptBehind.seconds < said.end - Self.tolerance { return .endCut }
        }
        let others = readings.dropFirst() + turn.alternatives.map(\.text)
        if others.contains(where: { isRight($0, clip.label) }) { return .outranked }
        return clip.words?.errors == 0 ? .matchedWrongly : .misheard
    }

    /// Speech that is shorter than this is no word, in seconds.
    private static let tolerance = 0.1

    private func isRight(_ text: String, _ label: SpeechLabel) -> Bool {
        let commands = router.commands(in: text).commands
        return commands.count == 1 && label.isFulfilled(by: commands[0], normaliser)
    }
}

/// From where to where a recording without noise holds speech, in seconds.
struct SoundExtent: Equatable, Sendable {
    let start: Double, end: Double

    /// What is no more than this much quieter than the loudest frame counts as speech: 25 dB, as a ratio of energies.
    private static let floor = 0.003_16
    /// Samples of a frame, 20 ms.
    private static let frame = 320

    /// - Returns: nil where the recording is silent.
    init?(of samples: [Int16]) {
        let energies = stride(from: 0, to: samples.count, by: Self.frame).map { start in
            samples[start..<min(start + Self.frame, samples.count)].reduce(0.0) { $0 + Double($1) * Double($1) }
        }
        guard let loudest = energies.max(), loudest > 0 else { return nil }
        let loud = energies.indices.filter { energies[$0] > loudest * Self.floor }
        let length = Double(Self.frame) / Double(AudioFormat.sampleRate)
        start = Double(loud.first ?? 0) * length
        end = Double((loud.last ?? 0) + 1) * length
    }
}
