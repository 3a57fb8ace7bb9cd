import Domain
import Foundation
import Synchronization

/// Files that may crash the library that reads them if they are damaged. This process reads them only after another one
/// has worked with the same bytes; that is recorded on disk, so that the next start need only hash them.
package final class TriedFiles: Sendable {
    /// The trial that failed.
    private struct Failure {
        let sum: String
        let error: any Error
        let time: ContinuousClock.Instant
    }

    private static let piece = 1 << 20

    private let record: String
    private let rest: Duration
    private let trial: @Sendable () throws -> Void
    private let failure = Mutex<Failure?>(nil)

    /// - Parameters:
    ///   - record: the file with the hash of the files that passed. Where it cannot be written, each process tries.
    ///   - rest: after which unchanged files that failed are tried again: there may have been too little memory.
    ///     Others are tried at once.
    ///   - trial: works with the files in another process; throws where that fails.
    package init(record: String, rest: Duration = .seconds(300), trial: @escaping @Sendable () throws -> Void) {
        (self.record, self.rest, self.trial) = (record, rest, trial)
    }

    /// Returns where the files may be read.
    /// - Throws: what the trial threw, or that a file cannot be read.
    package func check(_ files: [String]) throws {
        let sum = try Self.sum(of: files)
        guard (try? String(contentsOfFile: record, encoding: .utf8)) != sum else { return }
        if let known = failure.withLock({ $0 }), known.sum == sum, known.time.duration(to: .now) < rest {
            throw known.error
        }
        do { try trial() } catch {
            failure.withLock { $0 = Failure(sum: sum, error: error, time: .now) }
            throw error
        }
        failure.withLock { $0 = nil }
        try? FileManager.default.createDirectory(
            atPath: URL(filePath: record).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try? Data(sum.utf8).write(to: URL(filePath: record), options: .atomic)
    }

    /// Every file beneath `folder`, sorted; links are followed for the folder itself only.
    package static func files(in folder: String) -> [String] {
        let root = URL(filePath: folder).resolvingSymlinksInPath()
        let all = FileManager.default.enumerator(at: root, includingPropertiesForKeys: [.isDirectoryKey])
        var files: [String] = []
        for case let file as URL in all ?? .init() {
            if (try? file.resourceValues(forKeys: [.isDirectoryKey]))?.isDirectory != true { files.append(file.path) }
        }
        return files.sorted()
    }

    /// A hash of names and contents. Read, not mapped: a mapped page of a failing disk would crash the process.
    private static func sum(of files: [String]) throws -> String {
        var hash = StableHash()
        for path in files {
            hash.add("\(path)\n".utf8)
            let file: FileHandle
            do { file = try FileHandle(forReadingFrom: URL(filePath: path)) } catch {
                throw TrialFailure(reason: "cannot read \(path): \(error.localizedDescription)")
            }
            defer { try? file.close() }
            do {
                while let data = try file.read(upToCount: piece), !data.isEmpty { hash.mixWords(of: data) }
            } catch { throw TrialFailure(reason: "cannot read \(path): \(error.localizedDescription)") }
        }
        return String(hash.value, radix: 16)
    }
}
