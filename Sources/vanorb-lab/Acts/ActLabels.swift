import Foundation
import Language

/// An act or an answer that a label asks for: an intent, and what it must have been about.
struct WantedAct: Equatable, Sendable {
    /// `handler.intent`
    let intent: String
    /// The values of each slot, with spaces; a slot that was given twice has both.
    let slots: [String: [String]]
}

/// One of the ways in which a sentence may be taken.
enum Expectation: Equatable, Sendable {
    /// Nothing is done, nor claimed to be.
    case nothing
    /// Nothing is done, and it is said so.
    case refuse
    /// A question is asked back.
    case ask
    /// All of these are done, and nothing else.
    case acts([WantedAct])
    case answer(WantedAct)
}

/// One labelled sentence.
struct ActLabel: Equatable, Sendable {
    let said: String
    /// What kind of sentence it is, for counting.
    let group: String
    /// The alternatives as they are written.
    let expect: String
    let expectations: [Expectation]

    /// True for a sentence after which nothing should happen.
    var asksForNothing: Bool { expectations.first == .nothing || expectations.first == .refuse }
}

/// Reads labelled sentences: `said`, `class` and `expect`, tab-separated below a line that names them. Empty lines and
/// lines that begin with # are left out.
enum ActLabels {
    private static let columns = "said\tclass\texpect"
    private static let slots: Set<String> = [
        "device", "area", "value", "amount", "category", "item", "place", "list", "task", "mode", "destination",
        "period", "quantity", "weight", "odometer", "except", "option", "scene", "currency",
    ]

    /// - Throws: `LabelsError` with file and line.
    static func read(_ file: String) throws -> [ActLabel] {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else {
            throw LabelsError(file: file, message: "cannot be read as UTF-8 text")
        }
        return try parse(text, file: file)
    }

    static func parse(_ text: String, file: String) throws -> [ActLabel] {
        var labels: [ActLabel] = [], hasHeader = false
        for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            if line.allSatisfy(\.isWhitespace) || line.hasPrefix("#") { continue }
            func error(_ problem: String) -> LabelsError {
                LabelsError(file: "\(file):\(number + 1)", message: problem)
            }
            guard hasHeader else {
                guard line == columns else { throw error("expected the header said, class, expect, with tabs") }
                hasHeader = true
                continue
            }
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3, fields.allSatisfy({ $0.contains { !$0.isWhitespace } }) else {
                throw error("expected a sentence, a class and what is expected, with tabs between them")
            }
            do {
                let expectations = try parts(fields[2], "|").map(expectation)
                labels.append(
                    ActLabel(said: fields[0], group: fields[1], expect: fields[2], expectations: expectations))
            } catch let problem as Problem { throw error(problem.text) }
        }
        guard !labels.isEmpty else { throw LabelsError(file: file, message: "holds no sentences") }
        return labels
    }

    private struct Problem: Error { let text: String }

    private static func parts(_ text: String, _ separator: Character) -> [String] {
        text.split(separator: separator, omittingEmptySubsequences: false)
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func expectation(_ text: String) throws -> Expectation {
        switch text {
        case "nothing": return .nothing
        case "refuse": return .refuse
        case "ask": return .ask
        default: break
        }
        if text.hasPrefix("act ") { return .acts(try parts(text, ";").map { try wanted($0, after: "act") }) }
        return .answer(try wanted(text, after: "answer"))
    }

    private static func wanted(_ text: String, after verb: String) throws -> WantedAct {
        let words = text.split(separator: " ").map(String.init)
        guard words.count >= 2, words[0] == verb else {
            throw Problem(text: "“\(text)” is not nothing, refuse, ask, act handler.intent or answer handler.intent")
        }
        let intent = words[1].split(separator: ".")
        guard intent.count == 2, HandlerName.order.contains(String(intent[0])) else {
            throw Problem(text: "“\(words[1])” is not a handler.intent")
        }
        var values: [String: [String]] = [:]
        for word in words.dropFirst(2) {
            let pair = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard pair.count == 2, slots.contains(pair[0]) else {
                let known = slots.sorted().joined(separator: ", ")
                throw Problem(text: "“\(word)” is not a slot with its value; the slots are: \(known)")
            }
            values[pair[0], default: []].append(pair[1].replacing("_", with: " "))
        }
        return WantedAct(intent: words[1], slots: values)
    }
}
