import IntegerMatrices

// The file, all numbers little-endian:
//   "VanOrbSH", version u16, 0 u16, labels u32, width u32, sentences u32, partner u64,
//   encoder: length u32, UTF-8, each label: length u32, UTF-8; padding to 8 bytes,
//   head's temperature, temperature, caution f64, biases f64 × labels,
//   head's scales f32 × labels, sentences' scales f32 × sentences, classes u16 × sentences,
//   head i8 × labels × width, sentences i8 × sentences × width; padding to 8 bytes, checksum u64.
private let magic = "VanOrbSH"
private let version: UInt16 = 1

extension SemanticHint {
    /// Writes the hint to `path` atomically.
    /// - Throws: `IntentModelFileError` when it cannot be written.
    public func save(to path: String) throws {
        var file = ByteWriter()
        file.append(Array(magic.utf8))
        file.append(version)
        file.append(UInt16(0))
        for count in [labels.count, head.width, neighbours.vectors.count] { file.append(UInt32(count)) }
        file.append(partner)
        for text in [encoder] + labels { file.append(text) }
        file.pad()
        for number in [headTemperature, temperature, caution] + biases { file.append(number.bitPattern) }
        for scale in head.scales + neighbours.vectors.scales { file.append(scale.bitPattern) }
        for intent in neighbours.intents { file.append(intent) }
        for values in [head.values, neighbours.vectors.values] {
            file.append(values.withUnsafeBytes { [UInt8]($0) })
        }
        try file.save(to: path)
    }

    /// Reads the hint at `path`. Everything is checked before it is believed.
    /// - Throws: `IntentModelFileError` that says what is wrong.
    public init(contentsOf path: String) throws {
        try self.init(bytes: ByteReader.bytes(of: path), path: path)
    }

    init(bytes: [UInt8], path: String) throws {
        var file = try ByteReader(bytes: bytes, path: path, magic: magic, version: version)
        _ = try file.number() as UInt16
        let counts = try file.array(of: UInt32.self, count: 3).map { Int($0) }
        let (labelCount, width, sentenceCount) = (counts[0], counts[1], counts[2])
        guard (2..<Int(UInt16.max)).contains(labelCount), (1...4096).contains(width), sentenceCount <= 1 << 24 else {
            throw file.damaged("its counts are impossible")
        }
        let partner: UInt64 = try file.number()
        let encoder = try file.text()
        let labels = try (0..<labelCount).map { _ in try file.text() }
        try file.skipPadding()
        let fitted = try file.doubles(3)
        let biases = try file.doubles(labelCount)
        let headScales = try file.floats(labelCount), scales = try file.floats(sentenceCount)
        let classes = try file.array(of: UInt16.self, count: sentenceCount)
        let headValues = try file.array(of: Int8.self, count: labelCount * width)
        let values = try file.array(of: Int8.self, count: sentenceCount * width)
        try file.skipPadding()
        try file.finish()
        guard (fitted + biases).allSatisfy(\.isFinite), fitted[0] > 0, fitted[1] > 0,
            (headScales + scales).allSatisfy(\.isFinite), classes.allSatisfy({ Int($0) < labelCount }),
            let head = IntegerMatrix(width: width, values: headValues, scales: headScales),
            let sentences = IntegerMatrix(width: width, values: values, scales: scales)
        else { throw file.damaged("its numbers are impossible") }
        self.init(
            encoder: encoder, partner: partner, labels: labels, head: head, biases: biases,
            headTemperature: fitted[0], neighbours: Neighbours(sentences, classes), temperature: fitted[1],
            caution: fitted[2])
    }
}
