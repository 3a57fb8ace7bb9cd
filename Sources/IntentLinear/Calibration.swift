import Foundation

/// Probabilities from decision values, as liblinear's `predict_probability` makes them for one-against-the-rest:
/// the logistic function of each, divided by their sum. A temperature below 1 sharpens them, one above 1 flattens them.
enum Calibration {
    /// The decision values of a sentence and the place of its true intent.
    typealias Sample = (decisions: [Double], right: Int)

    /// The probabilities of decision values at `temperature`.
    static func probabilities(_ decisions: [Double], temperature: Double) -> [Double] {
        let likelihoods = decisions.map { 1 / (1 + exp(-$0 / temperature)) }
        let sum = likelihoods.reduce(0, +)
        // All at zero happens only when every intent is impossible to 300 places.
        guard sum > 0 else { return likelihoods.map { _ in 1 / Double(likelihoods.count) } }
        return likelihoods.map { $0 / sum }
    }

    /// The temperature at which the right intents of `samples` are likeliest: the least mean negative logarithm of
    /// their probability, sought over its logarithm between 1/20 and 20.
    /// (Guo et al., "On Calibration of Modern Neural Networks", 2017, section 4.2.)
    static func temperature(fitting samples: [Sample]) -> Double {
        guard !samples.isEmpty else { return 1 }
        func loss(_ logarithm: Double) -> Double {
            let temperature = exp(logarithm)
            return samples.reduce(0) { sum, sample in
                sum - log(max(probabilities(sample.decisions, temperature: temperature)[sample.right], 1e-12))
            }
        }
        return exp(lowest(between: log(0.05), and: log(20), loss))
    }

    /// The probabilities of scores that are sums of logarithms: their exponentials, divided by their sum.
    static func shares(_ scores: [Double], temperature: Double) -> [Double] {
        let highest = scores.max() ?? 0
        let exponentials = scores.map { exp(($0 - highest) / temperature) }
        let sum = exponentials.reduce(0, +)
        return exponentials.map { $0 / sum }
    }

    /// The temperature at which the right intents are likeliest by their scores.
    static func temperature(fittingScores samples: [(scores: [Double], right: Int)]) -> Double {
        guard !samples.isEmpty else { return 1 }
        return exp(lowest(between: log(0.05), and: log(20)) { loss(samples, temperature: exp($0)) })
    }

    /// How unlikely the right intents are by their scores: the sum of the negative logarithms of their probabilities.
    static func loss(_ samples: [(scores: [Double], right: Int)], temperature: Double) -> Double {
        samples.reduce(0) { sum, sample in
            sum - log(max(shares(sample.scores, temperature: temperature)[sample.right], 1e-12))
        }
    }

    /// Where `loss`, which falls and then rises, is lowest: golden-section search.
    static func lowest(
        between low: Double, and high: Double, within width: Double = 0.005, _ loss: (Double) -> Double
    ) -> Double {
        let ratio = (5.0.squareRoot() - 1) / 2
        var (low, high) = (low, high)
        while high - low > width {
            let left = high - ratio * (high - low)
            let right = low + ratio * (high - low)
            if loss(left) < loss(right) { high = right } else { low = left }
        }
        return (low + high) / 2
    }

    /// The likeliest intent's probability for each sample, and whether it is the true one.
    static func answers(_ samples: [Sample], temperature: Double) -> [(confidence: Double, isRight: Bool)] {
        samples.map { sample in
            let probabilities = probabilities(sample.decisions, temperature: temperature)
            let best = probabilities.indices.max { probabilities[$0] < probabilities[$1] } ?? 0
            return (probabilities[best], best == sample.right)
        }
    }

    /// The expected calibration error: the mean gap between confidence and share of right answers over ten bins of
    /// confidence, weighted by their sizes. 0 is perfect.
    static func expectedError(_ answers: [(confidence: Double, isRight: Bool)]) -> Double {
        guard !answers.isEmpty else { return 0 }
        var gaps = [Double](repeating: 0, count: 10)
        for answer in answers {
            let bin = min(9, max(0, Int(answer.confidence * 10)))
            gaps[bin] += answer.confidence - (answer.isRight ? 1 : 0)
        }
        return gaps.reduce(0) { $0 + abs($1) } / Double(answers.count)
    }
}
