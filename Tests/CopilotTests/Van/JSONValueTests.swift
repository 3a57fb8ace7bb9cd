@testable import Devices
import Testing

/// JSON of strangers.
@Suite struct JSONValueTests {
    @Test(arguments: [
        ("null", JSONValue.null), ("true", .truth(true)), (" false ", .truth(false)), ("12", .integer(12)),
        ("-1.5e1", .number(-15)), ("1e20", .number(1e20)), ("100000000000000000000", .number(1e20)),
        (#""a\n\"\\\/\u0041""#, .text("a\n\"\\/A")), ("[]", .list([])), ("{}", .object([:])),
        (#"{"a":[1,{"b":null}]}"#, .object(["a": .list([.integer(1), .object(["b": .null])])])),
        (#"{"a":1,"a":2}"#, .object(["a": .integer(2)])),
    ])
    func whatIsJSON_isRead(text: String, value: JSONValue) { #expect(JSONValue(Array(text.utf8)) == value) }

    @Test(arguments: [
        "", " ", "{", "[1,]", "{\"a\"}", "{\"a\":1,}", "tru", "nul", "1 2", "\"a", "\"\\x\"", "\"\\ud800\"",
        "\"\\u12\"",
        "+1", ".5", "-", "1e999", "\"\n\"", "{1:2}", "'a'",
    ])
    func whatIsNot_isNone(text: String) { #expect(JSONValue(Array(text.utf8)) == nil) }

    @Test func whatIsTooDeep_orTooLong_orNoUTF8_isNone() {
        let deep = String(repeating: "[", count: 40) + String(repeating: "]", count: 40)
        #expect(JSONValue(Array(deep.utf8)) == nil)
        #expect(JSONValue(Array(String(repeating: "[", count: 60_000).utf8)) == nil)
        #expect(JSONValue(Array("\"aaaa\"".utf8), limit: 5) == nil)
        #expect(JSONValue([0x22, 0xFF, 0x22]) == nil)
    }

    @Test func aText_isQuotedAsJSONHasIt() {
        let text = "a\"\\\u{1}é"
        #expect(JSONValue(Array(JSONValue.quoted(text).utf8)) == .text(text))
    }
}
