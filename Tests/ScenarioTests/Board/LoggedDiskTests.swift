import Foundation
import SystemTestKit
import Testing

/// What a power cut leaves, by a log that is written here.
@Suite struct LoggedDiskTests {
    private let folder = try? TemporaryFolder()

    private func path(_ name: String) throws -> String { try #require(folder).file(name) }

    private func words(_ words: UInt64...) -> Data {
        let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> ($0 * 8)) } }
        return Data(bytes + Array(repeating: 0, count: 512 - bytes.count))
    }

    private func sectors(_ byte: UInt8, _ count: Int) -> Data { Data(repeating: byte, count: 512 * count) }

    /// Eight sectors; the log's entries, and how many of them it says that it has.
    private func disk(_ entries: [Data], declared: UInt64) throws -> LoggedDisk {
        let folder = try #require(folder)
        try sectors(0, 8).write(to: URL(fileURLWithPath: folder.file("disk")))
        try Data().write(to: URL(fileURLWithPath: folder.file("written")))
        let log = entries.reduce(words(0x6A_7366_7773_6872, 1, declared, 512), +)
        try log.write(to: URL(fileURLWithPath: folder.file("writes.log")))
        return LoggedDisk(folder: folder.path)
    }

    private var contents: [UInt8] {
        get throws {
            let disk = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path("disk"))))
            return stride(from: 0, to: disk.count, by: 512).map { disk[$0] }
        }
    }

    @Test func whatWasFlushed_isThere_andWhatCameLater_mayBe() throws {
        let log = [
            words(0, 2, 0, 0), sectors(1, 2), words(4, 1, 0, 0), sectors(9, 1), words(4, 1, 0, 0), sectors(2, 1),
            words(0, 0, 1, 0),
            // Unflushed; then one that is written through.
            words(0, 2, 0, 0), sectors(3, 2), words(6, 1, 2, 0), sectors(4, 1),
        ]
        var seen: Set<[UInt8]> = []
        for seed in 1...60 {
            var random = SeededRandom(seed: UInt64(seed))
            let cut = try disk(log, declared: 4).cutPower(&random)
            #expect(cut.flushed == 4 && cut.kept + cut.torn + cut.lost == 1)
            seen.insert(try contents)
        }
        #expect(
            seen == [[1, 1, 0, 0, 2, 0, 4, 0], [3, 1, 0, 0, 2, 0, 4, 0], [3, 3, 0, 0, 2, 0, 4, 0]], "\(seen)")
        #expect(!FileManager.default.fileExists(atPath: try path("written")))
    }

    @Test func gapInTheLog_isAnError_asFlushesBehindItWouldNotBeSeen() throws {
        let disk = try disk([words(0, 1, 0, 0), sectors(1, 1), sectors(0, 1)], declared: 3)
        var random = SeededRandom(seed: 1)
        #expect(throws: NotInTime.self) { try disk.cutPower(&random) }
        try Data(count: 4_096).write(to: URL(fileURLWithPath: path("writes.log")))
        #expect(throws: NotInTime.self) { try disk.cutPower(&random) }
    }
}
