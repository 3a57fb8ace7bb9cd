import Foundation
import Testing

@testable import Control

@Suite struct UploadTests {
    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func recordingInPieces_arrivesWhole_andIsRemovedAfterUse() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            let recording = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
            let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: recording.count)).upload
            for start in stride(from: 0, to: recording.count, by: ControlLimits.pieceBytes) {
                let piece = recording[start..<min(start + ControlLimits.pieceBytes, recording.count)]
                _ = try await table.add(UploadDataArguments(upload: upload, bytes: Data(piece)))
            }
            let heard = try await table.use(upload) { path in
                try Data(contentsOf: URL(fileURLWithPath: path))
            }
            #expect(heard == recording)
            #expect(try files(folder).isEmpty)
            await #expect(throws: ControlError.self) {
                try await table.use(upload) { _ in }
            }
        }
    }

    @Test func largestPiece_fitsOnALine() throws {
        let piece = UploadDataArguments(upload: 1, bytes: Data(count: ControlLimits.pieceBytes))
        let line = try ControlJSON.encode(Request(id: 1, call: UploadDataCall.name, arguments: piece))
        #expect(line.count <= ControlLimits.lineBytes)
    }

    @Test func failingUse_removesTheFile() async throws {
        struct Failure: Error {}
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 1)).upload
            _ = try await table.add(UploadDataArguments(upload: upload, bytes: Data([1])))
            await #expect(throws: Failure.self) {
                try await table.use(upload) { _ in throw Failure() }
            }
            #expect(try files(folder).isEmpty)
        }
    }

    @Test func badPieces_dropTheUpload() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            for base64 in ["not base64!", Data(count: 11).base64EncodedString()] {
                let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 10)).upload
                await #expect(throws: ControlError.self) {
                    try await table.add(UploadDataArguments(upload: upload, base64: base64))
                }
                #expect(await table.count == 0)
            }
            let large = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 1 << 20)).upload
            await #expect(throws: ControlError.self) {
                try await table.add(
                    UploadDataArguments(upload: large, bytes: Data(count: ControlLimits.pieceBytes + 1)))
            }
            let short = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 2)).upload
            _ = try await table.add(UploadDataArguments(upload: short, bytes: Data([1])))
            await #expect(throws: ControlError.self) {
                try await table.use(short) { _ in }
            }
            #expect(try files(folder).isEmpty)
        }
    }

    @Test(arguments: [0, -1, Int.min, ControlLimits.uploadBytes + 1, Int.max])
    func impossibleLength_isRefused(_ bytes: Int) async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            await #expect(throws: ControlError.self) {
                try await table.begin(UploadBeginArguments(name: "a.wav", bytes: bytes))
            }
        }
    }

    @Test func nameThatIsTooLong_isRefused() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            let name = String(repeating: "x", count: ControlLimits.nameCharacters + 1)
            await #expect(throws: ControlError.self) {
                try await table.begin(UploadBeginArguments(name: name, bytes: 1))
            }
        }
    }

    @Test func allUploadsTogether_areBounded() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder, limit: 100)
            _ = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 60))
            await #expect(throws: ControlError.self) {
                try await table.begin(UploadBeginArguments(name: "b.wav", bytes: 41))
            }
            _ = try await table.begin(UploadBeginArguments(name: "c.wav", bytes: 40))
        }
    }

    @Test func uploadLeftAlone_isRemoved() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder, patience: .milliseconds(20))
            let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 60)).upload
            await eventually("the upload has timed out") { await table.count == 0 }
            #expect(try files(folder).isEmpty)
            await #expect(throws: ControlError.self) {
                try await table.add(UploadDataArguments(upload: upload, bytes: Data([1])))
            }
        }
    }

    @Test func leftovers_areRemovedAtTheStart() async throws {
        try await withFolder { folder in
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/upload-7"))
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/other"))
            _ = try UploadTable(folder: folder)
            #expect(try files(folder) == ["other"])
        }
    }
}
