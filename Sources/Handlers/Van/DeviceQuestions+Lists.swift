import Domain
import Devices

/// What is on, and what is open.
extension DeviceQuestions {
    func listOn(_ reference: VanIntent.TargetReference) async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        let area = reference.area, word = reference.kind?.word
        var on: [String] = [], named: [Device] = [], silent: [String] = [], known = 0
        for device in van.devices where isRunnable(device) && (area == nil || device.area == area) {
            if let word, !word.includes(device, environment.books.words) { continue }
            let report = await van.report(on: device)
            if !report.isKnown { silent.append(spoken.the(device.name)) }
            if report.isKnown { known += 1 }
            guard report.state == .on, report.isAvailable, !report.isStale else { continue }
            on.append(spoken.the(device.name))
            named.append(device)
        }
        guard !on.isEmpty else {
            // Of what nothing is known it is not known that it is off.
            if known == 0, let unknown = self.silent(silent) { return Reply(unknown) }
            return Reply(
                [noneOn(reference), self.silent(silent)]
                    .compactMap { $0 }.joined(separator: " "))
        }
        let be = on.count == 1 ? spoken.be(on[0]) : replies("verb.are").spoken
        let values: [String: any Worded] = ["list": spoken.list(on), "be": be]
        return about(named, Reply(replies("van.list_on", values).capitalisedFirst))
    }

    /// What is on or off, and what is known to run.
    private func isRunnable(_ device: Device) -> Bool {
        device.canSwitch || device.kind == .binarySensor && device.deviceClass == "running"
    }

    private func noneOn(_ reference: VanIntent.TargetReference) -> Wording {
        // “Nothing” would be more than was asked, and untrue.
        guard let kind = reference.kind else { return replies("van.none_on") }
        let asked = noun(kind)
        let whole = reference.area.map { replies("van.in_area", ["noun": asked, "area": spoken.the($0)]).spoken }
        return replies("van.none_on_of", ["noun": whole ?? asked])
    }

    /// What was asked for, in the plural: none of it is, so that “is any door open” is answered with “no doors”.
    func noun(_ kind: VanIntent.KindReference) -> String {
        let said = environment.withoutArticle(kind.spoken)
        return kind.word.isOne ? spoken.plural(said) : said
    }

    /// So many are named; of more, how many they are.
    static let mostNamed = 5

    /// What is not known, in a sentence; nil where all is.
    func silent(_ names: [String]) -> Wording? {
        guard !names.isEmpty else { return nil }
        guard names.count > Self.mostNamed else {
            return replies("van.list_silent", ["list": spoken.list(names)])
        }
        return replies("van.many_silent", ["count": "\(names.count)"])
    }

    /// Which devices do not answer.
    func listOffline() async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        var offline: [Device] = []
        for device in van.devices where await !van.report(on: device).isAvailable {
            offline.append(device)
        }
        guard !offline.isEmpty else { return Reply(replies("van.none_offline")) }
        let names = offline.map { spoken.the($0.name) }
        let be = names.count == 1 ? spoken.be(names[0]) : replies("verb.are").spoken
        let values: [String: any Worded] = ["list": spoken.list(names), "be": be]
        return about(offline, Reply(replies("van.list_offline", values).capitalisedFirst))
    }

    /// The reply with its subject, where that is one device.
    func about(_ devices: [Device], _ reply: Reply) -> Reply {
        guard devices.count == 1, let device = devices.first else { return reply }
        var reply = reply
        reply.subject = VanIntent.subject(device)
        return reply
    }

    /// What is open or unlocked. Devices of unknown state are named, too: somebody is about to drive off.
    func listOpen(_ reference: VanIntent.TargetReference) async -> Reply {
        guard van.isConnected else { return .failed(replies("van.unreachable")) }
        var open: [String] = [], unlocked: [String] = [], silent: [String] = [], count = 0
        var named: [Device] = []
        let word = reference.kind?.word
        for device in van.devices
        where device.kind == .cover || device.kind == .lock || device.isOpening(environment.books.words.deviceClass) {
            if let word, !word.includes(device, environment.books.words) { continue }
            if let area = reference.area, device.area != area { continue }
            count += 1
            let report = await van.report(on: device)
            let name = spoken.the(device.name)
            guard report.isKnown else {
                silent.append(name)
                continue
            }
            switch (device.kind, report.state, report.position) {
            case (.lock, _, .locked?), (.cover, _, .closed?): break
            case (.lock, _, _):
                unlocked.append(name)
                named.append(device)
            case (.cover, _, _), (_, .on, _):
                open.append(name)
                named.append(device)
            default: break
            }
        }
        let asked = reference.kind.map(noun)
        guard count > 0 else {
            return Reply(
                asked.map { replies("van.none_known", ["noun": $0]) } ?? replies("van.nothing_opens"))
        }
        func part(_ names: [String], _ key: String) -> Wording? {
            guard !names.isEmpty else { return nil }
            let be = names.count == 1 ? spoken.be(names[0]) : replies("verb.are").spoken
            return replies(key, ["list": spoken.list(names), "be": be]).capitalisedFirst
        }
        let none = asked.map { replies("van.none_open_of", ["noun": $0]) } ?? replies("van.none_open")
        let parts = [
            // Of what nothing is known it is not known that it is closed.
            open.isEmpty ? silent.count == count ? nil : none : part(open, "van.list_open"),
            part(unlocked, "van.list_unlocked"), self.silent(silent),
        ]
        return about(named, Reply(parts.compactMap { $0 }.joined(separator: " ")))
    }
}
