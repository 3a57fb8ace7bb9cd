/// The tabs of the view.
enum Tab: String, Sendable, CaseIterable {
    case dashboard, ledger, manifest, checklist, van, trips, settings

    /// As it is written.
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// The tab that shows a thing of this kind; nil for a kind nobody knows.
    init?(showing kind: String) {
        switch kind {
        case "device": self = .van
        case "item": self = .manifest
        case "task": self = .checklist
        case "trip": self = .trips
        default: return nil
        }
    }
}

/// What a tab shows.
struct TabPage: Sendable, Equatable {
    /// A line of its list.
    struct Row: Sendable, Equatable {
        /// Such as `item:12`; what actions name.
        var id: String
        /// What it is.
        var title: String
        /// More about it, shown where there is room.
        var detail: String = ""
        /// On the right: an amount, a state.
        var value: String = ""
        /// What “open” shows: lines of a name and a value.
        var facts: [Fact] = []
        /// How it is to be seen.
        var tone = Tone.plain
        /// What it is called; nil where that is the title.
        var name: String?
    }

    /// Something that is known of a row.
    struct Fact: Sendable, Equatable {
        var name: String
        var value: String
    }

    /// How a row is to be seen.
    enum Tone: Sendable { case plain, heading, good, warning, bad, faint }

    /// The most important of it, on one line.
    var summary: String = ""
    var rows: [Row] = []
    /// What stands there instead of rows.
    var empty: String = "Nothing yet."
    /// What has a star, of all kinds; nil where that is not known.
    var starred: Set<String>?
}

/// Which tab is open, what is selected on it, and where one came from.
struct TabCache: Sendable {
    /// The open tab; nil while one talks and nothing else.
    private(set) var open: Tab?
    /// What the tabs show, as far as it has been fetched.
    private(set) var pages: [Tab: TabPage] = [:]
    /// The selected row of each tab.
    private var selected: [Tab: String] = [:]
    /// True while the selected row is shown whole.
    private(set) var showsFacts = false
    /// Rows with a star, as the daemon keeps them.
    private(set) var starred: Set<String> = []
    private var trail: [Tab?] = []

    /// Opens a tab, or none.
    mutating func show(_ tab: Tab?) {
        if tab != open { trail = trail.suffix(15) + [open] }
        (open, showsFacts) = (tab, false)
    }

    /// The tab `steps` further on, around the end.
    mutating func turn(by steps: Int) {
        let all: [Tab?] = [nil] + Tab.allCases
        let place = (all.firstIndex(of: open) ?? 0) + steps
        show(all[((place % all.count) + all.count) % all.count])
    }

    /// What was fetched for a tab.
    mutating func fill(_ tab: Tab, with page: TabPage) {
        pages[tab] = page
        if let stars = page.starred { starred = stars }
        if let id = selected[tab], !page.rows.contains(where: { $0.id == id }) { selected[tab] = nil }
    }

    /// The selected row's place on the open tab; the first row where none was selected.
    var selection: Int? {
        guard let open, let rows = pages[open]?.rows, !rows.isEmpty else { return nil }
        return selected[open].flatMap { id in rows.firstIndex { $0.id == id } }
            ?? rows.firstIndex { $0.tone != .heading }
    }

    /// The selected row of the open tab.
    var row: TabPage.Row? { open.flatMap { pages[$0]?.rows }.flatMap { rows in selection.map { rows[$0] } } }

    /// Moves the selection, past headings, and stops at the ends.
    mutating func move(by steps: Int) {
        guard let open, let rows = pages[open]?.rows, let selection else { return }
        let places = rows.indices.filter { rows[$0].tone != .heading }
        guard let place = places.firstIndex(of: selection) else { return }
        selected[open] = rows[places[min(max(place + steps, 0), places.count - 1)]].id
    }

    /// Shows the selected row whole.
    mutating func expand() { showsFacts = row != nil }

    /// Whether there is something to go back to.
    var canGoBack: Bool { showsFacts || open != nil || !trail.isEmpty }

    /// Back to the list, or to where one was before.
    mutating func back() {
        if showsFacts {
            showsFacts = false
        } else {
            open = trail.popLast() ?? nil
        }
    }

    /// An action of the appliance: `tab`, `open`, `move`, `star`, `unstar`, `close`.
    mutating func follow(_ action: String, _ target: String?) {
        switch action {
        case "tab": if let tab = target.flatMap({ Tab(rawValue: $0) }) { show(tab) }
        case "open":
            guard let target, let kind = target.split(separator: ":").first, let tab = Tab(showing: String(kind)) else {
                return
            }
            show(tab)
            selected[tab] = target
            showsFacts = true
        case "move": move(target ?? "")
        case "star": if let target, !target.isEmpty { starred.insert(target) }
        case "unstar": if let target { starred.remove(target) }
        case "close": show(nil)
        default: break
        }
    }

    private mutating func move(_ way: String) {
        switch way {
        case "next": move(by: 1)
        case "previous": move(by: -1)
        case "open": expand()
        case "back": back()
        default: break
        }
    }
}
