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
