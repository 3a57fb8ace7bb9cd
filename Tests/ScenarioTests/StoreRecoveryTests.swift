import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// The database cannot be written from the start: devices, emergencies and reading go on, and it recovers by
    /// itself.
    @Suite(.serialized) struct StoreRecoveryTests {
        private static let again = "I can write things down again."

        private func checkReading(_ van: VanUnderTest, entries: Int) async throws {
            let status = try await van.status()
            #expect(status.devices > 10 && status.items > 10, "\(status.devices) devices, \(status.items) items")
            let part = try #require(status.parts.first { $0.name == "store" })
            #expect(
                part.state == .failed && part.advice?.contains("It can be read, but not written.") == true, "\(part)")
            #expect(try await van.say("turn on the water pump").reply == "The water pump is on.")
            let balance = try await van.say("how much money do I have")
            #expect(balance.outcome == .done && balance.reply.contains("£"), "\(balance.reply)")
            #expect(try await van.say("where is the tow rope").reply == "The tow rope is in the garage.")
            #expect(try await van.ledger().count == entries)
            #expect(try await van.say("log five pounds for parking").reply == StoreTests.apology)
            #expect(try await van.say("there's a fire").reply.hasPrefix("Everybody out"))
            #expect(try await van.vanorb("doctor").status == 1)
        }

        @Test(.enabled(if: SmallDisk.canMount, SmallDisk.missing))
        func diskThatIsFullAtTheStart_isReadMeanwhile_andWrittenOnceThereIsRoom() async throws {
            try await withSmallDisk(room: 8_000) { disk in
                let setup = Setup(data: disk.data)
                var van = try await VanUnderTest(setup)
                let entries = try await van.ledger().count
                try await van.stop()
                van.end()
                try await disk.fill()
                van = try await VanUnderTest(setup)
                defer { van.end() }
                try await checkReading(van, entries: entries)
                #expect(try await van.part("store")?.detail.contains("no space is left") == true)
                try disk.free()
                let logged = try await van.say("log six pounds for parking")
                #expect(logged.outcome == .done && logged.reply.hasSuffix(Self.again), "\(logged.reply)")
                #expect(try await van.part("store")?.state == .ok)
                #expect(try await van.say("log seven pounds for parking").reply.hasSuffix(Self.again) == false)
                #expect(try await van.ledger().count == entries + 2)
                try await van.stop()
                let file = "\(van.data)/vanorb.sqlite"
                #expect(try await run("/usr/bin/sqlite3", [file, "PRAGMA integrity_check"]) == ["ok"])
            }
        }

        /// What a killed daemon leaves: the last entries are in the log alone.
        @Test(.enabled(if: SmallDisk.canMount, SmallDisk.missing))
        func diskThatCanOnlyBeRead_isReadWithItsLog_andIsFoundWritableAgainUnasked() async throws {
            try await withSmallDisk(room: 8_000) { disk in
                let van = try await VanUnderTest(Setup(data: disk.data))
                defer { van.end() }
                #expect(try await van.say("log eleven pounds for parking").outcome == .done)
                let before = try await van.ledger()
                van.daemon.signal(SIGKILL)
                _ = try await van.daemon.exit()
                try await disk.remount(readOnly: true)
                try await van.restart()
                try await checkReading(van, entries: before.count)
                #expect(try await van.ledger() == before)
                #expect(try await van.part("store")?.detail.contains("can only be read") == true)
                #expect(try await van.vanorb("backup").status == 1)
                try await disk.remount(readOnly: false)
                try await eventually("the store to recover", within: .seconds(30)) {
                    try await van.part("store")?.state == .ok
                }
                let logged = try await van.say("log six pounds for parking")
                #expect(logged.outcome == .done && logged.reply.hasSuffix(Self.again), "\(logged.reply)")
                #expect(try await van.ledger().count == before.count + 1)
                try await van.stop()
            }
        }

        @Test func databaseThatIsNone_costsNoDeviceItsName() async throws {
            let folder = try TemporaryFolder()
            try Data(repeating: 0xA5, count: 20_000).write(to: URL(fileURLWithPath: folder.file("vanorb.sqlite")))
            let van = try await VanUnderTest(Setup(data: folder.path))
            defer { van.end() }
            #expect(try await van.status().devices > 10)
            let pump = try await van.say("turn on the water pump")
            #expect(pump.outcome == .done && pump.reply.hasPrefix("The water pump is on."), "\(pump.reply)")
            let balance = try await van.say("how much money do I have")
            #expect(balance.reply == "Sorry, I couldn't look that up. I can't read my records just now.")
        }
    }
}
