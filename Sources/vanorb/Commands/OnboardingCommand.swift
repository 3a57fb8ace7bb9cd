import ArgumentParser
import Control

/// `vanorb onboarding`
struct OnboardingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onboarding", abstract: "The introduction that the first session speaks.",
        subcommands: [Reset.self])

    /// `vanorb onboarding reset`
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Lets the introduction be spoken again, at the next press.")
        @OptionGroup var global: GlobalOptions

        func run() async throws { try await global.acknowledge(OnboardingResetCall.self, Empty()) }
    }
}
