import Control
import Foundation

/// What the tabs show, asked of the daemon.
struct WatchFeed: Sendable {
    let client: ControlClient

    /// A tab's page as it is now.
    /// - Throws: `DaemonUnreachable`, `ControlError`.
    func page(_ tab: Tab) async throws -> TabPage {
        async let stars = client.call(StarsCall.self)
        var page = try await bare(tab)
        page.starred = (try? await stars).map { Set($0.stars) }
        return page
    }

    /// A page without its stars.
    private func bare(_ tab: Tab) async throws -> TabPage {
        switch tab {
        case .dashboard:
            async let ledger = client.call(LedgerListCall.self, LedgerListArguments(limit: 1))
            return Self.dashboard(try await client.call(StatusCall.self), balances: (try? await ledger)?.balances ?? [])
        case .ledger:
            return Self.ledger(try await client.call(LedgerListCall.self, LedgerListArguments(limit: 200)))
        case .manifest: return Self.manifest(try await client.call(ItemsListCall.self))
        case .van: return Self.van(try await client.call(DevicesListCall.self))
        case .checklist: return Self.checklist(try await client.call(ListsCall.self))
        case .trips: return Self.trips(try await client.call(TripsCall.self))
        case .settings: return Self.settings(try await client.call(SettingsCall.self))
        }
    }

    static func dashboard(_ status: StatusResult, balances: [MoneyAmount]) -> TabPage {
        func row(_ name: String, _ value: String, _ tone: TabPage.Tone = .plain) -> TabPage.Row {
            TabPage.Row(id: "status:\(name)", title: name, value: value, tone: tone)
        }
        var rows = [row("Mode", status.mode ?? "none")]
        rows += balances.map { row("Balance", Text.money($0), $0.minorUnits < 0 ? .bad : .good) }
        rows.append(row("Broker", status.bus.detail, status.bus.connected ? .good : .warning))
        rows.append(row("Devices", "\(status.devices)"))
        rows.append(row("Items aboard", "\(status.items)"))
        let ailing = status.parts.filter { $0.state != .ok }
        rows.append(
            TabPage.Row(
                id: "heading:parts", title: ailing.isEmpty ? "All parts work" : "Problems", tone: .heading))
        rows += ailing.map { part in
            TabPage.Row(
                id: "part:\(part.name)", title: part.name, value: part.detail,
                facts: part.advice.map { [TabPage.Fact(name: "fix", value: $0)] } ?? [],
                tone: part.state == .failed ? .bad : .warning)
        }
        return TabPage(summary: "up \(Text.duration(status.uptimeSeconds))", rows: rows)
    }

    static func ledger(_ ledger: LedgerListResult) -> TabPage {
        TabPage(
            summary: Text.money(ledger.balances),
            rows: ledger.entries.map { entry in
                let sign = entry.kind == .income ? "+" : ""
                let facts = facts([
                    ("category", entry.category), ("merchant", entry.merchant), ("note", entry.note),
                    ("date", Text.date(entry.date)), ("entry", "\(entry.id)"),
                    ("clock", entry.timeUncertain ? "uncertain" : nil),
                ])
                return TabPage.Row(
                    id: "entry:\(entry.id)", title: entry.category ?? entry.merchant ?? entry.kind.rawValue,
                    detail: [entry.category == nil ? nil : entry.merchant, Text.shortDay(entry.date)].compactMap { $0 }
                        .joined(separator: " · "),
                    value: sign + Text.money(entry.amount),
                    facts: facts,
                    tone: entry.kind == .income ? .good : .plain)
            }, empty: "No entries yet. Say “log diesel for £50”.")
    }

    static func manifest(_ list: ItemsListResult) -> TabPage {
        let weighed = list.items.compactMap { item in item.unitGrams.map { $0 * item.quantity } }
        let weight = weighed.isEmpty ? "" : ", \(Text.weight(grams: weighed.reduce(0, +)))"
        return TabPage(
            summary: "\(list.items.count) items\(weight)",
            rows: list.items.map { item in
                let facts = facts([
                    ("place", item.place), ("number", "\(item.quantity)"),
                    ("weighs", item.unitGrams.map { "\(Text.weight(grams: $0)) each" }),
                    ("also", item.aliases.isEmpty ? nil : item.aliases.joined(separator: ", ")),
                ])
                return TabPage.Row(
                    id: "item:\(item.id)", title: item.quantity == 1 ? item.name : "\(item.quantity) × \(item.name)",
                    value: item.place ?? "",
                    facts: facts, name: item.name)
            }, empty: "No items yet. Say “add a torch to the glove box”.")
    }

    static func van(_ list: DevicesListResult) -> TabPage {
        var rows: [TabPage.Row] = [], area: String??
        for device in list.devices {
            if area != .some(device.area) {
                rows.append(
                    TabPage.Row(
                        id: "area:\(device.area ?? "")", title: device.area ?? "Everywhere else", tone: .heading))
                area = .some(device.area)
            }
            let state = device.state ?? "unknown"
            let isOn = state.hasPrefix("on") || state.hasPrefix("open") || state.hasPrefix("unlocked")
            let facts = facts([
                ("kind", device.kind), ("from", device.source),
                ("updated", device.ageSeconds.map { "\(Text.duration($0)) ago" }),
                ("reachable", device.online ? nil : "no"),
            ])
            rows.append(
                TabPage.Row(
                    id: "device:\(device.id)", title: device.name, detail: device.kind,
                    value: value(of: device),
                    facts: facts,
                    tone: !device.online ? .bad : device.state == nil ? .faint : isOn ? .good : .plain))
        }
        return TabPage(
            summary: "\(list.devices.count) devices", rows: rows,
            empty: "No devices. Add them to /etc/vanorb/devices.yaml, or enable discovery (vanorb settings mqtt).")
    }

    /// The state; of a device that is out of reach what it last was, and how long ago.
    private static func value(of device: DeviceRow) -> String {
        guard !device.online else { return device.state ?? "unknown" }
        guard let state = device.state else { return "offline" }
        return "offline, \(state)" + (device.ageSeconds.map { " \(Text.duration($0)) ago" } ?? "")
    }

    static func checklist(_ result: ListsResult) -> TabPage {
        let left = result.lists.reduce(0) { $0 + $1.left }
        let rows = result.lists.flatMap { list in
            [
                TabPage.Row(
                    id: "list:\(list.name)", title: list.name, value: list.left == 0 ? "done" : "\(list.left) left",
                    tone: .heading)
            ]
                + list.tasks.map { task in
                    TabPage.Row(
                        id: "task:\(task.id)", title: "\(task.done ? "✓" : "·") \(task.text)",
                        facts: facts([("list", list.name), ("done", task.done ? "yes" : "no")]),
                        tone: task.done ? .faint : .plain, name: task.text)
                }
        }
        return TabPage(
            summary: left == 0 ? "" : "\(left) left", rows: rows,
            empty: "No lists yet. Say “add a task to check tyres”.")
    }

    static func trips(_ result: TripsResult) -> TabPage {
        let rows = result.trips.map { trip in
            let spent = trip.spent.isEmpty ? nil : Text.money(trip.spent)
            let driven = trip.metres.map { Text.distance(metres: $0, result.unit) }
            let nights = trip.nights == 1 ? "1 night" : "\(trip.nights) nights"
            return TabPage.Row(
                id: "trip:\(trip.id)", title: trip.destination,
                detail: [Text.shortDay(trip.start), nights, driven].compactMap { $0 }.joined(separator: " · "),
                value: spent ?? "",
                facts: facts([
                    ("start", Text.date(trip.start)), ("end", trip.end.map(Text.date) ?? "current"),
                    ("nights", "\(trip.nights)"), ("driven", driven), ("spent", spent),
                ]), tone: trip.isCurrent ? .good : .plain)
        }
        return TabPage(
            summary: result.trips.first { $0.isCurrent }.map { "on the way to \($0.destination)" } ?? "", rows: rows,
            empty: "No trips yet. Say “start a trip to Spain”.")
    }

    static func settings(_ result: SettingsResult) -> TabPage {
        let rows = result.settings.map { setting in
            let source =
                switch setting.origin {
                case .defaults: "default"
                case .owner: "your file"
                case .commandLine: "command line"
                }
            return TabPage.Row(
                id: "setting:\(setting.key)", title: setting.key, detail: source,
                value: setting.value.isEmpty ? "(none)" : setting.value,
                facts: facts([
                    ("source", source), ("default", setting.defaultValue), ("in use", setting.inForce),
                    ("note", setting.note), ("expected", setting.expected), ("meaning", setting.meaning),
                ]), tone: setting.origin == .defaults ? .plain : .good)
        }
        let problem = result.problem.map { TabPage.Row(id: "problem:file", title: $0, tone: .bad) }
        return TabPage(
            summary: "\(rows.count) settings", rows: [problem].compactMap { $0 } + rows, empty: "No settings are known."
        )
    }

    /// What is known; a name without a value is left out.
    private static func facts(_ known: [(String, String?)]) -> [TabPage.Fact] {
        known.compactMap { name, value in value.map { TabPage.Fact(name: name, value: $0) } }
    }
}
