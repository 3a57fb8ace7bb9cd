import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// A word that no dictionary has, from the guess to the owner's own.
    @Suite(.serialized) struct WordsTests {
        @Test func ownersWord_isHeard_onceItIsSaidWhatItSoundsLike() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            #expect(try await van.say("add a xqjotl to the garage").outcome == .done)
            let guessed = try await van.vanorb("words", "list", "xqjotl")
            #expect(guessed.lines.last?.hasPrefix("xqjotl  guessed  ") == true, "\(guessed.lines)")

            let set = try await van.vanorb("words", "set", "xqjotl", "crocodile umbrella")
            #expect(set.status == 0, "\(set.lines)")
            #expect(set.lines.last?.hasPrefix("“xqjotl” sounds like K R AA K AH D AY L ") == true, "\(set.lines)")

            // The start makes the vocabulary with it, and answers once that is in use.
            try await van.restart()
            let listed = try await van.vanorb("words")
            #expect(
                listed.lines.contains {
                    $0.hasPrefix("xqjotl ") && $0.contains(" yours ") && $0.hasSuffix("“crocodile umbrella”")
                })
            #expect(try await van.hear("where is the crocodile umbrella").transcript.contains("xqjotl"))

            let file = van.folder.file("word.wav")
            let spoken = try await van.vanorb("words", "speak", "xqjotl", "--file", file)
            #expect(spoken.status == 0, "\(spoken.lines)")
            let sound = try Data(contentsOf: URL(fileURLWithPath: file))
            #expect(sound.prefix(4) == Data("RIFF".utf8) && sound.count > 10_000)
            #expect(try await van.hear(file: file).outcome != .failed, "it must be a WAV file")
            #expect(try await van.vanorb("words", "speak", "xqjotl").status == 0)

            #expect(try await van.vanorb("words", "remove", "xqjotl").status == 0)
            #expect(try await van.say("undo").reply.contains("how “xqjotl” is said"))
            #expect(try await van.vanorb("words", "list", "xqjotl").lines.last?.contains("  yours  ") == true)
            #expect(try await van.vanorb("words", "remove", "xqjotl").status == 0)
            #expect(try await van.vanorb("words", "list", "xqjotl").lines.last?.contains("  guessed  ") == true)
        }

        @Test func wrongWordsAndSpellings_areRefused_andNothingIsKept() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            for (arguments, complaint) in [
                (["set", "x7#", "ex seven"], "x7#"), (["set", "lidl", ""], "empty"),
                (["set", "lidl", "lid x7#"], "x7#"), (["set", "fire extinguisher", "fire"], "more than one word"),
                (["remove", "lidl"], "lidl"), (["speak", "x7#"], "x7#"),
            ] {
                let child = try ChildProcess(
                    "\(Workshop.products)/vanorb", ["words"] + arguments, environment: ["VANORB_SOCKET": van.socket])
                #expect(try await child.exit() == 1, "\(arguments)")
                #expect(child.lines.joined().contains(complaint), "\(child.lines)")
            }
            let unused = try await van.vanorb("words", "set", "floobaz", "floo baz")
            #expect(unused.status == 0)
            #expect(
                unused.lines.last?.contains("No name or phrase of yours contains it yet.") == true, "\(unused.lines)")
            #expect(try await van.vanorb("words").lines.contains { $0.hasSuffix("“floo baz”, not in use") })
        }
    }
}
