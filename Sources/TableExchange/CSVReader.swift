/// One record of a CSV file.
public struct CSVRecord: Sendable, Equatable {
    /// The line of the file on which it begins, from 1.
    public var line: Int
    /// Its cells, without their quotes.
    public var cells: [String]
    /// What is wrong with its quotes; nil where nothing is.
    public var problem: String?
}

/// Reads the records of a CSV file one by one (RFC 4180), with any of the separators that spreadsheets write, and any
/// line ends. Lines without a character in them are passed over.
public struct CSVReader: Sendable {
    /// What stands between two cells.
    public let separator: UInt8
    /// How far the file has been read, and how long it is, in bytes.
    public private(set) var offset = 0
    /// The file's length in bytes.
    public var length: Int { bytes.count }
    private let bytes: [UInt8]
    private var line = 1

    /// The longest cell, in bytes; what is longer has lost its closing quote somewhere.
    static let longestCell = 20_000

    /// A reader of `bytes`, which are UTF-8.
    public init(_ bytes: [UInt8], separator: UInt8) {
        self.bytes = bytes
        self.separator = separator
    }

    /// The next record, or nil at the end of the file.
    public mutating func next() -> CSVRecord? {
        bytes.withUnsafeBufferPointer { Self.next($0, separator, &offset, &line) }
    }

    private static func next(
        _ bytes: UnsafeBufferPointer<UInt8>, _ separator: UInt8, _ offset: inout Int, _ line: inout Int
    ) -> CSVRecord? {
        var at = offset
        let end = bytes.count
        while at < end, bytes[at] == 10 || bytes[at] == 13 {
            if bytes[at] == 10 || at + 1 == end || bytes[at + 1] != 10 { line += 1 }
            at += 1
        }
        guard at < end else {
            offset = end
            return nil
        }
        var record = CSVRecord(line: line, cells: [])
        while true {
            if at < end, bytes[at] == 34 {
                record.cells.append(quoted(bytes, separator, &at, &line, &record.problem))
            } else {
                let start = at
                while at < end, bytes[at] != separator, bytes[at] != 10, bytes[at] != 13 { at += 1 }
                record.cells.append(String(decoding: bytes[start..<at], as: UTF8.self))
            }
            guard at < end, bytes[at] == separator else { break }
            at += 1
        }
        // Of the line's end only the first byte: the next call counts what follows, whichever kind it is.
        if at < end, bytes[at] == 13, at + 1 < end, bytes[at + 1] == 10 { at += 1 }
        if at < end {
            at += 1
            line += 1
        }
        offset = at
        return record
    }

    /// A cell in quotes; a quote in it stands twice.
    private static func quoted(
        _ bytes: UnsafeBufferPointer<UInt8>, _ separator: UInt8, _ at: inout Int, _ line: inout Int,
        _ problem: inout String?
    ) -> String {
        let end = bytes.count, opening = line
        var cell: [UInt8] = []
        at += 1
        while at < end {
            let byte = bytes[at]
            if byte == 34 {
                guard at + 1 < end, bytes[at + 1] == 34 else { break }
                at += 1
            }
            if byte == 10 { line += 1 }
            cell.append(byte)
            at += 1
        }
        if at >= end || cell.count > longestCell {
            problem = problem ?? "the quote that opens on line \(opening) is never closed, or only far below"
            if at < end { at += 1 }
        } else {
            at += 1
        }
        if at < end, bytes[at] != separator, bytes[at] != 10, bytes[at] != 13 {
            problem = problem ?? "there is text behind the closing quote; a quote within a text stands twice"
            while at < end, bytes[at] != separator, bytes[at] != 10, bytes[at] != 13 { at += 1 }
        }
        return String(decoding: cell, as: UTF8.self)
    }
}
