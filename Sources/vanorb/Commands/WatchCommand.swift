import ArgumentParser
import Control
import Dispatch
import Foundation
import TerminalNCurses

/// `vanorb watch`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Watch VanOrb live.",
        discussion: """
            On a terminal it fills the screen: the orb, the conversation, and tabs; ? lists the keys, q quits.
            Elsewhere, and with --plain, it writes one line per event until Ctrl-C. It reconnects to a restarted daemon.
            """
    )
    @OptionGroup var global: GlobalOptions

    @Flag(help: "Write one line per event, as for a screen reader.")
    var plain = false

    func run() async throws {
        try await global.run { client, output in
            let isFull = !plain && !output.json && Self.isTerminal
            let watching = Task {
                if isFull, try await fillScreen(client) { return }
                try await Self.writeLines(client, output)
            }
            let interrupts = Interrupts { watching.cancel() }
            defer { interrupts.stop() }
            do {
                try await watching.value
            } catch is CancellationError {
                // Ctrl-C is how a watch ends.
                return
            }
        }
    }

    /// Writes one line per event until the task is cancelled, over the daemon's restarts.
    /// - Throws: `DaemonUnreachable` where no daemon answers at the start; `ControlError` for what does not recover by
    ///   waiting; `OutputClosed`, `CancellationError`.
    private static func writeLines(_ client: ControlClient, _ output: Output) async throws {
        var isFound = false, isAway = false
        try await WatchFollower(client: client).run { sight in
            switch sight {
            case .event(let event, _):
                if isAway, !output.json { try output.line(WatchText.found) }
                (isFound, isAway) = (true, false)
                if output.json {
                    try output.compact(event)
                } else {
                    for line in WatchText.lines(event) { try output.line(line) }
                }
            case .lost(let reason):
                if let reason, !isFound || !Self.mendsByWaiting(reason) { throw reason }
                // Reported once, however long it lasts.
                guard !isAway else { return }
                isAway = true
                if output.json {
                    // A program that reads the events finds nothing else among them.
                    output.complain(ControlError(code: "daemon-unreachable", message: WatchText.lostMessage))
                } else {
                    try output.line(WatchText.lost)
                }
            }
        }
    }

    /// Whether a daemon that was there may answer again by itself. One of another version never will, and events that
    /// were not taken in time are gone.
    private static func mendsByWaiting(_ reason: any Error) -> Bool {
        guard let refusal = reason as? ControlError else { return true }
        return [ControlError.Code.busy, ControlError.Code.cancelled].contains(refusal.code)
    }

    /// A terminal at both ends that can do more than print.
    private static var isTerminal: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            && !["", "dumb"].contains(ProcessInfo.processInfo.environment["TERM"] ?? "")
    }

    /// Fills the screen until the owner has seen enough.
    /// - Returns: false where the terminal is one that nothing is known of.
    private func fillScreen(_ client: ControlClient) async throws -> Bool {
        do {
            try await WatchScreen(client: client).run()
            return true
        } catch let error as TerminalError {
            try? FileHandle.standardError.write(contentsOf: Data("vanorb: \(error)\n".utf8))
            return false
        }
    }
}

/// Calls back on Ctrl-C and on a request to end, in place of the process dying.
private struct Interrupts {
    private let sources: [any DispatchSourceSignal]

    init(_ body: @escaping @Sendable () -> Void) {
        sources = [SIGINT, SIGTERM, SIGHUP].map { number in
            // The source's own handler is there once it is registered; until then the signal ends the program as ever.
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler(handler: body)
            source.resume()
            return source
        }
    }

    func stop() {
        for source in sources { source.cancel() }
    }
}
