import RingRenderer
import Testing

/// The ring's light as a function of what happened when.
@Suite struct RingRendererTests {
    private func scene(_ look: Look, _ palette: RingRenderer.Palette = .default) -> Scene {
        Scene(look: look, palette: palette, at: 0)
    }

    private func lit(_ pixels: [RGB8]) -> Int { pixels.filter { $0 != .black }.count }

    private func light(_ pixel: RGB8) -> Int { Int(pixel.red) + Int(pixel.green) + Int(pixel.blue) }

    @Test func closed_isOff_orOneDimDot() {
        #expect(lit(Ring(count: 24).pixels(scene(.closed), at: 3)) == 0)
        let dot = Ring(count: 24, profile: Profile(showsClosedDot: true)).pixels(scene(.closed), at: 3)
        #expect(lit(dot) == 1)
        #expect(dot.allSatisfy { light($0) < 3 * 64 })
    }

    @Test func listening_growsWithLoudness_fromAQuarterToTheWholeRing() {
        let ring = Ring(count: 24)
        let counts = [0, 0.25, 0.5, 0.75, 1].map { lit(ring.pixels(scene(.listening), at: 0.5, loudness: $0)) }
        #expect(counts == counts.sorted())
        #expect((6...8).contains(counts[0]), "\(counts)")
        #expect(counts[4] == 24)
    }

    @Test func arcsEnds_areBlended_inProportion() {
        let ring = Ring(count: 12, profile: Profile(gamma: 1))
        // The light of the whole ring grows with every small step: no LED is switched on at once.
        let totals = stride(from: 0, through: 1, by: 0.01).map { loudness in
            ring.pixels(scene(.listening), at: 0.5, loudness: loudness).map(light).reduce(0, +)
        }
        for (before, after) in zip(totals, totals.dropFirst()) {
            #expect(after >= before - 3)
            #expect(after - before < 150, "a jump of \(after - before)")
        }
    }

    @Test func core_isTheBrightestLED_andTheWhitest() throws {
        let ring = Ring(count: 24, profile: Profile(gamma: 1))
        for time in stride(from: 0.5, to: 13, by: 0.37) {
            let scene = scene(.speaking)
            let pixels = ring.pixels(scene, at: time)
            let brightest = try #require(pixels.indices.max { light(pixels[$0]) < light(pixels[$1]) })
            let middle = Int(scene.phase(at: time) * 24) % 24
            let distance = min((brightest - middle + 24) % 24, (middle - brightest + 24) % 24)
            #expect(distance <= 1, "brightest \(brightest), middle \(middle) at \(time)")
            let least = min(pixels[brightest].red, pixels[brightest].green, pixels[brightest].blue)
            #expect(least > 90)
        }
    }

    @Test func gradient_turnsInEveryLookOfAnOpenSession_andFastestWhileThinking() {
        func turned(_ look: Look) -> Double { scene(look).phase(at: 1) - scene(look).phase(at: 0.5) }
        for look in [Look.ready, .listening, .speaking] {
            #expect(turned(look) > 0)
            #expect(turned(.thinking) > 5 * turned(look))
        }
    }

    @Test func lookChange_neverJumps() {
        var scene = scene(.ready)
        scene.show(.thinking, palette: .default, at: 7.3)
        let before = (scene.phase(at: 7.3), scene.size(at: 7.3, loudness: 0))
        scene.show(.speaking, palette: .default, at: 7.3)
        #expect(abs(scene.phase(at: 7.3) - before.0) < 1e-9)
        #expect(abs(scene.size(at: 7.3, loudness: 0) - before.1) < 1e-9)
    }

    @Test func paletteChange_fadesOverExactlyOneSecond() {
        let ring = Ring(count: 24, profile: Profile(gamma: 1))
        var fading = scene(.speaking, .default)
        let former = fading
        fading.show(.speaking, palette: .finance, at: 5)
        #expect(ring.pixels(fading, at: 5) == ring.pixels(former, at: 5))
        #expect(ring.pixels(fading, at: 5.999) != ring.pixels(scene(.speaking, .finance), at: 5.999))
        #expect(ring.pixels(fading, at: 6) == ring.pixels(scene(.speaking, .finance), at: 6))
        let half = fading.colour(at: 0.3, time: 5.5)
        let ends = (former.colour(at: 0.3, time: 5.5), scene(.speaking, .finance).colour(at: 0.3, time: 5.5))
        #expect(abs(Int(half.green) - (Int(ends.0.green) + Int(ends.1.green)) / 2) <= 1)
    }

    @Test func paletteChangedInTheMiddleOfAFade_goesOnFromWhatIsSeen() {
        var scene = scene(.speaking, .default)
        scene.show(.speaking, palette: .finance, at: 5)
        let seen = scene.colour(at: 0.1, time: 5.4)
        scene.show(.speaking, palette: .emergency, at: 5.4)
        #expect(scene.colour(at: 0.1, time: 5.4) == seen)
    }

    @Test(arguments: Look.allCases) func night_isRedOnly_andCapped(look: Look) {
        let ring = Ring(count: 24, profile: Profile(isNight: true, nightCap: 0.3, showsClosedDot: true))
        let pixels = ring.pixels(scene(look, .van), at: 2, loudness: 1)
        #expect(pixels.allSatisfy { $0.green == 0 && $0.blue == 0 })
        // 0.3 to the power of 2.2 is 0.071, or 18 of 255.
        #expect(pixels.allSatisfy { $0.red <= 19 })
        #expect(lit(pixels) > 0)
    }

    @Test(arguments: Look.allCases) func brightnessZero_isReallyOff(look: Look) {
        let ring = Ring(count: 24, profile: Profile(brightness: 0, showsClosedDot: true))
        #expect(lit(ring.pixels(scene(look), at: 2, loudness: 1)) == 0)
        #expect(ring.isStatic(scene(look)))
    }

    @Test func gamma_makesHalfTheBrightnessAFifthOfTheLight() {
        let full = Ring(count: 1, profile: Profile(gamma: 1)).pixels(scene(.muted), at: 0)[0].red
        let corrected = Ring(count: 1, profile: Profile(gamma: 2.2)).pixels(scene(.muted), at: 0)[0].red
        #expect(full == 115 && corrected == 44, "0.45 and 0.45 to the power of 2.2: \(full), \(corrected)")
    }

    @Test func staticLooks_needNoFrames_andDifferInShapeAtNight() {
        let ring = Ring(count: 24, profile: Profile(isNight: true, showsClosedDot: true))
        let pictures = [Look.closed, .muted, .fault, .diskNearlyFull, .noBroker].map { look in
            #expect(ring.isStatic(scene(look)))
            #expect(ring.pixels(scene(look), at: 0) == ring.pixels(scene(look), at: 100.5))
            return lit(ring.pixels(scene(look), at: 0))
        }
        #expect(pictures == [1, 24, 3, 20, 2])
        for look in [Look.ready, .listening, .thinking, .speaking] { #expect(!ring.isStatic(scene(look))) }
    }

    @Test(arguments: [8, 12, 16, 24, 60]) func troubles_differInShape(count: Int) {
        let ring = Ring(count: count, profile: Profile(isNight: true, showsClosedDot: true))
        let looks = [Look.closed, .muted, .fault, .diskNearlyFull, .noBroker]
        let shapes = looks.map { look in ring.pixels(scene(look), at: 0).map { $0 != .black } }
        #expect(Set(shapes).count == looks.count)
    }

    @Test(arguments: [0, 1, 2, 3, 7, 300]) func anyNumberOfLEDs_andAnyInput_giveAFrame(count: Int) {
        for look in Look.allCases {
            for loudness in [-1, 0, 0.5, 2, .nan, .infinity] {
                for time in [-5, 0, 1e9] {
                    #expect(Ring(count: count).pixels(scene(look), at: time, loudness: loudness).count == count)
                }
            }
        }
        #expect(Ring(count: -1).pixels(scene(.ready), at: 0).isEmpty)
    }
}
