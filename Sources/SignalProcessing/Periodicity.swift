import Domain

/// How periodic a sound is, in the range of the voice's pitch (80 to 400 Hz).
struct Periodicity {
    private static let lags = 40..<200

    private var previous = [Float](repeating: 0, count: AudioFormat.blockSize)

    /// Takes in the next block.
    /// - Returns: the highest normalised autocorrelation of this block and the one before, 0…1; 0 when it is not
    ///   needed.
    mutating func update(_ block: [Float], isNeeded: Bool) -> Double {
        let signal = previous + block
        previous = block
        guard isNeeded, signal.count > Self.lags.upperBound else { return 0 }
        return signal.withUnsafeBufferPointer { Double(Self.peak(of: $0)) }
    }

    private static func peak(of signal: UnsafeBufferPointer<Float>) -> Float {
        // Energies of the parts that overlap at each lag, from running sums.
        var sums = [Float](repeating: 0, count: signal.count + 1)
        for index in signal.indices { sums[index + 1] = sums[index] + signal[index] * signal[index] }
        var best: Float = 0
        for lag in lags {
            let overlap = signal.count - lag
            var product: Float = 0
            for index in 0..<overlap { product += signal[index] * signal[index + lag] }
            let energies = sums[overlap] * (sums[signal.count] - sums[lag])
            best = max(best, product / (energies + 1_000).squareRoot())
        }
        return best
    }
}
