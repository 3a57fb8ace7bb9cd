import Foundation

/// Which of two ears is believed, and how far.
///
/// The second ear's sentence is what was said, as long as it is not forced onto other sounds. Where it is, the owner may have said
/// what is understood but stands in no phrasebook: what the first ear heard then counts as far as the second, bound to
/// nothing, heard the same words.
public struct SecondEarJudge: Sendable {
    /// The gap that is believed half: for a sentence of no words, for each word more, and at most. Long sentences come
    /// out by chance much more seldom than short ones.
    public var shortest = 6.0, perWord = 0.9, most = 17.0
    /// How much more or less makes it doubtful or sure.
    public var softness = 2.0
    /// Where the first ear heard the same three words or more, so much more gap is believed.
    public var agreement = 4.0
    /// The clarity that is believed half, and how much more or less makes it doubtful or sure.
    public var clarity = -2.7, claritySoftness = 0.2
    /// Below this the second ear's sentence is not what was said.
    public var doubt = 0.45
    /// Fewer words of the first ear's are no evidence, and how much of them must be common.
    public var fewest = 3, kinship = 0.6
    private let normaliser: Normaliser

    /// A judge that tells by a language's normaliser whether two transcripts say the same.
    public init(_ normaliser: Normaliser) { self.normaliser = normaliser }

    /// What was said, best first.
    public func transcripts(_ bound: BoundHearing, _ first: [Transcript]) -> [Transcript] {
        let said = bound.readings.first.map { normaliser.normalise($0.text).text }
        let agrees = first.first.map { normaliser.normalise($0.text).text == said } ?? false
        let readings = bound.readings.enumerated().map { place, reading in
            let behind = max(0, (bound.readings.first?.score ?? 0) - reading.score)
            return Transcript(
                text: reading.text, confidence: belief(in: reading, agrees: agrees && place == 0) * exp(-behind))
        }
        guard (readings.first?.confidence ?? 0) < doubt else { return readings }
        let others = first.map { transcript in
            Transcript(
                text: transcript.text, confidence: transcript.confidence * kinship(transcript, bound.free),
                words: transcript.words)
        }
        return others.first.map { $0.confidence > readings.first?.confidence ?? 0 } ?? false
            ? others + readings : readings + others
    }

    private func belief(in reading: BoundHearing.Reading, agrees: Bool) -> Double {
        let words = reading.text.split(separator: " ").count
        let middle = min(most, shortest + perWord * Double(words)) + (agrees && words >= fewest ? agreement : 0)
        return 1 / (1 + exp((reading.gap - middle) / softness))
            / (1 + exp((clarity - reading.clarity) / claritySoftness))
    }

    /// 1 for the same words, 0 for too few in common.
    private func kinship(_ transcript: Transcript, _ free: String) -> Double {
        let words = normaliser.normalise(transcript.text).tokens.map(\.text)
        let other = normaliser.normalise(free).tokens.map(\.text)
        guard words.count >= fewest else { return 0 }
        let common = 1 - Double(EditDistance.between(words, other)) / Double(max(words.count, other.count))
        return common >= kinship ? common.squareRoot() : 0
    }
}

/// Words to be put in, left out or changed to make one text another (V. Levenshtein, 1966).
public enum EditDistance {
    /// The number of changes.
    public static func between<Word: Equatable>(_ left: [Word], _ right: [Word]) -> Int {
        var row = Array(0...right.count)
        for (index, word) in left.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for (place, other) in right.enumerated() {
                let change = corner + (word == other ? 0 : 1)
                corner = row[place + 1]
                row[place + 1] = min(change, row[place] + 1, corner + 1)
            }
        }
        return row[right.count]
    }
}
