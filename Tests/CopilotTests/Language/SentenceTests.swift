@testable import Domain
@testable import Configuration
@testable import Language
import Foundation
import Testing

/// A sentence of `Tests/Sentences` with what must become of it.
struct LabelledSentence: Sendable, CustomTestStringConvertible {
    let text: String
    let handler: String?
    let intent: String
    let slots: [String: String]
    let level: MatchLevel
    var testDescription: String { "“\(text)” → \(handler.map { "\($0)." } ?? "")\(intent)" }

    static let all: [LabelledSentence] = {
        let folder = testsFolder + "/Sentences/en"
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder))?.sorted() ?? []
        return files.flatMap { file -> [LabelledSentence] in
            do { return try load("\(folder)/\(file)") } catch { fatalError("\(error)") }
        }
    }()

    private static func load(_ file: String) throws -> [LabelledSentence] {
        let name = URL(filePath: file).deletingPathExtension().lastPathComponent
        return try ConfigurationNode(contentsOf: file).entries().flatMap { label, list in
            let parts = label.split(separator: ".").map(String.init)
            let handler: String? = label == "none" ? nil : parts.count > 1 ? parts[0] : name
            return try list.elements().map { node in
                guard node.isMapping else {
                    return LabelledSentence(
                        text: try node.string(), handler: handler, intent: parts.last ?? "", slots: [:], level: .exact)
                }
                let entry = try node.entries(allowed: ["say", "slots", "level"])
                let slots = try entry["slots"]?.entries().map { ($0.key, try $0.value.string()) } ?? []
                let level = try entry["level"]?.string()
                return LabelledSentence(
                    text: try entry["say"]?.string() ?? "", handler: handler, intent: parts.last ?? "",
                    slots: Dictionary(uniqueKeysWithValues: slots),
                    level: MatchLevel.allCases.first { $0.name == level } ?? .exact)
            }
        }
    }
}

extension SlotValue {
    /// The value in the notation of the sentence files.
    var notation: String {
        switch content {
        case .text, .names, .period: text
        case .number(let value), .measure(let value): value == value.rounded() ? "\(Int(value))" : "\(value)"
        case .money(let minor, let currency): currency.map { "\(minor) \($0)" } ?? "\(minor)"
        }
    }
}

@Suite struct SentenceTests {
    @Test(arguments: LabelledSentence.all)
    func sentence_isRoutedToItsIntent_withItsSlots(_ sentence: LabelledSentence) {
        let routing = English.router.route(sentence.text)
        guard let handler = sentence.handler else {
            #expect(routing.chosen == nil, "fired \(String(describing: routing.chosen))")
            return
        }
        #expect(routing.chosen?.handler == handler)
        #expect(routing.chosen?.intent == sentence.intent)
        #expect(routing.chosen?.level == sentence.level)
        for (name, value) in sentence.slots {
            #expect(routing.chosen?.slots[name]?.notation == value)
        }
    }
}
