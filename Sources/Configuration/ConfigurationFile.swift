import Foundation
import Yams

/// Something is wrong in a file that a person wrote.
public struct ConfigurationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The file's path as it was opened.
    public let file: String
    /// The line, from 1; nil where the file as a whole is at fault.
    public let line: Int?
    /// What is wrong and what is expected.
    public let message: String

    /// An error at `line` of `file`.
    public init(file: String, line: Int?, message: String) {
        self.file = file
        self.line = line
        self.message = message
    }

    /// `file:line: message`, the form that editors and terminals understand.
    public var description: String { line.map { "\(file):\($0): \(message)" } ?? "\(file): \(message)" }
}

/// A node of a YAML file that knows where it stands, so that every complaint names file and line.
public struct ConfigurationNode {
    /// The YAML node.
    public let node: Node
    /// The file it comes from.
    public let file: String
    /// The path of keys to it, for messages; empty at the root.
    public let path: String

    /// Parses `text`, the content of `file`. An empty file is an empty mapping.
    /// - Throws: `ConfigurationError`, also where it has more entries than any of the appliance's files may have.
    public init(parsing text: String, file: String) throws {
        do {
            try ConfigurationBounds.checkAliases(in: text, file: file)
            let node = try Yams.compose(yaml: text) ?? Node.mapping([:])
            try ConfigurationBounds.check(node, file: file)
            self.init(node: node, file: file, path: "")
        } catch let error as YamlError {
            throw ConfigurationError(file: file, line: Self.line(of: error), message: Self.message(of: error))
        }
    }

    /// Reads and parses a file.
    /// - Parameter limit: the longest that it may be, in bytes; nil for the limit of all files.
    /// - Throws: `ConfigurationError`.
    public init(contentsOf file: String, limit: Int? = nil) throws {
        try self.init(parsing: Self.text(of: file, limit: limit), file: file)
    }

    /// What a file of the owner's says.
    /// - Parameter limit: the longest that it may be, in bytes; nil for the limit of all files, 4 MiB.
    /// - Throws: `ConfigurationError` that says why it cannot be read.
    public static func text(of file: String, limit: Int? = nil) throws -> String {
        try ConfigurationBounds.text(of: file, limit: limit ?? ConfigurationBounds.fileSize) { obstacle(to: file) }
    }

    private static func obstacle(to file: String) -> String {
        var isFolder: ObjCBool = false
        if access(file, R_OK) != 0, errno == EACCES {
            return "no permission to read it; grant it to this user (as a service: vanorb)"
        }
        guard FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) else { return "no such file" }
        return isFolder.boolValue ? "expected a file, found a folder" : "cannot be read as UTF-8 text"
    }

    package init(node: Node, file: String, path: String) {
        self.node = node
        self.file = file
        self.path = path
    }

    /// A path for messages: each of thousands of nodes has one, so that a long one keeps its end only.
    private static func path(_ path: String) -> String {
        path.utf8.count <= longestPath ? path : "…" + path.suffix(longestPath / 2)
    }
    private static var longestPath: Int { 400 }

    /// The node's line, from 1.
    public var line: Int? { node.mark?.line }

    /// An error at this node.
    public func error(_ message: String) -> ConfigurationError {
        ConfigurationError(file: file, line: line, message: path.isEmpty ? message : "\(path): \(message)")
    }

    /// The entries of a mapping, in order. An empty value (`key:` and nothing behind it) is an empty mapping.
    public func entries() throws -> [(key: String, value: ConfigurationNode)] {
        if node.isNull { return [] }
        guard let mapping = node.mapping else { throw error("expected a mapping (key: value)") }
        var seen = Set<String>()
        return try mapping.map { key, value in
            guard let name = key.string else { throw error("a key must be text") }
            let place = Self.path(path.isEmpty ? name : "\(path).\(name)")
            let child = ConfigurationNode(node: value, file: file, path: place)
            guard seen.insert(name).inserted else { throw child.error("the key occurs twice") }
            return (name, child)
        }
    }

    /// The entries of a mapping whose keys must be among `keys`.
    public func entries(allowed keys: [String]) throws -> [String: ConfigurationNode] {
        var result: [String: ConfigurationNode] = [:]
        for (key, value) in try entries() {
            guard keys.contains(key) else {
                throw value.error("unknown key; expected one of: \(keys.joined(separator: ", "))")
            }
            result[key] = value
        }
        return result
    }

    /// The elements of a list.
    public func elements() throws -> [ConfigurationNode] {
        guard let sequence = node.sequence else { throw error("expected a list") }
        return sequence.enumerated().map {
            ConfigurationNode(node: $1, file: file, path: Self.path("\(path)[\($0 + 1)]"))
        }
    }

    /// The elements of a list of texts; a single text counts as a list of one.
    public func strings() throws -> [String] {
        if node.scalar != nil { return [try string()] }
        return try elements().map { try $0.string() }
    }

    /// True where the file has `~`, `null`, or nothing.
    public var isNull: Bool { node.isNull }
    /// True for a list.
    public var isList: Bool { node.sequence != nil }
    /// True for a mapping.
    public var isMapping: Bool { node.mapping != nil }

    /// The text of a scalar, as written.
    public func string() throws -> String {
        guard let scalar = node.scalar else { throw error("expected text") }
        return scalar.string
    }

    /// A number.
    public func double() throws -> Double {
        guard let value = node.float ?? node.int.map(Double.init), value.isFinite else {
            throw error("expected a number, found “\(node.scalar?.string ?? "a list or mapping")”")
        }
        return value
    }

    /// A whole number.
    public func int() throws -> Int {
        guard let value = node.int else {
            throw error("expected a whole number, found “\(node.scalar?.string ?? "a list or mapping")”")
        }
        return value
    }

    /// A truth value.
    public func bool() throws -> Bool {
        guard let value = node.bool else {
            throw error("expected true or false, found “\(node.scalar?.string ?? "a list or mapping")”")
        }
        return value
    }

    private static func line(of error: YamlError) -> Int? {
        switch error {
        case .scanner(_, _, let mark, _), .parser(_, _, let mark, _), .composer(_, _, let mark, _): mark.line
        case .duplicatedKeysInMapping(_, let context): context.mark.line
        default: nil
        }
    }

    private static func message(of error: YamlError) -> String {
        switch error {
        case .scanner(_, let problem, _, _), .parser(_, let problem, _, _), .composer(_, let problem, _, _):
            "not valid YAML: \(problem)"
        case .duplicatedKeysInMapping(let duplicates, _):
            "a key occurs twice: \(Set(duplicates).sorted().joined(separator: ", "))"
        default: "not valid YAML: \(error)"
        }
    }
}

extension Node {
    package var isNull: Bool {
        guard let scalar else { return false }
        return scalar.style == .plain && ["", "~", "null"].contains(scalar.string)
    }
}
