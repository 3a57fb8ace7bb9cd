import ArgumentParser
import Control

extension PressGesture: ExpressibleByArgument {}

/// `vanorb press`
struct PressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "press", abstract: "Works the button: a tap, a hold or a double tap."
    )
    @OptionGroup var global: GlobalOptions
    @Argument(help: "tap, hold or double.") var gesture = PressGesture.tap
    @Option(name: .customLong("for"), help: ArgumentHelp("How long a hold lasts.", valueName: "seconds"))
    var seconds: Double?

    func validate() throws {
        do {
            try PressArguments(gesture: gesture, holdSeconds: seconds).check()
        } catch {
            throw ValidationError("--for: 0.05 to \(Int(ControlLimits.holdSeconds)) seconds, and only for a hold.")
        }
    }

    func run() async throws {
        try await global.acknowledge(
            PressCall.self, PressArguments(gesture: gesture, holdSeconds: seconds)
        )
    }
}
