import Domain
import Foundation
import Testing

@testable import IntentEncoder

/// The sentence encoder gives the published model's vectors, and refuses files and sentences that are not for it.
@Suite struct MiniLMTests {
    private static func cosine(_ one: [Float], _ other: [Float]) -> Float {
        zip(one, other).reduce(0) { $0 + $1.0 * $1.1 }
    }

    /// `deploy/prepare.sh` installs by the same hashes.
    @Test func hashes_areThoseOfWhatIsInstalled() throws {
        let script = try String(
            contentsOfFile: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../deploy/prepare.sh").standardizedFileURL.path, encoding: .utf8)
        for (file, sum) in EncoderFiles.sums { #expect(script.contains("\(sum)  $1/\(file)"), "\(file)") }
    }

    /// The cosines of the published model in 32 bits, computed by ONNX Runtime.
    @Test(.enabled(if: InstalledEncoder.folder != nil, InstalledEncoder.missing))
    func likenesses_areThoseOfThePublishedModel() throws {
        let encoder = try InstalledEncoder.encoder.get()
        let vectors = try [
            "turn the heating on", "make it warmer in here", "who wrote war and peace",
            "how much fuel have we bought", "café crème for £12.50",
        ].map { try #require(encoder.encode($0)) }
        let published: [[Float]] = [
            [1, 0.5053, 0.0793, 0.1104, 0.1253], [0.5053, 1, 0.0192, 0.1537, 0.1697],
            [0.0793, 0.0192, 1, 0.0212, -0.0166], [0.1104, 0.1537, 0.0212, 1, 0.2227],
            [0.1253, 0.1697, -0.0166, 0.2227, 1],
        ]
        for (row, one) in vectors.enumerated() {
            for (column, other) in vectors.enumerated() {
                #expect(abs(Self.cosine(one, other) - published[row][column]) < 0.01, "\(row) \(column)")
            }
        }
    }

    @Test func aSentence_hasOneVectorOfLength1_andAnotherHasAnother() throws {
        let encoder = try SmallEncoder().load()
        let one = try #require(encoder.encode("heat on")), other = try #require(encoder.encode("lights"))
        #expect(one.count == encoder.width)
        #expect(abs(Self.cosine(one, one) - 1) < 1e-5)
        #expect(encoder.encode("Heat  on") == one)
        #expect(Self.cosine(one, other) < 0.9999)
    }

    @Test func whatIsNoCommand_hasNoVector() throws {
        let encoder = try SmallEncoder().load()
        for text in ["", " ", String(repeating: "heat ", count: 1000), String(repeating: "x", count: 65_536)] {
            #expect(encoder.encode(text) == nil)
        }
    }

    @Test(arguments: [0, 4, 8, 100, 5000, 20_000])
    func aFileThatIsCut_isRefused(length: Int) throws {
        let small = try SmallEncoder { $0.prefix(length) }
        #expect(throws: EncoderError.self) { try small.load() }
    }

    @Test func aHeaderOfNonsense_isRefused() throws {
        let changes: [(Data) -> Data] = [
            { Data(repeating: 0xFF, count: 8) + $0.dropFirst(8) },
            { $0.prefix(8) + Data(repeating: 0x20, count: 9000) },
            { Data("Not tensors at all, and long enough for a header of its own.".utf8) + $0 },
        ]
        for change in changes {
            let small = try SmallEncoder(change: change)
            #expect(throws: EncoderError.self) { try small.load() }
        }
    }

    @Test func filesOfAnotherHash_orNone_areRefused_andNamed() throws {
        let folder = try ScratchFolder()
        let empty = #expect(throws: EncoderError.self) { try MiniLM(folder: folder.path) }
        #expect(empty?.description.contains("\(folder.path)/model.safetensors is missing") == true)
        for (file, _) in EncoderFiles.sums {
            try "damaged".write(toFile: "\(folder.path)/\(file)", atomically: true, encoding: .utf8)
        }
        let damaged = #expect(throws: EncoderError.self) { try MiniLM(folder: folder.path) }
        #expect(damaged?.description.contains("model.safetensors: FAILED, vocab.txt: FAILED") == true)
        #expect(damaged?.description.contains("deploy/encoder") == true)
    }
}
