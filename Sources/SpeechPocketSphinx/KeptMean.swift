/// The mean of the cepstra as it is kept over a restart: the acoustic model that it belongs to on a line, its numbers
/// on the next. Another model's means nothing.
struct KeptMean: Equatable {
    private static let count = 13
    /// Cepstra of speech stay within some tens; what is far beyond is damage.
    private static let range: ClosedRange<Float> = -1_000...1_000

    let text: String

    init(_ mean: [Float], of model: String) {
        text = model + "\n" + mean.map { "\($0)" }.joined(separator: " ")
    }

    /// The mean that `text` holds.
    /// - Returns: nil unless it is 13 numbers of a sensible size for `model`.
    static func mean(in text: String, of model: String) -> [Float]? {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 2, lines[0] == model else { return nil }
        let words = lines[1].split(separator: " ")
        let mean = words.compactMap { Float($0) }.filter { $0.isFinite && range.contains($0) }
        return words.count == count && mean.count == count ? mean : nil
    }
}

extension PocketSphinxRecogniser {
    /// The mean of the voice's cepstra, with the acoustic model that it belongs to; nil before anything is prepared.
    public func adaptationState() async -> String? {
        guard let mean = decoder?.cepstralMean, let model = try? SphinxModel(folder: modelFolder) else { return nil }
        let kept = KeptMean(mean, of: model.fingerprint)
        return KeptMean.mean(in: kept.text, of: model.fingerprint) == nil ? nil : kept.text
    }

    /// Begins with the mean that `learnt` gave before a restart. What is damaged, or another model's, is left out.
    public func restore(_ adaptationState: String) async {
        guard let model = try? SphinxModel(folder: modelFolder) else { return }
        recalled = KeptMean.mean(in: adaptationState, of: model.fingerprint)
    }
}
