import Domain
import Language
import Control
import Foundation
import Setup
import Threads

/// Shows and changes settings, of a running daemon or without one.
actor SettingsCalls {
    private let editor: SettingsEditor
    /// Nil where no daemon runs.
    private let appliance: Appliance?
    /// The values in use; empty where no daemon runs.
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
        // An unreadable file is an error of the call, not a problem in the list.
        let text = try source.ownersText()
        var problem: String?
        let file: SettingsFile
        do {
            file = try source.file(owner: text)
            do { _ = try Settings(file) } catch { problem = "\(error)" }
        } catch {
            problem = "\(error) (until it is fixed, the defaults are listed instead of your file’s values)"
            file = try SettingsFile(defaults: source.defaults, owner: nil)
        }
        // What is expected of a value is known once it has been read; of the file that may have ended early.
        let standard = try SettingsFile(defaults: source.defaults, owner: nil)
        _ = try Settings(standard)
        var rows: [SettingRow] = []
        for (key, meaning) in described {
            var row = SettingRow(
                key: key, value: file.text(key), defaultValue: file.defaultText(key) ?? "",
                origin: SettingOrigin(file.origin(key)), timing: SettingTiming(SettingEffect.of(key)), meaning: meaning)
            row.inForce = problem == nil ? waitingFor(key, file.text(key)) : nil
            row.note = await note(key, file.text(key))
            row.expected = standard.expectation(key)
            rows.append(row)
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
                ? "valid; no restart needed" : "valid; restart needed for: \(waiting.joined(separator: ", "))"
            guard SandboxAccess.isInForce(settings) else {
                return PartStatus(
                    name: "settings", state: .warning,
                    detail: "\(detail); systemd’s sandbox does not match their hosts or folders yet",
                    advice: "sudo systemctl start vanorb-access, then sudo systemctl restart vanorb")
            }
            return PartStatus(
                name: "settings", state: .ok, detail: detail, advice: waiting.isEmpty ? nil : Self.restart)
        } catch {
            return PartStatus(
                name: "settings", state: .warning, detail: "invalid, the next start would fail: \(error)",
                advice: "Fix that line.")
        }
    }

    /// The value in use where it differs from the file's.
    private func waitingFor(_ key: String, _ value: String) -> String? {
        inForce[key].flatMap { $0 == value ? nil : $0 }
    }

    private func waiting(_ file: SettingsFile) -> [String] {
        file.keys.filter { waitingFor($0, file.text($0)) != nil }.sorted()
    }

    private func note(_ key: String, _ value: String) async -> String? {
        if let timing = waitingFor(key, value).map({ _ in SettingEffect.of(key) }), timing.isLive {
            return "changed by hand; takes effect after a restart or the next `vanorb settings set`"
        }
        if let mode = await appliance?.conversation.services.profile.modeOverriding(key) {
            return "overridden by the mode \(mode) at present"
        }
        guard let kept = appliance?.context.stores.kept, VoiceSettings.askedFor.contains(key),
            let asked = (try? await kept.value(key)).flatMap(\.self), Double(asked) != Double(value)
        else { return nil }
        return "\(asked) in use, as requested by voice; set or reset it to discard that"
    }

    // MARK: changing

    /// Changes a setting, and applies it at once where possible.
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
                if let value { try SettingsPreflight(settings: settings).check(key, value) }
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
        if let mode = await appliance?.conversation.services.profile.modeOverriding(key) {
            notes.append("The mode \(mode) overrides it at present.")
        }
        let timing = SettingEffect.of(key), isInForce = inForce[key] == change.file.text(key)
        if timing == .ownRestart, !isInForce, let appliance {
            ProcessRestart.request(after: appliance.conversation)
        }
        var result = SettingChangeResult(
            key: key, before: change.before, now: change.now, isWritten: change.isWritten,
            timing: SettingTiming(timing), message: "")
        (result.isInForce, result.waiting) = (isInForce, appliance == nil ? [] : waiting(change.file))
        result.message = message(change, result, notes)
        return result
    }

    /// Applies all that the running daemon can adopt.
    /// - Returns: notes for the owner.
    private func adopt(_ change: SettingsEditor.Change, _ key: String, _ appliance: Appliance) async -> [String] {
        var notes: [String] = []
        let settings = change.settings, kept = appliance.context.stores.kept
        if VoiceSettings.askedFor.contains(key) {
            // What is set counts, and no longer what was asked for by voice before.
            do { try await kept.set(key, to: nil) } catch {
                notes.append("The value requested by voice could not be removed and returns after a restart: \(error).")
            }
        }
        LogLevel.shared.set(settings.logLevel.rawValue)
        appliance.storage.traceLog.keep(settings.traceMegabytes)
        appliance.storage.backups.keep(settings.backups)
        await appliance.storage.backups.report(to: appliance.health, kept: kept)
        if let ring = settings.ring(of: appliance.environment.board) { appliance.peripherals.gpioPanel?.use(ring) }
        var talk = settings.conversation(on: appliance.environment.board)
        talk.voice = await VoiceSettings.kept(in: kept, otherwise: talk.voice)
        await appliance.conversation.adopt(talk)
        for key in change.file.keys where SettingEffect.of(key).isLive { inForce[key] = change.file.text(key) }
        return notes
    }

    private func checkVoice(_ name: String) async throws {
        guard let appliance, let hasVoice = try? await appliance.peripherals.voice.hasVoice(name), !hasVoice else {
            return
        }
        throw ControlError(
            code: ControlError.Code.badArguments,
            message:
                "speech.voice: espeak-ng has no voice “\(name)”. List its voices: espeak-ng --voices. Nothing was changed."
        )
    }

    // MARK: words

    private static func shown(_ value: String) -> String { value.isEmpty ? "empty" : value }

    private static func notes(_ key: String, _ change: SettingsEditor.Change) -> [String] {
        var notes: [String] = []
        if change.file.origin(key) == .commandLine {
            notes.append(
                "The daemon’s command line overrides the file: \(shown(change.file.text(key))) stays in use."
            )
        }
        let night = ["night.from", "night.to"].map { change.file.text($0) }
        if key.hasPrefix("night."), night.contains("") != night.allSatisfy(\.isEmpty) {
            notes.append("Night by the clock needs both night.from and night.to.")
        }
        if key == "backup.second_path", let path = change.settings.backups.secondPath {
            if SandboxAccess.grantable(path) == nil {
                notes.append("The service may not write there. Choose a folder below /media, /mnt or /srv.")
            }
        }
        return notes
    }

    private func message(
        _ change: SettingsEditor.Change, _ result: SettingChangeResult, _ notes: [String]
    ) -> String {
        let key = result.key, isOverridden = change.file.origin(key) == .commandLine
        let now = Self.shown(isOverridden ? change.ownersValue : change.now), before = Self.shown(change.before)
        var words: [String] =
            if !change.isWritten {
                ["\(key) is already \(now)."]
            } else if now == before {
                ["\(key) is still \(now)."]
            } else {
                ["\(key) changed from \(before) to \(now)."]
            }
        if !isOverridden { words.append(effect(of: result)) }
        words += notes
        let others = result.waiting.filter { $0 != key }
        if !others.isEmpty {
            words.append("Also changed, and in effect after a restart: \(others.joined(separator: ", ")).")
        }
        return words.joined(separator: " ")
    }

    /// When a change takes effect, as a sentence.
    private func effect(of result: SettingChangeResult) -> String {
        guard appliance != nil else { return "It takes effect when VanOrb starts." }
        return switch result.timing {
        case .nextTurn where result.isInForce: "It takes effect in the next turn."
        case .ownRestart where !result.isInForce:
            "VanOrb restarts with it after the present turn; that takes some seconds."
        case _ where result.isInForce: "It is in effect."
        default: "It takes effect after a restart: \(Self.restart)"
        }
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
            case .ownRestart: .ownRestart
            case .restart: .restart
            }
    }
}
