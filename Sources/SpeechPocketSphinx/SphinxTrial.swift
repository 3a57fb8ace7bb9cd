import CPocketSphinx
import Foundation

/// What must be known of the model's files before the library reads them in a process that must stay up: it ends the
/// process, or reads beyond its memory, where they are damaged.
public struct SphinxTrials: Sendable {
    /// Asked for the acoustic model's files, each time before they are read.
    let acoustic: @Sendable ([String]) throws -> Void
    /// Asked for the general language model and the dictionary, which are read for free text.
    let general: @Sendable ([String]) throws -> Void

    /// - Parameters:
    ///   - acoustic: throws where the acoustic model's files must not be read.
    ///   - general: throws where the general language model and the dictionary must not be read.
    public init(
        acoustic: @escaping @Sendable ([String]) throws -> Void, general: @escaping @Sendable ([String]) throws -> Void
    ) {
        (self.acoustic, self.general) = (acoustic, general)
    }
}

/// The library at work with a model. For a process that may end by it.
public enum SphinxTrial {
    /// Loads the acoustic model, and recognises two seconds as phones.
    /// - Throws: `PocketSphinxError`.
    public static func runAcoustic(folder: String) throws {
        SphinxLog.echoErrors()
        let model = try SphinxModel(folder: folder)
        if let data = FileManager.default.contents(atPath: model.definition) { try ModelDefinition.check(data) }
        let decoder = try Decoder.load([
            "-hmm", model.acoustic, "-dict", model.dictionary, "-allphone_ci", "yes",
        ])
        defer { ps_free(decoder) }
        let phones = "phones"
        guard ps_set_allphone_file(decoder, phones, nil) == 0, ps_set_search(decoder, phones) == 0 else {
            throw PocketSphinxError(call: "ps_set_allphone_file", detail: "its phones cannot be searched")
        }
        try hear(decoder)
    }

    /// Loads the general language model with its dictionary, and recognises two seconds with them.
    /// - Throws: `PocketSphinxError`.
    public static func runGeneral(folder: String) throws {
        SphinxLog.echoErrors()
        let model = try SphinxModel(folder: folder)
        let decoder = try Decoder.load([
            "-hmm", model.acoustic, "-dict", model.dictionary, "-lm", model.generalLanguageModel,
        ])
        defer { ps_free(decoder) }
        try hear(decoder)
    }

    private static func hear(_ decoder: OpaquePointer) throws {
        let samples = babble
        try checkSphinx("ps_start_stream", "cannot begin") { ps_start_stream(decoder) }
        try checkSphinx("ps_start_utt", "cannot begin") { ps_start_utt(decoder) }
        try checkSphinx("ps_process_raw", "the sound is not taken") {
            samples.withUnsafeBufferPointer { ps_process_raw(decoder, $0.baseAddress, $0.count, 0, 1) }
        }
        try checkSphinx("ps_end_utt", "cannot end") { ps_end_utt(decoder) }
        var next = ps_seg_iter(decoder)
        while let segment = next { next = ps_seg_next(segment) }
    }

    /// Two seconds that come and go as syllables do, between hiss and a voice that rises and falls: of each kind of
    /// phone some fit it.
    private static var babble: [Int16] {
        var noise: UInt32 = 1, phase = 0.0
        return (0..<32_000).map { index in
            let time = Double(index) / 16_000
            noise = noise &* 1_664_525 &+ 1_013_904_223
            phase += 2 * .pi * (120 + 100 * sin(time * 9)) / 16_000
            let voice = (1..<9).reduce(0.0) { $0 + sin(phase * Double($1)) / Double($1) }
            let share = 0.5 + 0.5 * sin(time * 23), hiss = Double(noise >> 16) / 32_768 - 1
            return Int16(abs(sin(time * 12)) * (share * voice * 5_000 + (1 - share) * hiss * 4_000))
        }
    }
}

/// The model's definition (`mdef`) in its binary form. The library believes the numbers in it, and uses them as places
/// in its memory, some only when certain sounds are heard.
enum ModelDefinition {
    private static let magic = "BMDF"
    /// A number that no model comes near.
    private static let limit = 1 << 24

    /// Compares every number that is a place with the size of what it is a place in. Other forms of the file are left
    /// to the library, which reads them word by word.
    /// - Throws: `PocketSphinxError` that says what is damaged.
    static func check(_ data: Data) throws {
        guard data.prefix(4) == Data(magic.utf8) else { return }
        try data.withUnsafeBytes { try check(Reader(bytes: $0, place: 8)) }
    }

    private static func check(_ start: Reader) throws {
        var file = start
        try file.skip(try file.number(below: limit))
        let phones = try file.number(below: 256), all = try file.number(below: limit)
        let states = try file.number(below: 16)
        _ = try file.number(below: limit)
        let senones = try file.number(below: 1 << 16), matrices = try file.number(below: limit)
        let sequences = try file.number(below: limit)
        _ = try file.number(below: limit)
        let branches = try file.number(below: limit), silence = try file.number(below: limit)
        guard phones > 0, phones <= all, silence < phones else { throw damaged("its counts") }
        try file.skipNames(phones)
        for branch in 0..<branches {
            let context = try file.short(), count = try file.short(), below = Int(try file.word())
            // What is below a branch stands behind it, so that no way leads in a circle.
            let isPlace =
                count == 0
                ? (-1..<all).contains(below) : count > 0 && below > branch && below + count <= branches
            guard (0..<max(phones, 4)).contains(context), isPlace else { throw damaged("its tree") }
        }
        var isUsed = [Bool](repeating: false, count: sequences)
        for phone in 0..<all {
            let sequence = Int(try file.word()), matrix = Int(try file.word())
            _ = file.byte()
            // The first are single sounds; the others stand between two.
            for _ in 0..<3 {
                if let other = file.byte(), other >= phones, phone >= phones { throw damaged("its phones") }
            }
            guard (0..<sequences).contains(sequence), (0..<matrices).contains(matrix) else {
                throw damaged("its phones")
            }
            isUsed[sequence] = true
        }
        // With a number of states for each phone, lengths follow instead; no model of ours has that.
        guard states > 0 else { return }
        guard try file.number(below: limit) == sequences * states else { throw damaged("its states") }
        // Of a senone that no phone has, the library does not know the sound it belongs to, and looks anywhere.
        var isHeard = [Bool](repeating: false, count: senones)
        for sequence in 0..<sequences {
            for _ in 0..<states {
                let senone = Int(UInt16(bitPattern: Int16(try file.short())))
                guard senone < senones else { throw damaged("its states") }
                if isUsed[sequence] { isHeard[senone] = true }
            }
        }
        guard isHeard.allSatisfy(\.self) else { throw damaged("its states") }
    }

    private static func damaged(_ what: String) -> PocketSphinxError {
        PocketSphinxError(call: "mdef", detail: "the model's definition is damaged: \(what)")
    }

    /// Little-endian numbers, never read past the end.
    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var place: Int

        mutating func byte() -> UInt8? {
            guard place < bytes.count else { return nil }
            defer { place += 1 }
            return bytes[place]
        }

        mutating func word() throws -> Int32 { try read(Int32.self) }

        mutating func short() throws -> Int { Int(try read(Int16.self)) }

        mutating func number(below limit: Int) throws -> Int {
            let number = Int(try word())
            guard (0..<limit).contains(number) else { throw damaged("its counts") }
            return number
        }

        mutating func skip(_ count: Int) throws {
            guard count <= bytes.count - place else { throw damaged("it is cut off") }
            place += count
        }

        /// Names of phones, each ended by a zero, filled up to four bytes together.
        mutating func skipNames(_ count: Int) throws {
            let start = place
            for _ in 0..<count {
                while let next = byte(), next != 0 {}
            }
            try skip((4 - (place - start) % 4) % 4)
        }

        private mutating func read<Number: FixedWidthInteger>(_: Number.Type) throws -> Number {
            let size = MemoryLayout<Number>.size
            guard size <= bytes.count - place else { throw damaged("it is cut off") }
            defer { place += size }
            return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: Number.self))
        }
    }
}
