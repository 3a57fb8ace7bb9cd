import Domain
import Dialogue
import Control
import Dispatch
import Foundation
import Logging
import Setup
import Synchronization

/// Keeps the traces of turns on disk where the owner wants that. Written in the background: no turn waits for the disk.
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

    /// Keeps so many megabytes from now on; with nil nothing any more, and what was kept is removed.
    func keep(_ megabytes: Int?) {
        let before = state.withLock { state in
            defer { state.megabytes = megabytes }
            return state.megabytes
        }
        queue.async { [self] in
            if megabytes != nil {
                // A change of another setting says nothing of the disk.
                if before == nil { health.report(Self.part, .ok, "kept in \(file.path)") }
                return
            }
            do {
                try file.remove()
                problem.withLock { $0 = nil }
                if before != nil { health.report(Self.part, .ok, "turned off in the settings (trace.keep_on_disk)") }
            } catch {
                failed("The traces kept on disk were not removed", error, advice: "remove \(file.path)*")
            }
        }
    }

    /// Writes a turn; of one that was written before, this is what counts.
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
            // Turned off meanwhile: nothing may be written behind the removal.
            guard let megabytes else { return }
            do {
                try file.append(try Self.encoder().encode(TraceRecord(trace)), limit: megabytes * 1_000_000)
                succeeded()
            } catch {
                failed(
                    "The trace is not kept on disk", error, advice: "make room on the disk, or let VanOrb write there")
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
                            message: "The turns kept on disk can't be read: \(error). "
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
            // What a power cut has torn is left out.
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
        if before != nil { logger.notice("Traces are kept on disk again: \(file.path)") }
        health.report(Self.part, .ok, "kept in \(file.path)")
    }

    private func failed(_ what: String, _ error: any Error, advice: String) {
        let isNew = problem.withLock { problem in
            defer { problem = "\(error)" }
            return problem == nil
        }
        if isNew { logger.warning("\(what): \(error). Turns go on; it is tried again after each.") }
        health.report(Self.part, .warning, "\(what): \(error)", advice: advice)
    }
}
