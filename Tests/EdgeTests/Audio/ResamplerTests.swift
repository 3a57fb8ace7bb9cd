import SignalProcessing
import Testing

@Suite struct ResamplerTests {
    /// Root mean square of the difference, skipping the ends, where any filter rings.
    private func error(_ got: [Int16], _ wanted: [Int16], skipping edge: Int) -> Double {
        let pairs = zip(got, wanted).dropFirst(edge).dropLast(edge)
        let sum = pairs.reduce(0.0) { $0 + Double(Int($1.0) - Int($1.1)) * Double(Int($1.0) - Int($1.1)) }
        return (sum / Double(max(1, pairs.count))).squareRoot()
    }

    @Test(arguments: [8_000, 11_025, 22_050, 44_100, 48_000, 96_000])
    func tone_keepsPitchLevelAndPlace(rate: Int) throws {
        let tone = AudioTools.sine(hertz: 1_000, seconds: 0.5, rate: rate)
        let wanted = AudioTools.sine(hertz: 1_000, seconds: 0.5, rate: 16_000)
        let got = try Resampler.convert(tone, from: rate)
        #expect(abs(got.count - wanted.count) <= 1)
        // 8 000 is the tone's peak: an error of 80 is 37 dB below it.
        #expect(error(got, wanted, skipping: 400) < 80)
    }

    @Test func toneAboveTheNewRange_isRemoved() throws {
        let got = try Resampler.convert(AudioTools.sine(hertz: 12_000, seconds: 0.5, rate: 48_000), from: 48_000)
        #expect(error(got, [Int16](repeating: 0, count: got.count), skipping: 400) < 20)
    }

    @Test func pieces_giveTheSameAsTheWhole() throws {
        let tone = AudioTools.sine(hertz: 700, seconds: 0.3, rate: 44_100)
        let resampler = try Resampler(from: 44_100, to: 16_000)
        var got: [Int16] = []
        var rest = tone[...]
        var size = 1
        while !rest.isEmpty {
            got += try resampler.process(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
            size = size * 3 % 997 + 1
        }
        got += try resampler.finish()
        #expect(got == (try Resampler.convert(tone, from: 44_100)))
    }

    @Test func equalRates_changeNothing() throws {
        #expect(try Resampler.convert([1, 2, 3], from: 16_000) == [1, 2, 3])
    }

    @Test(arguments: [0, 1, 2])
    func tinySounds_areConverted(count: Int) throws {
        let got = try Resampler.convert([Int16](repeating: 100, count: count), from: 8_000)
        #expect(got.count == count * 2)
    }

    @Test(arguments: [0, -1, 1_000_000])
    func impossibleRate_isRefused(rate: Int) {
        #expect(throws: SpeexError.self) { try Resampler(from: rate, to: 16_000) }
    }

    @Test func impossibleQuality_isRefused() {
        let error = #expect(throws: SpeexError.self) { try Resampler(from: 8_000, to: 16_000, quality: 11) }
        #expect(error?.description == "speex_resampler_init: invalid argument (3)")
    }
}
