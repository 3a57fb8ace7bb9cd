import Domain
import Foundation
import SignalProcessing
import SoundFiles
import SystemTestKit
import Testing

@Suite struct SoundFileTests {
    private let folder: TemporaryFolder
    private let reader = LibSndFileReader { try Resampler.convert($0, from: $1) }

    init() throws { folder = try TemporaryFolder() }

    /// Makes `name` with sox from raw 16-bit samples.
    private func make(
        _ name: String, from samples: [Int16], rate: Int = 16_000, channels: Int = 1, options: [String] = []
    ) throws -> String {
        let raw = try folder.write(samples, to: "source.raw")
        let input = ["-t", "raw", "-r", "\(rate)", "-c", "\(channels)", "-e", "signed", "-b", "16", raw]
        try AudioTools.run("/usr/bin/sox", ["-D"] + input + options + [folder.file(name)])
        return folder.file(name)
    }

    private func message(_ path: String) throws -> String {
        let failure = #expect(throws: SoundFileFailure.self) { try reader.read(path: path) }
        #expect(failure?.file == path)
        return try #require(failure).message
    }

    @Test(arguments: ["a.wav", "a.flac"])
    func samples_areReadExactly(name: String) throws {
        let samples = AudioTools.counting(30_000)
        #expect(try reader.read(path: make(name, from: samples)) == samples)
    }

    @Test(arguments: ["a.wav", "a.flac"])
    func channels_areMixedToOne(name: String) throws {
        let path = try make(name, from: [100, 300, -5, 5, 32_767, 32_767, -32_768, -32_768], channels: 2)
        #expect(try reader.read(path: path) == [200, 0, 32_767, -32_768])
    }

    @Test func extensibleHeader_isRead() throws {
        let samples = [Int16](repeating: 7, count: 40)
        #expect(try reader.read(path: make("a.wav", from: samples, channels: 4)).count == 10)
    }

    @Test(arguments: [8_000, 44_100, 48_000])
    func otherRates_areConverted(rate: Int) throws {
        let tone = AudioTools.sine(hertz: 500, seconds: 1, rate: rate)
        let count = try reader.read(path: make("a.wav", from: tone, rate: rate)).count
        #expect(abs(count - 16_000) <= 1)
    }

    @Test func conversionThatFails_isTold() throws {
        let path = try make("a.wav", from: [1, 2, 3], rate: 8_000)
        let failing = LibSndFileReader { _, _ in throw SpeexError(call: "speex_resampler_init", code: 1) }
        let failure = #expect(throws: SoundFileFailure.self) { try failing.read(path: path) }
        #expect(try #require(failure).message.contains("8000 Hz"))
    }

    @Test(arguments: [["-b", "24"], ["-b", "8", "-e", "unsigned"], ["-b", "32", "-e", "float"], ["-e", "u-law"]])
    func otherSampleFormats_areRefused_byName(options: [String]) throws {
        let message = try message(make("a.wav", from: AudioTools.counting(1_000), options: options))
        #expect(message.contains("Expected a WAV or FLAC file of 16-bit samples."))
        #expect(message.contains("WAV"))
    }

    @Test(arguments: ["a.aiff", "a.ogg", "a.au"])
    func otherKindsOfFile_areRefused_byName(name: String) throws {
        let message = try message(make(name, from: AudioTools.counting(4_000)))
        #expect(message.contains("Expected a WAV or FLAC file of 16-bit samples."))
    }

    @Test(arguments: ["a.wav", "a.flac"])
    func fileThatWasCutOff_isRefused(name: String) throws {
        let path = try make(name, from: AudioTools.sine(hertz: 333, seconds: 2, rate: 16_000))
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
        let message = try message(path)
        #expect(message.contains("cut off") || message.contains("damaged"), "\(message)")
    }

    @Test func headerAlone_isRefused() throws {
        let path = try make("a.wav", from: [1, 2, 3])
        let whole = try Data(contentsOf: URL(fileURLWithPath: path))
        try whole.prefix(44).write(to: URL(fileURLWithPath: path))
        _ = try message(path)
    }

    @Test func headerWrittenIntoAPipe_isReadToTheFilesEnd() throws {
        let samples = AudioTools.counting(5_000)
        let path = try make("a.wav", from: samples)
        var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        bytes.replaceSubrange(4..<8, with: [0xff, 0xff, 0xff, 0x7f])
        bytes.replaceSubrange(40..<44, with: [0xdb, 0xff, 0xff, 0x7f])
        try bytes.write(to: URL(fileURLWithPath: path))
        #expect(try reader.read(path: path) == samples)
    }

    @Test func emptyFile_isRefused() throws {
        #expect(try message(folder.write([], to: "a.wav")).contains("empty"))
    }

    @Test func fileOfNoSamples_isRefused() throws {
        #expect(try message(make("a.wav", from: [])).contains("no samples"))
    }

    @Test func fileThatIsNoSound_isRefused() throws {
        let path = folder.file("a.wav")
        try Data("Dear diary, today we drove to Whitby.".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try message(path).contains("not a sound file"))
    }

    @Test func missingFile_isRefused() throws {
        #expect(try message(folder.file("none.wav")).contains("the file does not exist"))
    }

    @Test func folderInPlaceOfAFile_isRefused() throws {
        #expect(try message(folder.path).contains("folder"))
    }

    @Test func pipeInPlaceOfAFile_isRefused_withoutWaiting() throws {
        try #require(mkfifo(folder.file("pipe.wav"), 0o600) == 0)
        _ = try message(folder.file("pipe.wav"))
    }

    @Test func moreThanTenMinutes_isRefused() throws {
        let path = try make("a.flac", from: [Int16](repeating: 3, count: 8_000 * 601), rate: 8_000)
        #expect(try message(path).contains("longer than 10 minutes"))
    }

    @Test func randomDamage_neverCrashes() throws {
        var generator = SystemRandomNumberGenerator()
        for name in ["a.wav", "a.flac"] {
            let whole = try Data(contentsOf: URL(fileURLWithPath: make(name, from: AudioTools.counting(3_000))))
            for _ in 0..<150 {
                var bytes = whole
                for _ in 0..<Int.random(in: 1...8, using: &generator) {
                    // Mostly the header, where the meaning is.
                    let place = Int.random(in: 0..<(Bool.random() ? 64 : bytes.count), using: &generator)
                    bytes[place] = UInt8.random(in: 0...255, using: &generator)
                }
                try bytes.write(to: URL(fileURLWithPath: folder.file("damaged")))
                do {
                    _ = try reader.read(path: folder.file("damaged"))
                } catch is SoundFileFailure {}
            }
        }
    }
}
