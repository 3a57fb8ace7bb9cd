import Control
import Foundation
import SystemTestKit
import Testing

/// A command to a device that described itself, with what must become of it.
struct DiscoveredCase: Sendable, CustomTestStringConvertible {
    /// The simulation's name of the device, and the appliance's.
    let gadget: String, name: String
    let sentence: String
    /// What the broker carries, in order.
    let messages: [String]
    /// What is said when the device has confirmed it.
    let reply: String
    /// What is asked before it; nil for what is done without asking.
    var question: String?
    /// False for what never tells a state: it is told, and that is all that is said.
    var hasState = true
    /// False for what has no availability.
    var hasPresence = true
    var testDescription: String { "“\(sentence)”" }

    static let all = [
        DiscoveredCase(
            gadget: "pump", name: "water pump", sentence: "turn on the water pump", messages: ["van/pump/set ON"],
            reply: "The water pump is on."),
        DiscoveredCase(
            gadget: "ceiling_light", name: "ceiling light", sentence: "set the ceiling light to thirty percent",
            messages: [#"esp/ceiling/command {"state":"ON","brightness":77}"#],
            reply: "The ceiling light is at 30%."),
        DiscoveredCase(
            gadget: "ceiling_light", name: "ceiling light", sentence: "set the ceiling light to three thousand kelvin",
            messages: [#"esp/ceiling/command {"state":"ON","color_temp":333}"#],
            reply: "The ceiling light is at 3000 kelvin."),
        DiscoveredCase(
            gadget: "reading_light", name: "reading light", sentence: "set the reading light to eighty percent",
            messages: ["van/reading/switch ON", "van/reading/brightness/set 80"],
            reply: "The reading light is at 80%."),
        DiscoveredCase(
            gadget: "reading_light", name: "reading light", sentence: "turn on the reading light",
            messages: ["van/reading/switch ON"], reply: "The reading light is on."),
        // It keeps its speed while it is off: only a fan that turns is at it.
        DiscoveredCase(
            gadget: "roof_fan", name: "roof fan", sentence: "set the roof fan to thirty percent",
            messages: ["van/fan/on/set ON", "van/fan/speed/set 3"], reply: "The roof fan is at 30%."),
        DiscoveredCase(
            gadget: "heater", name: "heater", sentence: "turn on the heater", messages: ["van/heater/mode/set heat"],
            reply: "The heater is on."),
        DiscoveredCase(
            gadget: "heater", name: "heater", sentence: "set the heater to 21 degrees",
            messages: ["van/heater/target/set 21"], reply: "The heater is set to 21 °C."),
        DiscoveredCase(
            gadget: "galley", name: "galley socket", sentence: "turn on the galley socket",
            messages: ["bla/galley/socket/set 1"], reply: "The galley socket is on."),
        DiscoveredCase(
            gadget: "awning", name: "awning", sentence: "open the awning", messages: ["van/awning/set OPEN"],
            reply: "The awning is opening.", question: "Shall I open the awning?"),
        DiscoveredCase(
            gadget: "awning", name: "awning", sentence: "set the awning to thirty percent",
            messages: ["van/awning/position/set 30"], reply: "The awning is at 30%.",
            question: "Shall I have the awning at 30%?"),
        DiscoveredCase(
            gadget: "blind", name: "bedroom blind", sentence: "close the bedroom blind",
            messages: ["van/blind/set CLOSE"], reply: "The bedroom blind is closed."),
        DiscoveredCase(
            gadget: "blind", name: "bedroom blind", sentence: "set the bedroom blind to thirty percent",
            messages: ["van/blind/position/set 70"], reply: "The bedroom blind is at 30%."),
        DiscoveredCase(
            gadget: "side_door", name: "side door", sentence: "unlock the side door", messages: ["van/lock/set UNLOCK"],
            reply: "The side door is unlocked.", question: "Shall I unlock the side door?"),
        DiscoveredCase(
            gadget: "charge_limit", name: "charge limit", sentence: "set the charge limit to eighty percent",
            messages: ["van/charger/limit/set 80"], reply: "The charge limit is set to 80%."),
        DiscoveredCase(
            gadget: "inverter_mode", name: "inverter mode", sentence: "set the inverter mode to eco",
            messages: ["van/inverter/mode/set Eco"], reply: "The inverter mode is set to eco."),
        DiscoveredCase(
            gadget: "router_restart", name: "router restart", sentence: "press the router restart",
            messages: ["van/router/restart PRESS"], reply: "I've pressed the router restart.", hasState: false),
        DiscoveredCase(
            gadget: "film_night", name: "film night", sentence: "start film night",
            messages: ["van/scene/set film_night"], reply: "I've pressed the film night.", hasState: false,
            hasPresence: false),
        DiscoveredCase(
            gadget: "bed_lamp", name: "bed lamp", sentence: "turn on the bed lamp",
            messages: [#"zigbee2mqtt/bed lamp/set {"state":"ON"}"#], reply: "The bed lamp is on."),
        DiscoveredCase(
            gadget: "socket", name: "toaster", sentence: "turn on the toaster",
            messages: ["cmnd/tasmota_F0B1D2/POWER2 ON"], reply: "The toaster is on."),
    ]
}

extension ScenarioTests {
    /// Commands to devices that describe themselves, each in all that a device may make of it.
    @Suite(.serialized, .van(Setup(isDiscovered: true, settings: ["mqtt.confirmation=1"])))
    struct DiscoveredCommandTests {
        /// How devices behave, in what order; the last one has nothing sent to it. What does not confirm does so in one
        /// of three ways, which take turns: each costs the second that the answer is waited for.
        static func behaviours(of example: DiscoveredCase) -> [String] {
            let number = DiscoveredCase.all.firstIndex { $0.sentence == example.sentence } ?? 0
            return [["refuse", "lie", "silent"][number % 3], "obey", "offline"]
        }

        @Test(arguments: DiscoveredCase.all)
        func command_isSentAsTheDeviceReadsIt_andSpokenOfAsItWent(_ example: DiscoveredCase) async throws {
            let van = try ScenarioTests.van
            let witness = try await #require(van.broker).witness()
            defer { witness.end() }
            try await van.resets(example.gadget, witness)
            let before = try await #require(van.device(example.name))
            for behaviour in Self.behaviours(of: example) where behaviour != "offline" || example.hasPresence {
                try await van.has(example.gadget, behaviour, witness)
                let isThere = behaviour != "offline"
                try await eventually("\(example.name) to be \(isThere ? "there" : "away")") {
                    try await van.device(example.name)?.online == isThere
                }
                let seen = witness.messages.count
                var turn = try await van.say(example.sentence)
                if isThere, let question = example.question {
                    #expect(turn.reply == question)
                    turn = try await van.say("yes")
                }
                #expect(turn.reply == Self.answer(behaviour, example), "\(behaviour)")
                if isThere { for message in example.messages { try await witness.sees(message, after: seen) } }
                // Everything of this command has passed once this has come through the same broker.
                try await van.resets(example.gadget, witness)
                let sent = witness.messages.dropFirst(seen).filter(Self.isCommand)
                #expect(sent == (isThere ? example.messages : []), "\(behaviour)")
                try await eventually("\(example.name) to be as before") {
                    let now = try await van.device(example.name)
                    return now?.state == before.state && now?.online == before.online
                }
            }
        }

        private static func answer(_ behaviour: String, _ example: DiscoveredCase) -> String {
            switch behaviour {
            case "obey": example.reply
            case "offline": "The \(example.name) is offline, so I sent nothing."
            default: example.hasState ? "I've told the \(example.name), but it hasn't confirmed." : example.reply
            }
        }

        /// What devices take as commands, questions left out.
        static func isCommand(_ message: String) -> Bool {
            let topics = [
                "/set ", "/command ", "/switch ", "/restart ", "/POWER1 O", "/POWER2 O",
            ]
            return topics.contains { message.contains($0) } && !message.hasPrefix("stat/")
        }

        @Test func lateAnswer_isNotBelievedBefore_andIsTheStateAfter() async throws {
            let van = try ScenarioTests.van
            let witness = try await #require(van.broker).witness()
            defer { witness.end() }
            try await van.has("galley", "late", witness)
            let turn = try await van.say("turn on the galley socket")
            #expect(turn.reply == "I've told the galley socket, but it hasn't confirmed.")
            #expect(turn.outcome == .failed)
            #expect(try await van.say("is the galley socket on").reply == "The galley socket is off.")
            try await eventually("the late answer") { try await van.device("galley socket")?.state == "on" }
            #expect(try await van.say("is the galley socket on").reply == "The galley socket is on.")
            try await van.resets("galley", witness)
        }

        /// What the lamp says of its brightness while it is off is not that it is on.
        @Test func levelThatIsKeptWhileOff_isNoConfirmation() async throws {
            let van = try ScenarioTests.van
            let witness = try await #require(van.broker).witness()
            defer { witness.end() }
            try await van.has("ceiling_light", "refuse", witness)
            let turn = try await van.say("set the ceiling light to fifty percent")
            #expect(turn.reply == "I've told the ceiling light, but it hasn't confirmed.")
            try await van.resets("ceiling_light", witness)
            #expect(
                try await van.say("set the ceiling light to fifty percent").reply
                    == "The ceiling light is at 50%.")
            try await van.resets("ceiling_light", witness)
        }
    }
}
