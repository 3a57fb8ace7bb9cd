import Foundation
import Synchronization
import SystemTestKit
import Testing

@testable import SpeechMoonshine
import OnnxRuntime

/// What is damaged of the constrained recogniser never ends the program that would use it.
@Suite struct VerifiedMoonshineTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.path + "/second-ear-\(UUID().uuidString)"

        /// The constrained recogniser with `bytes` in place of the library.
        init(library bytes: (Data) -> Data) throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let whole = try #require(ConstrainedRecogniser.folder), files = MoonshineModel.files
            for file in [files.encoder, files.decoder, files.tokeniser] {
                try FileManager.default.createSymbolicLink(
                    atPath: "\(path)/\(file)", withDestinationPath: "\(whole)/\(file)")
            }
            try bytes(Data(contentsOf: URL(filePath: "\(whole)/\(OnnxLibrary.file)"))).write(
                to: URL(filePath: "\(path)/\(OnnxLibrary.file)"))
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    /// `deploy/prepare.sh` installs by the same hashes.
    @Test func hashes_areThoseOfWhatIsInstalled() throws {
        let script = try String(
            contentsOfFile: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../deploy/prepare.sh").standardizedFileURL.path, encoding: .utf8)
        for (file, sum) in ModelFiles.sums { #expect(script.contains("\(sum)  $1/\(file)"), "\(file)") }
        for (machine, sum) in OnnxLibrary.sums {
            #expect(script.contains("\(machine)) echo \"\(sum)  $1/\(OnnxLibrary.file)\""), "\(machine)")
        }
    }

    @Test(.enabled(if: ConstrainedRecogniser.folder != nil, ConstrainedRecogniser.missing), arguments: [true, false])
    func damagedLibrary_isNeitherLoadedNorTried_andTheReasonIsTold(isCut: Bool) async throws {
        let folder = try Folder { library in
            guard !isCut else { return library.prefix(11 << 20) }
            var library = library
            for place in stride(from: 4_096, to: library.count, by: 64_000) { library[place] ^= 0xFF }
            return library
        }
        let told = Mutex<[String]>([])
        let recogniser = VerifiedMoonshine(
            folder: folder.path, trial: { _ in Issue.record("what is known to be damaged is tried") },
            onLoad: { failure in told.withLock { $0.append(failure.map { "\($0)" } ?? "") } })
        for _ in 1...2 {
            await #expect(throws: OnnxError.self) {
                try await recogniser.prepare(ConstrainedRecogniser.vocabulary)
            }
        }
        #expect(told.withLock { $0 }.count == 1)
        #expect(told.withLock { $0 }.first?.contains("libonnxruntime.so.1: FAILED") == true)
        await #expect(throws: OnnxError.self) { try await recogniser.transcribe([0, 0], answering: false) }
    }

    @Test(.enabled(if: ConstrainedRecogniser.folder != nil, ConstrainedRecogniser.missing))
    func trialThatFails_leavesItOut_andOneThatHears_letsItJoin() async throws {
        let folder = try #require(ConstrainedRecogniser.folder)
        let failing = VerifiedMoonshine(
            folder: folder, trial: { _ in throw OnnxError(call: "trial", detail: "it crashed") }, onLoad: { _ in })
        await #expect(throws: OnnxError(call: "trial", detail: "it crashed")) {
            try await failing.prepare(ConstrainedRecogniser.vocabulary)
        }
        let recogniser = VerifiedMoonshine(
            folder: folder, trial: { try MoonshineTrial.run(folder: $0) }, onLoad: { #expect($0 == nil) })
        try await recogniser.prepare(ConstrainedRecogniser.vocabulary)
        let heard = try await recogniser.transcribe(
            Flite.samples("where is the tow rope"), answering: false)
        #expect(heard.readings.first?.text == "where is the tow rope")
    }
}
