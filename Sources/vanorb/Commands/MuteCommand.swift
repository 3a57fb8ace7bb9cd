import ArgumentParser
import Control

/// `vanorb mute`
struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Mutes the appliance, until unmute or a hold of 3 s.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(MuteCall.self, Empty()) }
}
