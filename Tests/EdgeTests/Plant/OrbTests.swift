import RingRenderer
import Testing

/// The ring as a screen draws it.
@Suite struct OrbTests {
    private func squares(
        _ look: Look, at time: Double = 0.5, loudness: Double = 0, palette: Palette = .default,
        profile: Profile = Profile(gamma: 1)
    ) -> [[RGB8]] {
        let scene = Scene(look: look, palette: palette, at: 0)
        let cells = Orb(columns: 40, rows: 20, profile: profile).cells(scene, at: time, loudness: loudness)
        return cells.flatMap { row in [row.map(\.upper), row.map(\.lower)] }
    }

    private func lit(_ squares: [[RGB8]]) -> Int { squares.joined().count { $0 != .black } }

    @Test func orb_growsWithTheVoice() {
        let counts = [0, 0.25, 0.5, 0.75, 1].map { lit(squares(.listening, loudness: $0)) }
        #expect(counts == counts.sorted() && counts[4] > counts[0] * 3 / 2, "\(counts)")
    }

    @Test func core_isWhite_andOutsideIsBlack() {
        let squares = squares(.speaking)
        #expect(squares[20][20] == RGB8(255, 255, 255))
        for corner in [squares[0][0], squares[0][39], squares[39][0], squares[39][39]] { #expect(corner == .black) }
    }

    @Test func edge_isSoft_andBetweenCoreAndRingIsDark() {
        let row = squares(.listening, loudness: 1)[20]
        let light = row[20...].map { Int($0.red) + Int($0.green) + Int($0.blue) }
        #expect(light.min() == 0, "there is a gap")
        #expect(light.contains { (1...200).contains($0) }, "there is a soft edge: \(light)")
    }

    @Test func gradient_turns_andEveryPaletteIsItsOwn() {
        #expect(squares(.thinking, at: 1) != squares(.thinking, at: 1.2))
        let pictures = Palette.allCases.map { squares(.speaking, palette: $0) }
        for (place, picture) in pictures.enumerated() { #expect(!pictures[..<place].contains(picture)) }
    }

    @Test func looksThatStandStill_differ_alsoAtNight_andNeverMove() {
        let looks = Look.allCases.filter { !$0.isAnimated }
        let night = Profile(isNight: true, showsClosedDot: true, gamma: 1)
        let shapes = looks.map { look in squares(look, profile: night).map { $0.map { $0 != .black } } }
        for (place, shape) in shapes.enumerated() { #expect(!shapes[..<place].contains(shape), "\(looks[place])") }
        for look in looks { #expect(squares(look, at: 0) == squares(look, at: 99)) }
    }

    @Test(arguments: Look.allCases) func night_isRedOnly_andDarkIsDark(look: Look) {
        let night = squares(look, profile: Profile(isNight: true, gamma: 1)).joined()
        #expect(night.allSatisfy { $0.green == 0 && $0.blue == 0 && $0.red <= 77 })
        #expect(lit(squares(look, profile: Profile(brightness: 0, gamma: 1))) == 0)
    }

    @Test(arguments: [(0, 0), (1, 1), (-3, 5), (200, 3), (3, 200)]) func anyGrid_isFilled(columns: Int, rows: Int) {
        for look in Look.allCases {
            let cells = Orb(columns: columns, rows: rows).cells(Scene(look: look), at: 1, loudness: .nan)
            #expect(cells.count == max(0, rows) && cells.allSatisfy { $0.count == max(0, columns) })
        }
    }
}
