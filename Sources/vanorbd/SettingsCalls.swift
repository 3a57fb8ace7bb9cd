import Domain
import Language
import Control
import Foundation
import Setup
import Threads

/// The settings, told and changed: of a daemon that runs, or without one.
actor SettingsCalls {
    private let editor: SettingsEditor
    /// Nil where no daemon runs.
    private let appliance: Appliance?
    /// What the daemon goes by; empty where none runs.
    private var inForce: [String: String]
    /// The last change; each waits for the one before.
    private var last: Task<Void, Never>?

    /// A slow card may hold up a write for long.
    private let executor = QueueExecutor(label: "vanorb-settings", patience: .seconds(120))
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private static let restart = "sudo systemctl restart vanorb"

    init(_ source: SettingsSource, appliance: Appliance?) {
        editor = SettingsEditor(source)
        self.appliance = appliance
        inForce = appliance?.settings.texts ?? [:]
    }

    // MARK: telling

    func list() async throws -> SettingsResult {
        let source = editor.source, described = try source.descriptions()
        // What cannot be read at all is no list with a mistake in it.
        let text = try source.ownersText()
        var problem: String?
        let file: SettingsFile
        do {
            file = try source.file(owner: text)
            do { _ = try Settings(file) } catch { problem = "\(error)" }
        } catch {
            problem = "\(error) (until that is mended, what is listed is as it came, whatever your file sets)"
            file = try SettingsFile(defaults: source.defaults, owner: nil)
        }
        // What is expected of a value is known once it has been read; of the file that may have ended early.
        let standard = try SettingsFile(defaults: source.defaults, owner: nil)
        _ = try Settings(standard)
        var rows: [SettingRow] = []
        for (key, meaning) in described {
            rows.append(
                SettingRow(
                    key: key, value: file.text(key), defaultValue: file.defaultText(key) ?? "",
                    origin: SettingOrigin(file.origin(key)), timing: SettingTiming(SettingEffect.of(key)),
                    inForce: problem == nil ? waitingFor(key, file.text(key)) : nil,
                    note: await note(key, file.text(key)), expected: standard.expectation(key), meaning: meaning))
        }
        return SettingsResult(file: source.owner, problem: problem, isRunning: appliance != nil, settings: rows)
    }

    func show(_ arguments: SettingArguments) async throws -> SettingRow {
        let rows = try await list().settings
        guard let row = rows.first(where: { $0.key == arguments.key }) else {
            let nearest = NearestKey.to(arguments.key, among: rows.map(\.key))
            throw ControlError(
                code: ControlError.Code.badArguments,
                message: "\(SettingsEditor.Refusal.unknown(arguments.key, nearest: nearest))")
        }
        return row
    }

    func languages() throws -> LanguagesResult {
        let root = LanguageFolder.shippedRoot, source = editor.source
        let chosen =
            if let inForce = inForce["language"] { inForce } else {
                try source.file(owner: source.ownersText()).text("language")
            }
        return LanguagesResult(languages: LanguageFolder.installed(root: root), chosen: chosen, folder: root)
    }

    /// How the settings are, for status and doctor.
    func status() -> PartStatus {
        do {
            let source = editor.source, file = try source.file(owner: source.ownersText())
            let settings = try Settings(file)
            let waiting = waiting(file)
            let detail =
                waiting.isEmpty
                ? "in order, all in force" : "in order; waiting for a restart: \(waiting.joined(separator: ", "))"
            guard SandboxAccess.isInForce(settings) else {
                return PartStatus(
                    name: "settings", state: .warning,
                    detail: "\(detail); but systemd still keeps VanOrb from a host or folder that they name, or named",
                    advice: "sudo systemctl start vanorb-access, then sudo systemctl restart vanorb")
            }
            return PartStatus(
                name: "settings", state: .ok, detail: detail, advice: waiting.isEmpty ? nil : Self.restart)
        } catch {
            return PartStatus(
                name: "settings", state: .warning, detail: "the next start would fail: \(error)",
                advice: "mend the line that is named")
        }
    }

    /// What the daemon goes by where that is something else.
    private func waitingFor(_ key: String, _ value: String) -> String? {
        inForce[key].flatMap { $0 == value ? nil : $0 }
    }

    private func waiting(_ file: SettingsFile) -> [String] {
        file.keys.filter { waitingFor($0, file.text($0)) != nil }.sorted()
    }

    private func note(_ key: String, _ value: String) async -> String? {
        if let timing = waitingFor(key, value).map({ _ in SettingEffect.of(key) }), timing.isLive {
            return "changed by hand: in force from the next start on, or from the next “vanorb settings set”"
        }
        if let mode = await appliance?.conversation.modeOverriding(over: key) {
            return "the mode \(mode) has a say of its own over it, while the van is in it"
        }
        guard let kept = appliance?.context.stores.kept, VoiceSettings.askedFor.contains(key),
            let asked = (try? await kept.value(key)).flatMap(\.self), Double(asked) != Double(value)
        else { return nil }
        return "\(asked) is in force, as it was asked for by voice; set or reset it, and that is forgotten"
    }

    // MARK: changing

    /// Changes a setting, and goes by it at once where that can be.
    func change(_ arguments: SettingChangeArguments) async throws -> SettingChangeResult {
        let before = last
        let task = Task {
            await before?.value
            return try await self.perform(arguments.key, arguments.value)
        }
        last = Task { _ = try? await task.value }
        return try await task.value
    }

    private func perform(_ key: String, _ value: String?) async throws -> SettingChangeResult {
        if let value, key == "speech.voice", !value.isEmpty { try await checkVoice(value) }
        let change: SettingsEditor.Change
        do {
            change = try editor.change(key, to: value) { _, settings in
                if let value { try SettingsReach(settings: settings).check(key, value) }
            }
        } catch let refusal as SettingsEditor.Refusal {
            let code =
                switch refusal {
                case .unknown, .value: ControlError.Code.badArguments
                case .file, .writing, .busy: ControlError.Code.failed
                }
            throw ControlError(code: code, message: "\(refusal)")
        }
        // From here on the file says so, whatever follows.
        var notes: [String] = []
        if let appliance { notes += await adopt(change, key, appliance) }
        notes += Self.notes(key, change)
        if let mode = await appliance?.conversation.modeOverriding(over: key) {
            notes.append("While the van is in \(mode) mode, that mode’s own setting counts.")
        }
        let timing = SettingEffect.of(key), isInForce = inForce[key] == change.file.text(key)
        let waiting = appliance == nil ? [] : waiting(change.file)
        if timing == .anew, !isInForce, let appliance { Rebirth.begin(after: appliance.conversation) }
        let message = Self.message(
            key, change, timing, isInForce: isInForce, isRunning: appliance != nil, waiting: waiting, notes: notes)
        return SettingChangeResult(
            key: key, before: change.before, now: change.now, isWritten: change.isWritten, isInForce: isInForce,
            timing: SettingTiming(timing), waiting: waiting, message: message)
    }

    /// Lets the daemon go by all that it can adopt while it runs.
    /// - Returns: what there is to say about it.
    private func adopt(_ change: SettingsEditor.Change, _ key: String, _ appliance: Appliance) async -> [String] {
        var notes: [String] = []
        let settings = change.settings, kept = appliance.context.stores.kept
        if VoiceSettings.askedFor.contains(key) {
            // What is set counts, and no longer what was asked for by voice before.
            do { try await kept.set(key, to: nil) } catch {
                notes.append("What was asked for by voice could not be forgotten and counts again later: \(error).")
            }
        }
        LogLevel.shared.set(settings.logLevel.rawValue)
        appliance.traceLog.keep(settings.traceMegabytes)
        appliance.backupRoom.keep(settings.backups)
        await appliance.backupRoom.report(to: appliance.health, kept: kept)
        if let ring = settings.ring(of: appliance.board) { appliance.ringPanel?.use(ring) }
        var talk = settings.conversation(on: appliance.board)
        talk.voice = await VoiceSettings.kept(in: kept, otherwise: talk.voice)
        await appliance.conversation.adopt(talk)
        for key in change.file.keys where SettingEffect.of(key).isLive { inForce[key] = change.file.text(key) }
        return notes
    }

    private func checkVoice(_ name: String) async throws {
        guard let appliance, let hasVoice = try? await appliance.voice.hasVoice(name), !hasVoice else { return }
        throw ControlError(
            code: ControlError.Code.badArguments,
            message:
                "speech.voice: espeak-ng has no voice “\(name)”; its voices: espeak-ng --voices. Nothing was changed.")
    }

    // MARK: words

    private static func shown(_ value: String) -> String { value.isEmpty ? "empty" : value }

    private static func notes(_ key: String, _ change: SettingsEditor.Change) -> [String] {
        var notes: [String] = []
        if change.file.origin(key) == .commandLine {
            notes.append(
                "The daemon’s command line has the say over the file, though: \(shown(change.file.text(key))) stays in force."
            )
        }
        let night = ["night.from", "night.to"].map { change.file.text($0) }
        if key.hasPrefix("night."), night.contains("") != night.allSatisfy(\.isEmpty) {
            notes.append("There is a night by the hour only once both night.from and night.to are set.")
        }
        if key == "backup.second_path", let path = change.settings.backups.secondPath {
            if SandboxAccess.grantable(path) == nil {
                notes.append("As a service VanOrb may not write there: choose a folder below /media, /mnt or /srv.")
            }
        }
        return notes
    }

    private static func message(
        _ key: String, _ change: SettingsEditor.Change, _ timing: SettingEffect, isInForce: Bool, isRunning: Bool,
        waiting: [String], notes: [String]
    ) -> String {
        let now = change.file.origin(key) == .commandLine ? change.ownersValue : change.now
        var words =
            change.isWritten && change.before != now
            ? ["\(key) is \(shown(now)) now; it was \(shown(change.before))."]
            : change.isWritten ? ["\(key) is \(shown(now)), as before."] : ["\(key) is \(shown(now)) already."]
        if change.file.origin(key) == .commandLine {
            words += notes
        } else if !isRunning {
            words += ["It counts when VanOrb starts."] + notes
        } else {
            switch timing {
            case .atOnce where isInForce: words.append("It is in force.")
            case .nextTurn where isInForce: words.append("It is in force from the next turn on.")
            case .anew where !isInForce:
                words.append("VanOrb begins anew with it as soon as no turn is under way; that takes some seconds.")
            case _ where isInForce: words.append("It is what VanOrb goes by.")
            default: words.append("It takes effect at the next start (\(restart)).")
            }
            words += notes
        }
        let others = waiting.filter { $0 != key }
        if !others.isEmpty { words.append("Waiting for a restart, too: \(others.joined(separator: ", ")).") }
        return words.joined(separator: " ")
    }
}

extension SettingOrigin {
    init(_ origin: SettingsFile.Origin) {
        self =
            switch origin {
            case .defaults: .defaults
            case .owner: .owner
            case .commandLine: .commandLine
            }
    }
}

extension SettingTiming {
    init(_ effect: SettingEffect) {
        self =
            switch effect {
            case .atOnce: .atOnce
            case .nextTurn: .nextTurn
            case .anew: .anew
            case .restart: .restart
            }
    }
}
