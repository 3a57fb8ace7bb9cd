import ArgumentParser
import Control

/// `vanorb medical`
struct MedicalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "medical", abstract: "Manage the medical notes that are read out in an emergency.",
        subcommands: [Show.self, Set.self, Remove.self], defaultSubcommand: Show.self)

    /// `vanorb medical show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Show them.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(MedicalCall.self)) { kept in
                    [kept.notes ?? "No medical notes. Set them: vanorb medical set Anna is allergic to penicillin."]
                }
            }
        }
    }

    /// `vanorb medical set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set the medical notes; they replace the present ones.",
            discussion: "They are read out as written: use short sentences with what a stranger needs to know.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The notes.") var notes: [String]

        func run() async throws {
            try await global.acknowledge(MedicalSetCall.self, MedicalNotes(notes: notes.sentence))
        }
    }

    /// `vanorb medical remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove the medical notes.")
        @OptionGroup var global: GlobalOptions

        func run() async throws { try await global.acknowledge(MedicalSetCall.self, MedicalNotes(notes: nil)) }
    }
}
