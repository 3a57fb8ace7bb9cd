@testable import Configuration
import Testing

/// A file that a person wrote, in which one value is changed and nothing else.
@Suite struct ConfigurationTextTests {
    private func set(_ text: String, _ key: String, _ value: String) throws -> String {
        try ConfigurationText(text, file: "vanorb.yaml").setting(key, to: value)
    }
    private func remove(_ text: String, _ key: String) throws -> String? {
        try ConfigurationText(text, file: "vanorb.yaml").removing(key)
    }

    private static let file = """
        # mine
        language: en   # for now

        mqtt:   # the broker
          # at home
          host: 'the "broker"'
          port: 1883\t# usual

        # loudly
        speech: {rate: 0.5, volume: 1}
        # the end
        """

    @Test(arguments: [
        ("language", "de", "language: en ", "language: de "),
        ("mqtt.host", "10.0.0.2", "'the \"broker\"'", "10.0.0.2"),
        ("mqtt.host", "a: b", "'the \"broker\"'", "\"a: b\""),
        ("mqtt.port", "1884", "1883\t#", "1884\t#"),
        ("speech.rate", "0.75", "rate: 0.5,", "rate: 0.75,"),
        ("speech.volume", "0.25", "volume: 1}", "volume: 0.25}"),
        ("speech.pitch", "2", "{rate", "{pitch: 2, rate"),
        ("mqtt.username", "", "1883\t# usual\n", "1883\t# usual\n  username: \"\"\n"),
        ("log.level", "debug", "# the end", "# the end\nlog:\n  level: debug\n"),
        ("currency", "EUR", "# the end", "# the end\ncurrency: EUR\n"),
    ])
    func value_isChanged_andNothingElse(key: String, value: String, old: String, new: String) throws {
        #expect(try set(Self.file, key, value) == Self.file.replacing(old, with: new))
    }

    @Test(arguments: [
        "", "# only a comment", "# a comment\n", "---\n", "currency: GBP", "currency: GBP\n\n", "mqtt:\n", "mqtt:",
        "mqtt: # later\n# what follows\n", "mqtt: {}\n", "mqtt:\n    host: x\n    port: 1\n",
        "mqtt:\r\n  host: x\r\nlog:\r\n  level: info\r\n", "mqtt:\n  host: x\n  # the last\nlog:\n  level: info",
        "mqtt:\n  host: |\n    two\n    lines\n", "\"mqtt\":\n  \"host\" : x\n", "a: [1, 2]\nb:\n- 3\n",
    ])
    func set_thenRemoved_leavesTheFileAsItWas(text: String) throws {
        for key in ["mqtt.client_id", "limits.idle", "country"] {
            let changed = try set(text, key, "x y")
            #expect(changed != text)
            let back = try #require(try remove(changed, key))
            // A last line without an end got one; a section without anything in it goes with its last value.
            let allowed = [text, text + "\n"] + (text.trimmingPrefix("mqtt:").allSatisfy(\.isNewline) ? [""] : [])
            #expect(allowed.contains(back), "\(key): \(back.debugDescription)")
        }
    }

    @Test func lineEndsOfAnotherSystem_areKept() throws {
        let text = "mqtt:\r\n  host: x # y\r\nlanguage: en\r\n"
        #expect(try set(text, "mqtt.port", "1") == "mqtt:\r\n  host: x # y\r\n  port: 1\r\nlanguage: en\r\n")
        #expect(try set(text, "mqtt.host", "z") == "mqtt:\r\n  host: z # y\r\nlanguage: en\r\n")
        #expect(try remove(text, "mqtt.host") == "language: en\r\n")
    }

    @Test func keyWithNothingBehindIt_getsAValue() throws {
        #expect(
            try set("currency:\nmqtt:\n  host: # who\n", "currency", "EUR") == "currency: EUR\nmqtt:\n  host: # who\n")
        #expect(try set("mqtt:\n  host: # who\n  port: 1\n", "mqtt.host", "b") == "mqtt:\n  host: b # who\n  port: 1\n")
        #expect(try set("mqtt:\n  host:", "mqtt.host", "b") == "mqtt:\n  host: b")
        #expect(try set("mqtt: {host: , port: 1}", "mqtt.host", "b") == "mqtt: {host: b , port: 1}")
    }

    @Test func fileInBraces_staysOne() throws {
        #expect(try set("{currency: GBP}", "mqtt.port", "1") == "{mqtt: {port: 1}, currency: GBP}")
        #expect(try set("{}\n", "language", "en") == "{language: en}\n")
        #expect(try remove("{mqtt: {port: 1}, currency: GBP}", "currency") == "{mqtt: {port: 1}}")
    }

    @Test func removing_takesTheLineAndTheSectionThatItLeavesEmpty() throws {
        #expect(try remove(Self.file, "language") == Self.file.replacing("language: en   # for now\n", with: ""))
        #expect(try remove(Self.file, "speech.rate") == Self.file.replacing("rate: 0.5, ", with: ""))
        #expect(try remove(Self.file, "speech.volume") == Self.file.replacing(", volume: 1", with: ""))
        #expect(try remove("a: 1\nlimts:\n  idle: 5\nb: 2\n", "limts.idle") == "a: 1\nb: 2\n")
        // A comment is the owner's: the section's name stays above it.
        #expect(try remove("mqtt: # mine\n  host: x\n", "mqtt.host") == "mqtt: # mine\n")
        #expect(try remove(Self.file, "mqtt.key") == nil)
        #expect(try remove("", "mqtt.key") == nil)
    }

    @Test(arguments: [
        "a#b", "a: b", "#x", "yes: [", "\"q\"", "back\\slash", "é", " x ", "{", "- a", "null", "~", "a,b", "22:00", "%",
        "'",
    ])
    func value_comesBackAsItWasTyped(value: String) throws {
        for text in ["speech:\n  voice: x # y\n", "speech: {voice: x, rate: 1}\n", ""] {
            let changed = try set(text, "speech.voice", value)
            let node = try ConfigurationNode(parsing: changed, file: "x")
            let voice = try node.entries().first?.value.entries().first { $0.key == "voice" }?.value.string()
            #expect(voice == value, "\(changed)")
        }
    }

    @Test(arguments: [
        ("mqtt:\n  host: |\n    two\n    lines\n", "mqtt.host", 2),
        ("mqtt:\n  host: one\n    two\n", "mqtt.host", 2),
        ("mqtt:\n  host: \"one\n    two\"\n", "mqtt.host", 2),
        ("mqtt:\n  host: [a, b]\n", "mqtt.host", 2),
        ("mqtt:\n  host: {a: b}\n", "mqtt.host", 2),
        ("mqtt: 5\n", "mqtt.host", 1),
        ("mqtt: ~\n", "mqtt.host", 1),
        ("x: &h 1\nmqtt:\n  host: &h a\n  key: *h\n", "mqtt.host", 3),
        ("a: 1\n...\n", "mqtt.host", 1),
        ("- a\n- b\n", "mqtt.host", 1),
    ])
    func whatCannotBeChangedSafely_isRefusedWithItsLine(text: String, key: String, line: Int) throws {
        let error = try #require(throws: ConfigurationError.self) { try set(text, key, "x") }
        #expect(error.line == line && error.message.contains("by hand"), "\(error)")
    }

    @Test(arguments: [
        ("mqtt:\n  host: a\nlog:\n  level: info\nmqtt:\n  port: 1\n", 1), ("a: 1\nb: [\n", 3),
        ("mqtt:\n\thost: a\n", 2),
    ])
    func textThatIsNoYAML_isRefusedWithALine(text: String, line: Int) throws {
        let error = try #require(throws: ConfigurationError.self) { try set(text, "log.level", "x") }
        #expect(error.line == line, "\(error)")
    }
}
