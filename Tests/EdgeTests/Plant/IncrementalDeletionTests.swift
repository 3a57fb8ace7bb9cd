import Foundation
import SystemTestKit
import Testing

@testable import StoreSQLite

/// A large file goes bit by bit, and from nobody who has a claim to it.
@Suite struct IncrementalDeletionTests {
    private let folder = try? TemporaryFolder()
    private static let size = 3 * IncrementalDeletion.lot + 1

    private func file() throws -> String {
        let path = try #require(folder).file("large")
        try Data(count: Self.size).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func size(_ path: String) -> Int? {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
    }

    @Test func largeFile_isGivenBackInLots() throws {
        let path = try file()
        var sizes: [Int?] = []
        IncrementalDeletion.remove(path) { sizes.append(Self.size(path)) }
        #expect(sizes == [2 * IncrementalDeletion.lot + 1, IncrementalDeletion.lot + 1, 1])
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test func fileThatSomebodyReads_staysWholeForThem() throws {
        let path = try file()
        let reader = try #require(FileHandle(forReadingAtPath: path))
        IncrementalDeletion.remove(path) { Issue.record("it shrinks below its reader") }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(try reader.readToEnd()?.count == Self.size)
    }

    @Test func fileWithASecondName_staysWholeUnderIt() throws {
        let path = try file(), second = path + ".kept"
        try FileManager.default.linkItem(atPath: path, toPath: second)
        IncrementalDeletion.remove(path) { Issue.record("it shrinks under its second name") }
        #expect(!FileManager.default.fileExists(atPath: path))
        #expect(Self.size(second) == Self.size)
    }

    @Test func whatALinkPointsTo_isNotTouched() throws {
        let path = try file(), link = path + ".link"
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
        IncrementalDeletion.remove(link) { Issue.record("it shrinks what the link points to") }
        #expect((try? FileManager.default.destinationOfSymbolicLink(atPath: link)) == nil)
        #expect(Self.size(path) == Self.size)
    }
}
