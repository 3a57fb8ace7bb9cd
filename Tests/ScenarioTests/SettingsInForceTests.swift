import Control
import Foundation
import SystemTestKit
import Testing

extension ScenarioTests {
    /// That what is said of a setting's taking effect is so.
    @Suite(.serialized, .van(Setup(hasBroker: false, owner: "")))
    struct SettingsInForceTests {
        /// Changes a setting that a running daemon adopts.
        private func adopt(_ van: VanUnderTest, _ key: String, _ value: String?) async throws {
            let done = try await van.change(key, to: value)
            #expect(done.isInForce && done.waiting.isEmpty && done.message.contains("effect"), "\(done)")
        }

        @Test func logLevel_changesAtOnce() async throws {
            let van = try ScenarioTests.van
            let before = van.daemon.lines.count
            _ = try await van.say("what time is it")
            try await adopt(van, "log.level", "trace")
            #expect(!van.daemon.lines.dropFirst(before).contains { $0.contains(" debug ") || $0.contains(" trace ") })
            try await eventually("a line of the new level") {
                _ = try await van.say("what time is it")
                return van.daemon.lines.contains { $0.contains(" debug ") || $0.contains(" trace ") }
            }
            try await adopt(van, "log.level", nil)
        }

        @Test func historyAndAutoSpeak_countFromTheNextTurnOn() async throws {
            let van = try ScenarioTests.van, watcher = try await van.watch()
            for _ in 0..<3 {
                let turn = try await van.say("what time is it").turn
                try await watcher.spoken(turn)
            }
            #expect(try await van.client.call(HistoryCall.self).entries.count >= 3)
            try await adopt(van, "history.length", "2")
            #expect(try await van.client.call(HistoryCall.self).entries.count == 2)
            try await adopt(van, "history.length", nil)

            try await adopt(van, "speech.auto_speak", "false")
            let files = van.spokenFiles.count
            try await watcher.spoken(try await van.say("what time is it").turn)
            #expect(van.spokenFiles.count == files)
            try await adopt(van, "speech.auto_speak", nil)
            try await watcher.spoken(try await van.say("what time is it").turn)
            #expect(van.spokenFiles.count > files)
        }

        @Test func voice_isAnotherFromTheNextReplyOn_andWhatWasAskedForBeforeIsForgotten() async throws {
            let van = try ScenarioTests.van, watcher = try await van.watch()
            func length() async throws -> Int {
                try van.clearSpoken()
                try await watcher.spoken(try await van.say("speak slower").turn)
                try van.clearSpoken()
                try await watcher.spoken(try await van.say("thank you").turn)
                return try van.spokenFiles.reduce(0) { try $0 + Data(contentsOf: URL(fileURLWithPath: $1)).count }
            }
            try await adopt(van, "speech.rate", "1")
            let fast = try await length()
            #expect(try await van.setting("speech.rate").note?.contains("0.9 in use") == true)
            try await adopt(van, "speech.rate", "0.2")
            #expect(try await van.setting("speech.rate").note == nil)
            let slow = try await length()
            #expect(slow > fast * 3 / 2, "\(slow), \(fast)")
            try await adopt(van, "speech.rate", nil)
            #expect(try await van.setting("speech.rate").note == nil)

            let usual = try await van.status().voice
            try await adopt(van, "speech.voice", "gmw/en-US")
            #expect(try await van.status().voice == "gmw/en-US")
            try await adopt(van, "speech.voice", nil)
            #expect(try await van.status().voice == usual)
        }

        @Test func limits_countFromTheNextTurnOn() async throws {
            let van = try ScenarioTests.van
            try await van.room(.silence(60))
            try await adopt(van, "limits.idle", "1")
            let watcher = try await van.watch(), start = watcher.count
            try await van.press()
            try await watcher.event("nothing heard", after: start) { $0.line == "turn nothing-heard" }
            // Not after the minute that it was before.
            try await watcher.event("the session's end", after: start, within: .seconds(30)) {
                $0.line == "status closed"
            }
            try await adopt(van, "limits.idle", nil)
        }

        @Test func rejection_countsFromTheNextTurnOn() async throws {
            let van = try ScenarioTests.van
            #expect(try await van.hear("where is the tow rope").outcome == .done)
            try await adopt(van, "recogniser.rejection", "1")
            #expect(try await van.hear("where is the tow rope").outcome != .done)
            try await adopt(van, "recogniser.rejection", nil)
        }

        @Test func backups_areKeptAndCalledOldByTheNewSettings() async throws {
            let van = try ScenarioTests.van
            let made = try await van.client.call(BackupMakeCall.self).path
            let folder = (made as NSString).deletingLastPathComponent
            for days in [4, 5, 6] {
                let date = Date().addingTimeInterval(Double(-days) * 86_400).ISO8601Format()
                let stamp = date.filter { $0 != "-" && $0 != ":" }
                try FileManager.default.copyItem(atPath: made, toPath: "\(folder)/vanorb-\(stamp).sqlite")
            }
            try FileManager.default.removeItem(atPath: made)
            try await adopt(van, "backup.warn_days", "20")
            #expect(try await van.part("backup")?.state == .ok)
            try await adopt(van, "backup.warn_days", "2")
            #expect(try await van.part("backup")?.state == .warning)
            try await adopt(van, "backup.weeks", "0")
            try await adopt(van, "backup.days", "1")
            #expect(try await van.client.call(BackupMakeCall.self).kept == 1)
            for key in ["backup.warn_days", "backup.weeks", "backup.days"] { try await adopt(van, key, nil) }
        }

        @Test func whatNeedsARestart_isTold_isNotInForceBefore_andIsAfterwards() async throws {
            let van = try ScenarioTests.van
            let done = try await van.vanorb("settings", "set", "currency", "EUR")
            #expect(
                done.lines.first?.contains("It takes effect after a restart: sudo systemctl restart vanorb") == true,
                "\(done.lines)")
            #expect(try await van.setting("currency").inForce == "GBP")
            #expect(try await van.say("log five for parking").reply.contains("£"))
            let list = try await van.vanorb("settings", "list", "--changed")
            #expect(list.lines.last == "1 change needs a restart: sudo systemctl restart vanorb", "\(list.lines)")
            #expect(
                try await van.change("limits.idle", to: "61").message
                    .hasSuffix("Also changed, and in effect after a restart: currency."))
            let part = try await van.part("settings")
            #expect(part?.state == .ok && part?.detail == "valid; restart needed for: currency")
            try await van.restart()
            #expect(try await van.setting("currency").inForce == nil)
            #expect(try await van.setting("limits.idle").value == "61")
            #expect(try await van.say("log five for parking").reply.contains("€"))
            // Back to what is in force by now: nothing waits for it.
            #expect(try await !van.change("currency", to: "GBP").isInForce)
            #expect(try await van.change("currency", to: "EUR").isInForce)
        }
    }
}
