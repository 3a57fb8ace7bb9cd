import Foundation
import Setup
import Synchronization
import Testing

/// What is tried by a process of its own, and how often.
@Suite struct TriedFilesTests {
    private struct Failed: Error {}

    private let folder = FileManager.default.temporaryDirectory.path + "/tried-\(UUID().uuidString)"

    private func write(_ name: String, _ bytes: [UInt8]) throws -> String {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        return "\(folder)/\(name)"
    }

    @Test(arguments: [
        ("kill -BUS $$", "crashed: Bus error"), ("echo one >&2; echo why >&2; exit 3", "why"),
        ("exit 127", "status 127"), ("exec sleep 100", "timed out after"),
    ])
    func deathOfTheTrial_isToldAsItsReason(script: String, reason: String) {
        let error = #expect(throws: TrialFailure.self) {
            try TrialProcess.run("/bin/sh", ["-c", script], limit: .milliseconds(300))
        }
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }

    @Test func sameBytes_areTriedOnce_andEveryChangeAgain() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let bytes = (0..<10_001).map { UInt8(truncatingIfNeeded: $0 * 7) }
        let one = try write("one", bytes), other = try write("other", [])
        let count = Mutex(0)
        func check() throws {
            // Another start each time.
            try TriedFiles(record: "\(folder)/tried/x") { count.withLock { $0 += 1 } }.check([one, other])
        }
        for _ in 1...3 { try check() }
        #expect(count.withLock { $0 } == 1)
        // The highest bits of two words, of which a plain product of sums would not tell.
        var damaged = bytes
        damaged[7] ^= 0x80
        damaged[4_007] ^= 0x80
        _ = try write("one", damaged)
        try check()
        #expect(count.withLock { $0 } == 2)
        _ = try write("other", [0])
        try check()
        #expect(count.withLock { $0 } == 3)
        try FileManager.default.removeItem(atPath: other)
        #expect(throws: TrialFailure.self) { try check() }
        #expect(count.withLock { $0 } == 3)
    }

    @Test func filesThatFailed_areNotTriedAgainAtOnce_unlessTheyChange_andNeverPassForGood() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let file = try write("file", [1, 2, 3])
        let count = Mutex(0), isWhole = Mutex(false)
        let files = TriedFiles(record: "\(folder)/tried/x") {
            count.withLock { $0 += 1 }
            guard isWhole.withLock({ $0 }) else { throw Failed() }
        }
        for _ in 1...3 { #expect(throws: Failed.self) { try files.check([file]) } }
        #expect(count.withLock { $0 } == 1)
        let impatient = TriedFiles(record: "\(folder)/tried/x", rest: .zero) {
            count.withLock { $0 += 1 }
            throw Failed()
        }
        for _ in 1...2 { #expect(throws: Failed.self) { try impatient.check([file]) } }
        #expect(count.withLock { $0 } == 3)
        isWhole.withLock { $0 = true }
        _ = try write("file", [1, 2, 4])
        try files.check([file])
        #expect(count.withLock { $0 } == 4)
    }
}
