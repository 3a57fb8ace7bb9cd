import Copilot
import Foundation

/// The settings as files have them: the defaults with the owner's file and the command line's values on top.
///
/// A key that the defaults lack is refused, naming file and line; so is a value of the wrong kind or out of range.
package struct SettingsFile {
    private var values: [String: ConfigurationNode] = [:]

    /// - Parameter overrides: `key=value` pairs, as `--set` has them.
    package init(defaults: String, owner: String?, overrides: [String] = []) throws {
        for (key, node) in try Self.leaves(ConfigurationNode(contentsOf: defaults)) { values[key] = node }
        if let owner { try overlay(Self.leaves(ConfigurationNode(contentsOf: owner)), defaults: defaults) }
        for override in overrides {
            let pair = override.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2 else {
                throw ConfigurationError(file: "--set \(override)", line: nil, message: "expected key=value")
            }
            let quoted = pair[1].isEmpty ? "\"\"" : pair[1]
            let text = Self.nested(pair[0].split(separator: ".").map(String.init), quoted)
            try overlay(
                Self.leaves(ConfigurationNode(parsing: text, file: "--set \(pair[0])")), defaults: defaults)
        }
    }

    private mutating func overlay(_ leaves: [(String, ConfigurationNode)], defaults: String) throws {
        for (key, node) in leaves {
            guard values[key] != nil else {
                throw ConfigurationError(
                    file: node.file, line: node.line,
                    message: "there is no setting “\(key)”\(suggestion(for: key)); all settings are in \(defaults)")
            }
            values[key] = node
        }
    }

    private func suggestion(for key: String) -> String {
        let last = key.split(separator: ".").last.map(String.init) ?? key
        let near = values.keys.sorted().first { $0.hasSuffix("." + last) || $0.hasPrefix(key + ".") }
        return near.map { ", did you mean “\($0)”?" } ?? ""
    }

    private static func nested(_ path: [String], _ value: String) -> String {
        path.enumerated().map { index, name in
            String(repeating: "  ", count: index) + name + ":" + (index == path.count - 1 ? " \(value)" : "")
        }.joined(separator: "\n")
    }

    private static func leaves(_ node: ConfigurationNode, _ path: String = "") throws -> [(String, ConfigurationNode)] {
        guard node.isMapping || path.isEmpty else { return [(path, node)] }
        return try node.entries().flatMap { try leaves($1, path.isEmpty ? $0 : "\(path).\($0)") }
    }

    // MARK: reading

    private func node(_ key: String) throws -> ConfigurationNode {
        guard let node = values[key] else {
            throw ConfigurationError(file: "the defaults", line: nil, message: "the setting “\(key)” is missing")
        }
        return node
    }

    func string(_ key: String) throws -> String { try node(key).string() }
    func bool(_ key: String) throws -> Bool { try node(key).bool() }

    /// Text, or nil where it is empty.
    func optional(_ key: String) throws -> String? {
        let text = try string(key)
        return text.isEmpty ? nil : text
    }

    func double(_ key: String, _ range: ClosedRange<Double>) throws -> Double {
        let node = try node(key), value = try node.double()
        guard range.contains(value) else {
            throw node.error("expected \(range.lowerBound) to \(range.upperBound), found \(value)")
        }
        return value
    }

    /// A number, or nil where it is empty.
    func optionalDouble(_ key: String, _ range: ClosedRange<Double>) throws -> Double? {
        if let text = try? string(key), text.isEmpty { return nil }
        return try double(key, range)
    }

    func int(_ key: String, _ range: ClosedRange<Int>) throws -> Int {
        let node = try node(key), value = try node.int()
        guard range.contains(value) else {
            throw node.error("expected \(range.lowerBound) to \(range.upperBound), found \(value)")
        }
        return value
    }

    func seconds(_ key: String, _ range: ClosedRange<Double>) throws -> Duration { .seconds(try double(key, range)) }

    /// One of a few words.
    func choice<Choice: RawRepresentable & CaseIterable>(_ key: String, _ type: Choice.Type) throws -> Choice
    where Choice.RawValue == String {
        let node = try node(key), text = try node.string()
        guard let choice = Choice(rawValue: text) else {
            let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
            throw node.error("expected one of \(words); found “\(text)”")
        }
        return choice
    }

    /// Complains about the value of a key.
    func complaint(_ key: String, _ message: String) throws -> ConfigurationError { try node(key).error(message) }
}
