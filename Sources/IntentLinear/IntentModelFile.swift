// The file, all numbers little-endian:
//   "VanOrbIM", version u16, bits u8, 0 u8, labels u32, buckets u32, heldOut u32, 0 u32,
//   temperature, accuracy, error before, error after f64,
//   scales f64 × labels, biases f64 × labels,
//   each label: length u32, UTF-8; padding to 8 bytes,
//   buckets u32 × buckets, rows i16 × buckets × labels; padding to 8 bytes, checksum u64.
private let magic = "VanOrbIM"
private let version: UInt16 = 1

extension IntentModel {
    /// Writes the model to `path` atomically.
    /// - Throws: `IntentModelFileError` when it cannot be written.
    public func save(to path: String) throws {
        var file = ByteWriter()
        file.append(Array(magic.utf8))
        file.append(version)
        file.append(UInt8(features.bits))
        file.append(UInt8(0))
        for count in [weights.labels.count, weights.buckets.count, quality.heldOut, 0] { file.append(UInt32(count)) }
        let measures = [
            temperature, quality.accuracy, quality.calibrationErrorBefore, quality.calibrationError,
        ]
        for number in measures + weights.scales + weights.biases { file.append(number.bitPattern) }
        for label in weights.labels { file.append(label) }
        file.pad()
        for bucket in weights.buckets { file.append(bucket) }
        for weight in weights.rows { file.append(UInt16(bitPattern: weight)) }
        try file.save(to: path)
    }

    /// Reads the model at `path`. Everything is checked before it is believed.
    /// - Throws: `IntentModelFileError` that says what is wrong.
    public init(contentsOf path: String) throws {
        try self.init(bytes: ByteReader.bytes(of: path), path: path)
    }

    init(bytes: [UInt8], path: String) throws {
        var file = try ByteReader(bytes: bytes, path: path, magic: magic, version: version)
        let bits: UInt8 = try file.number()
        _ = try file.number() as UInt8
        let counts = try file.array(of: UInt32.self, count: 4).map { Int($0) }
        let (labelCount, bucketCount) = (counts[0], counts[1])
        guard (8...24).contains(bits), labelCount >= 2, labelCount <= 1 << 16, bucketCount <= 1 << Int(bits) else {
            throw file.damaged("its counts are impossible")
        }
        let measures = try file.doubles(4)
        let scales = try file.doubles(labelCount)
        let biases = try file.doubles(labelCount)
        let labels = try (0..<labelCount).map { _ in try file.text() }
        try file.skipPadding()
        let buckets = try file.array(of: UInt32.self, count: bucketCount)
        let rows = try file.array(of: Int16.self, count: bucketCount * labelCount)
        try file.skipPadding()
        try file.finish()
        let isAscending = zip(buckets, buckets.dropFirst()).allSatisfy { $0 < $1 }
        guard isAscending, buckets.last.map({ $0 < UInt32(1) << UInt32(bits) }) ?? true else {
            throw file.damaged("its features are out of order")
        }
        guard (measures + scales + biases).allSatisfy(\.isFinite), measures[0] > 0 else {
            throw file.damaged("its numbers are impossible")
        }
        self.init(
            features: Features(bits: Int(bits)),
            weights: Weights(labels: labels, buckets: buckets, rows: rows, scales: scales, biases: biases),
            temperature: measures[0],
            quality: Quality(
                heldOut: counts[2], accuracy: measures[1], calibrationErrorBefore: measures[2],
                calibrationError: measures[3]
            )
        )
    }
}
