import ArgumentParser
import Control

/// `vanorb cancel`
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Drops the utterance and keeps the session.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(CancelCall.self, Empty()) }
}
