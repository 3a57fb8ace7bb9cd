import ArgumentParser
import Control
import Foundation

/// `vanorb words`
struct WordsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "words", abstract: "Manage pronunciations.",
        discussion: """
            Pronunciations of words that the dictionary lacks are guessed. Listen to a guess, and correct it.
            Examples:
              vanorb words speak lidl
            """,
        subcommands: [List.self, Speak.self, Set.self, Remove.self], defaultSubcommand: List.self)

    /// `vanorb words list`
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List words that are not in the dictionary.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "Only these words, in the dictionary or not.") var words: [String] = []
        @Flag(help: "List the whole vocabulary.") var all = false

        func run() async throws {
            try await global.run { client, output in
                let asked = WordsArguments(words: words.isEmpty ? nil : words, all: all)
                try output.show(try await client.call(WordsCall.self, asked), WordsCommand.lines)
            }
        }
    }

    /// `vanorb words speak`
    struct Speak: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Speak a word as the recogniser expects it.",
            discussion: "If a word has several pronunciations, each is spoken.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The word.") var word: String
        @Option(
            help: ArgumentHelp("Write a WAV file instead of using the speaker.", valueName: "path"),
            completion: .file(extensions: ["wav"])) var file: String?

        func run() async throws {
            try await global.run { client, output in
                let arguments = WordSpeakArguments(word: word, returnsSound: file != nil)
                var answer = try await client.call(WordSpeakCall.self, arguments)
                if let file {
                    do { try (answer.sound ?? Data()).write(to: URL(fileURLWithPath: file)) } catch {
                        throw ControlError(
                            code: "file", message: "Can't write \(file): \(error.localizedDescription)")
                    }
                    // It is in the file.
                    answer.sound = nil
                }
                try output.show(answer) { WordsCommand.lines(WordsResult(words: [$0.word], more: 0, vocabulary: 0)) }
            }
        }
    }

    /// `vanorb words set`
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Set a word's pronunciation.",
            discussion: """
                A spelling consists of words and syllables, or of the CMU dictionary's phones in capitals. Several
                spellings may be given.
                Examples:
                  vanorb words set lidl "lid ul"
                  vanorb words set lidl "L IH1 D AH0 L"
                """)
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The word.") var word: String
        @Argument(help: "What it sounds like.") var spellings: [String]

        func run() async throws {
            try await global.acknowledge(WordSetCall.self, WordSetArguments(word: word, spellings: spellings))
        }
    }

    /// `vanorb words remove`
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove a pronunciation that you set.")
        @OptionGroup var global: GlobalOptions
        @Argument(help: "The word.") var word: String

        func run() async throws {
            try await global.acknowledge(WordSetCall.self, WordSetArguments(word: word, spellings: nil))
        }
    }

    static func lines(_ result: WordsResult) -> [String] {
        guard !result.words.isEmpty else { return ["All \(result.vocabulary) words are in the dictionary."] }
        var table = Table([("word", .left), ("from", .left), ("phones", .left), ("", .left)])
        for row in result.words {
            var remarks = row.spellings.map { "“\($0)”" }
            if !row.used { remarks.append("not in use") }
            table.add([
                row.word, row.source.rawValue, row.phones.joined(separator: ", "), remarks.joined(separator: ", "),
            ])
        }
        return table.lines + (result.more > 0 ? ["and \(result.more) more"] : [])
    }
}
