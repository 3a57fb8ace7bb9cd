import Foundation
import Yams

/// What a YAML file of a person may hold at most. Each bound is far above what a van needs, and low enough that no file
/// takes the memory or the time that the appliance needs for everything else.
enum ConfigurationBounds {
    /// The longest file, in bytes.
    static let fileSize = 4 << 20
    /// The most values, lists and mappings in a file, those that aliases repeat counted each time.
    static let entries = 200_000
    /// How deep lists and mappings may stand in each other.
    static let depth = 32
    /// The longest key, in characters.
    static let keyLength = 256

    /// Reads a file, and of one that is too long no more than that.
    /// - Returns: nil where it is not UTF-8 text.
    /// - Throws: `ConfigurationError`; what cannot be opened is left to the caller's `obstacle`.
    static func text(of file: String, limit: Int, obstacle: () -> String) throws -> String {
        // A pipe would be waited for otherwise.
        let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw ConfigurationError(file: file, line: nil, message: obstacle()) }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT != S_IFDIR else {
            throw ConfigurationError(file: file, line: nil, message: obstacle())
        }
        guard facts.st_mode & S_IFMT == S_IFREG else {
            throw ConfigurationError(file: file, line: nil, message: "not a regular file")
        }
        // It may grow meanwhile: checking the size alone is not enough.
        let data = facts.st_size > limit ? nil : try? handle.read(upToCount: limit + 1) ?? Data()
        if facts.st_size > limit || data?.count ?? 0 > limit {
            let size = PlainNumber.bytes(max(Int(facts.st_size), data?.count ?? 0))
            throw ConfigurationError(
                file: file, line: nil,
                message: "the file is too large: \(size), where \(PlainNumber.bytes(limit)) are allowed")
        }
        guard let data, let text = String(bytes: data, encoding: .utf8) else {
            throw ConfigurationError(file: file, line: nil, message: obstacle())
        }
        return text
    }

    /// Refuses a document that is too deep or has too many entries.
    static func check(_ root: Node, file: String) throws {
        var left = entries
        func visit(_ node: Node, _ level: Int) throws {
            left -= 1
            guard left >= 0 else { throw tooMany(node, file) }
            guard level <= depth else { throw tooDeep(node, file) }
            switch node {
            case .mapping(let mapping):
                for (key, value) in mapping {
                    guard key.scalar?.string.count ?? 0 <= keyLength else {
                        throw ConfigurationError(
                            file: file, line: key.mark?.line,
                            message: "the key is too long: \(keyLength) characters are allowed")
                    }
                    if key.scalar == nil { try visit(key, level + 1) }
                    try visit(value, level + 1)
                }
            case .sequence(let sequence): for element in sequence { try visit(element, level + 1) }
            case .scalar, .alias: break
            }
        }
        try visit(root, 1)
    }

    private static func tooMany(_ node: Node, _ file: String) -> ConfigurationError {
        ConfigurationError(
            file: file, line: node.mark?.line,
            message: "the file has too many entries: \(PlainNumber.grouped(entries)) are allowed")
    }

    private static func tooDeep(_ node: Node, _ file: String) -> ConfigurationError {
        ConfigurationError(
            file: file, line: node.mark?.line,
            message: "lists and mappings are nested too deeply: \(depth) levels are allowed")
    }
}

/// Aliases (`*name`) repeat what stands at their anchor (`&name`), and what they repeat may have aliases in turn: ten
/// lines can stand for more than any memory holds. The library fills them in while it reads, and compares keys then.
extension ConfigurationBounds {
    /// Stands for the asterisk of an alias. It is allowed in YAML, and no one's name begins with it.
    private static let mark: Unicode.Scalar = "\u{E000}"

    /// What an anchor stands for, its aliases filled in.
    private struct Extent {
        var entries = 1.0
        var depth = 1
    }

    /// Refuses a text whose aliases stand for too much, before they are filled in.
    static func checkAliases(in text: String, file: String) throws {
        guard text.unicodeScalars.contains("&"), let unfilled = textWithoutAliases(text) else { return }
        // Nodes know their anchors while the parser lives.
        let parser = try Parser(yaml: unfilled)
        guard let root = try parser.singleRoot() else { return }
        try withExtendedLifetime(parser) { try checkAliases(in: root, file: file) }
    }

    private static func checkAliases(in root: Node, file: String) throws {
        var anchors: [String: Extent] = [:]
        func visit(_ node: Node) throws -> Extent {
            var extent = Extent()
            func add(_ inner: Extent) throws {
                extent.entries += inner.entries
                extent.depth = max(extent.depth, inner.depth + 1)
            }
            switch node {
            case .mapping(let mapping):
                for (key, value) in mapping {
                    try add(visit(key))
                    try add(visit(value))
                }
            case .sequence(let sequence): for element in sequence { try add(visit(element)) }
            case .scalar(let scalar):
                let scalars = scalar.string.unicodeScalars
                if scalar.style == .plain, scalars.first == mark {
                    extent = anchors[String(String.UnicodeScalarView(scalars.dropFirst()))] ?? extent
                    guard extent.entries <= Double(entries) else { throw tooMuch(node, file) }
                }
            case .alias: break
            }
            guard extent.entries <= Double(entries), extent.depth <= depth || node.anchor == nil else {
                throw tooMuch(node, file)
            }
            if let anchor = node.anchor?.rawValue, let number = anchor.lastIndex(of: "-") {
                anchors[String(anchor[..<number])] = extent
            }
            return extent
        }
        _ = try visit(root)
    }

    private static func tooMuch(_ node: Node, _ file: String) -> ConfigurationError {
        ConfigurationError(
            file: file, line: node.mark?.line,
            message: "the aliases (*name) repeat too much: with them filled in, "
                + "\(PlainNumber.grouped(entries)) entries and \(depth) levels are allowed")
    }

    /// The text with every asterisk that may begin an alias replaced, and a number behind every anchor, since a name
    /// may be given twice; in quotes and comments as well. Lines stay as they are.
    /// - Returns: nil where it has no alias.
    private static func textWithoutAliases(_ text: String) -> String? {
        var result = String.UnicodeScalarView(), hasAny = false, anchors = 0
        let scalars = Array(text.unicodeScalars)
        var place = 0
        while place < scalars.count {
            let sign = scalars[place]
            place += 1
            guard sign == "*" || sign == "&", place < scalars.count, isName(scalars[place]) else {
                result.append(sign)
                continue
            }
            result.append(sign == "*" ? mark : sign)
            while place < scalars.count, isName(scalars[place]) {
                result.append(scalars[place])
                place += 1
            }
            if sign == "*" {
                hasAny = true
            } else {
                anchors += 1
                result.append(contentsOf: "-\(anchors)".unicodeScalars)
            }
        }
        return hasAny ? String(result) : nil
    }

    private static func isName(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
        default: false
        }
    }
}

/// Numbers as people read them.
package enum PlainNumber {
    /// 3,000
    package static func grouped(_ number: Int) -> String {
        let digits = String(abs(number))
        var text = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(",") }
            text.append(digit)
        }
        return number < 0 ? "-" + text : text
    }

    /// Bytes in thousands or millions, the fraction where it says something: 1 kB, 52.4 MB, 3,221 MB
    package static func bytes(_ bytes: Int) -> String {
        bytes < 1_000_000 ? "\(tenths((bytes + 50) / 100)) kB" : "\(tenths((bytes + 50_000) / 100_000)) MB"
    }

    private static func tenths(_ tenths: Int) -> String {
        tenths >= 1_000 || tenths % 10 == 0
            ? grouped((tenths + 5) / 10) : "\(grouped(tenths / 10)).\(tenths % 10)"
    }
}
