import Control
import Foundation
import Testing

extension ScenarioTests {
    /// The database cannot be used. The appliance stays up, says so and answers emergencies.
    @Suite(.serialized) struct StoreTests {
        static let apology = "Sorry, I couldn't write that down. Nothing was changed."

        static let damage =
            "My records are damaged, so I can't look anything up or write anything down, and there's no good backup."

        /// - Parameter announced: what is told once behind the first reply.
        private func checkDegraded(_ van: VanUnderTest, announced: String? = nil) async throws {
            let part = try #require(try await van.part("store"))
            #expect(part.state == .failed)
            #expect(part.detail.contains(van.data), "\(part.detail)")
            #expect(part.advice != nil)
            let logged = try await van.hear("log diesel for fifty pounds")
            #expect(logged.reply == [Self.apology, announced].compactMap(\.self).joined(separator: " "))
            #expect(logged.outcome == .failed)
            let gas = try await van.hear("I can smell gas")
            #expect(gas.reply.hasPrefix("No flames, no switches."))
            #expect(gas.outcome == .done)
            #expect(try await van.say("what's the emergency number").reply == "The emergency number here is 9 9 9.")
            #expect(try await van.say("help me").reply.contains("9 9 9"))
            let listing = try await van.vanorb("ledger", "list")
            #expect(listing.status == 1)
            #expect(listing.lines.joined().contains(van.data), "\(listing.lines)")
        }

        @Test func damagedDatabase_isKept_andEmergenciesAreAnswered() async throws {
            let folder = try TemporaryFolder()
            let garbage = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 9) })
            let file = URL(fileURLWithPath: folder.file("vanorb.sqlite"))
            try garbage.write(to: file)
            let van = try await VanUnderTest(Setup(hasBroker: false, data: folder.path))
            defer { van.end() }
            try await checkDegraded(van, announced: Self.damage)
            try await van.stop()
            #expect(try Data(contentsOf: file) == garbage, "the damaged file must be kept as it was")
        }

        @Test func readOnlyData_isSaid_andEmergenciesAreAnswered() async throws {
            let folder = try TemporaryFolder()
            let data = folder.file("data")
            try FileManager.default.copyItem(atPath: Workshop.shared().seededData, toPath: data)
            // Root may write where it has no right to, unless that power is dropped.
            let launcher = getuid() == 0 ? ["/usr/bin/setpriv", "--bounding-set=-dac_override"] : []
            let files = FileManager.default
            for name in try files.contentsOfDirectory(atPath: data) where name != "speech" {
                try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: "\(data)/\(name)")
            }
            try files.setAttributes([.posixPermissions: 0o555], ofItemAtPath: data)
            defer { try? files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data) }
            let van = try await VanUnderTest(Setup(hasBroker: false, data: data, launcher: launcher))
            defer { van.end() }
            try await checkDegraded(van)
            try await van.stop()
        }
    }
}
