import ArgumentParser
import Control

/// `vanorb undo`
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Reverts the last change, and says what it was.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(UndoCall.self, Nothing()) }
}
