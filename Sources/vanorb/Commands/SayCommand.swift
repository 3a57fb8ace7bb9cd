import ArgumentParser
import Control

/// `vanorb say`
struct SayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "say", abstract: "Says something to the co-pilot by text.",
        discussion: """
            Exits 1 when it was not understood or could not be done.
            Examples:
              vanorb say log diesel for fifty pounds
              vanorb say "where is the corkscrew?"
            """
    )
    @OptionGroup var global: GlobalOptions
    @Argument(help: "What to say; several words need no quotes.") var words: [String]

    func run() async throws {
        try await global.run { client, output in
            let turn = try await client.call(SayCall.self, SayArguments(text: words.joined(separator: " ")))
            try output.show(turn, TurnText.short)
            guard turn.outcome.isSuccess else { throw ExitCode.failure }
        }
    }
}
