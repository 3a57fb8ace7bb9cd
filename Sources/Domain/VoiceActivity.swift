/// Tells voice from other sound, block by block. Stateful: it adapts to the noise of the room as it goes.
public protocol VoiceActivityDetector: AnyObject {
    /// The probability, 0…1, that the block holds speech. Blocks come in order, `AudioFormat.blockSize` samples each;
    /// a shorter last block is allowed.
    func speechProbability(of samples: [Int16]) -> Double
    /// Forgets the speech heard so far and keeps what was learnt about the room's noise.
    func reset()
}
