import Foundation

/// A pronunciation dictionary in CMU's format: a line for each pronunciation, `word PH ON ES`, further ones as
/// `word(2) PH ON ES`.
///
/// The file is mapped and its lines are scanned in place: of 134,000 lines a vocabulary needs a thousand or two.
struct CMUDictionary {
    /// What a look into the dictionary gave.
    struct Reading {
        /// The pronunciations of the words that it has, in the file's order, without stress.
        fileprivate(set) var pronunciations: [String: [[String]]] = [:]
        /// How many lines could not be read: those of no word, and those of a wanted word.
        fileprivate(set) var badLines = 0
        /// The first of them, each with file and line.
        fileprivate(set) var complaints: [String] = []

        /// What is wrong with the file, on one line; nil when nothing is.
        var problem: String? {
            guard badLines > 0 else { return nil }
            let more = badLines - complaints.count
            return complaints.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : "")
        }
    }

    /// More lines than these are counted only.
    private static let complaintLimit = 5

    private let path: String
    private let data: Data

    /// Maps the file at `path`.
    /// - Throws: `PocketSphinxError` that names the file.
    init(path: String) throws {
        self.path = path
        do {
            data = try Data(contentsOf: URL(fileURLWithPath: path), options: .alwaysMapped)
        } catch {
            throw PocketSphinxError(call: "dictionary", detail: "cannot read \(path): \(error.localizedDescription)")
        }
    }

    /// Looks `words` up. A line that cannot be read is skipped and reported.
    func read(_ words: [String]) -> Reading {
        var wanted: [UInt64: [UInt8]] = [:]
        wanted.reserveCapacity(words.count)
        for word in words {
            let bytes = Array(word.utf8)
            wanted[bytes.withUnsafeBytes { Self.hash($0) }] = bytes
        }
        var reading = Reading(), number = 0
        data.withUnsafeBytes { file in
            var start = 0
            while start < file.count {
                let line = UnsafeRawBufferPointer(rebasing: file[start..<Self.end(of: 0x0A, in: file, from: start)])
                start += line.count + 1
                number += 1
                let nameEnd = Self.end(of: 0x20, in: line, from: 0)
                guard nameEnd > 0, nameEnd < line.count else {
                    if !Self.isEmpty(line) { complain(number, "a word and its phones are expected", in: &reading) }
                    continue
                }
                let name = Self.withoutVariant(UnsafeRawBufferPointer(rebasing: line[..<nameEnd]))
                guard let word = wanted[Self.hash(name)], word.elementsEqual(name) else { continue }
                // Some editions have a remark behind the phones.
                let text = String(decoding: line[(nameEnd + 1)...], as: UTF8.self).prefix { $0 != "#" }
                let phones = text.split { " \r\t".contains($0) }.map { Lexicon.withoutStress(String($0)) }
                let entry = String(decoding: word, as: UTF8.self)
                if phones.isEmpty || !phones.allSatisfy(Lexicon.phones.contains) {
                    complain(number, "“\(entry)” has phones that are not CMU's", in: &reading)
                } else {
                    reading.pronunciations[entry, default: []].append(phones)
                }
            }
        }
        return reading
    }

    private func complain(_ line: Int, _ problem: String, in reading: inout Reading) {
        reading.badLines += 1
        if reading.complaints.count < Self.complaintLimit { reading.complaints.append("\(path):\(line): \(problem)") }
    }

    /// True for a line without anything, or with a remark.
    private static func isEmpty(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let first = line.first(where: { $0 > 0x20 }) else { return true }
        return first == UInt8(ascii: ";") || first == UInt8(ascii: "#")
    }

    private static func end(of byte: Int32, in buffer: UnsafeRawBufferPointer, from start: Int) -> Int {
        guard let base = buffer.baseAddress, start < buffer.count,
            let hit = memchr(base + start, byte, buffer.count - start)
        else { return buffer.count }
        return UnsafeRawPointer(hit) - base
    }

    /// `word(2)` without `(2)`.
    private static func withoutVariant(_ name: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        guard name.count > 3, name[name.count - 1] == 0x29 else { return name }
        var index = name.count - 2
        while index > 0, (0x30...0x39).contains(name[index]) { index -= 1 }
        guard index > 0, name[index] == 0x28 else { return name }
        return UnsafeRawBufferPointer(rebasing: name[..<index])
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
        return hash
    }
}
