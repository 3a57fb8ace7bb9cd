import Domain
import Devices
import Foundation
import Logging
import RingRenderer
import Synchronization
import SystemTestKit
import Testing

@testable import PanelGPIO

/// The button's contact on synthetic edges.
@Suite struct DebouncerTests {
    /// Feeds levels at times in milliseconds, looks at the line when it asks for it, and collects the edges.
    private func edges(_ changes: [(Int, Bool)], until end: Int, from rest: Bool = false, busy: Range<Int> = 0..<0)
        -> [String]
    {
        var debouncer = Debouncer(isPressed: rest)
        var level = rest
        var found: [String] = []
        func note(_ edge: (edge: ButtonEdge, time: Duration)?, _ time: Int) {
            guard let edge else { return }
            found.append("\(edge.edge.rawValue)@\(Int(edge.time / .milliseconds(1))), told@\(time)")
        }
        for time in 0...end {
            for change in changes where change.0 == time {
                level = change.1
                note(debouncer.changed(to: level, at: .milliseconds(time)), time)
            }
            // A thread that was kept from running looks late.
            guard !busy.contains(time) else { continue }
            note(debouncer.poll(level: level, at: .milliseconds(time)), time)
        }
        return found
    }

    @Test func cleanPress_countsAfterFiveMilliseconds() {
        #expect(edges([(10, true), (80, false)], until: 100) == ["pressed@10, told@15", "released@80, told@85"])
    }

    @Test func chatter_isOnePress() {
        let chatter = [(10, true), (11, false), (12, true), (14, false), (15, true), (18, true)]
        #expect(edges(chatter, until: 60) == ["pressed@10, told@23"])
    }

    @Test func spikeShorterThanTheWindow_isNothing() {
        #expect(edges([(10, true), (13, false)], until: 60).isEmpty)
        #expect(edges([(10, false), (14, true)], until: 60, from: true).isEmpty)
    }

    @Test func buttonHeldAtStart_isNoPress_andItsReleaseIsSeen() {
        #expect(edges([(30, false)], until: 60, from: true) == ["released@30, told@35"])
    }

    @Test func lostLastEdge_isFoundByLookingAtTheLine() {
        var debouncer = Debouncer(isPressed: false)
        #expect(debouncer.changed(to: true, at: .milliseconds(10)) == nil)
        // The kernel dropped the edge back: the line is inactive although the last edge said active.
        #expect(debouncer.poll(level: false, at: .milliseconds(15)) == nil)
        #expect(debouncer.poll(level: false, at: .milliseconds(20)) == nil)
        #expect(debouncer.dueAt == nil)
    }

    @Test func pressAndReleaseThatAreToldAtOnce_areBothThere_andTwoTapsAreFourEdges() {
        #expect(
            edges([(10, true), (90, false)], until: 200, busy: 0..<150) == [
                "pressed@10, told@90", "released@90, told@150",
            ])
        #expect(
            edges(
                [(10, true), (11, false), (12, true), (90, false), (150, true), (200, false)], until: 400, busy: 0..<300
            )
                == ["pressed@10, told@90", "released@90, told@150", "pressed@150, told@200", "released@200, told@300"])
        #expect(edges([(10, true), (12, false)], until: 200, busy: 0..<150).isEmpty, "a spike stays one")
    }

    @Test func atRest_itAsksForNothing() {
        #expect(Debouncer(isPressed: false).dueAt == nil)
    }
}

/// What the panel says on a machine without hardware.
@Suite struct GPIOPanelTests {
    private let logger = Logger(label: "test")

    /// What a panel tells of its parts, first of all.
    private func told(_ configuration: GPIOPanelConfiguration) async throws -> (part: PanelPart, state: PanelPartState)
    {
        let (states, continuation) = AsyncStream.makeStream(of: (PanelPart, PanelPartState).self)
        let panel = GPIOPanel(configuration: configuration, logger: logger) { continuation.yield(($0, $1)) }
        defer { panel.close() }
        for await state in states { return state }
        throw CancellationError()
    }

    @Test func missingChip_isNamedWithLineAndRemedy() async throws {
        let line = GPIOLine(chip: "gpiochip97", place: .offset(17), isActiveLow: true, bias: .pullUp)
        let motor = MotorConfiguration(.line(line), helper: MotorTests.helper)
        let told = try await told(GPIOPanelConfiguration(button: line))
        #expect(told.part == .button)
        #expect(
            told.state
                == .failed(
                    "GPIO chip gpiochip97, line 17: the chip does not exist. `gpiodetect` and "
                        + "`gpioinfo` list what there is; correct the board file. "
                        + "(gpiod_chip_open: No such file or directory, 2)"))
        #expect(try await self.told(GPIOPanelConfiguration(motor: motor)).part == .motor)
    }

    @Test(arguments: ["/dev/null", "/dev/gpiochip97", "no such label", "", "97"])
    func anythingThatIsNoChip_isAnError(chip: String) throws {
        let line = GPIOLine(chip: chip, place: .name("GPIO17"))
        let error = try #require(throws: GPIOError.self) { try ButtonPump.source(line) }
        #expect(error.description.contains("line “GPIO17”"))
        #expect(error.problem == "the chip does not exist" || error.problem == "not a GPIO chip", "\(error)")
        #expect(!error.mayLackEdges)
    }

    @Test func lineThatNoChipHas_isNamedWithoutAChip() throws {
        let line = GPIOLine(place: .name("no such line"))
        let error = try #require(throws: GPIOError.self) { try ButtonPump.source(line) }
        #expect(error.description.hasPrefix("GPIO line “no such line”: no chip has a line of this name."))
    }

    @Test func missingSPIDevice_isNamedWithRemedy() async throws {
        let ring = RingConfiguration(count: 12, wire: .spi(device: "/dev/spidev97.0"))
        let told = try await told(GPIOPanelConfiguration(ring: ring))
        #expect(
            told.state
                == .failed(
                    "ring on /dev/spidev97.0: No such file or directory. Turn on SPI in the board's "
                        + "firmware settings, or correct the device in the board file. (open, 2)"))
        let wrong = try #require(throws: SPIError.self) {
            try RingConfiguration(count: 12, wire: .spi(device: "/dev/null")).open()
        }
        #expect(wrong.call == "ioctl" && wrong.code == ENOTTY)
    }

    @Test func partThatAppearsLater_comesByItself() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("late/ring")
        let states = Mutex<[PanelPartState]>([])
        let panel = GPIOPanel(
            configuration: GPIOPanelConfiguration(ring: .init(count: 12, wire: .file(file))), logger: logger
        ) { _, state in states.withLock { $0.append(state) } }
        defer { panel.close() }
        panel.show(.muted, palette: .standard)
        try await eventually("the ring is missed") { states.withLock { !$0.isEmpty } }
        #expect(states.withLock { $0.first } != .ok)
        try FileManager.default.createDirectory(atPath: folder.file("late"), withIntermediateDirectories: true)
        let muted = Data(APA102.frame(Ring(count: 12).pixels(Scene(look: .muted), at: 0)))
        try await eventually("the muted look") { FileManager.default.contents(atPath: file) == muted }
        #expect(states.withLock { $0.last } == .ok)
    }

    @Test func panelWithoutParts_doesNothing() throws {
        let panel = GPIOPanel(configuration: GPIOPanelConfiguration(), logger: logger)
        panel.show(.listening, palette: .van)
        panel.loudness(0.5)
        panel.pulse(.medium)
        panel.setNight(true)
        panel.close()
        panel.close()
    }

    @Test func ringsBytes_areTheLooksFrame_andOffAfterClose() async throws {
        let folder = try TemporaryFolder()
        let file = folder.file("ring")
        let panel = GPIOPanel(
            configuration: GPIOPanelConfiguration(ring: .init(count: 12, wire: .file(file))), logger: logger)
        panel.show(.muted, palette: .standard)
        let muted = Ring(count: 12).pixels(Scene(look: .muted), at: 0)
        let expected = Data(APA102.frame(muted))
        try await eventually("the muted look") { FileManager.default.contents(atPath: file) == expected }
        panel.close()
        let off = Data(APA102.frame(Array(repeating: .black, count: 12)))
        #expect(FileManager.default.contents(atPath: file) == off)
    }

    @Test func everyLookAndPalette_hasItsCounterpart() {
        #expect(Set(RingLook.allCases.map(\.rendered)) == Set(Look.allCases))
        #expect(Set(Domain.Palette.allCases.map(\.rendered)) == Set(RingRenderer.Palette.allCases))
        for look in RingLook.allCases { #expect(look.rendered.rawValue == look.rawValue) }
        for palette in Domain.Palette.allCases { #expect(palette.rendered.rawValue == palette.rawValue) }
    }
}

/// The ring's frames.
@Suite(.serialized) struct RingAnimatorTests {
    /// A driver that keeps what it was given, and can fail.
    private final class Kept: Sendable {
        let frames = Mutex<[[RGB8]]>([])
        let failures = Mutex(0)
        let openings = Mutex(0)
    }

    private final class KeptDriver: RingDriver {
        let kept: Kept
        init(_ kept: Kept) {
            self.kept = kept
            kept.openings.withLock { $0 += 1 }
        }
        func write(_ pixels: [RGB8]) throws {
            let fails = kept.failures.withLock { count in
                defer { count = max(0, count - 1) }
                return count > 0
            }
            if fails { throw SPIError(call: "write", code: EIO, device: "kept") }
            kept.frames.withLock { $0.append(pixels) }
        }
    }

    private func animator(_ kept: Kept) -> RingAnimator {
        RingAnimator(ring: Ring(count: 12), open: { KeptDriver(kept) })
    }

    @Test func staticLook_isOneFrame_andNoMore() async throws {
        let kept = Kept()
        let animator = animator(kept)
        try await eventually("the first frame") { animator.frameCount == 1 }
        animator.show(.muted, palette: .default)
        try await eventually("the muted frame") { animator.frameCount == 2 }
        // Loudness causes no frame; the next look is therefore the third.
        for _ in 0..<100 { animator.setLoudness(0.7) }
        animator.show(.fault, palette: .default)
        try await eventually("the fault frame") { animator.frameCount == 3 }
        animator.stop()
        #expect(kept.frames.withLock { $0.count } == 4, "three looks and off")
        #expect(kept.frames.withLock { $0.last } == Array(repeating: .black, count: 12))
    }

    @Test func anotherProfile_isShownAtOnce_alsoAtNight() async throws {
        let kept = Kept()
        let animator = animator(kept)
        defer { animator.stop() }
        animator.show(.noBroker, palette: .default)
        func picture(_ profile: Profile) -> [RGB8] {
            Ring(count: 12, profile: profile).pixels(Scene(look: .noBroker), at: 0)
        }
        try await eventually("as it came") { kept.frames.withLock { $0.last } == picture(Profile()) }
        var dim = Profile()
        dim.brightness *= 0.5
        animator.use(dim)
        try await eventually("half as bright") { kept.frames.withLock { $0.last } == picture(dim) }
        animator.setNight(true)
        dim.nightCap = 0.2
        animator.use(dim)
        dim.isNight = true
        try await eventually("darker by night") { kept.frames.withLock { $0.last } == picture(dim) }
    }

    @Test func night_isShownAtOnce_andSoIsTheDay() async throws {
        let kept = Kept()
        let animator = animator(kept)
        defer { animator.stop() }
        animator.show(.noBroker, palette: .default)
        let day = Ring(count: 12).pixels(Scene(look: .noBroker), at: 0)
        let night = Ring(count: 12, profile: Profile(isNight: true)).pixels(Scene(look: .noBroker), at: 0)
        try await eventually("by day") { kept.frames.withLock { $0.last } == day }
        animator.setNight(true)
        try await eventually("at night") { kept.frames.withLock { $0.last } == night }
        animator.setNight(false)
        try await eventually("by day again") { kept.frames.withLock { $0.last } == day }
    }

    @Test func animatedLook_isThirtyFramesASecond_andStopsWhenItStands() async throws {
        let kept = Kept()
        let animator = animator(kept)
        animator.show(.thinking, palette: .van)
        try await eventually("it to move") { animator.frameCount > 2 }
        let (start, before) = (ContinuousClock.now, animator.frameCount)
        try await eventually("thirty frames") { animator.frameCount >= before + 30 }
        let rate = Double(animator.frameCount - before) / (start.duration(to: .now) / .seconds(1))
        print("ring: \(rate) frames a second while animated")
        #expect(rate < 36, "a loaded machine may be slower, never faster")
        animator.show(.closed, palette: .van)
        let off = Array(repeating: RGB8.black, count: 12)
        try await eventually("off") { kept.frames.withLock { $0.last } == off }
        animator.stop()
        // The closed look, and off once more at the end: nothing between.
        #expect(kept.frames.withLock { $0.suffix(3).dropLast(2).allSatisfy { $0 != off } })
    }

    @Test func lostRing_isOpenedAgain_andShowsTheLookInForce() async throws {
        let kept = Kept()
        let animator = animator(kept)
        try await eventually("the first frame") { animator.frameCount == 1 }
        kept.failures.withLock { $0 = 1 }
        animator.show(.muted, palette: .default)
        let muted = Ring(count: 12).pixels(Scene(look: .muted), at: 0)
        try await eventually("the muted look") { kept.frames.withLock { $0.last } == muted }
        #expect(kept.openings.withLock { $0 } == 2)
        animator.stop()
    }

    @Test func createAndDestroy_fiftyTimes_survives() throws {
        for _ in 0..<50 {
            let animator = animator(Kept())
            animator.show(.speaking, palette: .finance)
            animator.stop()
            animator.stop()
        }
    }
}

/// The bytes on the wire.
@Suite struct APA102Tests {
    @Test func frame_hasStart_blueGreenRed_andEnoughClocksAtTheEnd() {
        let bytes = APA102.frame([RGB8(1, 2, 3), RGB8(255, 0, 128)])
        #expect(bytes == [0, 0, 0, 0, 0xFF, 3, 2, 1, 0xFF, 128, 0, 255, 0, 0, 0, 0, 0])
        for count in [0, 1, 15, 16, 17, 60, 144, 1_000] {
            let length = APA102.frame(Array(repeating: .black, count: count)).count
            #expect((length - 4 - 4 * count - 4) * 8 >= count / 2)
        }
    }
}

/// The panel of the virtual board.
@Suite struct RecordedPanelTests {
    @Test func injectedEdges_reachTheConsumer_fromTheCallOn() async {
        let panel = RecordedPanel()
        panel.inject(.pressed)
        let edges = panel.edges()
        panel.inject(.pressed)
        panel.inject(.released)
        var seen: [ButtonEdge] = []
        for await edge in edges.prefix(2) { seen.append(edge.edge) }
        #expect(seen == [.pressed, .released])
    }

    @Test func secondConsumer_endsTheFirst() async {
        let panel = RecordedPanel()
        let first = panel.edges()
        let second = panel.edges()
        for await _ in first { Issue.record("an edge for the first consumer") }
        panel.inject(.pressed)
        for await edge in second.prefix(1) { #expect(edge.edge == .pressed) }
    }

    @Test func looksAndPulses_areRecordedInOrder_bounded_andHandedOn() {
        let box = HandedBox()
        let panel = RecordedPanel { event in box.events.withLock { $0.append(event) } }
        panel.pulse(.medium)
        panel.show(.listening, palette: .emergency)
        panel.loudness(0.4)
        #expect(panel.recorded == [.pulse(.medium), .look(.listening, .emergency)])
        #expect(panel.lastLoudness == 0.4)
        for _ in 0..<(RecordedPanel.capacity + 5) { panel.pulse(.light) }
        #expect(panel.recorded.count == RecordedPanel.capacity)
        #expect(box.events.withLock { $0.count } == RecordedPanel.capacity + 7)
    }

    private final class HandedBox: Sendable {
        let events = Mutex<[PanelEvent]>([])
    }
}
