import Domain
import Foundation
import SystemTestKit
import Testing

@testable import AudioALSA

/// Lowering and giving back, through ALSA's own mixer on the controls of a card for tests.
@Suite(.serialized) struct DuckerTests {
    private let folder: TemporaryFolder, card: TestMixer, health = Health()
    private var note: String { folder.file("ducked.json") }
    private static let music = MixerControl(card: "card", control: "Music")
    private static let plain = MixerControl(card: "card", control: "Plain")

    init() throws {
        folder = try TemporaryFolder()
        card = try TestMixer(in: folder)
    }

    private func ducker(_ controls: MixerControl..., decibels: Double = 20) -> Ducker {
        Ducker(
            controls.map { .init(control: $0, decibels: decibels) }, file: note, configuration: card.configuration,
            health: health, logger: AudioTools.logger)
    }

    private var hasNote: Bool { FileManager.default.fileExists(atPath: note) }

    @Test func channelsAreLoweredByTheDecibels_andGivenBack() async throws {
        let ducker = ducker(Self.music, Self.plain)
        ducker.duck()
        await ducker.settled()
        // 20 dB are 40 steps of half a decibel; where there are no decibels, a tenth of the amplitude.
        #expect(card.music == [40, 30])
        #expect(card.plain == 50)
        #expect(hasNote)
        #expect(health.part("ducking")?.state == .ok)
        ducker.restore()
        await ducker.settled()
        #expect(card.music == [80, 70])
        #expect(card.plain == 500)
        #expect(!hasNote)
    }

    @Test func duckingAgain_keepsTheOwnersVolume() async throws {
        let ducker = ducker(Self.music)
        for _ in 0..<3 { ducker.duck() }
        await ducker.settled()
        #expect(card.music == [40, 30])
        for _ in 0..<2 { ducker.restore() }
        await ducker.settled()
        #expect(card.music == [80, 70])
    }

    @Test func moreThanThereIs_isTheLowest_andSilenceStays() async throws {
        let ducker = ducker(Self.music, decibels: 60)
        card.set(music: [80, 0])
        ducker.duck()
        await ducker.settled()
        #expect(card.music == [0, 0])
        ducker.restore()
        await ducker.settled()
        #expect(card.music == [80, 0])
    }

    @Test func volumeThatTheOwnerSetsMeanwhile_stays() async throws {
        let ducker = ducker(Self.music, Self.plain)
        ducker.duck()
        await ducker.settled()
        card.set(music: [55, 30])
        ducker.restore()
        await ducker.settled()
        #expect(card.music == [55, 30])
        #expect(card.plain == 500, "each control by itself")
        #expect(!hasNote)
    }

    @Test func crash_isMadeGoodFromTheNoteAlone() async throws {
        let crashed = ducker(Self.music, Self.plain)
        crashed.duck()
        await crashed.settled()
        #expect(Ducker.restoreLeftovers(file: note, configuration: card.configuration).isEmpty)
        #expect(card.music == [80, 70])
        #expect(card.plain == 500)
        #expect(!hasNote)
        #expect(Ducker.restoreLeftovers(file: note).isEmpty, "nothing is left to do")
    }

    @Test func crashBetweenNoteAndVolume_changesNothing() throws {
        try DuckedNote(entries: [.init(control: Self.music, before: [80, 70], set: [40, 30])]).write(to: note)
        #expect(Ducker.restoreLeftovers(file: note, configuration: card.configuration).isEmpty)
        #expect(card.music == [80, 70])
        #expect(!hasNote)
    }

    @Test func crashWhileLowered_thenANewStart_doesNotTakeTheLoweredVolumeForTheOwners() async throws {
        let crashed = ducker(Self.music)
        crashed.duck()
        await crashed.settled()
        let next = ducker(Self.music)
        next.duck()
        next.restore()
        await next.settled()
        #expect(card.music == [80, 70])
    }

    @Test func cardGoneMeanwhile_isGivenBackWhenItReturns() async throws {
        let ducker = ducker(Self.music)
        ducker.duck()
        await ducker.settled()
        try card.unplug()
        ducker.restore()
        await ducker.settled()
        #expect(hasNote)
        #expect(health.part("ducking")?.state == .warning)
        try card.plugIn()
        ducker.duck()
        ducker.restore()
        await ducker.settled()
        #expect(card.music == [80, 70])
        #expect(!hasNote)
    }

    @Test(arguments: [
        (MixerControl(card: "card", control: "Radio"), "it has: Music, Plain, Speech"),
        (MixerControl(card: "hw:97", control: "Music"), "snd_ctl_open"),
        (MixerControl(card: "card", control: "Music", index: 1), "“Music”,1 of card"),
    ])
    func whatIsNotThere_isAWarningWithAdvice_andTheRestIsLowered(missing: MixerControl, detail: String) async throws {
        let ducker = ducker(missing, Self.music)
        ducker.check()
        await ducker.settled()
        let part = try #require(health.part("ducking"))
        #expect(part.state == .warning)
        #expect(part.detail.contains(detail), "\(part.detail)")
        #expect(part.advice?.contains("amixer") == true)
        ducker.duck()
        await ducker.settled()
        #expect(card.music == [40, 30])
    }

    @Test func noteThatCannotBeWritten_leavesTheVolumeAlone() async throws {
        let ducker = Ducker(
            [.init(control: Self.music, decibels: 20)], file: folder.file("nowhere/ducked.json"),
            configuration: card.configuration, health: health, logger: AudioTools.logger)
        ducker.duck()
        await ducker.settled()
        #expect(card.music == [80, 70], "what could not be given back after a crash is not taken")
        #expect(health.part("ducking")?.state == .warning)
    }

    @Test func damagedNote_isNoNote() throws {
        try Data("{".utf8).write(to: URL(filePath: note))
        #expect(Ducker.restoreLeftovers(file: note, configuration: card.configuration).isEmpty)
        #expect(!hasNote)
    }

    @Test func cardThatRounds_isGivenBackAllTheSame() async throws {
        let mixer = RoundingMixer()
        let ducker = Ducker(
            [.init(control: Self.music, decibels: 20)], file: note, mixer: mixer, health: health,
            logger: AudioTools.logger)
        ducker.duck()
        await ducker.settled()
        #expect(mixer.volume == 30)
        ducker.restore()
        await ducker.settled()
        #expect(mixer.volume == 90)
    }

    @Test func outputs_areReadAndSet() throws {
        let speech = MixerControl(card: "card", control: "Speech")
        func setUp(_ percent: Int?) {
            OutputVolumes(
                [.init(output: .speech, control: speech, percent: percent)], configuration: card.configuration,
                health: health
            ).setUp()
        }
        setUp(nil)
        #expect(health.part("speech volume")?.detail == "“Speech” of card at 50 %")
        #expect(health.part("speech volume")?.state == .ok)
        setUp(80)
        #expect(card.speech == 16)
        setUp(0)
        #expect(health.part("speech volume")?.state == .warning)
        card.set(speech: 10, isSpeechOn: false)
        setUp(nil)
        #expect(health.part("speech volume")?.detail.hasSuffix("muted") == true)
    }
}

/// A card that has every tenth step only.
private final class RoundingMixer: Mixer, @unchecked Sendable {
    // Unchecked: used on the ducker's queue, and read when that is settled.
    private(set) var volume = 90

    private final class Element: MixerElement {
        let owner: RoundingMixer
        let volumes: [Int], range = 0...100, isOn = true
        init(_ owner: RoundingMixer) { (self.owner, volumes) = (owner, [owner.volume]) }
        func lowered(by decibels: Double) -> [Int] { volumes.map { $0 - 53 } }
        func set(_ volumes: [Int]) { owner.volume = (volumes.first ?? 0) / 10 * 10 }
    }

    func open(_ control: MixerControl) -> any MixerElement { Element(self) }
}

extension Health {
    func part(_ name: String) -> PartHealth? { all.first { $0.name == name } }
}
