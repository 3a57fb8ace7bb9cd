import Configuration

/// The words that move something on that goes over several turns (a walk through a list, a list read page by page),
/// from the language's `steps.yaml`.
package struct Steps: Sendable {
    private let steps: [String: String]

    /// - Throws: `ConfigurationError` for a phrase that stands under two steps.
    package init(_ root: ConfigurationNode, normaliser: Normaliser) throws {
        var steps: [String: String] = [:]
        for (step, node) in try root.entries() {
            for phrase in try node.elements() {
                let text = normaliser.withoutFillers(normaliser.normalise(try phrase.string())).text
                if let other = steps[text], other != step { throw phrase.error("it stands under \(other) already") }
                steps[text] = step
            }
        }
        self.steps = steps
    }

    /// All words for steps, normalised.
    package var phrases: [String] { Array(steps.keys) }

    /// The words for one step, the shortest first.
    package func phrases(for step: String) -> [String] {
        steps.filter { $0.value == step }.keys.sorted { ($0.count, $0) < ($1.count, $1) }
    }

    /// The step that the whole utterance names: `done`, `skip`, `next`, `back`, `repeat` or `stop`.
    package func step(_ utterance: Utterance) -> String? { steps[utterance.text] }
}
