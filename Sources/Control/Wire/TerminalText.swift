/// Text of others on a terminal: names come from devices, recordings and files.
public enum TerminalText {
    /// The text without what would steer a terminal or turn the order of what follows: control characters, line and
    /// paragraph separators, and the bidirectional controls (Unicode Standard Annex 9, section 2), each as a space.
    public static func harmless(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: steers) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { steers($0) ? " " : $0 }))
    }

    /// The same for a text of several lines, which stay lines.
    public static func harmless(lines text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { harmless(String($0)) }.joined(
            separator: "\n")
    }

    static func steers(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x61C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069, 0x2028, 0x2029: true
        default: scalar.properties.generalCategory == .control
        }
    }

    /// JSON with those characters written as `\\u…`. They occur in its strings only, so that it means the same.
    static func escaped(json: String) -> String {
        guard json.unicodeScalars.contains(where: needsEscape) else { return json }
        return json.unicodeScalars.reduce(into: "") { result, scalar in
            guard needsEscape(scalar) else { return result.unicodeScalars.append(scalar) }
            let digits = String(scalar.value, radix: 16)
            result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
    }

    /// The encoder has escaped the characters below the space; the line ends between fields are its own.
    private static func needsEscape(_ scalar: Unicode.Scalar) -> Bool { scalar.value >= 0x7F && steers(scalar) }
}
