import CESpeakNG

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
