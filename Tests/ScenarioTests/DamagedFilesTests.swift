import Control
import Foundation
import SystemTestKit
import Testing

/// What is done to a file.
private enum Damage: Sendable, CustomTestStringConvertible {
    case cut(to: Double)
    /// Bits that are turned over, at places that the number draws.
    case flipped(bits: Int, seed: UInt64)
    /// Blocks of 4 kB that read as zero, as a worn card gives them back, at places that the number draws.
    case blank(blocks: Int, seed: UInt64)

    var testDescription: String {
        switch self {
        case .cut(let share): "cut to \(share)"
        case .flipped(let bits, let seed): "\(bits) bits turned over, seed \(seed)"
        case .blank(let blocks, let seed): "\(blocks) blocks blank, seed \(seed)"
        }
    }

    func apply(to path: String) throws {
        var data = try Data(contentsOf: URL(filePath: path))
        var state: UInt64 = 0
        func place(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(max(1, count)))
        }
        switch self {
        case .cut(let share): data = data.prefix(Int(Double(data.count) * share))
        case .flipped(let bits, let seed):
            state = seed
            for _ in 0..<bits { data[place(data.count)] ^= UInt8(1 << place(8)) }
        case .blank(let blocks, let seed):
            state = seed
            for _ in 0..<blocks {
                let start = place(data.count / 4_096 + 1) * 4_096
                for index in start..<min(start + 4_096, data.count) { data[index] = 0 }
            }
        }
        try data.write(to: URL(filePath: path))
    }
}

extension ScenarioTests {
    /// Files of the optional parts that are damaged. What reads them may end its process; the daemon's it never is.
    @Suite(.serialized) struct DamagedFilesTests {
        /// Emergencies are answered and devices obey, at once and after the next start.
        private func staysUp(_ van: VanUnderTest, part: String) async throws {
            for isRestarted in [false, true] {
                if isRestarted { try await van.restart() }
                let emergency = try await van.say("there is a fire")
                #expect(emergency.handler == "emergency")
                #expect(emergency.reply.contains("Everybody out"), "answered “\(emergency.reply)”")
                let pump = try await van.say("turn on the water pump")
                #expect(pump.outcome == .done, "answered “\(pump.reply)”")
                #expect(van.daemon.isRunning)
            }
            let known = try #require(try await van.part(part))
            #expect(known.state == .failed, "\(known)")
            #expect(known.detail.contains("cannot be used"), "\(known)")
        }

        @Test(arguments: [
            ("mdef", Damage.cut(to: 0.5)),
            // Loads, and would end the process that hears certain sounds with it.
            ("mdef", .blank(blocks: 40, seed: 3)),
            ("transition_matrices", .cut(to: 0)), ("means", .flipped(bits: 1, seed: 2)),
            ("sendump", .cut(to: 0.001)),
        ])
        fileprivate func damagedAcousticModel_isLeftOut_andAllElseGoesOn(file: String, damage: Damage) async throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let model = folder.file("model")
            try FileManager.default.copyItem(atPath: "/usr/share/pocketsphinx/model/en-us", toPath: model)
            try damage.apply(to: "\(model)/en-us/\(file)")
            let van = try await VanUnderTest(Setup(settings: ["paths.acoustic_model=\(model)"]))
            defer { van.end() }
            try await staysUp(van, part: "recogniser")
        }

        @Test func damagedAcousticModel_thatIsInstalledAgain_isFound() async throws {
            let folder = try TemporaryFolder()
            defer { folder.remove() }
            let model = folder.file("model"), whole = "/usr/share/pocketsphinx/model/en-us"
            try FileManager.default.copyItem(atPath: whole, toPath: model)
            try Damage.cut(to: 0.5).apply(to: "\(model)/en-us/mdef")
            let van = try await VanUnderTest(Setup(hasBroker: false, settings: ["paths.acoustic_model=\(model)"]))
            defer { van.end() }
            #expect(try await van.part("recogniser")?.state == .failed)
            try FileManager.default.removeItem(atPath: "\(model)/en-us/mdef")
            try FileManager.default.copyItem(atPath: "\(whole)/en-us/mdef", toPath: "\(model)/en-us/mdef")
            try await eventually("the recogniser to recover") { try await van.part("recogniser")?.state == .ok }
            #expect(try await van.hear("where is the tow rope").reply == "The tow rope is in the garage.")
        }

        @Test(arguments: [
            ("phonindex", Damage.cut(to: 0.1)), ("en_dict", .cut(to: 0.001)), ("intonations", .cut(to: 0)),
        ])
        fileprivate func damagedVoiceData_isLeftOut_andAllElseGoesOn(file: String, damage: Damage) async throws {
            let folder = try TemporaryFolder(), data = try #require(Self.voiceData)
            defer { folder.remove() }
            try FileManager.default.copyItem(atPath: data, toPath: folder.file("espeak-ng-data"))
            try damage.apply(to: folder.file("espeak-ng-data/\(file)"))
            let van = try await VanUnderTest(
                Setup(launcher: ["/usr/bin/env", "ESPEAK_DATA_PATH=\(folder.path)"]))
            defer { van.end() }
            try await staysUp(van, part: "voice")
        }

        /// Where Debian's package put it.
        private static let voiceData = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/espeak-ng-data" }
            .first { FileManager.default.fileExists(atPath: $0) }
    }
}
