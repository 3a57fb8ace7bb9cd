/// The two playback devices that a board file names; they may be the same card.
public enum SpeakerOutput: String, Sendable, Codable {
    /// Chimes. Never muted by quiet hours.
    case media
    /// The voice.
    case speech
}

/// The speaker of the board.
public protocol Speaker: Sendable {
    /// Starts `sound` on the media output and returns as soon as the device has taken its first samples. A chime that
    /// is still sounding is cut off by the next.
    /// - Throws: `DeviceFailure`.
    func chime(_ sound: Sound) async throws

    /// Plays the sentences one after the other on the speech output, each as soon as it arrives, and returns when the
    /// last sample has been heard or `stopSpeech` was called. A cancelled task stops its speech likewise, also one
    /// that has not begun.
    /// - Parameter played: called with the sentence's index and the number of its samples that have really been
    ///   played (written less what the device still holds), whenever that number has grown.
    /// - Returns: true when everything was played, false when it was stopped.
    /// - Throws: `DeviceFailure`, or the error of the stream.
    func speak(
        _ sentences: AsyncThrowingStream<SynthesisedSentence, any Error>,
        played: @escaping @Sendable (_ sentence: Int, _ samples: Int) -> Void
    ) async throws -> Bool

    /// Stops the voice at once: what the device still holds is dropped. Does nothing when nothing is spoken.
    func stopSpeech()

    /// Opens an output's device and closes it at once, to see whether that can be done. Nothing sounds.
    /// - Throws: `DeviceFailure`.
    func probe(_ output: SpeakerOutput) async throws
}

/// Lowers other programs' audio while the microphone is open.
///
/// Nothing here throws or waits: the conversation does not depend on it. Failures are reported to
/// `Health`.
public protocol Ducking: Sendable {
    /// Lowers the other programs' audio; again while it is lowered, does nothing. Returns at once.
    func duck()
    /// Gives it back its volume; does nothing where it has it. Returns at once.
    func restore()
    /// Returns once everything asked for so far has been done.
    func settled() async
}
