import Domain
import Foundation

/// The tabs of an attached screen, and which of them shows what a handler speaks of.
enum AppTabs {
    /// The tabs.
    static let all = ["dashboard", "ledger", "manifest", "checklist", "van", "trips", "settings"]

    /// The tab that follows a handler's reply; nil where the screen stays as it is.
    static func tab(of handler: String) -> String? {
        switch handler {
        case "finance": "ledger"
        case "manifest": "manifest"
        case "checklist": "checklist"
        case "van", "modes": "van"
        case "travel": "trips"
        case "emergency": "dashboard"
        default: nil
        }
    }
}

extension AppAction {
    /// Where actions are published.
    package static let topic = "vanorb/action"

    /// The action as `{"kind": …, "target": …}`.
    package var json: String? {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(self)).flatMap { String(data: $0, encoding: .utf8) }
    }
}
