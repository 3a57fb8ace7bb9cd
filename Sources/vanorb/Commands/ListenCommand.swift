import ArgumentParser
import Control

/// `vanorb listen`
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Opens the microphone as a press does, and prints what came of it.",
        discussion: "Exits 1 when it was not understood or could not be done."
    )
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.run { client, output in
            let turn = try await client.call(ListenCall.self)
            try output.show(turn, TurnText.short)
            guard turn.outcome.isSuccess else { throw ExitCode.failure }
        }
    }
}
