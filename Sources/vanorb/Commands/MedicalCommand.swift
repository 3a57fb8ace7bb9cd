import ArgumentParser
import Control

/// `vanorb medical`
struct MedicalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "medical", abstract: "The medical notes that are told in an emergency.",
        subcommands: [Show.self, Set.self, Remove.self], defaultSubcommand: Show.self)

    /// `vanorb medical show`
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(commandName: "show", abstract: "Shows them.")
        @OptionGroup var global: GlobalOptions

        func run() async throws {
            try await global.run { client, output in
                try output.show(try await client.call(MedicalCall.self)) { kept in
                    [kept.notes ?? "There are none. Try: vanorb medical set Anna is allergic to penicillin."]
                }
            }
        }
    }

    /// `vanorb medical set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Sets them, in the place of those that are there.",
            discussion: "They are spoken word by word: short sentences, what a stranger needs to know.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The notes.") var notes: [String]

        func run() async throws {
            try await global.acknowledge(MedicalSetCall.self, MedicalNotes(notes: notes.sentence))
        }
    }

    /// `vanorb medical remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Forgets them.")
        @OptionGroup var global: GlobalOptions

        func run() async throws { try await global.acknowledge(MedicalSetCall.self, MedicalNotes(notes: nil)) }
    }
}
