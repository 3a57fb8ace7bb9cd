import Domain
import AudioALSA
import Foundation
import SystemTestKit
import Testing

/// Looking whether a device can be opened, through real ALSA.
@Suite(.serialized) struct DeviceProbeTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func reason(_ probe: () async throws -> Void) async -> DeviceFailure.Reason? {
        do {
            try await probe()
            return nil
        } catch { return (error as? DeviceFailure)?.reason }
    }

    @Test(arguments: ["hw:7", "plughw:CARD=gone", "nonesuch"])
    func cardThatIsNotThere_isMissing(name: String) async throws {
        let configuration = try ALSAConfiguration()
        let microphone = ALSAMicrophone(device: name, configuration: configuration, logger: AudioTools.logger)
        let speaker = ALSASpeaker(media: name, speech: name, configuration: configuration, logger: AudioTools.logger)
        #expect(await reason { try await microphone.probe() } == .missing)
        #expect(await reason { try await speaker.probe(.speech) } == .missing)
        #expect(await reason { try await speaker.probe(.media) } == .missing)
    }

    @Test(arguments: [
        (TestCard.Fault.none, nil), (.busy, DeviceFailure.Reason.busy), (.denied, .noPermission),
    ])
    func card_isTold(fault: TestCard.Fault, expected: DeviceFailure.Reason?) async throws {
        let card = try TestCard(in: folder, fault: fault)
        let microphone = ALSAMicrophone(
            device: "card", configuration: card.configuration, logger: AudioTools.logger)
        for _ in 0..<3 { #expect(await reason { try await microphone.probe() } == expected) }
    }

    @Test func probedFile_isNotWritten() async throws {
        let speaker = ALSASpeaker(
            media: "media", speech: "speech", configuration: try folder.players("media", "speech"),
            logger: AudioTools.logger)
        try await speaker.probe(.speech)
        try await speaker.probe(.media)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test func microphoneThatIsBusyForAMoment_isWaitedFor() async throws {
        let card = try TestCard(in: folder)
        func microphone() -> ALSAMicrophone {
            ALSAMicrophone(device: "card", configuration: card.configuration, logger: AudioTools.logger)
        }
        let other = try await microphone().open(.room)
        let opening = Task { try await microphone().open(.room) }
        // As a rule the second tries in vain by now; it succeeds either way. Other suites may have microphones, too.
        try? await eventually("a second thread", within: .milliseconds(100)) {
            AudioTools.threadNames().count { $0 == "vanorb-mic" } > 1
        }
        other.close()
        let capture = try await opening.value
        #expect(try await AudioTools.capture(512, from: capture).count == 512)
        capture.close()
    }
}
