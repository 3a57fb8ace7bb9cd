import Configuration
import Foundation

/// The settings as files have them: the defaults with the owner's file and the command line's values on top.
///
/// A key that the defaults lack is refused, naming file and line; so is a value of the wrong kind or out of range.
package struct SettingsFile {
    /// Where a value comes from.
    package enum Origin: Sendable {
        case defaults, owner, commandLine
    }

    private var values: [String: ConfigurationNode] = [:]
    private var origins: [String: Origin] = [:]
    private let defaultTexts: [String: String]
    private let expectations = Expectations()

    /// - Parameters:
    ///   - owner: the owner's file; nil where there is none.
    ///   - overrides: `key=value` pairs, as `--set` has them.
    package init(defaults: String, owner: String?, overrides: [String] = []) throws {
        try self.init(
            defaults: defaults, ownersNode: owner.map { try ConfigurationNode(contentsOf: $0) }, overrides: overrides)
    }

    /// - Parameter ownersNode: what the owner's file has, or would have.
    package init(defaults: String, ownersNode owner: ConfigurationNode?, overrides: [String]) throws {
        for (key, node) in try Self.leaves(ConfigurationNode(contentsOf: defaults)) { values[key] = node }
        defaultTexts = values.compactMapValues { try? $0.string() }
        if let owner { try overlay(Self.leaves(owner), .owner, defaults: defaults) }
        for override in overrides {
            let pair = override.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2 else {
                throw ConfigurationError(file: "--set \(override)", line: nil, message: "expected key=value")
            }
            let quoted = pair[1].isEmpty ? "\"\"" : pair[1]
            let text = Self.nested(pair[0].split(separator: ".").map(String.init), quoted)
            try overlay(
                Self.leaves(ConfigurationNode(parsing: text, file: "--set \(pair[0])")), .commandLine,
                defaults: defaults)
        }
    }

    private mutating func overlay(
        _ leaves: [(String, ConfigurationNode)], _ origin: Origin, defaults: String
    ) throws {
        for (key, node) in leaves {
            // A section with nothing in it, or nothing but comments.
            if node.isNull, values.keys.contains(where: { $0.hasPrefix(key + ".") }) { continue }
            guard values[key] != nil else {
                throw ConfigurationError(
                    file: node.file, line: node.line,
                    message: "unknown setting “\(key)”\(suggestion(for: key)); all settings are in \(defaults)")
            }
            values[key] = node
            origins[key] = origin
        }
    }

    // MARK: what there is

    /// All keys, in no order.
    package var keys: some Collection<String> { values.keys }
    /// A value as it is written; empty for a list or mapping.
    package func text(_ key: String) -> String { values[key].flatMap { try? $0.string() } ?? "" }
    /// A default as it is written; nil for an unknown key.
    package func defaultText(_ key: String) -> String? { defaultTexts[key] }
    /// Where a value comes from.
    package func origin(_ key: String) -> Origin { origins[key] ?? .defaults }
    /// What is expected of a value, once settings have been read from here; nil for any text.
    package func expectation(_ key: String) -> String? { expectations.texts[key] }

    /// Notes what is expected of a value where reading alone does not show it.
    func expect(_ key: String, _ text: String) { expectations.texts[key] = text }

    private final class Expectations {
        var texts: [String: String] = [:]
    }

    private func suggestion(for key: String) -> String {
        NearestKey.to(key, among: values.keys).map { ", did you mean “\($0)”?" } ?? ""
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
    func bool(_ key: String) throws -> Bool {
        expect(key, "true or false")
        return try node(key).bool()
    }

    /// Text that must not be empty.
    func name(_ key: String) throws -> String {
        let text = try string(key)
        guard !text.isEmpty else { throw try complaint(key, "expected a text, found an empty value") }
        return text
    }

    /// Text, or nil where it is empty.
    func optional(_ key: String) throws -> String? {
        let text = try string(key)
        return text.isEmpty ? nil : text
    }

    func double(_ key: String, _ range: ClosedRange<Double>) throws -> Double {
        expect(key, "a number, \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))")
        let node = try node(key), value = try node.double()
        guard range.contains(value) else {
            throw node.error("expected \(range.lowerBound) to \(range.upperBound), found \(value)")
        }
        return value
    }

    /// A number, or nil where it is empty.
    func optionalDouble(_ key: String, _ range: ClosedRange<Double>) throws -> Double? {
        defer { expect(key, (expectation(key) ?? "") + ", or empty") }
        if let text = try? string(key), text.isEmpty {
            expect(key, "a number, \(Self.plain(range.lowerBound)) to \(Self.plain(range.upperBound))")
            return nil
        }
        return try double(key, range)
    }

    func int(_ key: String, _ range: ClosedRange<Int>) throws -> Int {
        expect(key, "a whole number, \(range.lowerBound) to \(range.upperBound)")
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
        let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        expect(key, "one of \(words)")
        let node = try node(key), text = try node.string()
        guard let choice = Choice(rawValue: text) else {
            throw node.error("expected one of \(words); found “\(text)”")
        }
        return choice
    }

    /// A number without a fraction of nothing.
    private static func plain(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }

    /// Complains about the value of a key.
    func complaint(_ key: String, _ message: String) throws -> ConfigurationError { try node(key).error(message) }
}

/// Suggests the key that was meant.
package enum NearestKey {
    /// The key that is nearest to `wrong`; nil where none is near.
    package static func to(_ wrong: String, among keys: some Collection<String>) -> String? {
        let last = wrong.split(separator: ".").last.map(String.init) ?? wrong
        let sorted = keys.sorted()
        if let named = sorted.first(where: { $0.hasPrefix(wrong + ".") })
            ?? sorted.first(where: { $0.hasSuffix("." + last) })
        {
            return named
        }
        // A slip or two in the whole of it, or in its last part alone.
        let scored = sorted.map { key -> (key: String, slips: Int) in
            let ownLast = key.split(separator: ".").last.map(String.init) ?? key
            let whole = slips(wrong, key)
            return (key, wrong.contains(".") ? whole : min(whole, slips(last, ownLast)))
        }
        guard let best = scored.min(by: { $0.slips < $1.slips }) else { return nil }
        return best.slips <= max(1, last.count / 3) ? best.key : nil
    }

    /// How many characters must be put in, taken out, replaced or swapped with their neighbour to make one of the
    /// other.
    static func slips(_ one: String, _ other: String) -> Int {
        let (one, other) = (Array(one.prefix(80)), Array(other))
        var before: [Int] = [], row = Array(0...other.count)
        for i in one.indices {
            var next = [i + 1]
            for j in other.indices {
                var best = min(row[j] + (one[i] == other[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
                if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] { best = min(best, before[j - 1] + 1) }
                next.append(best)
            }
            (before, row) = (row, next)
        }
        return row[other.count]
    }
}
