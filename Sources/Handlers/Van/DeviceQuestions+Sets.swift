import Devices
import Domain

/// Which, any, all and how many.
extension DeviceQuestions {
    /// The devices of a set, by whether they are as they were asked for.
    private struct Findings {
        var are: [Device] = [], areNot: [(device: Device, report: DeviceReport)] = [], silent: [Device] = []
        var count: Int { are.count + areNot.count + silent.count }
    }

    func set(_ question: VanIntent.StateQuestion, _ condition: DeviceCondition) async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        var found = Findings()
        for device in devices(of: question, condition) {
            let report = await van.report(on: device)
            switch condition.holds(report, device) {
            case true?: found.are.append(device)
            case false?: found.areNot.append((device, report))
            case nil: found.silent.append(device)
            }
        }
        let noun = noun(of: question), kind = question.target.kind
        if found.count == 0, let reply = await charging(condition) { return reply }
        guard found.count > 0 else { return .failed(replies("van.none_known", ["noun": noun])) }
        if found.silent.count == found.count, let unknown = silent(found.silent.map(called)) { return Reply(unknown) }
        let text =
            switch question.scope {
            case .many?: many(found, question, condition)
            case .any?, .which?: some(found, noun, condition)
            // “Are the blinds closed” is about all of them, “is the kitchen flooded” about any sensor.
            case .all?: all(found, noun, condition)
            case nil: kind == nil ? await each(found, noun, condition) : all(found, noun, condition)
            }
        return about(
            found.are.isEmpty ? found.areNot.map(\.device) : found.are,
            Reply([text, silent(found.silent.map(called))].compactMap { $0 }.joined(separator: " ")))
    }

    /// Whether the battery is being charged, by its power where no sensor says it in a word; nil for other questions.
    func charging(_ condition: DeviceCondition) async -> Reply? {
        guard condition.classes == ["battery_charging"] else { return nil }
        let powers = [Self.batteryPower, Self.batteryCurrent]
        guard let device = van.devices.first(where: { powers.contains($0.deviceClass ?? "") }) else { return nil }
        return await value(device)
    }

    private func devices(of question: VanIntent.StateQuestion, _ condition: DeviceCondition) -> [Device] {
        let reference = question.target, kind = reference.kind, words = environment.books.words
        let isNamed = kind.map { !$0.word.isAny } ?? false
        let inPlace = van.devices.filter {
            (reference.area == nil || $0.area == reference.area) && !reference.leavesOut($0)
                && condition.concerns($0, isNamed: isNamed, words)
        }
        guard let kind else { return inPlace }
        let found = inPlace.filter { kind.word.includes($0, words) }
        guard found.isEmpty, !condition.classes.isEmpty else { return found }
        // “Are any lights detected” is for what detects light.
        let deviceClass = words.deviceClass(noun(kind).split(separator: " ").last.map(String.init) ?? "")
        return inPlace.filter { $0.deviceClass == deviceClass }
    }

    /// What was asked for, in the plural unless it is one.
    private func noun(of question: VanIntent.StateQuestion, count: Int = 0) -> String {
        var words = (question.target.kind.map(noun) ?? replies("van.sensors").spoken).split(separator: " ").map(
            String.init)
        if count == 1, let last = words.popLast() { words.append(environment.books.words.singular(last)) }
        let noun = words.joined(separator: " ")
        return question.target.area.map { replies("van.in_area", ["noun": noun, "area": spoken.the($0)]).spoken }
            ?? noun
    }

    private func called(_ device: Device) -> String { spoken.the(resolver.spokenName(of: device)) }

    private func listed(_ devices: [Device], _ state: any Worded) -> Wording {
        let names = devices.map(called)
        let be = names.count == 1 ? spoken.be(names[0]) : replies("verb.are").spoken
        return replies("van.set_are", ["list": spoken.list(names), "be": be, "state": state]).capitalisedFirst
    }

    private func some(_ found: Findings, _ noun: String, _ condition: DeviceCondition) -> Wording {
        found.are.isEmpty
            ? replies("van.set_none", ["noun": noun, "state": condition.spoken]) : listed(found.are, condition.spoken)
    }

    /// Each in its own words: that the kitchen is occupied says its sensor.
    private func each(_ found: Findings, _ noun: String, _ condition: DeviceCondition) async -> Wording {
        let devices = found.are + found.areNot.map(\.device)
        guard devices.count <= Self.mostNamed else { return some(found, noun, condition) }
        return await states(devices, noun).wording
    }

    private func many(_ found: Findings, _ question: VanIntent.StateQuestion, _ condition: DeviceCondition) -> Wording {
        guard !found.are.isEmpty else { return some(found, noun(of: question), condition) }
        let noun = noun(of: question, count: found.are.count)
        let values: [String: any Worded] = [
            "count": "\(found.are.count)", "noun": noun, "state": condition.spoken,
            "list": spoken.list(found.are.map(called)),
        ]
        return replies(found.are.count > Self.mostNamed ? "van.set_count" : "van.set_count_named", values)
    }

    private func all(_ found: Findings, _ noun: String, _ condition: DeviceCondition) -> Wording? {
        let values: [String: any Worded] = [
            "count": "\(found.are.count)", "noun": noun, "state": condition.spoken,
        ]
        guard !found.areNot.isEmpty else {
            // Of the silent ones nobody knows.
            if !found.silent.isEmpty { return replies("van.set_count", values) }
            return found.are.count == 1
                ? listed(found.are, condition.spoken) : phrasing.all("van.all_done", found.are.count, values)
        }
        guard found.areNot.count <= Self.mostNamed else {
            let opposite = condition.opposite.map { replies("van.\($0)") }
            let more: [String: any Worded] = ["other": "\(found.areNot.count)", "total": "\(found.count)"]
            return replies(
                opposite == nil ? "van.set_not_all" : "van.set_opposite",
                values.merging(more) { $1 }.merging(["state": opposite ?? condition.spoken.wording]) { $1 })
        }
        var groups: [(state: Wording, names: [String])] = []
        for (device, report) in found.areNot {
            let state = phrasing.words(for: report, device) ?? replies("van.silent_word"), name = called(device)
            if let index = groups.firstIndex(where: { $0.state == state }) {
                groups[index].names.append(name)
            } else {
                groups.append((state, [name]))
            }
        }
        let parts = phrasing.parts(groups)
        return replies("van.set_no", ["list": parts.loweredFirst])
    }
}
