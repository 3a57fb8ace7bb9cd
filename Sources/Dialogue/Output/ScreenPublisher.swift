import Domain
import Foundation
import Logging

/// Publishes to watchers and the bus what attached screens are to show, one action after the other.
@DialogueActor
package final class ScreenPublisher {
    private let bus: (any Bus)?
    private let port: SessionPort
    private let clock: any Clock<Duration>
    private let logger: Logger
    /// The last action on its way to the bus; each waits for the one before.
    private var publishing: Task<Void, Never>?

    /// How long an action waits for the one before.
    private static let patience = Duration.seconds(5)

    nonisolated init(_ bus: (any Bus)?, port: SessionPort, clock: any Clock<Duration>, logger: Logger) {
        self.bus = bus
        self.port = port
        self.clock = clock
        self.logger = logger
    }

    /// Lets the screens follow a reply: by its action, else by the tab of what it was about.
    func follow(_ action: AppAction?, elseTabOf handler: String?) {
        if let action {
            show(action)
        } else if let tab = handler.flatMap(AppTabs.tab(of:)) {
            show(AppAction(kind: "tab", target: tab))
        }
    }

    private func show(_ action: AppAction) {
        port.emit(.action(action))
        guard let bus, bus.isConnected, let payload = action.json else { return }
        let before = publishing, logger = logger, clock = clock
        publishing = Task {
            // A broker that does not answer must not keep the screens dark for ever.
            _ = await withTimeout(Self.patience, clock: clock) { await before?.value }
            do { try await bus.publish(topic: AppAction.topic, payload: payload, retain: false) } catch {
                logger.warning("the action was not published: \(error)")
            }
        }
    }

    /// Waits until all is published.
    package func finish() async { await publishing?.value }
}

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
