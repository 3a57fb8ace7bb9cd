import ArgumentParser
import Control

/// `vanorb unmute`
struct UnmuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unmute", abstract: "Ends the muting.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(UnmuteCall.self, Empty()) }
}
