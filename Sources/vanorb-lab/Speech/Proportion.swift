import Foundation

/// So many of so many, with how sure that is.
struct Proportion: Equatable, Sendable {
    let part: Int, whole: Int

    /// 0…1; nil of nothing.
    var share: Double? { whole == 0 ? nil : Double(part) / Double(whole) }

    /// Wilson's score interval at 95 %: it stays within 0…1 and holds for few and for extreme shares (E. B. Wilson,
    /// “Probable inference”, 1927). Of nothing, anything.
    var interval: ClosedRange<Double> {
        guard let share else { return 0...1 }
        let z = 1.959964, count = Double(whole)
        let scale = 1 + z * z / count
        let middle = (share + z * z / (2 * count)) / scale
        let half = z / scale * (share * (1 - share) / count + z * z / (4 * count * count)).squareRoot()
        return max(0, middle - half)...min(1, middle + half)
    }

    /// “141 of 150, .940 (.890 – .968)”.
    var text: String {
        guard let share else { return "–" }
        return "\(part) of \(whole), \(Self.short(share)) "
            + "(\(Self.short(interval.lowerBound)) – \(Self.short(interval.upperBound)))"
    }

    /// A share with three digits.
    static func short(_ share: Double) -> String { String(format: "%.3f", share) }
}

/// The words of a text, to be compared with what was heard.
enum SpokenWords {
    /// Lower case, without punctuation; hyphens part words, apostrophes do not.
    static func of(_ text: String) -> [String] {
        text.lowercased().replacing("’", with: "'")
            .split { !$0.isLetter && !$0.isNumber && $0 != "'" }.map(String.init)
    }

    /// The least number of words to replace, leave out and put in (Levenshtein).
    static func errors(_ heard: [String], against said: [String]) -> Int {
        var row = Array(0...heard.count)
        for (number, word) in said.enumerated() {
            var diagonal = row[0]
            row[0] = number + 1
            for (place, other) in heard.enumerated() {
                let next = min(row[place] + 1, row[place + 1] + 1, diagonal + (word == other ? 0 : 1))
                diagonal = row[place + 1]
                row[place + 1] = next
            }
        }
        return row[heard.count]
    }
}
