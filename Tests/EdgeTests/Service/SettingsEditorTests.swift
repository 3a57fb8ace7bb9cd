import Foundation
import Testing

@testable import Setup

/// The owner's settings file, changed value by value.
@Suite struct SettingsEditorTests {
    private static let defaults = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../../deploy/defaults.yaml").standardizedFileURL.path

    /// A settings file in a folder of its own.
    private final class Desk {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vanorb-\(UUID().uuidString)").path
        var path: String { folder + "/vanorb.yaml" }
        let editor: SettingsEditor

        init(_ text: String?, mayBeMissing: Bool = false, overrides: [String] = []) throws {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            editor = SettingsEditor(
                SettingsSource(
                    defaults: SettingsEditorTests.defaults, owner: folder + "/vanorb.yaml", mayBeMissing: mayBeMissing,
                    overrides: overrides))
            try text.map { try Data($0.utf8).write(to: URL(filePath: path)) }
        }

        deinit {
            chmod(folder, 0o700)
            try? FileManager.default.removeItem(atPath: folder)
        }

        var text: String? { FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) } }
        /// What else lies beside the file.
        var leftovers: [String] {
            ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0 != "vanorb.yaml" }
        }

        func refusal(_ key: String, _ value: String?) -> String {
            do {
                _ = try editor.change(key, to: value)
                return "it was changed"
            } catch { return "\(error)" }
        }
    }

    @Test func everySetting_isDescribed_andHasAnExpectationThatItsDefaultMeets() throws {
        let source = SettingsSource(defaults: Self.defaults, owner: "/nowhere", mayBeMissing: true, overrides: [])
        let file = try source.file(owner: ""), described = try source.descriptions()
        #expect(described.map(\.key).sorted() == file.keys.sorted())
        for (key, text) in described { #expect(text.count > 5, "\(key) needs a comment in defaults.yaml") }
        for key in file.keys { #expect(file.text(key) == file.defaultText(key)) }
        _ = try Settings(file)
        #expect(file.expectation("speech.rate") == "a number, 0 to 1")
        #expect(file.expectation("endpointer.threshold") == "a number, 0.05 to 0.95, or empty")
        #expect(file.expectation("button.mode") == "one of both, tap, hold")
        #expect(file.expectation("mqtt.port") == "a whole number, 1 to 65535")
    }

    @Test func everyEntryOfTheTableOfEffects_namesSettingsThatThereAre() throws {
        let file = try SettingsFile(defaults: Self.defaults, owner: nil)
        for name in SettingEffect.table.flatMap(\.1) {
            #expect(file.keys.contains { name.hasSuffix(".") ? $0.hasPrefix(name) : $0 == name }, "\(name)")
        }
        #expect(SettingEffect.of("log.level") == .atOnce && SettingEffect.of("speech.rate") == .nextTurn)
        #expect(SettingEffect.of("language") == .ownRestart && SettingEffect.of("mqtt.host") == .restart)
        // A new setting needs a restart until it is said, and tested, that it does not.
        #expect(SettingEffect.of("something.new") == .restart)
    }

    @Test func eachSetting_canBeSetToItsDefault_andTakenOutAgain() throws {
        let own = "# mine\nlimits:\n  # slow\n  idle: 90 # s\n"
        let source = try Desk(own).editor.source
        let file = try source.file(owner: "")
        for (key, _) in try source.descriptions() where key != "limits.idle" {
            let desk = try Desk(own)
            let change = try desk.editor.change(key, to: file.text(key))
            #expect(change.isWritten && desk.text != own && change.before == change.now, "\(key)")
            #expect(try desk.editor.change(key, to: nil).isWritten)
            #expect(desk.text == own, "\(key): \(desk.text ?? "")")
            #expect(desk.leftovers.isEmpty)
        }
    }

    @Test func value_isWritten_andEverythingElseStays() throws {
        let desk = try Desk("# mine\nspeech:\n  rate: 0.3 # slow\n")
        chmod(desk.path, 0o640)
        let change = try desk.editor.change("speech.rate", to: "0.7")
        #expect(change.before == "0.3" && change.now == "0.7" && change.settings.conversation.voice.rate == 0.7)
        #expect(desk.text == "# mine\nspeech:\n  rate: 0.7 # slow\n")
        let mode = try FileManager.default.attributesOfItem(atPath: desk.path)[.posixPermissions] as? Int
        #expect(mode == 0o640 && desk.leftovers.isEmpty)
        #expect(try !desk.editor.change("speech.rate", to: "0.7").isWritten)
    }

    @Test func distances_areInTheUnitOfTheCountrysSigns_unlessTheOwnerChooses() throws {
        let desk = try Desk("")
        #expect(try desk.editor.change("country", to: "GB").settings.distanceUnit == .miles)
        #expect(try desk.editor.change("country", to: "FR").settings.distanceUnit == .kilometres)
        #expect(try desk.editor.change("distance_unit", to: "miles").settings.distanceUnit == .miles)
    }

    @Test func theUnitedKingdom_mayBeUK() throws {
        let desk = try Desk("")
        #expect(try desk.editor.change("country", to: "UK").settings.country == "GB")
    }

    @Test(arguments: [
        ("speech.rate", "3", ["speech.rate: expected 0.0 to 1.0, found 3.0", "Nothing was changed"]),
        ("mqtt.port", "many", ["mqtt.port: expected a whole number, found “many”"]),
        ("button.mode", "hodl", ["button.mode", "both, tap, hold", "hodl"]),
        ("language", "tlh", ["language", "tlh", "en"]), ("time_zone", "Mars/Base", ["time_zone", "Mars/Base"]),
        ("night.from", "25:00", ["night.from", "22:00", "25:00"]), ("currency", "pounds", ["currency", "GBP"]),
        ("mqtt.host", "", ["mqtt.host", "found an empty value"]),
        ("backup.second_path", "stick", ["backup.second_path", "/media"]),
        ("speech.rat", "1", ["Unknown setting “speech.rat”", "did you mean speech.rate?"]),
        ("port", "1", ["did you mean mqtt.port?"]), ("speech", "1", ["Unknown setting “speech”", "speech.auto_speak"]),
        ("log.level", "a\nb", ["log.level", "one line"]),
        ("mqtt.username", String(repeating: "x", count: 501), ["at most 500"]),
        ("mqtt.password_file", "/nowhere/secret", ["mqtt.password_file", "/nowhere/secret", "cannot be read"]),
    ])
    func badValue_isRefused_sayingWhatIsExpected_andNothingIsWritten(key: String, value: String, words: [String]) throws
    {
        let own = "# mine\nlog: {level: info}\n"
        let desk = try Desk(own)
        let said = desk.refusal(key, value)
        for word in words { #expect(said.contains(word), "\(said)") }
        #expect(desk.text == own && desk.leftovers.isEmpty)
    }

    @Test func mistakeElsewhere_isNamedWithItsLine_andOnlyMendingItIsDone() throws {
        let own = "# mine\nspeech:\n  rate: 3\n"
        let desk = try Desk(own)
        let said = desk.refusal("limits.idle", "90")
        #expect(
            said.contains("vanorb.yaml:3: speech.rate: expected 0.0 to 1.0") && said.contains("Nothing was changed"),
            "\(said)")
        #expect(desk.text == own)
        #expect(try desk.editor.change("speech.rate", to: "0.6").before == "3")
        #expect(desk.text == "# mine\nspeech:\n  rate: 0.6\n")

        let typo = try Desk("limits:\n  no_speach: 4\ncurrency: EUR\n")
        #expect(
            typo.refusal("limits.idle", "90").contains(
                "vanorb.yaml:2: unknown setting “limits.no_speach”, did you mean"))
        #expect(
            typo.refusal("limits.no_speach", "5").contains(
                "Unknown setting “limits.no_speach”; did you mean limits.no_speech?"))
        #expect(try typo.editor.change("limits.no_speach", to: nil).isWritten)
        #expect(typo.text == "currency: EUR\n")

        let broken = try Desk("limits: {idle: 5\nlanguage: en\n")
        #expect(broken.refusal("log.level", "debug").contains("vanorb.yaml:"))
        #expect(broken.refusal("log.level", nil).contains("not valid YAML"))
    }

    @Test func valueOfTheCommandLine_hidesNoSlip_andKeepsItsSay() throws {
        let desk = try Desk("", overrides: ["mqtt.port=1884"])
        #expect(desk.refusal("mqtt.port", "many").contains("whole number"))
        let change = try desk.editor.change("mqtt.port", to: "1885")
        #expect(change.now == "1884" && change.ownersValue == "1885" && desk.text == "mqtt:\n  port: 1885\n")
    }

    @Test func missingFile_isMadeWhereItMayBeMissing_andNamedWhereNot() throws {
        let desk = try Desk(nil, mayBeMissing: true)
        #expect(try !desk.editor.change("log.level", to: nil).isWritten)
        #expect(desk.text == nil)
        #expect(try desk.editor.change("log.level", to: "debug").isWritten)
        #expect(desk.text == "log:\n  level: debug\n")
        let mode = try FileManager.default.attributesOfItem(atPath: desk.path)[.posixPermissions] as? Int
        #expect(mode == 0o660)
        #expect(try Desk(nil).refusal("log.level", "debug").contains("vanorb.yaml: no such file"))
    }

    @Test func readOnlyFile_isRefused_evenWhereTheFolderCouldBeWritten() throws {
        let desk = try Desk("language: en\n")
        chmod(desk.path, 0o440)
        let said = desk.refusal("log.level", "debug")
        #expect(said.hasPrefix("Can't write \(desk.path): ") && said.contains("chmod u+w"), "\(said)")
        #expect(desk.text == "language: en\n" && desk.leftovers.isEmpty)
    }

    @Test func fullDisk_isNamed_andTheFileIsAsItWas() throws {
        let desk = try Desk("language: en\n")
        var replacement = FileReplacement(path: desk.path, mode: 0o660)
        replacement.writing = { file, bytes, count in
            // Full after the first few.
            if lseek(file, 0, SEEK_CUR) == 0 { return write(file, bytes, min(count, 4)) }
            errno = ENOSPC
            return -1
        }
        let error = try #require(throws: FileReplacementError.self) {
            _ = try replacement.replace("language: en\n", by: "language: en\nlog: {level: debug}\n")
        }
        #expect(
            "\(error)" == "Can't write \(desk.path): No space left on device. Free disk space")
        #expect(desk.text == "language: en\n" && desk.leftovers.isEmpty)
    }

    @Test func link_staysALink_andWhatItNamesIsChanged() throws {
        let desk = try Desk(nil), real = desk.folder + "/real.yaml"
        try Data("language: en\n".utf8).write(to: URL(filePath: real))
        try FileManager.default.createSymbolicLink(atPath: desk.path, withDestinationPath: "real.yaml")
        _ = try desk.editor.change("log.level", to: "debug")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: desk.path) == "real.yaml")
        #expect(desk.text == "language: en\nlog:\n  level: debug\n" && desk.leftovers == ["real.yaml"])
    }

    @Test func fileChangedByHandMeanwhile_isReadAnew_andNothingOfItIsLost() throws {
        let desk = try Desk("language: en\n")
        var isFirst = true
        let change = try desk.editor.change("log.level", to: "debug") { _, _ in
            if isFirst { try? Data("currency: EUR # by hand\n".utf8).write(to: URL(filePath: desk.path)) }
            isFirst = false
        }
        #expect(change.file.text("currency") == "EUR")
        #expect(desk.text == "currency: EUR # by hand\nlog:\n  level: debug\n" && desk.leftovers.isEmpty)
        var count = 0
        #expect(throws: SettingsEditor.Refusal.self) {
            _ = try desk.editor.change("log.level", to: "info") { _, _ in
                count += 1
                try? Data("limits: {idle: \(count)}\n".utf8).write(to: URL(filePath: desk.path))
            }
        }
        #expect(desk.text == "limits: {idle: \(count)}\n" && desk.leftovers.isEmpty)
    }

    @Test func sectionWithNothingInIt_isNoMistake() throws {
        let desk = try Desk("mqtt:\n  # port: 1884\nlog:\n")
        #expect(try desk.editor.source.load().logLevel == .info)
        _ = try desk.editor.change("mqtt.port", to: "1885")
        #expect(desk.text?.contains("  port: 1885\n") == true)
    }
}
