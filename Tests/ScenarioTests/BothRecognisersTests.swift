import Control
import Foundation
import SystemTestKit
import Testing

/// Where deploy/test put the constrained recogniser; nil where it could not be had.
private let constrainedRecogniser: String? = {
    let folder = ProcessInfo.processInfo.environment["VANORB_SECOND_EAR"] ?? ""
    return FileManager.default.isReadableFile(atPath: "\(folder)/tokenizer.bin") ? folder : nil
}()

extension ScenarioTests {
    /// The whole appliance with both recognisers.
    @Suite(
        .serialized,
        .enabled(
            if: constrainedRecogniser != nil,
            "the constrained recogniser is not in VANORB_SECOND_EAR; deploy/test says why"))
    struct BothRecognisersTests {
        /// Patient, as what is built for debugging takes its time.
        private func van(_ settings: [String] = []) async throws -> VanUnderTest {
            try await VanUnderTest(
                Setup(
                    settings: [
                        "paths.second_ear=\(constrainedRecogniser ?? "")", "recogniser.patience=60",
                        "limits.thinking=100",
                    ]
                        + settings))
        }

        @Test func taskInWordsOfNoPhrasebook_isKept_andTheNextTurnKnowsIt() async throws {
            let van = try await van(), watcher = try await van.watch()
            defer { van.end() }
            // Its files are tried in a process of their own first; until then the streaming recogniser is alone.
            try await eventually("the constrained recogniser to join") {
                let part = try await van.part("constrained recogniser")
                return part?.state == .ok && part?.detail.contains("checked") == false
            }
            try await eventually("the voice activity to be ready") {
                try await van.part("voice activity")?.detail == "ready"
            }
            let added = try await van.hear("add a task to check the roof box straps", voice: "slt")
            #expect(added.outcome == .done)
            #expect(added.reply.contains("check the roof box straps"), "heard “\(added.transcript)”")
            #expect(added.hearing?.contains { $0.contains("moonshine: ") } == true, "\(added.hearing ?? [])")
            #expect(!added.stages.contains { $0.name == "dictation" })
            try await watcher.spoken(added.turn)
            let done = try await van.hear("tick off check the roof box straps", voice: "rms")
            #expect(
                "\(done.handler ?? "").\(done.intent ?? "")" == "checklist.complete_task", "heard “\(done.transcript)”")
            #expect(done.reply.contains("straps"), "answered “\(done.reply)”")
            try await watcher.spoken(done.turn)
        }

        @Test func speechThatIsNoCommand_doesNothing() async throws {
            let van = try await van(["limits.no_speech=2"])
            defer { van.end() }
            let rows = try await van.ledger().count
            let turn = try await van.hear("the old lighthouse keeper never spoke of the winter storms", voice: "awb")
            #expect(turn.outcome != .done, "heard “\(turn.transcript)”")
            #expect(try await van.ledger().count == rows)
        }

        /// A library that is cut off takes the process with it that loads it.
        @Test(arguments: [
            ("decoder_model_merged.ort", 1_000_000, "constrained recogniser", "unusable"),
            ("libonnxruntime.so.1", 11_000_000, "constrained recogniser", "unusable"),
            ("silero_vad_16k_op15.onnx", 600_000, "voice activity", "by speexdsp"),
        ])
        func aFileThatIsCutOff_leavesTheRest_andTheStatusSaysSo(
            file: String, size: UInt64, name: String, detail: String
        ) async throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            for name in try FileManager.default.contentsOfDirectory(atPath: try #require(constrainedRecogniser)) {
                try FileManager.default.copyItem(
                    atPath: "\(constrainedRecogniser ?? "")/\(name)", toPath: folder.file(name))
            }
            let model = try FileHandle(forUpdating: URL(filePath: folder.file(file)))
            try model.truncate(atOffset: size)
            try model.close()
            let van = try await van(["paths.second_ear=\(folder.path)"])
            defer { van.end() }
            let turn = try await van.hear("where is the first aid kit", voice: "slt")
            #expect(turn.reply == "The first aid kit is in the overhead locker.")
            try await eventually("the status of what is damaged") {
                let part = try await van.part(name)
                return part?.state == .warning && part?.detail.contains(detail) == true
            }
        }
    }
}
