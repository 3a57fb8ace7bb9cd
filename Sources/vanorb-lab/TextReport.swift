import Foundation

/// What an evaluation of text found, for people and for programs.
struct TextReport: Encodable {
    /// Milliseconds for one sentence, from the transcript to the chosen intent.
    struct Latency: Encodable {
        let p50: Double, p99: Double
    }

    /// A row of the reliability table: how often the classifier was right where it was this sure.
    struct Reliability: Encodable {
        let from: Double, to: Double
        let sentences: Int
        let confidence: Double, accuracy: Double
    }

    let sentences: Int
    let correct: Int
    /// The share of all sentences that were right, 0…1.
    let accuracy: Double
    /// Sentences that are for the van, and how many of them went to the right place.
    let in_scope: Int, in_scope_correct: Int
    /// Sentences that are not for the van, and how many of them fired a handler all the same.
    let out_of_scope: Int, false_fires: Int
    /// Sentences for the van that were taken for another command; the rest of the wrong ones were not understood.
    let wrong_commands: Int
    let latency_ms: Latency
    /// The expected calibration error of the classifier alone over ten bins, 0…1; only for labels that name an
    /// intent.
    let calibration_error: Double
    let reliability: [Reliability]
    let confusion: [String: [String: Int]]
    let per_sentence: [EvaluatedLine]

    init(_ lines: [EvaluatedLine]) {
        per_sentence = lines
        sentences = lines.count
        correct = lines.count(where: \.correct)
        accuracy = Double(correct) / Double(max(1, lines.count))
        let inside = lines.filter(\.isInScope), outside = lines.filter { !$0.isInScope }
        in_scope = inside.count
        in_scope_correct = inside.count(where: \.correct)
        out_of_scope = outside.count
        false_fires = outside.count { !$0.correct }
        wrong_commands = inside.count { !$0.correct && $0.got != "none" }
        let times = lines.map(\.milliseconds)
        latency_ms = Latency(p50: times.percentile(0.5), p99: times.percentile(0.99))
        var confusion: [String: [String: Int]] = [:]
        for line in lines where !line.correct { confusion[line.expected, default: [:]][line.got, default: 0] += 1 }
        self.confusion = confusion

        let judged = lines.compactMap { line -> (confidence: Double, isRight: Bool)? in
            guard let guess = line.guesses.first else { return nil }
            // A handler alone cannot say which intent was right; “session” can.
            let expected = line.expected.split(separator: "|").map(String.init)
            let isRight = expected.contains { guess.intent == $0 || guess.intent.hasPrefix($0 + ".") }
            return (guess.probability, isRight)
        }
        reliability = (0..<10).compactMap { bin in
            let rows = judged.filter { min(9, Int($0.confidence * 10)) == bin }
            guard !rows.isEmpty else { return nil }
            return Reliability(
                from: Double(bin) / 10, to: Double(bin + 1) / 10, sentences: rows.count,
                confidence: rows.reduce(0) { $0 + $1.confidence } / Double(rows.count),
                accuracy: Double(rows.count(where: \.isRight)) / Double(rows.count))
        }
        calibration_error = reliability.reduce(0) {
            $0 + abs($1.confidence - $1.accuracy) * Double($1.sentences) / Double(max(1, judged.count))
        }
    }

    func table(showsWrong: Bool) -> String {
        func share(_ part: Int, _ whole: Int) -> String {
            whole == 0 ? "–" : "\(part) of \(whole) (\(String(format: "%.1f", 100 * Double(part) / Double(whole))) %)"
        }
        var lines = [
            "sentences            \(sentences)", "right                \(share(correct, sentences))",
            "for the van, right   \(share(in_scope_correct, in_scope))",
            "taken for another    \(share(wrong_commands, in_scope))",
            "not for the van      \(out_of_scope)", "false fires          \(share(false_fires, out_of_scope))",
            "routing p50 / p99    \(String(format: "%.3f / %.3f ms", latency_ms.p50, latency_ms.p99))",
            "calibration error    \(String(format: "%.3f", calibration_error)) (classifier alone)",
            "", "classifier's confidence   sentences   mean   right",
        ]
        lines += reliability.map {
            String(
                format: "  %.1f … %.1f               %6d      %.2f   %.2f", $0.from, $0.to, $0.sentences, $0.confidence,
                $0.accuracy)
        }
        if !confusion.isEmpty { lines += ["", "expected → got"] }
        for (expected, row) in confusion.sorted(by: { $0.key < $1.key }) {
            let got = row.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map { "\($0.key) \($0.value)" }
            lines.append("  \(expected) → \(got.joined(separator: ", "))")
        }
        if showsWrong {
            lines.append("")
            for line in per_sentence where !line.correct {
                let guess = line.guesses.first.map { "\($0.intent) \(String(format: "%.2f", $0.probability))" } ?? "–"
                lines.append(
                    "  “\(line.text)” \(line.expected) → \(line.got) [\(line.level)], classifier \(guess)"
                        + line.meaning.map { "; \($0)" }.joined())
            }
        }
        return lines.joined(separator: "\n")
    }
}
