import CGPIOD
import Copilot
import Foundation
import Logging
import Threads

/// The button's thread: waits for edges, debounces them, yields them. A line that goes away is opened again once a
/// second.
final class ButtonPump: Sendable {
    private let thread: PumpThread

    /// Starts the thread.
    /// - Throws: `GPIOError` when the line cannot be opened now; no thread is left behind.
    init(_ line: GPIOLine, outlet: EdgeOutlet, logger: Logger) throws {
        let opening = Opening()
        thread = PumpThread(name: "vanorb-button") { thread in
            Self.run(thread, line, outlet, opening, logger)
        }
        do {
            try opening.wait()
        } catch {
            thread.join()
            throw error
        }
    }

    /// Ends the thread and waits for it, at most a fifth of a second.
    func stop() {
        thread.stop()
        thread.join()
    }

    private static func run(
        _ thread: PumpThread, _ line: GPIOLine, _ outlet: EdgeOutlet, _ opening: Opening, _ logger: Logger
    ) {
        var hasOpened = false
        repeat {
            do {
                let handle = try GPIOHandle(line, isOutput: false)
                if hasOpened { logger.info("button is back") }
                hasOpened = true
                opening.report(.success(()))
                try pump(thread, handle, outlet)
            } catch {
                opening.report(.failure(error))
                guard hasOpened else { return }
                logger.error("button lost: \(error)")
            }
        } while !thread.wait(until: Date(timeIntervalSinceNow: 1))
    }

    private static func pump(_ thread: PumpThread, _ handle: GPIOHandle, _ outlet: EdgeOutlet) throws {
        let start = ContinuousClock.now
        var debouncer = Debouncer(
            isPressed: try handle.isActive(), window: vanorb_gpio_debounces() ? .zero : Debouncer.usualWindow)
        // A button that is lost while it is held must not stay pressed for ever.
        defer { if debouncer.isPressed { outlet.yield(.released) } }
        while !thread.shouldStop {
            let now = start.duration(to: .now)
            let patience = debouncer.settlesAt.map { max(.zero, $0 - now) } ?? .milliseconds(200)
            if let edge = try handle.edge(within: patience) {
                debouncer.changed(to: edge.isActive, at: start.duration(to: .now))
            } else if debouncer.settlesAt != nil {
                let level = try handle.isActive()
                if let edge = debouncer.settle(level: level, at: start.duration(to: .now)) { outlet.yield(edge) }
            }
        }
    }
}
