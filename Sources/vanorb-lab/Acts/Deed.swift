import Control
import Devices
import Handlers
import Language

/// Something that was done, or said to be done.
struct Deed: Equatable, Sendable, Encodable {
    /// `handler.intent`: the one that does this.
    var intent: String
    /// What it was done to, and what became of it, under the labels' names.
    var slots: [String: String]
    /// True where nothing changed by it: it was said to be so already.
    var isClaim = false
    /// The devices that its kind means, where it names none.
    var members: Set<String> = []
    /// Other intents by which people may call the same: a warmer lamp has another colour.
    var alsoKnownAs: Set<String> = []

    /// Whether its value is a colour temperature.
    var isKelvin: Bool { slots["value"].flatMap { Double($0) }.map { $0 >= 1_000 } ?? false }

    init(_ intent: String, _ slots: [String: String?] = [:], isClaim: Bool = false) {
        self.intent = intent
        self.slots = slots.compactMapValues { $0 }
        self.isClaim = isClaim
    }
}

/// What became of one sentence.
struct ActTurn: Sendable {
    var outcome: TurnOutcome
    /// `handler.intent`, of the first command where there were several; nil where nothing was understood.
    var intent: String?
    var level = TurnLevel.none
    /// The trace's slots under the labels' names.
    var slots: [String: String] = [:]
    var reply = ""
    var deeds: [Deed] = []
    /// True where the question that was asked is about doing something.
    var asksAboutAct = false
}

/// Which intents change something, and how the labels name what they were given.
enum ActIntents {
    /// How the names of all intents of emergencies begin.
    static let emergencies = EmergencyIntent.handler + "."
    /// Those of the session that change the owner's data, the voice, or whether there is listening.
    private static let session: Set<String> = ["undo", "star", "mute", "slower", "faster", "louder", "quieter"]
    /// Questions of handlers whose intents do not say that they only look something up.
    private static let questions: [String: Set<String>] = [
        VanIntent.handler: ["get_state", "get_value", "list_on", "list_open", "list_offline", "time_left"],
        EmergencyIntent.handler: ["emergency_number", "location", "first_aid"],
    ]

    /// True for an intent that is there to change something.
    static func changes(_ intent: String) -> Bool {
        let parts = intent.split(separator: ".", maxSplits: 1).map(String.init)
        guard parts.count == 2 else { return false }
        if parts[0] == HandlerName.session { return session.contains(parts[1]) }
        if questions[parts[0]]?.contains(parts[1]) == true { return false }
        return !HandlerTable.intents.contains { $0.handler == parts[0] && $0.looksUp(parts[1]) }
    }

    /// Those that go on by steps: their question belongs to what was asked for.
    static let goOn: Set<String> = ["checklist.start_walk", "checklist.read_list"]

    /// The trace's names for what labels call otherwise.
    private static let names: [(label: String, trace: [String])] = [
        ("item", ["thing"]), ("place", ["where"]), ("mode", ["said"]), ("task", ["about"]),
        ("list", ["usual", "newlist"]),
        ("destination", ["place"]), ("value", ["level", "temperature"]),
    ]

    /// The slots of a trace, under the labels' names as well.
    static func named(_ slots: [String: String]) -> [String: String] {
        var named = slots
        for (label, others) in names where named[label] == nil {
            named[label] = others.lazy.compactMap { slots[$0] }.first
        }
        return named
    }
}

/// Reads from a turn's record, and from the state before and after it, what was done.
struct DeedReader: Sendable {
    let devices: [Device]
    let words: WordRules

    func turn(_ trace: TraceRecord, before: OwnerState, after: OwnerState) -> ActTurn {
        let intent = trace.handler.flatMap { handler in trace.intent.map { "\(handler).\($0)" } }
        var turn = ActTurn(outcome: trace.outcome, intent: intent, level: trace.level)
        turn.slots = ActIntents.named(trace.slots)
        if turn.slots["device"] == nil { turn.slots["device"] = measured(trace.slots["what"])?.name }
        turn.reply = trace.reply
        turn.deeds = deeds(trace, turn, before, after)
        turn.asksAboutAct =
            trace.outcome == .asked
            && (intent.map(ActIntents.changes)
                ?? trace.proposals.contains { proposal in
                    proposal.intent.map { ActIntents.changes("\(proposal.handler).\($0)") } ?? false
                })
        return turn
    }

    /// Prefix of an effect that says that nothing was sent.
    private static let nothingSent = "mqtt: nothing"

    private func deeds(_ trace: TraceRecord, _ turn: ActTurn, _ before: OwnerState, _ after: OwnerState) -> [Deed] {
        let effects = trace.effects.filter { !$0.hasPrefix(Self.nothingSent) }
        let intent = turn.intent ?? ""
        // What devices do in a mode or a scene belongs to it.
        if let mode = effects.lazy.compactMap({ $0.behind("mode: ") }).first {
            return [Deed("modes.set_mode", ["mode": mode])]
        }
        if intent == "van.run_scene", !effects.isEmpty { return [Deed(intent, ["scene": turn.slots["scene"]])] }
        var deeds = named(deviceDeeds(effects, intent, before) + after.deeds(since: before), intent)
        for metres in effects.compactMap({ $0.behind("odometer: ")?.split(separator: " ").dropFirst().first }) {
            let kilometres = (Double(metres) ?? 0) / 1_000
            deeds.append(
                Deed("travel.log_odometer", ["odometer": "\(kilometres)", "miles": "\(kilometres / 1.609344)"]))
        }
        // Advice that was published nowhere is an answer.
        let isClaimed =
            trace.outcome == .done && ActIntents.changes(intent) && !intent.hasPrefix(ActIntents.emergencies)
        if deeds.isEmpty, !effects.isEmpty {
            deeds = [Deed(turn.intent ?? "unknown", turn.slots)]
        } else if isClaimed, !deeds.contains(where: { covers($0, turn, intent) }) {
            var slots = turn.slots
            slots["device"] = slots["device"].map { self.device($0)?.name ?? $0 }
            // “All but the bathroom” leaves out its lamp.
            if let area = slots["except_area"] {
                slots["except"] = devices.first { $0.area == area && $0.kind == .light }?.name
            }
            var claim = Deed(intent, slots, isClaim: true)
            if slots["device"] == nil { claim.members = members(of: slots["kinds"], in: slots["area"]) }
            deeds.append(claim)
        }
        return deeds.map { deed in
            var named = deed
            named.alsoKnownAs =
                deed.slots["device"].flatMap { self.device($0) }.map {
                    Self.others(deed, $0, intent, turn.slots["direction"])
                } ?? []
            return named
        }
    }

    /// What people may call a deed of a device beside its own name: “a warmer white” is a colour, a blind that is put
    /// down is closed, and a heater that is turned down is adjusted in temperature.
    private static func others(_ deed: Deed, _ device: Device, _ intent: String, _ direction: String?) -> Set<String> {
        switch device.kind {
        case .light where intent == "van.adjust_temperature" || device.colourTemperature != nil && deed.isKelvin:
            return ["van.set_colour"]
        case .cover where intent == "van.adjust_level" && deed.isClaim:
            return direction == "down" ? ["van.close"] : direction == "up" ? ["van.open"] : []
        case .climate, .heater:
            let adjusted: Set = ["van.adjust_level", "van.adjust_temperature"]
            return adjusted.contains(intent) ? adjusted : []
        default: return []
        }
    }

    /// True where a deed is what the turn's intent asked for.
    private func covers(_ deed: Deed, _ turn: ActTurn, _ intent: String) -> Bool {
        guard deed.intent.prefix(while: { $0 != "." }) == intent.prefix(while: { $0 != "." }) else { return false }
        guard let named = turn.slots["device"].flatMap({ device($0)?.name }) else { return true }
        return deed.slots["device"] == named
    }

    /// Deeds of the turn's own handler under its intent: “we have used the last one” removes an item or counts it down.
    /// Where several commands were given, it is not known which of them it was.
    private func named(_ deeds: [Deed], _ intent: String) -> [Deed] {
        let handler = intent.prefix { $0 != "." }
        guard handler != VanIntent.handler, !handler.isEmpty, ActIntents.changes(intent),
            Set(deeds.map(\.intent)).count == 1
        else { return deeds }
        return deeds.map { deed in
            guard deed.intent.prefix(while: { $0 != "." }) == handler else { return deed }
            var own = deed
            own.intent = intent
            return own
        }
    }

    // MARK: devices

    /// A device by its name, another name or its identity.
    func device(_ name: String) -> Device? {
        let wanted = ActWords.plain(name)
        return devices.first { ActWords.plain($0.name) == wanted || $0.id == name }
            ?? devices.first { $0.aliases.contains { ActWords.plain($0) == wanted } }
    }

    /// The devices that a word for a kind means, by their names.
    private func members(of kinds: String?, in area: String?) -> Set<String> {
        guard let kind = kinds.flatMap({ KindWord($0) }) else { return [] }
        return Set(devices.filter { kind.includes($0, words) && (area == nil || $0.area == area) }.map(\.name))
    }

    /// The one device that measures what was asked for.
    private func measured(_ what: String?) -> Device? {
        let classes = (what ?? "").split(separator: " ").map(String.init)
        let found = devices.filter { classes.contains($0.deviceClass ?? "") || classes.contains($0.id) }
        return found.count == 1 ? found.first : nil
    }

    private static let adjusting = [
        "van.set_level": "van.adjust_level", "van.set_temperature": "van.adjust_temperature",
    ]

    /// What was published to devices, a deed for each.
    private func deviceDeeds(_ effects: [String], _ intent: String, _ before: OwnerState) -> [Deed] {
        var found: [(device: Device, deed: Deed)] = []
        for effect in effects {
            guard let message = effect.behind("mqtt: ") else { continue }
            let parts = message.split(separator: " ", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { continue }
            for device in devices {
                guard var deed = deed(device, topic: parts[0], payload: parts[1]) else { continue }
                deed.slots["area"] = device.area
                if Self.adjusting[deed.intent] == intent {
                    deed.intent = intent
                    let target = before.devices[device.name]?.behind("set to ").flatMap {
                        Double($0.prefix { $0.isNumber || $0 == "." })
                    }
                    // Labels say by how much.
                    let old = target ?? 0
                    deed.slots["value"] = deed.slots["value"].flatMap { Double($0) }.map { "\(abs($0 - old))" }
                }
                found.append((device, deed))
            }
        }
        // A lamp is turned on on the way to its brightness.
        let isOn = "van.turn_on", set = Set(found.filter { $0.deed.intent != isOn }.map(\.device.id))
        return found.filter { !($0.deed.intent == isOn && set.contains($0.device.id)) }.map(\.deed)
    }

    private func deed(_ device: Device, topic: String, payload: String) -> Deed? {
        func made(_ intent: String, _ more: [String: String?] = [:]) -> Deed {
            Deed("van.\(intent)", more.merging(["device": device.name]) { $1 })
        }
        let number = Double(payload)
        if topic == device.level?.commandTopic {
            return made("set_level", ["value": number.flatMap { device.level?.percent(raw: $0) }.map { "\($0)" }])
        }
        if topic == device.colourTemperature?.commandTopic { return made("set_level", ["value": payload]) }
        if topic == device.target?.commandTopic { return made("set_temperature", ["value": payload]) }
        if topic == device.options?.commandTopic {
            let option = device.options?.all.first { $0.payload == payload }?.name
            return made("set_option", ["option": option ?? payload])
        }
        guard topic == device.commandTopic else { return topic == device.value?.commandTopic ? made("set_level") : nil }
        if device.value != nil { return made("set_level", ["value": payload]) }
        if let verb = device.verbs.first(where: { $0.value == payload })?.key { return made(verb.rawValue) }
        return made(payload == device.payloadOff ? "turn_off" : "turn_on")
    }
}

extension String {
    /// What follows the first occurrence of some words.
    fileprivate func behind(_ words: String) -> String? {
        firstRange(of: words).map { String(self[$0.upperBound...]) }
    }
}
