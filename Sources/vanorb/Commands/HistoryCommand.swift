import ArgumentParser
import Control

/// `vanorb history`
struct HistoryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Shows what was said and answered last."
    )
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.run { client, output in
            try output.show(try await client.call(HistoryCall.self)) { history in
                guard !history.entries.isEmpty else { return ["Nothing has been said yet."] }
                return history.entries.flatMap { ["you:     \($0.user)", "VanOrb:  \($0.assistant)"] }
            }
        }
    }
}
