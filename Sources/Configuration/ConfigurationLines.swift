import Yams

extension ConfigurationText {
    /// A text by lines and columns as the YAML library counts them: in Unicode scalars, from 1.
    struct Lines {
        private let scalars: [Unicode.Scalar]
        /// Where each line begins, and at the end where one more would.
        private let starts: [Int]

        init(_ text: String) {
            let scalars = Array(text.unicodeScalars)
            var starts = [0]
            for (index, scalar) in scalars.enumerated() where Self.isBreak(scalar) {
                let next = index + 1 < scalars.count ? scalars[index + 1] : nil
                if scalar != "\r" || next != "\n" { starts.append(index + 1) }
            }
            if starts.last != scalars.count { starts.append(scalars.count) }
            self.scalars = scalars
            self.starts = starts
        }

        /// How the file ends its lines.
        var lineEnd: String {
            guard let place = scalars.firstIndex(of: "\n") else { return "\n" }
            return place > 0 && scalars[place - 1] == "\r" ? "\r\n" : "\n"
        }

        private static func isBreak(_ scalar: Unicode.Scalar) -> Bool {
            ["\n", "\r", "\u{85}", "\u{2028}", "\u{2029}"].contains(scalar)
        }

        private static func isBlank(_ scalar: Unicode.Scalar) -> Bool { scalar == " " || scalar == "\t" }

        // MARK: where things stand

        func offset(_ node: Node) -> Int? {
            guard let mark = node.mark, mark.line >= 1, mark.line <= starts.count else { return nil }
            let offset = starts[mark.line - 1] + mark.column - 1
            return offset <= scalars.count ? offset : nil
        }

        func begins(_ node: Node, with scalar: Unicode.Scalar) -> Bool {
            guard let start = offset(node), start < scalars.count else { return false }
            return scalars[start] == scalar
        }

        /// The end of the line that `offset` is in, without its break.
        private func lineEnd(from offset: Int) -> Int {
            scalars[offset...].firstIndex(where: Self.isBreak) ?? scalars.count
        }

        /// Where a value stands that is on one line; nil for others, and for one that is not written at all.
        func scalar(_ node: Node, isFlow: Bool) -> Range<Int>? {
            guard node.scalar?.string != "" || node.scalar?.style != .plain else { return nil }
            guard let start = offset(node), start < scalars.count else { return nil }
            let end = lineEnd(from: start)
            switch scalars[start] {
            case "\"", "'": return quoted(start, end).map { start..<$0 }
            case "|", ">", "&", "*", "!": return nil
            default:
                var stop = start
                while stop < end {
                    let isComment = scalars[stop] == "#" && stop > start && Self.isBlank(scalars[stop - 1])
                    if isComment || isFlow && [",", "}", "]"].contains(scalars[stop]) { break }
                    stop += 1
                }
                while stop > start, Self.isBlank(scalars[stop - 1]) { stop -= 1 }
                return stop > start ? start..<stop : nil
            }
        }

        /// Where the quoted text that begins at `start` ends.
        private func quoted(_ start: Int, _ end: Int) -> Int? {
            let mark = scalars[start]
            var place = start + 1
            while place < end {
                if mark == "\"", scalars[place] == "\\" {
                    place += 1
                } else if scalars[place] == mark {
                    guard mark == "'", place + 1 < end, scalars[place + 1] == "'" else { return place + 1 }
                    place += 1
                }
                place += 1
            }
            return nil
        }

        /// The empty range behind the colon of a key.
        func behindColon(of key: Node) -> Range<Int>? {
            guard let start = offset(key), start < scalars.count else { return nil }
            let end = lineEnd(from: start)
            let isQuoted = ["\"", "'"].contains(scalars[start])
            guard let from = isQuoted ? quoted(start, end) : start,
                let colon = scalars[from..<end].firstIndex(of: ":")
            else { return nil }
            return colon + 1..<colon + 1
        }

        /// True where a line has a key and its colon, and nothing more.
        func isBare(line: Int) -> Bool {
            let text = scalars[starts[line - 1]..<lineEnd(from: starts[line - 1])]
            guard let colon = text.lastIndex(of: ":") else { return false }
            return text[(colon + 1)...].allSatisfy(Self.isBlank) && !text.contains("#")
        }

        /// An entry between braces together with the comma behind it, or else the one before.
        func withComma(_ entry: Range<Int>) -> Range<Int> {
            var (start, end) = (entry.lowerBound, entry.upperBound)
            while end < scalars.count, Self.isBlank(scalars[end]) { end += 1 }
            if end < scalars.count, scalars[end] == "," {
                end += 1
                while end < scalars.count, Self.isBlank(scalars[end]) { end += 1 }
                return start..<end
            }
            while start > 0, Self.isBlank(scalars[start - 1]) { start -= 1 }
            guard start > 0, scalars[start - 1] == "," else { return entry }
            return start - 1..<entry.upperBound
        }

        // MARK: other texts

        func replacing(_ range: Range<Int>, by text: String) -> String {
            Self.text(scalars[..<range.lowerBound]) + text + Self.text(scalars[range.upperBound...])
        }

        func inserting(_ text: String, afterLine line: Int) -> String {
            let place = line < starts.count ? starts[line] : scalars.count
            let isOpen = place > 0 && !Self.isBreak(scalars[place - 1])
            return replacing(place..<place, by: (isOpen ? lineEnd : "") + text)
        }

        func appending(_ text: String) -> String { inserting(text, afterLine: starts.count) }

        func removing(lines: [Int]) -> String {
            var result = String.UnicodeScalarView()
            for line in 1..<max(starts.count, 1) where !lines.contains(line) {
                result.append(contentsOf: scalars[starts[line - 1]..<starts[line]])
            }
            return String(result)
        }

        private static func text(_ part: ArraySlice<Unicode.Scalar>) -> String {
            var result = String.UnicodeScalarView()
            result.append(contentsOf: part)
            return String(result)
        }
    }
}
