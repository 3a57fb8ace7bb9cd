import Domain
import Foundation
import Logging

/// Lowers other programs' audio through the mixer controls that the board file names.
///
/// What is lowered is recorded in a file first, so that it is restored after a crash, too: by the next start, or by
/// `restoreLeftovers`, whichever comes first. All work is done on its own serial queue: a USB card may be slow.
public final class Ducker: Ducking {
    /// A control, and by how many decibels it is lowered.
    public struct Target: Sendable, Equatable {
        /// The control.
        public let control: MixerControl
        /// More than 0.
        public let decibels: Double

        /// A control that is lowered by so many decibels.
        public init(control: MixerControl, decibels: Double) {
            self.control = control
            self.decibels = decibels
        }
    }

    private let targets: [Target]
    private let file: String
    private let mixer: any Mixer
    private let health: Health
    private let logger: Logger
    private let queue = DispatchQueue(label: "vanorb.ducking")

    /// A ducker that has not touched anything yet. Call `restore` at the start: an earlier process may have left the
    /// controls lowered.
    /// - Parameters:
    ///   - targets: what is lowered.
    ///   - file: the path of the record; its folder must exist.
    ///   - configuration: where the cards' names are looked up.
    ///   - health: gets its state as “ducking”.
    ///   - logger: gets failures.
    public convenience init(
        _ targets: [Target], file: String, configuration: ALSAConfiguration, health: Health, logger: Logger
    ) {
        self.init(
            targets, file: file, mixer: ALSAMixer(configuration: configuration), health: health, logger: logger)
    }

    init(_ targets: [Target], file: String, mixer: any Mixer, health: Health, logger: Logger) {
        self.targets = targets
        self.file = file
        self.mixer = mixer
        self.health = health
        self.logger = logger
    }

    /// Restores what a process that crashed has left lowered. Does nothing where there is no record. Waits for the
    /// cards, a few milliseconds as a rule. Not to be called while a ducker with the same record exists.
    /// - Parameters:
    ///   - file: the path of the record.
    ///   - configuration: where the cards' names are looked up; the system's alone where it is left out.
    /// - Returns: a line for each control that could not be reached; its part of the record stays.
    public static func restoreLeftovers(file: String, configuration: ALSAConfiguration? = nil) -> [String] {
        guard FileManager.default.fileExists(atPath: file) else { return [] }
        do {
            return try restore(file, by: ALSAMixer(configuration: configuration ?? ALSAConfiguration()))
        } catch { return ["\(error)"] }
    }

    /// Lowers what is not lowered yet.
    public func duck() { queue.async { self.lower() } }

    /// Restores what the record has, also from an earlier process.
    public func restore() { queue.async { self.restoreAll() } }

    /// Returns when the work queued so far is done.
    public func settled() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Checks that the controls exist, and reports to `Health`, while nothing is lowered.
    public func check() {
        queue.async {
            guard DuckedNote(file: self.file).entries.isEmpty else { return }
            self.report(self.targets.compactMap { target in self.failure { _ = try self.mixer.open(target.control) } })
        }
    }

    // MARK: on the queue

    private func lower() {
        var note = DuckedNote(file: file)
        // What is in the record is lowered already; its present volume is not the owner's.
        let left = targets.filter { target in !note.entries.contains { $0.control == target.control } }
        var failures: [String] = []
        for target in left {
            if let failure = failure({ try self.lower(target, &note) }) { failures.append(failure) }
        }
        if !left.isEmpty { report(failures) }
    }

    private func lower(_ target: Target, _ note: inout DuckedNote) throws {
        let element = try mixer.open(target.control)
        let entry = DuckedNote.Entry(
            control: target.control, before: element.volumes, set: element.lowered(by: target.decibels))
        guard entry.set != entry.before else { return }
        note.entries.append(entry)
        do { try note.write(to: file) } catch {
            // What could not be restored after a crash is not lowered.
            note.entries.removeLast()
            throw error
        }
        try element.set(entry.set)
        // A card may round; its actual volume distinguishes the owner's changes from ours.
        let real = try mixer.open(target.control).volumes
        guard real != entry.set else { return }
        note.entries[note.entries.count - 1].set = real
        try note.write(to: file)
    }

    private func restoreAll() {
        do {
            let failures = try Self.restore(file, by: mixer)
            if !failures.isEmpty { report(failures) }
        } catch { report(["\(error)"]) }
    }

    /// - Returns: why a control could not be reached; its part of the record stays for the next time.
    private static func restore(_ file: String, by mixer: any Mixer) throws -> [String] {
        var kept: [DuckedNote.Entry] = [], failures: [String] = []
        let note = DuckedNote(file: file)
        for entry in note.entries {
            do {
                let element = try mixer.open(entry.control)
                // Another volume was set in the meantime: it is kept.
                if element.volumes == entry.set { try element.set(entry.before) }
            } catch {
                kept.append(entry)
                failures.append("\(entry.control): \(error)")
            }
        }
        try DuckedNote(entries: kept).write(to: file)
        return failures
    }

    private func failure(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch { return "\(error)" }
    }

    private func report(_ failures: [String]) {
        guard !failures.isEmpty else {
            let names = targets.map { "\($0.control) by \($0.decibels) dB" }.joined(separator: ", ")
            return health.report("ducking", .ok, "lowers \(names) while listening")
        }
        let text = failures.joined(separator: "; ")
        if !health.all.contains(where: { $0.name == "ducking" && $0.detail == text }) {
            logger.warning("ducking: \(text)")
        }
        health.report(
            "ducking", .warning, text,
            advice: "“amixer -c CARD scontrols” lists a card's controls; correct “ducking” in the board file. Other "
                + "programs' audio stays as loud as it is meanwhile")
    }
}

/// What was lowered and must be restored, kept in a file from before the first volume changes until the last is
/// restored, so that it survives a crash.
struct DuckedNote: Codable, Equatable {
    struct Entry: Codable, Equatable {
        let control: MixerControl
        /// The channels' volumes as the owner had them, in the card's own steps.
        let before: [Int]
        /// What they were set to.
        var set: [Int]
    }

    var entries: [Entry]

    /// The record in `file`; without entries where there is none, or it cannot be read.
    init(file: String) {
        let data = FileManager.default.contents(atPath: file)
        self = data.flatMap { try? JSONDecoder().decode(Self.self, from: $0) } ?? Self(entries: [])
    }

    init(entries: [Entry]) { self.entries = entries }

    /// Writes the record, or removes the file where nothing must be restored. Atomic.
    func write(to file: String) throws {
        guard !entries.isEmpty else {
            if FileManager.default.fileExists(atPath: file) { try FileManager.default.removeItem(atPath: file) }
            return
        }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        try encoder.encode(self).write(to: URL(filePath: file), options: .atomic)
    }
}
