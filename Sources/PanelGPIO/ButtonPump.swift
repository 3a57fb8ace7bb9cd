import Domain
import Foundation
import Logging
import Threads

/// The button's thread: waits for edges, debounces them, yields them. A line that cannot be opened, or goes away, is
/// tried again once a second.
final class ButtonPump: Sendable {
    private let thread: PumpThread

    /// Starts the thread.
    /// - Parameters:
    ///   - open: opens the line, on the thread.
    ///   - onState: called on the thread when the button starts or stops working.
    init(
        outlet: EdgeOutlet, open: @escaping @Sendable () throws -> any ButtonSource,
        onState: @escaping @Sendable (PanelPartState) -> Void
    ) {
        thread = PumpThread(name: "vanorb-button") { thread in
            repeat {
                do {
                    let source = try open()
                    onState(source is PolledSource ? .polled : .ok)
                    try Self.pump(thread, source, outlet)
                } catch {
                    onState(.failed("\(error)"))
                }
            } while !thread.wait(until: Date(timeIntervalSinceNow: 1))
        }
    }

    /// Ends the thread and waits for it, at most a fifth of a second.
    func stop() {
        thread.stop()
        thread.join()
    }

    /// Opens a line; where it cannot report edges, for polling.
    static func source(_ line: GPIOLine) throws -> any ButtonSource {
        do { return EdgeSource(try GPIOHandle(line, for: .edges)) } catch {
            guard error.mayLackEdges else { throw error }
            let handle = try GPIOHandle(line, for: .input)
            return try PolledSource { try handle.isActive() }
        }
    }

    static func pump(_ thread: PumpThread, _ source: any ButtonSource, _ outlet: EdgeOutlet) throws {
        let start = ContinuousClock.now
        var debouncer = Debouncer(
            isPressed: try source.isActive(), window: source.isDebounced ? .zero : Debouncer.usualWindow)
        // A button that is lost while it is held must not stay pressed.
        defer { if debouncer.isPressed { outlet.yield(TimedEdge(.released, at: .now)) } }
        while !thread.shouldStop {
            let now = start.duration(to: .now)
            let patience = debouncer.dueAt.map { max(.zero, $0 - now) } ?? .milliseconds(200)
            if let edge = try source.edge(within: patience) {
                let missed = debouncer.changed(to: edge.isActive, at: max(.zero, start.duration(to: edge.at)))
                if let missed { outlet.yield(TimedEdge(missed.edge, at: start + missed.time)) }
            } else if debouncer.dueAt != nil {
                let level = try source.isActive()
                if let edge = debouncer.poll(level: level, at: start.duration(to: .now)) {
                    outlet.yield(TimedEdge(edge.edge, at: start + edge.time))
                }
            }
        }
    }
}
