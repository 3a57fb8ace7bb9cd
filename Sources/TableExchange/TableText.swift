import Foundation

/// Why a table cannot be taken as a whole.
public struct TableRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// What is wrong and what is expected, as a sentence.
    public let description: String

    /// A refusal in these words.
    public init(_ description: String) { self.description = description }
}

/// A table's file as UTF-8, whatever a spreadsheet has written it in.
public struct TableText: Sendable {
    /// The text in UTF-8, without a byte order mark.
    public let bytes: [UInt8]
    /// What is worth saying of the encoding; nil for UTF-8.
    public let note: String?

    private static let advice = "Save it as CSV in UTF-8."

    /// Reads UTF-8 (with or without its mark), UTF-16 and Windows-1252.
    /// - Throws: `TableRefusal` for what is no text, or text in another encoding.
    public init(_ file: Data) throws {
        if file.starts(with: [0x50, 0x4B, 0x03, 0x04]) || file.starts(with: [0xD0, 0xCF, 0x11, 0xE0]) {
            throw TableRefusal("This is a spreadsheet's own file, and not CSV. Save it as CSV, in UTF-8.")
        }
        if file.starts(with: [0xFF, 0xFE, 0, 0]) || file.starts(with: [0, 0, 0xFE, 0xFF]) {
            throw TableRefusal("This is UTF-32, an encoding that is not read. \(Self.advice)")
        }
        if let order = Self.utf16(file) {
            bytes = try Self.decoded16(file, order)
            note = "the file is UTF-16"
        } else if let text = Self.utf8(file.starts(with: [0xEF, 0xBB, 0xBF]) ? file.dropFirst(3) : file) {
            bytes = text
            note = nil
        } else {
            bytes = try Self.decoded1252(file)
            note = "the file is not UTF-8 and was read as Windows-1252; look whether names and £ are right"
        }
        if let place = bytes.firstIndex(where: { $0 < 9 }) {
            let line = bytes[..<place].count { $0 == 10 } + 1
            throw TableRefusal("Line \(line) holds bytes that are no text. A CSV file is expected. \(Self.advice)")
        }
    }

    private static func utf8(_ file: Data) -> [UInt8]? {
        let bytes = [UInt8](file)
        // `String(validatingUTF8:)` would stop at a zero byte, which is looked for later.
        return bytes.withUnsafeBufferPointer { String(validating: $0, as: UTF8.self) } == nil ? nil : bytes
    }

    private enum ByteOrder { case little, big }

    /// The byte order of UTF-16, by its mark, or by the zero bytes that every other byte of Latin text is.
    private static func utf16(_ file: Data) -> ByteOrder? {
        if file.starts(with: [0xFF, 0xFE]) { return .little }
        if file.starts(with: [0xFE, 0xFF]) { return .big }
        let head = [UInt8](file.prefix(400))
        guard head.count >= 4 else { return nil }
        func zeros(_ first: Int) -> Int { stride(from: first, to: head.count, by: 2).count { head[$0] == 0 } }
        let even = zeros(0), odd = zeros(1), half = head.count / 2
        if odd * 10 >= half * 7, even == 0 { return .little }
        if even * 10 >= half * 7, odd == 0 { return .big }
        return nil
    }

    private static func decoded16(_ file: Data, _ order: ByteOrder) throws -> [UInt8] {
        guard file.count.isMultiple(of: 2) else {
            throw TableRefusal("The file begins as UTF-16 and ends within a character: it is cut off. \(advice)")
        }
        var units: [UInt16] = []
        units.reserveCapacity(file.count / 2)
        let bytes = [UInt8](file)
        for index in stride(from: 0, to: bytes.count, by: 2) {
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            units.append(order == .little ? second << 8 | first : first << 8 | second)
        }
        if units.first == 0xFEFF { units.removeFirst() }
        guard let text = String(validating: units, as: UTF16.self) else {
            throw TableRefusal("The file begins as UTF-16 and goes on in another encoding. \(advice)")
        }
        return Array(text.utf8)
    }

    /// What 0x80 to 0x9F are (https://encoding.spec.whatwg.org/index-windows-1252.txt); nil where nothing is.
    private static let upper: [UInt16?] = [
        0x20AC, nil, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, nil,
        0x017D, nil, nil, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, nil, 0x017E, 0x0178,
    ]

    private static func decoded1252(_ file: Data) throws -> [UInt8] {
        var text = String.UnicodeScalarView()
        var line = 1
        for byte in file {
            if byte == 10 { line += 1 }
            let code = (0x80...0x9F).contains(byte) ? upper[Int(byte) - 0x80] : UInt16(byte)
            guard let code, let scalar = Unicode.Scalar(code) else {
                throw TableRefusal(
                    "Line \(line) is in another encoding: neither UTF-8, UTF-16 nor Windows-1252. \(advice)")
            }
            text.append(scalar)
        }
        return Array(String(text).utf8)
    }
}
