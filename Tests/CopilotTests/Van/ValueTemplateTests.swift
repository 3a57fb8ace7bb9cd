@testable import Devices
import Testing

/// Templates: what of a payload is the value.
@Suite struct ValueTemplateTests {
    @Test(arguments: [
        ("{{ value }}", "ON", "ON"),
        ("{{value}}", " 21.5 ", "21.5"),
        ("{{ value_json.state }}", #"{"state":"ON"}"#, "ON"),
        ("{{ value_json.a.b }}", #"{"a":{"b":7}}"#, "7"),
        ("{{ value_json['k'] }}", #"{"k":1.5}"#, "1.5"),
        ("{{ value_json[\"DS18B20-1\"].Temperature }}", #"{"DS18B20-1":{"Temperature":20.6}}"#, "20.6"),
        ("{{ value_json[0] }}", "[4,5]", "4"),
        ("{{ value_json.list[1].x }}", #"{"list":[{"x":1},{"x":2}]}"#, "2"),
        ("{{ value_json }}", "12", "12"),
        ("{{ value | float }}", "20", "20.0"),
        ("{{ value | int }}", "20.9", "20"),
        ("{{ value_json.t | float | round(1) }}", #"{"t":"20.56"}"#, "20.6"),
        ("{{ value_json.t | round }}", #"{"t":20.5}"#, "20.0"),
        ("{{ value | lower }}", "ON", "on"),
        ("{{ value | upper }}", "on", "ON"),
        ("{{ value_json.x | default('none at all') }}", "{}", "none at all"),
        ("{{ value_json.x | default(0) | int }}", "{}", "0"),
        ("{{ value | float(0) }}", "much", "0"),
        ("{{ value_json.on }}", #"{"on":true}"#, "True"),
        ("{{ value_json.on | lower }}", #"{"on":true}"#, "true"),
        ("{{ value_json.a }}/{{ value_json.b }} mm", #"{"a":1,"b":2}"#, "1/2 mm"),
        ("fixed", "anything", "fixed"),
        ("{{ value_json.name }}", #"{"name":"caf\u00e9 \ud83d\ude80"}"#, "café 🚀"),
        ("{{ value_json.empty }}", #"{"empty":null}"#, "None"),
    ])
    func aTemplate_givesTheValue(template: String, payload: String, value: String) throws {
        #expect(try ValueTemplate(template).applied(to: Array(payload.utf8)) == value)
    }

    @Test(arguments: [
        ("{{ value_json.a.b }}", #"{"a":1}"#, ValueTemplate.Rendering.absent),
        ("{{ value_json.list[2] }}", #"{"list":[1]}"#, .absent),
        ("{{ value_json.a }}", "no JSON", .broken),
        ("{{ value_json.a }}", #"{"a":{}}"#, .broken),
        ("{{ value | round(1) }}", "warm", .broken),
        ("{{ value | float }}", "nan", .broken),
        ("{{ value | int }}", "1e300", .broken),
    ])
    func whatIsNotThere_orNotReadable_isKeptApart(
        template: String, payload: String, rendering: ValueTemplate.Rendering
    ) throws {
        #expect(try ValueTemplate(template).render(Array(payload.utf8)) == rendering)
    }

    @Test(arguments: [
        ("{% if value %}1{% endif %}", "{%"), ("{{ value_json.a * 100 }}", "“*”"), ("{{ states('x') }}", "“states”"),
        ("{{ value | regex_replace('a') }}", "“regex_replace”"), ("{{ value", "without"), ("", "empty"),
        ("{{ value if value else 0 }}", "“i”"), ("{{ value_json.get('a') }}", ".get("),
        ("{{ value_json[key] }}", "without a key"), ("{{ value | default }}", "“default”"),
        ("{{ value | round(1, 'floor') }}", "arguments"), ("{# note #}{{ value }}", "{#"),
        ("{{ value_json['a\\'b'] }}", "backslash"), ("{{ }}", "“”"),
    ])
    func whatIsNotSupported_isNamed(template: String, detail: String) {
        #expect {
            _ = try ValueTemplate(template)
        } throws: { "\($0)".contains(detail) }
    }

    @Test func aTemplateThatIsTooLong_isRefused() {
        #expect(throws: ValueTemplateError.self) { try ValueTemplate(String(repeating: "{{ value }}", count: 500)) }
        let deep = "{{ value_json" + String(repeating: ".a", count: 20) + " }}"
        #expect(throws: ValueTemplateError.self) { try ValueTemplate(deep) }
        let long = "{{ value" + String(repeating: " | lower", count: 20) + " }}"
        #expect(throws: ValueTemplateError.self) { try ValueTemplate(long) }
    }

    @Test func aPath_keepsTruthValuesAsJSONHasThem() {
        let template = ValueTemplate(dottedPath: "relays.0.on")
        #expect(template.applied(to: Array(#"{"relays":[{"on":false}]}"#.utf8)) == "false")
        #expect(template == ValueTemplate(path: ["relays", "0", "on"]))
    }

    @Test(arguments: [
        ("{{ value }}", "5", "5"), ("{\"b\":{{ value }}}", "5", "{\"b\":5}"), ("{{ value | int }}", "5.5", "5"),
        ("{{ value | round(1) }}", "5.55", "5.6"), ("M{{ value | upper }}", "heat", "MHEAT"), ("GO", "5", "GO"),
        ("{{ value | int }}", "heat", "heat"),
    ])
    func aCommandTemplate_isFilled(template: String, value: String, payload: String) throws {
        #expect(try CommandTemplate(template).filled(value) == payload)
    }

    @Test func aCommandTemplate_knowsItsOwnNameForTheValue_andNoPayload() throws {
        #expect(try CommandTemplate("{{ position }}", name: "position").filled("30") == "30")
        #expect(throws: ValueTemplateError.self) { try CommandTemplate("{{ position }}") }
        #expect(throws: ValueTemplateError.self) { try CommandTemplate("{{ value_json.a }}") }
    }
}
