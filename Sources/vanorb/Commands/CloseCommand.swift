import ArgumentParser
import Control

/// `vanorb close`
struct CloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "close", abstract: "Closes the session.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(CloseCall.self, Empty()) }
}
