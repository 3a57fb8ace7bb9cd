import Configuration
import Foundation

/// Changes single values in the owner's settings file, where comments, order and line ends stay as they are.
///
/// Why not a second file, written by the library, that overrides the first: an owner who logs in over SSH edits and
/// reads one file, and a value typed there must not be overridden by another that was set a year ago by command. What
/// the library would save is small, too: `ConfigurationText` only proposes texts, and the one that parses to exactly
/// the wanted values is taken.
package struct SettingsEditor: Sendable {
    package let source: SettingsSource

    package init(_ source: SettingsSource) { self.source = source }

    /// What a change did.
    package struct Change {
        /// The value before and now, as they are written.
        package let before: String, now: String
        /// What the file, or the default, says, also where the command line has another say.
        package let ownersValue: String
        /// All settings, with the change.
        package let file: SettingsFile, settings: Settings
        /// False where the file says so already.
        package let isWritten: Bool
    }

    /// Why nothing was changed.
    package enum Refusal: Error, CustomStringConvertible {
        /// Unknown key, with the most similar one.
        case unknown(String, nearest: String?)
        /// The value is not one that is expected.
        case value(String)
        /// The file has a mistake elsewhere, or cannot be changed by itself.
        case file(String)
        /// The file cannot be written.
        case writing(FileReplacementError)
        /// Another program changes the file at every attempt.
        case busy(String)

        package var description: String {
            switch self {
            case .unknown(let key, let nearest):
                "Unknown setting “\(key)”" + (nearest.map { "; did you mean \($0)?" } ?? ".")
                    + " List all: vanorb settings"
            case .value(let message): message
            case .file(let message): "\(message). Nothing was changed."
            case .writing(let error): "\(error). Nothing was changed."
            case .busy(let path): "Another program keeps changing \(path). Nothing was changed. Try again."
            }
        }
    }

    /// The longest value, in characters.
    package static let longestValue = 500
    /// How often to retry when another program changes the file meanwhile.
    private static let tries = 5

    /// Sets a value, or takes it out of the file, so that the default counts again. The whole file is checked as at the
    /// start of the daemon before it is replaced.
    /// - Parameters:
    ///   - value: nil to take it out.
    ///   - check: complains where the daemon could not use what the settings name.
    /// - Throws: `Refusal`; then the file is as it was.
    package func change(
        _ key: String, to value: String?, check: (SettingsFile, Settings) throws -> Void = { _, _ in }
    ) throws -> Change {
        let known = try reading { try SettingsFile(defaults: source.defaults, owner: nil) }
        if let value { try checkText(key, value) }
        for _ in 0..<Self.tries {
            let text = try reading { try source.ownersText() }
            let edited = try edit(text, key, value, known)
            let (file, settings) = try settings(of: edited ?? text, instead: text, key, value)
            do { try check(file, settings) } catch let error as ConfigurationError { throw Refusal.value("\(error)") }
            let before = Self.raw(text, key, source.owner) ?? known.text(key)
            let change = Change(
                before: before, now: file.text(key), ownersValue: value ?? known.text(key), file: file,
                settings: settings, isWritten: edited != nil)
            guard let edited else { return change }
            let replacement = FileReplacement(path: source.owner, mode: 0o660)
            do {
                if try replacement.replace(text, by: edited) { return change }
            } catch let error as FileReplacementError { throw Refusal.writing(error) }
            // Somebody has changed it since it was read: once more, with what it says now.
        }
        throw Refusal.busy(source.owner)
    }

    /// - Returns: nil where nothing is to be changed.
    private func edit(_ text: String, _ key: String, _ value: String?, _ known: SettingsFile) throws -> String? {
        let isKnown = known.defaultText(key) != nil
        return try reading {
            let document = try ConfigurationText(text, file: source.owner)
            if let value {
                guard isKnown else { throw Refusal.unknown(key, nearest: NearestKey.to(key, among: known.keys)) }
                let edited = try document.setting(key, to: value)
                return edited == text ? nil : edited
            }
            let edited = try document.removing(key)
            // An unknown key may be removed from the file, which repairs it.
            guard isKnown || edited != nil else {
                throw Refusal.unknown(key, nearest: NearestKey.to(key, among: known.keys))
            }
            return edited
        }
    }

    private func settings(
        of edited: String, instead text: String, _ key: String, _ value: String?
    ) throws -> (SettingsFile, Settings) {
        do {
            // A value of the command line must not hide a slip in the file.
            _ = try Settings(source.file(owner: edited, without: key))
            let file = try source.file(owner: edited)
            return (file, try Settings(file))
        } catch let error as ConfigurationError {
            // A mistake that was there before is named with the line that it has there.
            do { _ = try Settings(source.file(owner: text)) } catch let old as ConfigurationError {
                if old.message == error.message || !error.message.hasPrefix(key + ":") { throw Refusal.file("\(old)") }
            }
            let said = error.message.hasPrefix(key + ":") ? error.message : "\(key): \(error.message)"
            throw Refusal.value("\(said). Nothing was changed.")
        }
    }

    private func checkText(_ key: String, _ value: String) throws {
        guard value.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw Refusal.value("\(key): expected one line of text without control characters. Nothing was changed.")
        }
        guard value.count <= Self.longestValue else {
            throw Refusal.value(
                "\(key): expected at most \(Self.longestValue) characters, found \(value.count). Nothing was changed."
            )
        }
    }

    private func reading<Value>(_ body: () throws -> Value) throws -> Value {
        do { return try body() } catch let error as ConfigurationError { throw Refusal.file("\(error)") }
    }

    /// What a file has for a key, though it is wrong elsewhere.
    private static func raw(_ text: String, _ key: String, _ file: String) -> String? {
        guard let root = try? ConfigurationNode(parsing: text, file: file) else { return nil }
        var node = root
        for name in key.split(separator: ".") {
            guard let next = (try? node.entries())?.first(where: { $0.key == name })?.value else { return nil }
            node = next
        }
        return try? node.string()
    }
}
