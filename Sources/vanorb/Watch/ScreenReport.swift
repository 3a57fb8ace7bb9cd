import Control

/// Tells the daemon what the view shows, so that what it says about the screen is so.
final class ScreenReport {
    private let client: ControlClient
    private var shown: ScreenArguments?
    private var call: Task<Void, Never>?

    init(client: ControlClient) { self.client = client }

    /// The view shows this from now on.
    func show(_ view: ScreenArguments) {
        guard view != shown else { return }
        shown = view
        let before = call
        call = Task { [client] in
            while !Task.isCancelled {
                // It lasts; where it ends, the daemon has gone or knows no screens.
                _ = try? await client.call(ScreenShowCall.self, view)
                try? await Task.sleep(for: .seconds(1))
            }
        }
        // The new view first, so that there is never none.
        Task {
            try? await Task.sleep(for: .milliseconds(100))
            before?.cancel()
        }
    }

    /// The screen is gone.
    func end() { call?.cancel() }
}

extension TabCache {
    /// What is shown, for the daemon.
    var screen: ScreenArguments {
        let rows = open.flatMap { pages[$0]?.rows } ?? []
        let places = rows.indices.filter { rows[$0].tone != .heading }
        let place = selection.flatMap { places.firstIndex(of: $0) }
        let chosen = place == nil ? nil : row
        return ScreenArguments(
            tab: open?.rawValue, thing: chosen?.id, name: chosen.map { $0.name ?? $0.title }, place: place ?? 0,
            count: places.count, canGoBack: canGoBack)
    }
}
