import Domain
import Dialogue
import Control
import Dispatch
import Foundation
import Logging
import Setup
import Synchronization

/// Writes the traces of turns to disk where the owner wants that, in the background: no turn waits for the disk.
final class TraceLog: Sendable {
    /// Turns that may wait for a slow disk; further ones are left out.
    private static let waitingLimit = 50

    private let file: TraceFile
    private let health: Health
    private let logger: Logger
    private let queue = DispatchQueue(label: "vanorb.traces", qos: .utility)
    /// Megabytes that are kept, nil where nothing is; and how many turns wait to be written.
    private let state: Mutex<(megabytes: Int?, waiting: Int)>
    /// What went wrong at the last writing.
    private let problem = Mutex<String?>(nil)

    private static let part = "trace on disk"

    /// Traces in the data folder.
    init(folder: String, health: Health, logger: Logger) {
        file = TraceFile(path: folder + "/traces.jsonl")
        state = Mutex((nil, 0))
        self.health = health
        self.logger = logger
    }

    /// Limits the traces to so many megabytes from now on; nil turns them off and deletes them.
    func keep(_ megabytes: Int?) {
        let before = state.withLock { state in
            defer { state.megabytes = megabytes }
            return state.megabytes
        }
        queue.async { [self] in
            if megabytes != nil {
                // A change of another setting says nothing of the disk.
                if before == nil { health.report(Self.part, .ok, "stored in \(file.path)") }
                return
            }
            do {
                try file.remove()
                problem.withLock { $0 = nil }
                if before != nil { health.report(Self.part, .ok, "turned off in the settings (trace.keep_on_disk)") }
            } catch {
                failed("can’t remove the traces on disk", error, advice: "Remove \(file.path)*")
            }
        }
    }

    /// Writes a turn; it replaces an earlier trace of the same turn.
    func write(_ trace: TurnTrace) {
        let isTaken = state.withLock { state in
            guard state.megabytes != nil, state.waiting < Self.waitingLimit else { return false }
            state.waiting += 1
            return true
        }
        guard isTaken else { return }
        queue.async { [self] in
            let megabytes = state.withLock { state in
                state.waiting -= 1
                return state.megabytes
            }
            // Turned off meanwhile: nothing may be written after the deletion.
            guard let megabytes else { return }
            do {
                try file.append(try Self.encoder().encode(TraceRecord(trace)), limit: megabytes * 1_000_000)
                succeeded()
            } catch {
                failed(
                    "can’t write the trace to disk", error,
                    advice: "Free disk space, or let VanOrb’s user write there.")
            }
        }
    }

    /// Turns, newest first: those in memory, then those that are only on disk.
    /// - Parameter memory: newest first.
    /// - Throws: `ControlError` where they cannot be read.
    func turns(_ memory: [TraceRecord], count: Int, skipping skipped: Int) async throws -> [TraceRecord] {
        let wanted = count + skipped
        guard memory.count < wanted, state.withLock({ $0.megabytes != nil }) else {
            return Array(memory.prefix(wanted).dropFirst(skipped))
        }
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [self] in
                continuation.resume(
                    with: Result { Array(try merged(memory, wanted).dropFirst(skipped)) }.mapError { error in
                        ControlError(
                            code: ControlError.Code.failed,
                            message: "Can't read the traces on disk: \(error). "
                                + "For the last \(memory.count): vanorb trace \(max(1, memory.count)).")
                    })
            }
        }
    }

    private func merged(_ memory: [TraceRecord], _ wanted: Int) throws -> [TraceRecord] {
        var turns = memory, known = Set(memory.map(Self.identity))
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        try file.newestFirst { line in
            // A line torn by a power cut is skipped.
            if let turn = try? decoder.decode(TraceRecord.self, from: line), known.insert(Self.identity(turn)).inserted
            {
                turns.append(turn)
            }
            return turns.count < wanted
        }
        return turns
    }

    /// Numbers count from each start of the daemon; no two starts are within a second.
    private static func identity(_ turn: TraceRecord) -> String {
        "\(turn.turn) \(Int(turn.startedAt.timeIntervalSince1970.rounded(.down)))"
    }

    private static func encoder() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    private func succeeded() {
        let before = problem.withLock { problem in
            defer { problem = nil }
            return problem
        }
        if before != nil { logger.notice("traces are written to disk again: \(file.path)") }
        health.report(Self.part, .ok, "stored in \(file.path)")
    }

    private func failed(_ what: String, _ error: any Error, advice: String) {
        let isNew = problem.withLock { problem in
            defer { problem = "\(error)" }
            return problem == nil
        }
        if isNew { logger.warning("\(what): \(error); retrying after each turn") }
        health.report(Self.part, .warning, "\(what): \(error)", advice: advice)
    }
}
