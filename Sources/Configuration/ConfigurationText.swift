import Foundation
import Yams

/// The text of a YAML file that a person wrote, in which single values are set and taken out. All else stays as it is,
/// to the byte: comments, order, line ends. What cannot be changed so is refused with its line.
public struct ConfigurationText {
    /// The file it comes from, for messages.
    public let file: String
    private let text: Lines
    private let root: ConfigurationNode

    /// - Throws: `ConfigurationError` where the text is not valid YAML.
    public init(_ text: String, file: String) throws {
        self.file = file
        self.text = Lines(text)
        root = try ConfigurationNode(parsing: text, file: file)
    }

    /// The text with a value for `key`, whose parts are parted by points; a section that is missing is added at the
    /// end.
    /// - Throws: `ConfigurationError` where that cannot be done without touching anything else.
    public func setting(_ key: String, to value: String) throws -> String {
        let path = key.split(separator: ".").map(String.init), written = Self.written(value)
        let candidates: [String]
        let place = try find(path)
        if let leaf = place.leaf {
            guard leaf.value.scalar != nil else {
                throw refusal(leaf.value, "\(key) has a list or a mapping where a value is expected")
            }
            candidates = replacing(leaf, isFlow: isFlow(place), by: written)
        } else {
            candidates = try inserting(place.rest, written, in: place, key)
        }
        let expected = leaves.merging([key: .scalar(.init(value))]) { $1 }
        return try first(candidates, key, place) { found in
            found[key]?.scalar?.string == value && Self.same(found, expected, except: key)
        }
    }

    /// The text without `key`, and without the section that it leaves empty.
    /// - Returns: nil where the key is not in it.
    /// - Throws: `ConfigurationError` where that cannot be done without touching anything else.
    public func removing(_ key: String) throws -> String? {
        let path = key.split(separator: ".").map(String.init)
        let place = try find(path)
        guard let leaf = place.leaf else { return nil }
        var expected = leaves
        expected = expected.filter { $0.key != key && !$0.key.hasPrefix(key + ".") }
        let emptied = path.dropLast().joined(separator: ".")
        return try first(isFlow(place) ? takingOut(leaf) : removingLines(leaf, in: place), key, place) { found in
            let kept = found.filter { !($0.key == emptied && $0.value.isNull) }
            return found[key] == nil && Self.same(kept, expected, except: key)
        }
    }

    /// The line of a key, from 1; nil where it is not in the text.
    public func line(of key: String) -> Int? {
        guard let place = try? find(key.split(separator: ".").map(String.init)) else { return nil }
        return place.leaf?.key.mark?.line
    }

    // MARK: finding

    private struct Place {
        /// Key and value, where the text has them.
        var leaf: (key: Node, value: Node)?
        /// The innermost mapping that the text has, its key (nil at the root), and what of the path is missing in it.
        var mapping: Node, header: Node?, rest: [String]
    }

    /// True where a mapping stands between braces. What the library says of its style is that of its end, which has
    /// none.
    private func isFlow(_ place: Place) -> Bool {
        place.mapping.mapping != nil && text.begins(place.mapping, with: "{")
    }

    private func find(_ path: [String]) throws -> Place {
        var place = Place(leaf: nil, mapping: root.node, header: nil, rest: path)
        while let name = place.rest.first {
            guard let mapping = place.mapping.mapping else {
                guard place.mapping.isNull else { throw refusal(place.mapping, "a mapping (key: value) is expected") }
                return place
            }
            guard let pair = mapping.first(where: { $0.key.string == name }) else { return place }
            if place.rest.count == 1 {
                place.leaf = (pair.key, pair.value)
                return place
            }
            place.rest.removeFirst()
            (place.header, place.mapping) = (pair.key, pair.value)
        }
        return place
    }

    /// Every value by its key's path. Lists, and mappings with nothing in them, count as one.
    private var leaves: [String: Node] { Self.leaves(root.node, "") }

    private static func leaves(_ node: Node, _ path: String) -> [String: Node] {
        guard let mapping = node.mapping else { return path.isEmpty ? [:] : [path: node] }
        var found: [String: Node] = [:]
        for (key, value) in mapping {
            let name = key.string ?? "?"
            found.merge(leaves(value, path.isEmpty ? name : "\(path).\(name)")) { $1 }
        }
        return found
    }

    private static func same(_ one: [String: Node], _ other: [String: Node], except key: String) -> Bool {
        // A section that was empty has something in it now, or the other way round.
        func others(_ leaves: [String: Node]) -> [String: Node] {
            leaves.filter { $0.key != key && !(key.hasPrefix($0.key + ".") && $0.value.isNull) }
        }
        return others(one) == others(other)
    }

    /// The first candidate that says what it should and nothing else.
    private func first(
        _ candidates: [String], _ key: String, _ place: Place, where isRight: ([String: Node]) -> Bool
    ) throws -> String {
        for candidate in candidates {
            guard let node = try? ConfigurationNode(parsing: candidate, file: file).node else { continue }
            if isRight(Self.leaves(node, "")) { return candidate }
        }
        throw refusal(
            place.leaf?.key ?? place.header ?? place.mapping,
            "\(key) cannot be changed without changing the lines around it")
    }

    private func refusal(_ node: Node, _ message: String) -> ConfigurationError {
        ConfigurationError(file: file, line: node.mark?.line, message: "\(message); edit the file by hand")
    }

    // MARK: changing

    private func replacing(_ leaf: (key: Node, value: Node), isFlow: Bool, by written: String) -> [String] {
        guard let range = text.scalar(leaf.value, isFlow: isFlow) ?? text.behindColon(of: leaf.key) else { return [] }
        return [text.replacing(range, by: range.isEmpty ? " " + written : written)]
    }

    private func inserting(_ rest: [String], _ written: String, in place: Place, _ key: String) throws -> [String] {
        let inline = rest.dropLast().reversed().reduce("\(rest.last ?? key): \(written)") { "\($1): {\($0)}" }
        if isFlow(place), let start = text.offset(place.mapping) {
            let isEmpty = place.mapping.mapping?.isEmpty ?? true
            return [text.replacing(start + 1..<start + 1, by: isEmpty ? inline : inline + ", ")]
        }
        func lines(_ indent: Int) -> String {
            rest.enumerated().map { depth, name in
                String(repeating: " ", count: indent + 2 * depth) + name + ":"
                    + (depth == rest.count - 1 ? " \(written)" : "")
            }.map { $0 + text.lineEnd }.joined()
        }
        guard let header = place.header?.mark else { return [text.appending(lines(0))] }
        let children = place.mapping.mapping.map { Array($0) } ?? []
        let indent = children.first?.key.mark.map { $0.column - 1 } ?? header.column + 1
        // Behind the last value of the section, unless that goes on over several lines; else before the first.
        let last = children.compactMap { $0.value.mark?.line ?? $0.key.mark?.line }.max()
        return [last, header.line].compactMap { $0 }.map { text.inserting(lines(indent), afterLine: $0) }
    }

    private func removingLines(_ leaf: (key: Node, value: Node), in place: Place) -> [String] {
        guard let line = leaf.key.mark?.line else { return [] }
        var candidates = [text.removing(lines: [line])]
        if place.mapping.mapping?.count == 1, let header = place.header?.mark?.line, text.isBare(line: header) {
            candidates.insert(text.removing(lines: [header, line]), at: 0)
        }
        return candidates
    }

    private func takingOut(_ leaf: (key: Node, value: Node)) -> [String] {
        guard let start = text.offset(leaf.key), let value = text.scalar(leaf.value, isFlow: true) else { return [] }
        return [text.replacing(text.withComma(start..<value.upperBound), by: "")]
    }

    // MARK: writing

    /// A value as YAML has it: plain where it cannot be misread, else in double quotes.
    package static func written(_ value: String) -> String {
        let isPlain = value.wholeMatch(of: /[A-Za-z0-9\/_.](?:[A-Za-z0-9\/_.+ -]*[A-Za-z0-9\/_.+-])?|-?[0-9.]+/) != nil
        if isPlain, !["null", "Null", "NULL", "..."].contains(value) { return value }
        return "\"\(value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }
}
