import Domain
import Language
import Foundation

/// What a recording is to be understood as.
struct SpeechLabel: Equatable, Sendable {
    /// What has to happen.
    enum Wanted: Equatable, Sendable {
        /// This command, with at least these slots; the intent as the phrasebook has it, or `handler.intent`.
        case command(intent: String, slots: [String: String])
        /// Nothing may fire.
        case nothing
        /// Only the words count.
        case words
    }

    var wanted: Wanted
    /// What is said, where that is known.
    var text: String?

    /// Whether a command is the one that is wanted, with every labelled slot.
    func isFulfilled(by command: Command, _ normaliser: Normaliser) -> Bool {
        guard case .command(let intent, let slots) = wanted,
            command.intent == intent || "\(command.handler).\(command.intent)" == intent
        else { return false }
        return slots.allSatisfy { name, value in
            command.slots[name].map { HeardClip.isSame($0, value, normaliser) } ?? false
        }
    }
}

/// A file of labels: file name → `{"intent": "orderDrink", "slots": {…}}`, `{"text": "…"}`, both, or
/// `{"intent": null}`.
struct SpeechLabels: Sendable {
    var labels: [String: SpeechLabel]

    /// - Throws: `LabelsError` that names the file, and the entry at fault.
    init(contentsOf file: String) throws {
        guard let data = FileManager.default.contents(atPath: file) else {
            throw LabelsError(file: file, message: "the file does not exist, or cannot be read")
        }
        try self.init(data, file: file)
    }

    /// - Parameter file: the name for messages.
    init(_ data: Data, file: String) throws {
        let entries: [String: Entry]
        do { entries = try JSONDecoder().decode([String: Entry].self, from: data) } catch let error as DecodingError {
            throw LabelsError(file: file, message: Self.words(of: error))
        }
        guard !entries.isEmpty else { throw LabelsError(file: file, message: "it holds no labels") }
        labels = entries.mapValues(\.label)
    }

    /// The labels of recordings none of which may fire anything.
    init(nothingFrom names: [String]) {
        labels = Dictionary(uniqueKeysWithValues: names.map { ($0, SpeechLabel(wanted: .nothing)) })
    }

    private static func words(of error: DecodingError) -> String {
        func place(_ context: DecodingError.Context) -> String {
            context.codingPath.isEmpty ? "" : context.codingPath.map(\.stringValue).joined(separator: ": ") + ": "
        }
        let expected = "expected file name → {\"intent\": …, \"slots\": {…}}, {\"text\": …} or {\"intent\": null}"
        switch error {
        case .dataCorrupted(let context):
            let reason = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
            return place(context) + (reason ?? context.debugDescription) + "; \(expected)"
        case .typeMismatch(_, let context), .keyNotFound(_, let context), .valueNotFound(_, let context):
            return place(context) + context.debugDescription + "; \(expected)"
        @unknown default: return "\(error); \(expected)"
        }
    }
}

/// An invalid file of labels.
struct LabelsError: Error, Equatable, CustomStringConvertible {
    let file: String, message: String
    var description: String { "\(file): \(message)" }
}

/// An entry as it is written.
private struct Entry: Decodable {
    let label: SpeechLabel

    private enum Key: CodingKey, CaseIterable { case intent, slots, text }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: Key.self)
        let text = try values.decodeIfPresent(String.self, forKey: .text)
        let slots = try values.decodeIfPresent([String: SlotText].self, forKey: .slots) ?? [:]
        if let intent = try values.decodeIfPresent(String.self, forKey: .intent) {
            label = SpeechLabel(wanted: .command(intent: intent, slots: slots.mapValues(\.text)), text: text)
        } else if values.contains(.intent) {
            label = SpeechLabel(wanted: .nothing, text: text)
        } else if text != nil, slots.isEmpty {
            label = SpeechLabel(wanted: .words, text: text)
        } else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "neither an intent nor a text"))
        }
    }
}

/// A slot's value: a text, or a number as people write it.
private struct SlotText: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = text
        } else if let number = try? value.decode(Double.self) {
            text = Int(exactly: number).map { "\($0)" } ?? "\(number)"
        } else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "a slot is neither text nor number"))
        }
    }
}
