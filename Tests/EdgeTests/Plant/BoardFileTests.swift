import Configuration
import AudioALSA
import Foundation
import PanelGPIO
import SystemTestKit
import Testing

@testable import Setup

/// The board files that ship.
@Suite struct BoardFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../board").standardized.path

    private static var files: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { $0.hasSuffix(".yaml") }.sorted()
    }

    private func board(_ name: String) throws -> Board { try Board(file: "\(Self.folder)/\(name)", run: "/run/vanorb") }

    @Test(arguments: files) func everyBoardFile_isRead(name: String) throws {
        let board = try board(name)
        #expect(board.microphone != nil && board.speaker != nil)
        #expect(!board.name.isEmpty)
    }

    @Test func boardsOfRaspberryPis_nameTheirLines_soThatAnyChipWillDo() throws {
        #expect(Self.files.count >= 4)
        for name in Self.files where name != "virtual.yaml" {
            let board = try board(name)
            for line in [board.button, board.motor?.line].compactMap({ $0 }) + (board.ring?.lines ?? []) {
                #expect(line.chip == nil, "\(name): \(line.wording)")
            }
        }
    }

    @Test func rings_areThoseOfTheBoards() throws {
        let two = try #require(board("respeaker-2mic.yaml").ring),
            four = try #require(board("respeaker-4mic.yaml").ring)
        #expect(two.count == 3 && two.wire == .spi(device: "/dev/spidev0.1"))
        #expect(four.count == 12 && four.power == GPIOLine(place: .name("GPIO5")))
        #expect(try board("bare-usb.yaml").ring?.leds.kind == .ws2812)
    }

    @Test(arguments: [
        ("button: {line: 17}", "expected {line: GPIO17}"),
        ("button: {chip: gpiochip0}", "expected {line: GPIO17}"),
        ("ring: {count: 12}", "expected one of: spi"),
    ]) func wrongLine_isRefused_withItsPlace(text: String, expected: String) throws {
        let folder = try TemporaryFolder()
        try text.write(toFile: folder.file("board.yaml"), atomically: true, encoding: .utf8)
        let error = try #require(throws: ConfigurationError.self) {
            try Board(file: folder.file("board.yaml"), run: "")
        }
        #expect("\(error)".contains(expected) && "\(error)".contains("board.yaml:1"), "\(error)")
    }
}

/// What `--check` says of a machine.
@Suite struct BoardCheckTests {
    private struct Missing: Error, CustomStringConvertible { let description: String }

    private func board(_ text: String) throws -> Board {
        let folder = try TemporaryFolder()
        try text.write(toFile: folder.file("board.yaml"), atomically: true, encoding: .utf8)
        return try Board(file: folder.file("board.yaml"), run: folder.file("run"))
    }

    private static let whole = """
        microphone: {device: "hw:CARD=mic"}
        speaker: {media: "hw:CARD=one", speech: "hw:CARD=two"}
        button: {line: GPIO17}
        motor: {line: GPIO27}
        ring: {count: 12, spi: /dev/spidev0.0, power: {line: GPIO5}}
        """

    private func probes(_ change: (inout BoardCheck.Probes) -> Void = { _ in }) -> BoardCheck.Probes {
        var probes = BoardCheck.Probes()
        probes.user = { _ in nil }
        probes.ring = { _ in }
        probes.sound = { _, _, _ in }
        probes.mixer = { _, _ in }
        change(&probes)
        return probes
    }

    @Test func completeMachine_hasNoFindings() throws {
        #expect(BoardCheck(probes: probes()).findings(of: try board(Self.whole)).isEmpty)
    }

    @Test func everythingMissing_isListed_partByPart() throws {
        let probes = probes { probes in
            probes.user = { throw Missing(description: "no \($0.wording).") }
            probes.ring = { _ in throw Missing(description: "no bus.") }
            probes.sound = { device, isCapture, _ in throw Missing(description: isCapture ? "deaf" : "dumb") }
        }
        let lines = BoardCheck(probes: probes).findings(of: try board(Self.whole)).map(\.line)
        #expect(
            lines == [
                "microphone: can't open the sound device “hw:CARD=mic”: deaf. Name one that `arecord -L` lists in the "
                    + "board file.",
                "speaker (media): can't open the sound device “hw:CARD=one”: dumb. Name one that `aplay -L` lists in the "
                    + "board file.",
                "speaker (speech): can't open the sound device “hw:CARD=two”: dumb. Name one that `aplay -L` lists in the "
                    + "board file.",
                "button: no line “GPIO17”.", "motor: no line “GPIO27”.", "ring: no bus.", "ring: no line “GPIO5”.",
            ])
    }

    @Test func volumeThatIsNotThere_isNamed() throws {
        let probes = probes { $0.mixer = { control, _ in throw Missing(description: "no \(control.control)") } }
        let board = try board(
            """
            speaker:
              speech: "hw:0"
              speech_control: {card: "hw:0", control: PCM}
              ducking: {card: "hw:0", control: Music}
            """)
        #expect(
            BoardCheck(probes: probes).findings(of: board).map(\.line) == [
                "mixer: no volume control “PCM” of hw:0: no PCM. Name one that `amixer -D hw:0 scontrols` lists.",
                "mixer: no volume control “Music” of hw:0: no Music. Name one that `amixer -D hw:0 scontrols` lists.",
            ])
    }

    @Test func lineThatIsHeld_isNamedWithItsHolder_butNotWhereThatIsVanOrb() throws {
        func lines(_ user: String) throws -> [String] {
            let probes = probes { $0.user = { line in line.wording.contains("17") ? user : nil } }
            return BoardCheck(probes: probes).findings(of: try board(Self.whole)).map(\.line)
        }
        #expect(try lines("vanorb").isEmpty)
        #expect(
            try lines("gpio-keys") == [
                "button: “gpio-keys” uses GPIO line “GPIO17”. Stop it, remove its overlay, or name another line "
                    + "in the board file."
            ])
        #expect(try lines("").first?.contains("the kernel uses") == true)
    }

    @Test func boardOfEvents_needsNothing() throws {
        let probes = probes { $0.sound = { _, _, _ in throw Missing(description: "asked") } }
        let board = try board("microphone: {device: x}\nbutton: control\nring: recorded\n")
        #expect(BoardCheck(probes: probes).findings(of: board).isEmpty)
    }

    @Test func thisMachine_isAskedForReal() throws {
        let findings = BoardCheck().findings(
            of: try board(
                """
                microphone: {device: "hw:CARD=gone"}
                button: {chip: gpiochip97, line: 17}
                ring: {spi: /dev/spidev97.0}
                """))
        #expect(findings.map(\.part) == ["microphone", "button", "ring"], "\(findings)")
        #expect(findings.last?.problem.contains("Turn on SPI") == true)
    }
}
