import Foundation

/// What a WAV file's header says of its length. libsndfile quietly shortens a file that was cut off; this tells.
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
