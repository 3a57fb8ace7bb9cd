/// The level of the room's noise: the lowest level of the last four seconds, in which speech always pauses somewhere.
struct NoiseFloor {
    /// Blocks in four seconds.
    private static let window = 125
    /// What a room is assumed to have until the window is full: speech may begin with the first block.
    private static let assumed = 40.0
    /// No microphone is quieter; a floor below would make its own hiss stand out.
    private static let least = 20.0

    private var recent: [Double] = []
    private var next = 0
    private var previous: Double?

    /// Takes in the next block's level in dB.
    /// - Returns: the noise floor in dB.
    mutating func update(level: Double) -> Double {
        // Smoothed over two blocks, so that one dip between two sounds is not the floor.
        let smoothed = (level + (previous ?? level)) / 2
        previous = level
        if recent.count < Self.window {
            recent.append(smoothed)
        } else {
            recent[next] = smoothed
            next = (next + 1) % Self.window
        }
        let lowest = recent.min() ?? Self.assumed
        return max(Self.least, recent.count < Self.window ? min(lowest, Self.assumed) : lowest)
    }
}
