import ArgumentParser
import Control

/// `vanorb undo`
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Reverts the last change, and says what it was.",
        discussion: "Where that is risky, such as to unlock again, nothing is done; --yes does it.")
    @OptionGroup var global: GlobalOptions
    @Flag(help: "Revert also what is risky to revert.") var yes = false

    func run() async throws { try await global.acknowledge(UndoCall.self, UndoArguments(confirmed: yes)) }
}
