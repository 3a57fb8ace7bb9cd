import AudioALSA
import Testing

@Suite struct ChimeSynthesiserTests {
    @Test(arguments: ChimeSynthesiser.Kind.allCases, [16_000, 22_050, 48_000])
    func chime_isShort_andHasNoClicks(kind: ChimeSynthesiser.Kind, rate: Int) {
        let chime = ChimeSynthesiser.chime(kind, sampleRate: rate)
        #expect(chime.sampleRate == rate)
        #expect(chime.duration <= .milliseconds(180))
        #expect(chime.samples.first == 0)
        #expect(chime.samples.last == 0)
        #expect(chime.samples.contains { $0 > 8_000 })
        // The steepest step of the highest partial at full amplitude, with some room: a click would be steeper.
        let steepest = zip(chime.samples, chime.samples.dropFirst()).map { abs(Int($0) - Int($1)) }.max() ?? 0
        #expect(Double(steepest) < 16_384 * 2 * Double.pi * 1_174.66 / Double(rate) * 1.3)
    }

    @Test func kinds_soundDifferent() {
        let sounds = ChimeSynthesiser.Kind.allCases.map { ChimeSynthesiser.chime($0).samples }
        #expect(Set(sounds).count == sounds.count)
    }
}
