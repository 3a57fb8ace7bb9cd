import ArgumentParser

/// Measures understanding and hearing on labelled sentences and recordings.
struct Evaluate: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eval",
        abstract: "Measure understanding on labelled sentences, and hearing on labelled recordings.",
        subcommands: [EvaluateText.self, EvaluateSpeech.self])
}
