import Control
import Foundation
import Testing

extension VanUnderTest {
    /// Sets a setting as `vanorb settings set` does.
    @discardableResult
    func change(_ key: String, to value: String?) async throws -> SettingChangeResult {
        try await client.call(SettingChangeCall.self, SettingChangeArguments(key: key, value: value))
    }

    func setting(_ key: String) async throws -> SettingRow {
        try await client.call(SettingShowCall.self, SettingArguments(key: key))
    }

    func write(owner text: String) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: folder.file("vanorb.yaml")))
    }
}

extension ScenarioTests {
    /// Settings changed by the command line: what is written, and what is refused.
    @Suite(.serialized, .van(Setup(hasBroker: false, owner: "# mine\nlimits: {idle: 90} # long\n")))
    struct SettingsTests {
        private static let mine = "# mine\nlimits: {idle: 90} # long\n"

        @Test func set_writesTheOneValue_andGetTellsIt() async throws {
            let van = try ScenarioTests.van
            let done = try await van.vanorb("settings", "set", "speech.rate", "0.7")
            #expect(done.status == 0)
            #expect(done.lines == ["speech.rate changed from 0.5 to 0.7. It takes effect in the next turn."])
            #expect(van.owner == Self.mine + "speech:\n  rate: 0.7\n")
            #expect(try await van.vanorb("settings", "get", "speech.rate").lines == ["0.7"])
            let json = try await van.vanorb("settings", "get", "speech.rate", "--json")
            let row = try ControlJSON.decode(SettingRow.self, from: Data(json.lines.joined().utf8))
            #expect(row.value == "0.7" && row.defaultValue == "0.5" && row.origin == .owner && row.timing == .nextTurn)
            #expect(row.inForce == nil && row.expected == "a number, 0 to 1" && row.meaning.contains("words a minute"))
            let changed = try await van.vanorb("settings", "list", "speech", "--changed")
            #expect(changed.lines.count == 2 && changed.lines.last?.contains("0.7") == true, "\(changed.lines)")
            let explained = try await van.vanorb("settings", "explain", "button.mode")
            #expect(explained.lines.contains { $0.contains("one of both, tap, hold") }, "\(explained.lines)")
            #expect(try await van.vanorb("settings", "reset", "speech.rate").status == 0)
            #expect(van.owner == Self.mine)
            #expect(try await van.vanorb("settings", "languages").lines == ["en  (selected)"])
            let all = try await van.vanorb("settings")
            #expect(all.status == 0 && all.lines.contains { $0.hasPrefix("limits.idle") && $0.contains("your file") })
        }

        @Test(arguments: [
            (["set", "speech.rate", "3"], 1, "speech.rate: expected 0.0 to 1.0, found 3.0. Nothing was changed."),
            (["set", "speech.rat", "1"], 1, "Unknown setting “speech.rat”; did you mean speech.rate?"),
            (["get", "mqtt.prot"], 1, "did you mean mqtt.port?"),
            (["list", "speach"], 1, "Unknown setting “speach”"),
            (["set", "language", "tlh"], 1, "choose one of en"),
            (["set", "paths.board", "/nowhere.yaml"], 1, "paths.board: /nowhere.yaml does not exist"),
            (["set", "paths.acoustic_model", "/nowhere"], 1, "there is no folder /nowhere"),
            (["set", "mqtt.ca_file", "/"], 1, "mqtt.ca_file: / is a folder"),
            (["set", "currency", "ZZZ"], 1, "expected an ISO 4217 code such as GBP, found “ZZZ”"),
            (["set", "country", "ZZ"], 1, "expected an ISO 3166 code such as GB, found “ZZ”"),
            (["set", "mqtt.host", "my broker"], 1, "such as 127.0.0.1 or broker.local"),
            (["set", "mqtt.host", "mqtt://10.0.0.2"], 1, "expected a host name or address"),
            (["set", "position.host", "10.0.0.2:2947"], 1, "expected a host name or address"),
            (["set", "speech.pitch", "-1"], 1, "speech.pitch: expected 0.0 to 2.0, found -1.0"),
            (["set", "speech.voice", "nobody"], 1, "espeak-ng has no voice “nobody”"),
            (["set", "speech.rate"], 64, "value"), (["get"], 64, "key"),
        ])
        func badInput_isRefused_andNothingIsWritten(arguments: [String], status: Int, words: String) async throws {
            let van = try ScenarioTests.van
            let said = try await van.vanorb(["settings"] + arguments)
            #expect(said.status == Int32(status) && said.lines.joined(separator: "\n").contains(words), "\(said)")
            #expect(van.owner == Self.mine)
        }

        @Test func manyAtOnce_loseNothing() async throws {
            let van = try ScenarioTests.van
            let values = ["no_speech": "6", "question": "21", "listening": "16", "thinking": "11", "speaking": "121"]
            try await withThrowingTaskGroup { group in
                for (key, value) in values { group.addTask { try await van.change("limits.\(key)", to: value) } }
                try await group.waitForAll()
            }
            for (key, value) in values {
                let row = try await van.setting("limits.\(key)")
                #expect(row.value == value && row.inForce == nil)
                try await van.change("limits.\(key)", to: nil)
            }
            #expect(van.owner == Self.mine)
        }

        @Test func fileThatMayNotBeWritten_isNamed_andWhatIsInForceStays() async throws {
            let van = try ScenarioTests.van, path = van.folder.file("vanorb.yaml")
            chmod(path, 0o444)
            defer { chmod(path, 0o644) }
            let said = try await van.vanorb("settings", "set", "log.level", "debug")
            #expect(said.status == 1 && said.lines.first?.contains("Can't write \(path)") == true, "\(said)")
            #expect(try await van.setting("log.level").value == "info")
            #expect(van.owner == Self.mine)
        }

        @Test func handMade_changesAndSlips_areTold_andNeverOverwritten() async throws {
            let van = try ScenarioTests.van
            try van.write(owner: "# by hand\nhistory: {length: 3}\n")
            let row = try await van.setting("history.length")
            #expect(row.value == "3" && row.inForce == "6" && row.note?.contains("changed by hand") == true)
            let done = try await van.change("limits.idle", to: "70")
            #expect(done.isInForce && van.owner == "# by hand\nhistory: {length: 3}\nlimits:\n  idle: 70\n")
            #expect(try await van.setting("history.length").inForce == nil)

            try van.write(owner: "history:\n  lenght: 3\n")
            let said = try await van.vanorb("settings", "set", "limits.idle", "80")
            #expect(
                said.status == 1 && said.lines.joined().contains("vanorb.yaml:2: unknown setting “history.lenght”"))
            let last = try await van.vanorb("settings").lines.last ?? ""
            #expect(
                last.contains("VanOrb would not start with it") && last.contains("instead of your file’s values"),
                "\(last)")
            #expect(try await van.part("settings")?.state == .warning)
            #expect(van.owner == "history:\n  lenght: 3\n")
            #expect(try await van.vanorb("settings", "reset", "history.lenght").status == 0)
            #expect(van.owner == "")
            try van.write(owner: Self.mine)
            try await van.change("limits.idle", to: "90")
            #expect(try await van.part("settings")?.detail == "valid; no restart needed")
        }
    }
}
