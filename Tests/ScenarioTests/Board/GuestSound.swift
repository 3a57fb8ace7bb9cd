import Domain
import Foundation
import Logging
import SpeechPocketSphinx
import SystemTestKit
import Testing

/// The room of the virtual board, and what is heard in it.
extension Guest {
    /// The other ends of the card's loops; see board/virtual/guest.yaml.
    enum Ear: String {
        case voice = "hw:Speaker,1,1"
        case chimes = "hw:Speaker,1,2"
    }

    /// Says something into the microphone, by one of flite's voices.
    func speak(_ text: String, voice: String = "slt") async throws {
        let name = "said-\(voice)-\(text.filter(\.isLetter)).wav"
        if !FileManager.default.fileExists(atPath: exchange(name)) {
            try Flite.speak(text, voice: voice, to: exchange(name))
        }
        try await run("aplay -q -D plughw:Room,0,0 /exchange/\(name)")
    }

    /// Begins to record what comes out of the card, as a card of 48 kHz stereo hears it.
    func record(_ recogniser: Ear) async throws -> GuestRecording {
        let name = "heard-\(UUID().uuidString.prefix(8)).wav"
        let child = try start(
            "arecord -q -D \(recogniser.rawValue) -f S16_LE -r 48000 -c 2 /var/tmp/\(name) & echo $! >/var/tmp/\(name).pid; echo recording; wait"
        )
        try await child.printed("recording")
        return GuestRecording(guest: self, name: name, child: child)
    }
}

/// A recording under way.
struct GuestRecording {
    let guest: Guest, name: String
    fileprivate let child: ChildProcess

    /// Ends it.
    /// - Returns: the samples at 16 kHz, mono.
    func end() async throws -> [Int16] {
        try await guest.run(
            """
            pid=$(cat /var/tmp/\(name).pid); kill -INT $pid
            while kill -0 $pid 2>/dev/null; do sleep 0.05; done; mv /var/tmp/\(name) /exchange/
            """)
        let wave = try Data(contentsOf: URL(filePath: guest.exchange(name)))
        let body = wave.dropFirst(44)
        return body.withUnsafeBytes { raw in
            let samples = raw.bindMemory(to: Int16.self)
            // Three frames of two channels are one sample.
            return (0..<samples.count / 6).map { place in
                Int16(samples[place * 6..<place * 6 + 6].reduce(0) { $0 + Int($1) } / 6)
            }
        }
    }
}

/// Understands what the appliance said, as a person would who knows what it might say.
struct ReplyReader {
    /// What it might say; one of them only is right.
    static let replies = [
        "i've logged fifty pounds for diesel", "fifty pounds for diesel logged", "logged fifty pounds for diesel",
        "i'm muted", "sorry i didn't catch that", "i didn't hear anything", "the microphone is in use",
        "i can't find a microphone", "your balance is fifty pounds", "you have no tasks left", "thank you",
        "logged five pounds for food", "logged fifteen pounds for camping", "the water pump is on",
    ]

    static func text(of samples: [Int16], among replies: [String] = Self.replies) async throws -> String {
        let folder = try TemporaryFolder()
        let recogniser = PocketSphinxRecogniser(
            SphinxFiles(work: folder.path), phonemiser: nil, logger: Logger(label: "reply-reader"))
        let sentences = replies.map { reply in
            Vocabulary.Sentence(
                pattern: .sequence(reply.split(separator: " ").map { .word(String($0)) }), weight: 1)
        }
        try await recogniser.prepare(Vocabulary(language: "en", sentences: sentences, classes: []))
        try await recogniser.begin()
        let heard = inARoom(samples)
        for start in stride(from: 0, to: heard.count, by: 512) {
            _ = try await recogniser.accept(Array(heard[start..<min(start + 512, heard.count)]))
        }
        return try await recogniser.finish().first?.text ?? ""
    }

    /// The sound with the hiss of a microphone, 70 dB below full scale. The loop's silence is all zeros, of which the
    /// acoustic model knows nothing: of two recordings of “I'm muted” at several loudnesses, 6 in 30 were misread with
    /// a hiss of 2 of 32,768, 5 in 30 with none, and none of 30 with this one.
    private static func inARoom(_ samples: [Int16]) -> [Int16] {
        var noise = UInt32(1)
        return samples.map { sample in
            noise = noise &* 1_664_525 &+ 1_013_904_223
            return Int16(clamping: Int(sample) + Int(noise >> 16) % 21 - 10)
        }
    }
}
