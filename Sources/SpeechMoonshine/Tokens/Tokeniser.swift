import Foundation
import OnnxRuntime

/// The model's tokens: pieces of words, with “▁” for the space before a word.
struct Tokeniser: Sendable {
    /// Begins and ends what the model writes.
    static let start: Int32 = 1, end: Int32 = 2
    /// The space before a word.
    static let space: Character = "▁"
    /// Ids below this are special, or a byte each.
    private static let firstPiece: Int32 = 259
    private static let firstByte: Int32 = 3

    /// Each token's text in UTF-8.
    let pieces: [[UInt8]]
    /// By token, whether it begins a word.
    let beginsWord: [Bool]
    private let numbers: [String: Int32]

    /// Reads the model's table: entries of a length (one byte, or two: `first · 128 + second − 128` when the first
    /// is 128 or more) and that many bytes of UTF-8; an entry's position is its id.
    /// - Throws: `OnnxError` for a table that ends within an entry.
    init(_ data: [UInt8]) throws {
        var pieces: [[UInt8]] = []
        var place = 0
        while place < data.count {
            var length = Int(data[place])
            place += 1
            if length >= 128 {
                guard place < data.count else { throw Self.truncated }
                length = length * 128 + Int(data[place]) - 128 - 128 * 128
                place += 1
            }
            guard length >= 0, place + length <= data.count else { throw Self.truncated }
            pieces.append(Array(data[place..<place + length]))
            place += length
        }
        guard pieces.count > Int(Self.firstPiece) else { throw Self.truncated }
        self.pieces = pieces
        let space = Array(String(Self.space).utf8)
        beginsWord = pieces.map { $0.starts(with: space) }
        var numbers: [String: Int32] = [:]
        for (number, piece) in pieces.enumerated().reversed() where number >= Int(Self.firstPiece) {
            numbers[String(decoding: piece, as: UTF8.self)] = Int32(number)
        }
        self.numbers = numbers
    }

    private static var truncated: OnnxError {
        OnnxError(call: "tokenizer.bin", detail: "the table is cut off. Get it with deploy/second-ear")
    }

    var count: Int { pieces.count }

    /// The token that is this text.
    func token(_ text: String) -> Int32? { numbers[text] }

    /// The tokens of words, each behind a space.
    func encode(words text: String) -> [Int32] { text.split(separator: " ").flatMap { encode("▁" + $0) } }

    /// Byte-pair encoding: of all neighbours, those whose joined text has the lowest id are joined, until none are
    /// left.
    /// - Parameter text: with “▁” for spaces.
    func encode(_ text: String) -> [Int32] {
        var parts = text.unicodeScalars.map { String($0) }
        while parts.count > 1 {
            var best: (place: Int, number: Int32)?
            for place in 0..<parts.count - 1 {
                guard let number = numbers[parts[place] + parts[place + 1]] else { continue }
                if best.map({ number < $0.number }) ?? true { best = (place, number) }
            }
            guard let best else { break }
            parts[best.place] += parts.remove(at: best.place + 1)
        }
        return parts.flatMap { part -> [Int32] in
            // What no token has is written byte by byte.
            numbers[part].map { [$0] } ?? part.utf8.map { Int32($0) + Self.firstByte }
        }
    }

    /// The text of tokens; special ones have none.
    func text(_ tokens: some Sequence<Int32>) -> String {
        var bytes: [UInt8] = []
        for token in tokens { bytes += self.bytes(token) }
        return String(decoding: bytes, as: UTF8.self).replacing("▁", with: " ")
            .trimmingCharacters(in: .whitespaces)
    }

    private func bytes(_ token: Int32) -> [UInt8] {
        switch token {
        case Self.firstByte..<Self.firstPiece: [UInt8(token - Self.firstByte)]
        case Self.firstPiece..<Int32(pieces.count): pieces[Int(token)]
        default: []
        }
    }
}

/// Normalises what the model writes: no capitals, no punctuation, numbers and signs as they are.
enum ModelText {
    static func words(_ text: String) -> String {
        let characters = Array(text.lowercased())
        var result = ""
        for (place, character) in characters.enumerated() {
            let before = place > 0 ? characters[place - 1] : " "
            let after = place + 1 < characters.count ? characters[place + 1] : " "
            switch character {
            case ".", ",", ":":
                if before.isNumber, after.isNumber { result.append(character) }
            case "?", "!", ";", "\"": break
            case "-": result.append(" ")
            default: result.append(character)
            }
        }
        return result.split(separator: " ").joined(separator: " ")
    }
}
