import CESpeakNG
import Domain

/// What the library has delivered of one text.
final class SynthesisTake {
    /// A word's beginning, as the library reports it.
    struct Word {
        /// In the text, in Unicode scalars from 0.
        let position: Int
        /// In Unicode scalars.
        let length: Int
        /// Milliseconds from the beginning of the sound.
        let time: Int
    }

    private(set) var samples: [Int16] = []
    private(set) var words: [Word] = []
    /// The voice's own rate where it is not the library's; mbrola's voices have theirs.
    private(set) var sampleRate: Int?

    fileprivate func take(_ sound: UnsafePointer<Int16>?, _ count: Int, _ first: UnsafePointer<espeak_EVENT>) {
        if let sound, count > 0 { samples.append(contentsOf: UnsafeBufferPointer(start: sound, count: count)) }
        var event = first
        while event.pointee.type != espeakEVENT_LIST_TERMINATED {
            if event.pointee.type == espeakEVENT_WORD {
                words.append(
                    Word(
                        position: Int(event.pointee.text_position) - 1, length: Int(event.pointee.length),
                        time: Int(event.pointee.audio_position)))
            } else if event.pointee.type == espeakEVENT_SAMPLERATE {
                sampleRate = Int(event.pointee.id.number)
            }
            event += 1
        }
    }
}

/// Called by the library during `espeak_Synth`, on the same thread.
func eSpeakDelivered(
    _ sound: UnsafeMutablePointer<Int16>?, _ count: Int32, _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
    guard let events, let context = events.pointee.user_data else { return 0 }
    Unmanaged<SynthesisTake>.fromOpaque(context).takeUnretainedValue().take(sound, Int(count), events)
    return 0
}

/// Turns the library's places, counted in Unicode scalars, into places counted in `Character`s.
struct WordPlaces {
    /// For each scalar the `Character` it belongs to, and one entry for the end.
    private let characters: [Int]

    init(_ text: String) {
        var characters: [Int] = []
        var count = 0
        for character in text {
            for _ in character.unicodeScalars { characters.append(count) }
            count += 1
        }
        characters.append(count)
        self.characters = characters
    }

    /// The marks in order, inside the text and the sound. The library's times are in whole milliseconds.
    func marks(_ words: [SynthesisTake.Word], sampleRate: Int, samples: Int) -> [WordMark] {
        var result: [WordMark] = []
        let last = characters.count - 1
        for word in words {
            let first = min(max(word.position, 0), last)
            let end = min(max(first + word.length, first), last)
            guard end > first else { continue }
            let offset = characters[first]
            let length = max(1, characters[end - 1] + 1 - offset)
            let sample = min(word.time * sampleRate / 1_000, samples)
            result.append(
                WordMark(sample: max(sample, result.last?.sample ?? 0), textOffset: offset, textLength: length))
        }
        return result
    }
}
