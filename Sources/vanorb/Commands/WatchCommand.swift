import ArgumentParser
import Control
import Dispatch
import Foundation

/// `vanorb watch`
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Shows what happens as it happens, one line an event, until Ctrl-C."
    )
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.run { client, output in
            let watching = Task {
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
