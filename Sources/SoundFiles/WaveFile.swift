import Domain
import Foundation

/// A WAV file in memory (RIFF WAVE, PCM; http://soundfile.sapp.org/doc/WaveFormat/).
public enum WaveFile {
    /// 16-bit mono of the sounds one after the other, at the rate of the first.
    public static func bytes(of sounds: [Sound]) -> Data {
        let rate = UInt32(sounds.first?.sampleRate ?? AudioFormat.sampleRate)
        let samples = sounds.flatMap(\.samples)
        let length = UInt32(samples.count * 2)
        var file = Data()
        func add(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.littleEndian) { file.append(contentsOf: $0) }
        }
        file += Data("RIFF".utf8)
        add(36 + length)
        file += Data("WAVEfmt ".utf8)
        add(UInt32(16))
        // PCM, one channel.
        add(UInt16(1))
        add(UInt16(1))
        add(rate)
        add(rate * 2)
        add(UInt16(2))
        add(UInt16(16))
        file += Data("data".utf8)
        add(length)
        samples.forEach { add($0) }
        return file
    }
}

/// The length in a WAV file's header. libsndfile silently shortens a truncated file; this detects it.
enum WaveHeader {
    /// Programs that write into a pipe cannot know the length and fill in something near 2 or 4 GiB.
    private static let unknownLength = 0x7fff_0000

    /// The size in bytes that the data chunk of the RIFF file at `path` claims; nil when there is none or it was not
    /// known to the writer.
    static func promisedBytes(path: String) -> Int? {
        guard let file = FileHandle(forReadingAtPath: path) else { return nil }
        defer { try? file.close() }
        guard let riff = header(of: file, at: 0), riff.name == "RIFF" else { return nil }
        var offset: UInt64 = 12
        while let chunk = header(of: file, at: offset) {
            if chunk.name == "data" { return chunk.size < unknownLength ? chunk.size : nil }
            // Chunks are padded to an even size.
            offset += 8 + UInt64(chunk.size) + UInt64(chunk.size & 1)
        }
        return nil
    }

    private static func header(of file: FileHandle, at offset: UInt64) -> (name: String, size: Int)? {
        guard (try? file.seek(toOffset: offset)) != nil, let bytes = try? file.read(upToCount: 8), bytes.count == 8
        else { return nil }
        let size = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        return (String(decoding: bytes.prefix(4), as: UTF8.self), size)
    }
}
