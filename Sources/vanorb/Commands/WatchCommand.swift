import ArgumentParser
import Control
import Dispatch
import Foundation
import TerminalNCurses

/// `vanorb watch`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Shows what happens as it happens.",
        discussion: """
            On a terminal it fills the screen: the orb, what is said, and tabs that follow; ? tells the keys, q ends it.
            Elsewhere, and with --plain, it writes one line an event until Ctrl-C.
            """
    )
    @OptionGroup var global: GlobalOptions

    @Flag(help: "One line an event, as for a screen reader.")
    var plain = false

    func run() async throws {
        try await global.run { client, output in
            let isFull = !plain && !output.json && Self.isTerminal
            let watching = Task {
                if isFull, try await fillScreen(client) { return }
                for try await event in client.stream(EventsWatch.self) {
                    if output.json {
                        try output.compact(event)
                    } else {
                        for line in WatchText.lines(event) { try output.line(line) }
                    }
                }
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
            signal(number, SIG_IGN)
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
