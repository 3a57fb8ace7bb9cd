import Control
import Foundation
import RingRenderer
import Synchronization
import TerminalNCurses

/// Runs the full-screen view: the daemon's events and the keys change the model, and the model is drawn.
struct WatchScreen {
    /// Between two looks at keys and events, and between two frames while something moves. Twenty a second look smooth
    /// in a terminal and are no load for a link of a phone.
    private static let pause = Duration.milliseconds(50)
    /// How often a tab is asked for again while it is open, in seconds.
    private static let freshness = 3.0

    /// Events after which a tab may show something else.
    private static let changing = [WatchEvent.Kind.turn, WatchEvent.Kind.changed]

    let client: ControlClient

    /// Shows the view until `q` is pressed or the task is cancelled.
    /// - Throws: `TerminalError` where the terminal cannot show it.
    func run() async throws {
        let terminal = try Terminal()
        defer { terminal.close() }
        let inbox = Inbox(), hand = WatchController(client: client, inbox: inbox), start = ContinuousClock.now
        let following = Task { await follow(into: inbox) }
        let report = ScreenReport(client: client)
        defer {
            report.end()
            following.cancel()
            hand.letGo()
        }
        var model = WatchModel(), fetched: [Tab: Double] = [:], lookedForTroubles = -Double.infinity
        var isChanged = true, keys = WatchKeys(hand: hand)
        while !Task.isCancelled, !keys.wantsToQuit {
            let now = start.duration(to: .now) / .seconds(1)
            for input in inbox.take() {
                isChanged = true
                // What a turn changed must show at once.
                if case .event(let event) = input, Self.changing.contains(event.kind) { fetched = [:] }
                input.apply(to: &model, at: now)
            }
            while let key = terminal.key() {
                isChanged = true
                keys.press(key, &model)
            }
            report.show(model.shelf.screen)
            let size = terminal.size
            terminal.followSize()
            isChanged = isChanged || size != terminal.size
            if let tab = visibleTab(model, terminal.size), now - (fetched[tab] ?? -.infinity) >= Self.freshness {
                fetched[tab] = now
                fetch(tab, into: inbox)
            }
            // A daemon that is found again is asked at once.
            if model.link != .connected { lookedForTroubles = -.infinity }
            if model.link == .connected, now - lookedForTroubles >= Self.freshness {
                lookedForTroubles = now
                lookForTroubles(into: inbox)
            }
            // The frame after the last one that moved takes away what has ended.
            let isAnimated = model.isAnimated(at: now)
            if isChanged || isAnimated {
                let picture = WatchPicture(model: model, time: now, depth: terminal.depth)
                terminal.draw(picture.canvas(columns: terminal.size.columns, rows: terminal.size.rows))
                if terminal.depth != picture.depth {
                    inbox.put(.notice("This terminal supports no more colours."))
                }
            }
            isChanged = isAnimated
            try? await Task.sleep(for: Self.pause)
        }
    }

    private func visibleTab(_ model: WatchModel, _ size: (columns: Int, rows: Int)) -> Tab? {
        guard model.link == .connected else { return nil }
        return model.shelf.open ?? (size.columns >= WatchPicture.wide ? .dashboard : nil)
    }

    private func fetch(_ tab: Tab, into inbox: Inbox) {
        let feed = WatchFeed(client: client)
        Task {
            do {
                inbox.put(.page(tab, try await feed.page(tab)))
            } catch let error as ControlError {
                inbox.put(.page(tab, TabPage(empty: error.message)))
            } catch {
                // The events report that the daemon is away.
            }
        }
    }

    private func lookForTroubles(into inbox: Inbox) {
        Task {
            guard let status = try? await client.call(StatusCall.self) else { return }
            inbox.put(.troubles(WatchTroubles.of(status)))
        }
    }

    /// Follows the daemon's events until the task is cancelled, and reconnects where it goes away.
    private func follow(into inbox: Inbox) async {
        // It ends by the cancelling alone.
        try? await WatchFollower(client: client).run { sight in
            switch sight {
            case .event(let event, let isFirst):
                if isFirst, let history = try? await client.call(HistoryCall.self) {
                    inbox.put(.history(history.entries))
                }
                inbox.put(.event(event))
            case .lost(nil): inbox.put(.lost("VanOrb has stopped"))
            case .lost(let refusal as ControlError): inbox.put(.lost(refusal.message))
            case .lost(let away as DaemonUnreachable) where away.isSilent:
                inbox.put(.lost("VanOrb does not respond: sudo systemctl restart vanorb"))
            case .lost: inbox.put(.lost("VanOrb is not running: systemctl status vanorb"))
            }
        }
    }
}

/// What has happened since the view looked last.
final class Inbox: Sendable {
    /// Something that the view should know.
    enum Input: Sendable {
        case event(WatchEvent)
        case history([HistoryEntry])
        case page(Tab, TabPage)
        case lost(String)
        case notice(String)
        case released
        case troubles([String])

        func apply(to model: inout WatchModel, at time: Double) {
            switch self {
            case .event(let event): model.apply(event, at: time)
            case .history(let entries): model.remember(entries)
            case .page(let tab, let page): model.shelf.fill(tab, with: page)
            case .lost(let why): model.link = .lost(why)
            case .notice(let text): model.notice = .init(text: text, end: time + WatchModel.noticeSeconds)
            case .troubles(let troubles): model.troubles = troubles
            case .released: model.isHolding = false
            }
        }
    }

    private let inputs = Mutex<[Input]>([])

    func put(_ input: Input) { inputs.withLock { $0.append(input) } }

    func take() -> [Input] {
        inputs.withLock { inputs in
            defer { inputs = [] }
            return inputs
        }
    }
}
