import Foundation
import SystemTestKit
import Testing

@testable import Setup

@Suite struct TraceFileTests {
    private let folder: TemporaryFolder
    private let file: TraceFile

    init() throws {
        folder = try TemporaryFolder()
        file = TraceFile(path: folder.file("traces.jsonl"))
    }

    private func lines() throws -> [String] {
        var lines: [String] = []
        try file.newestFirst { line in
            lines.append(String(decoding: line, as: UTF8.self))
            return true
        }
        return lines
    }

    private func size(_ path: String) -> Int { FileManager.default.contents(atPath: path)?.count ?? 0 }

    @Test func lines_areReadNewestFirst_overBothFiles_andTheirSizeIsBounded() throws {
        let limit = 200_000, filler = String(repeating: "ä", count: 500)
        for number in 1...600 {
            try file.append(Data("\(number) \(filler)".utf8), limit: limit)
            #expect(size(file.path) + size(file.former) <= limit)
        }
        let numbers = try lines().compactMap { Int($0.prefix { $0 != " " }) }
        #expect(numbers.count > 90 && numbers == Array((1...600).reversed().prefix(numbers.count)))
        #expect(size(file.former) > 0)
        // A lower limit counts from the next line on.
        try file.append(Data("last".utf8), limit: 10_000)
        #expect(try lines().first == "last")
        try file.append(Data("and more".utf8), limit: 10_000)
        #expect(size(file.path) + size(file.former) <= 10_000)
    }

    @Test func oneLineThatIsTooLong_isLeftOut() throws {
        try file.append(Data("short".utf8), limit: 1_000)
        try file.append(Data(repeating: 65, count: 600), limit: 1_000)
        #expect(try lines() == ["short"])
    }

    @Test func aTornLastLine_costsOnlyItself() throws {
        try file.append(Data("whole".utf8), limit: 1_000)
        let handle = try #require(FileHandle(forWritingAtPath: file.path))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("{\"to".utf8))
        try handle.close()
        try file.append(Data("next".utf8), limit: 1_000)
        #expect(try lines() == ["next", "{\"to", "whole"])
    }

    @Test func onlyItsOwnerMayRead_alsoAFileThatWasMadeOtherwise() throws {
        #expect(
            FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o644]))
        try file.append(Data("private".utf8), limit: 1_000)
        let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func aLink_isNotFollowed_andAMissingFolderIsNamed() throws {
        let other = folder.file("other")
        #expect(FileManager.default.createFile(atPath: other, contents: nil))
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: other)
        #expect(throws: TraceFile.Failure.self) { try file.append(Data("x".utf8), limit: 1_000) }
        #expect(size(other) == 0)
        let lost = TraceFile(path: folder.file("missing/traces.jsonl"))
        do {
            try lost.append(Data("x".utf8), limit: 1_000)
            Issue.record("nothing can be written there")
        } catch {
            #expect("\(error)".contains("missing/traces.jsonl: No such file"), "\(error)")
        }
        try lost.newestFirst { _ in true }
    }

    @Test func removing_leavesNothing() throws {
        for number in 1...200 { try file.append(Data("\(number) of 200".utf8), limit: 1_000) }
        try file.remove()
        #expect(try lines().isEmpty)
        #expect(size(file.path) == 0 && size(file.former) == 0)
        try file.remove()
    }
}
