import Domain
import Foundation

/// How a file writes dates, and dates read by it: 2026-11-23, 23/11/2026, 23.11.26, 23 Nov 2026, each with or without a
/// time behind it.
package struct TableDate: Sendable {
    /// What stands first where neither number can be a year.
    package enum Order: Sendable { case day, month }

    /// The first lines that can only be read with the day, and with the month, first.
    private(set) var dayLine: Int?, monthLine: Int?
    /// The first line that can be read either way.
    private(set) var openLine: Int?
    /// What the caller wants, whatever the file looks like.
    package let wanted: Order?
    private let zone: TimeZone
    private let words: TableWords.Dates
    /// The zone's offsets in seconds by the day, where it is one for the whole day.
    private var offsets: [Int: Int] = [:]

    package init(zone: TimeZone, words: TableWords.Dates, wanted: Order? = nil) {
        self.zone = zone
        self.words = words
        self.wanted = wanted
    }

    /// The order that is used: as wanted, as the file shows, else as in Britain.
    package var order: Order { wanted ?? (dayLine == nil && monthLine != nil ? .month : .day) }

    /// How exact a date is: as many milliseconds may be behind what is written.
    package enum Grain: Int64, Sendable {
        case second = 1_000, minute = 60_000, day = 86_400_000
    }

    private struct Written {
        var first = 0, second = 0, year = 0
        var isNumeric = false
        var hour = 0, minute = 0, seconds = 0, milliseconds = 0
        var grain = Grain.day
        var offset: Int?
    }

    private static let expectation = "a date such as 2026-11-23 or 23/11/2026, with a time such as 14:05 if you like"

    /// Takes a look at a date.
    package mutating func look(at cell: String, line: Int) {
        guard let date = try? written(cell), date.isNumeric else { return }
        if date.first > 12 {
            dayLine = dayLine ?? line
        } else if date.second > 12 {
            monthLine = monthLine ?? line
        } else if date.first != date.second {
            openLine = openLine ?? line
        }
    }

    /// Reads a date.
    package mutating func date(_ cell: String) throws -> (milliseconds: Int64, grain: Grain) {
        let written = try written(cell)
        var (month, day) = (written.first, written.second)
        if written.isNumeric, order == .day { swap(&month, &day) }
        guard written.year >= 1950 else { throw BadCell("a date of 1950 or later, such as 2026-11-23") }
        guard (1...12).contains(month), (1...Self.days(in: month, written.year)).contains(day),
            written.year <= 2150
        else { throw BadCell(Self.expectation) }
        let number = Self.day(written.year, month, day)
        let seconds = number * 86_400 + written.hour * 3_600 + written.minute * 60 + written.seconds
        let offset = written.offset ?? offset(atLocal: seconds, day: number)
        return (Int64(seconds - offset) * 1_000 + Int64(written.milliseconds), written.grain)
    }

    /// A date as it is written: in the local time, with its offset only where that hour comes twice.
    package mutating func text(_ milliseconds: Int64) -> String {
        let seconds = Int((Double(milliseconds) / 1_000).rounded(.down))
        let offset = zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        let local = seconds + offset
        let number = Int((Double(local) / 86_400).rounded(.down)), rest = local - number * 86_400
        let (year, month, day) = Self.civil(number)
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        var text = "\(year)-\(two(month))-\(two(day)) \(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60))"
        if self.offset(atLocal: local, day: number) != offset {
            let minutes = abs(offset) / 60
            text += "\(offset < 0 ? "-" : "+")\(two(minutes / 60)):\(two(minutes % 60))"
        }
        return text
    }

    /// The zone's offset at a local time; where that time comes twice, the first.
    private mutating func offset(atLocal seconds: Int, day: Int) -> Int {
        if let known = offsets[day] { return known }
        func offset(_ seconds: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds)))
        }
        // Offsets lie within a day of UTC: what holds a day before and a day behind holds on the day.
        let before = offset((day - 1) * 86_400), after = offset((day + 2) * 86_400)
        if before == after {
            offsets[day] = before
            return before
        }
        let early = seconds - before
        return offset(early) == before ? before : after
    }

    /// What is expected where a date lies in the future.
    static let noFuture = "a date up to tomorrow: this one is in the future"

    // MARK: reading

    private func written(_ cell: String) throws -> Written {
        var result = Written()
        var parts = cell.utf8.split(whereSeparator: { $0 == 32 || $0 == 84 || $0 == 116 })[...]
        // The T of 2026-11-23T14:05 parts it, the one of October must not; and AM and PM are no names of months.
        if Self.letters(in: cell) > 2 {
            parts = cell.utf8.split(whereSeparator: { $0 == 32 || $0 == 44 })[...]
            try named(&parts, &result)
        } else {
            guard let date = parts.popFirst() else { throw BadCell(Self.expectation) }
            try Self.numeric(date, &result)
        }
        if let time = parts.popFirst() { try Self.time(time, &result) }
        if let half = parts.popFirst() {
            let word = String(Substring(half)).lowercased()
            let isAfterNoon = words.afterNoon.contains(word)
            guard isAfterNoon || words.beforeNoon.contains(word), (1...12).contains(result.hour) else {
                throw BadCell(Self.expectation)
            }
            result.hour = result.hour % 12 + (isAfterNoon ? 12 : 0)
        }
        guard parts.isEmpty else { throw BadCell(Self.expectation) }
        return result
    }

    /// How many letters a cell has; most have digits and marks only.
    private static func letters(in cell: String) -> Int {
        let isPlain = cell.utf8.allSatisfy { $0 < 128 }
        return isPlain
            ? cell.utf8.count { (97...122).contains($0) || (65...90).contains($0) } : cell.count(where: \.isLetter)
    }

    private typealias Piece = Substring.UTF8View

    private static func number(_ piece: some Sequence<UInt8>, digits: ClosedRange<Int>) -> Int? {
        var value = 0, count = 0
        for byte in piece {
            guard (48...57).contains(byte) else { return nil }
            value = value * 10 + Int(byte) - 48
            count += 1
            guard count <= digits.upperBound else { return nil }
        }
        return count >= digits.lowerBound ? value : nil
    }

    /// A year in full, as it is written, or its last two digits.
    private static func year(_ piece: some Collection<UInt8>) throws -> Int {
        guard piece.count != 3, let value = number(piece, digits: 2...4) else { throw BadCell(expectation) }
        // Bank statements of the last century are not imported.
        return piece.count == 2 ? 2000 + value : value
    }

    private static func numeric(_ piece: Piece, _ result: inout Written) throws {
        let fields = piece.split(whereSeparator: { $0 == 45 || $0 == 47 || $0 == 46 })
        guard fields.count == 3 else { throw BadCell(expectation) }
        if fields[0].count == 4 {
            guard let month = number(fields[1], digits: 1...2), let day = number(fields[2], digits: 1...2) else {
                throw BadCell(expectation)
            }
            (result.year, result.first, result.second) = (try year(fields[0]), month, day)
        } else {
            guard let first = number(fields[0], digits: 1...2), let second = number(fields[1], digits: 1...2) else {
                throw BadCell(expectation)
            }
            (result.year, result.first, result.second) = (try year(fields[2]), first, second)
            result.isNumeric = true
        }
    }

    /// 23 Nov 2026, or Nov 23 2026.
    private func named(_ parts: inout ArraySlice<Piece>, _ result: inout Written) throws {
        guard parts.count >= 3 else { throw BadCell(Self.expectation) }
        var said = parts.prefix(3).map { String(Substring($0)).lowercased() }
        if said[0].first?.isLetter == true { said.swapAt(0, 1) }
        let ending = words.dayEndings.first(where: said[0].hasSuffix) ?? ""
        guard let number = Self.number(said[0].dropLast(ending.count).utf8, digits: 1...2),
            let month = words.months.first(where: { said[1].hasPrefix($0.name) })?.number
        else { throw BadCell(Self.expectation) }
        (result.year, result.first, result.second) = (try Self.year(said[2].utf8), month, number)
        parts = parts.dropFirst(3)
    }

    /// 14:05, 14:05:12, 14:05:12.345, with Z or +01:00 behind it.
    private static func time(_ piece: Piece, _ result: inout Written) throws {
        var body = piece
        if body.last == 90 {
            body = body.dropLast()
            result.offset = 0
        } else if let sign = body.lastIndex(where: { $0 == 43 || $0 == 45 }) {
            let digits = body[sign...].dropFirst().filter { $0 != 58 }
            guard digits.count == 4, let value = number(digits, digits: 4...4) else { throw BadCell(expectation) }
            result.offset = (value / 100 * 3_600 + value % 100 * 60) * (body[sign] == 45 ? -1 : 1)
            body = body[..<sign]
        }
        let fields = body.split(separator: 58, omittingEmptySubsequences: false)
        guard (2...3).contains(fields.count), let hour = number(fields[0], digits: 1...2), hour < 24,
            let minute = number(fields[1], digits: 2...2), minute < 60
        else { throw BadCell(expectation) }
        (result.hour, result.minute, result.grain) = (hour, minute, .minute)
        guard fields.count == 3 else { return }
        let parts = fields[2].split(whereSeparator: { $0 == 46 || $0 == 44 })
        guard let whole = parts.first.flatMap({ number($0, digits: 2...2) }), whole < 60, parts.count <= 2 else {
            throw BadCell(expectation)
        }
        (result.seconds, result.grain) = (whole, .second)
        if parts.count == 2 {
            let three = Array(parts[1].prefix(3)) + Array(repeating: 48, count: max(0, 3 - parts[1].count))
            guard let value = number(three, digits: 3...3) else { throw BadCell(expectation) }
            result.milliseconds = value
        }
    }

    // MARK: the calendar

    private static func days(in month: Int, _ year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// The days since 1970-01-01 of a date of the Gregorian calendar, years beginning in March so that the leap day is
    /// the last (H. Hinnant, “chrono-Compatible Low-Level Date Algorithms”).
    package static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = (year >= 0 ? year : year - 399) / 400
        let ofEra = year - era * 400
        let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    }

    /// The date of a day since 1970-01-01; the inverse of `day`.
    static func civil(_ day: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = day + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let ofEra = shifted - era * 146_097
        let yearOfEra = (ofEra - ofEra / 1_460 + ofEra / 36_524 - ofEra / 146_096) / 365
        let ofYear = ofEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let place = (5 * ofYear + 2) / 153
        let month = place < 10 ? place + 3 : place - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, ofYear - (153 * place + 2) / 5 + 1)
    }
}
