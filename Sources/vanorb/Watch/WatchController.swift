import Control
import Synchronization

/// Does in the appliance what keys ask for. Nothing waits for an answer: what comes of it is seen in the events, and
/// failures are shown.
final class WatchController: Sendable {
    private let client: ControlClient
    private let inbox: Inbox
    private let presses: AsyncStream<PressGesture>.Continuation
    private let hold = Mutex<Task<Void, Never>?>(nil)

    init(client: ControlClient, inbox: Inbox) {
        self.client = client
        self.inbox = inbox
        let (stream, continuation) = AsyncStream.makeStream(of: PressGesture.self, bufferingPolicy: .bufferingNewest(8))
        presses = continuation
        // One after the other: two presses that overtook each other would be another gesture.
        Task {
            for await gesture in stream {
                await Self.attempt(inbox) {
                    _ = try await client.call(PressCall.self, PressArguments(gesture: gesture))
                    return nil
                }
            }
        }
    }

    /// Presses the button.
    func press(_ gesture: PressGesture) { presses.yield(gesture) }

    /// Holds the button, or releases it.
    /// - Returns: true when it is held now.
    func toggleHold() -> Bool {
        let held = hold.withLock { hold in
            if let held = hold {
                hold = nil
                return held as Task<Void, Never>?
            }
            hold = Task { [client, inbox] in
                await Self.attempt(inbox) {
                    let press = PressArguments(gesture: .hold, holdSeconds: ControlLimits.holdSeconds)
                    _ = try await client.call(PressCall.self, press)
                    return nil
                }
                inbox.put(.released)
            }
            return nil
        }
        // Hanging up lets the button go; outside the lock, as it runs what the call does when it is cancelled.
        held?.cancel()
        return held == nil
    }

    /// Ends what is still held.
    func letGo() {
        presses.finish()
        hold.withLock { $0 }?.cancel()
    }

    /// Makes a call, and shows its message.
    func `do`(_ call: @escaping @Sendable (ControlClient) async throws -> Acknowledgement) {
        Task { [client, inbox] in await Self.attempt(inbox) { try await call(client).message } }
    }

    /// Says `text`; the answer is seen in the events.
    func say(_ text: String) {
        Task { [client, inbox] in
            await Self.attempt(inbox) {
                _ = try await client.call(SayCall.self, SayArguments(text: text))
                return nil
            }
        }
    }

    private static func attempt(_ inbox: Inbox, _ body: @Sendable () async throws -> String?) async {
        do {
            if let message = try await body() { inbox.put(.notice(message)) }
        } catch let error as ControlError {
            inbox.put(.notice(error.message))
        } catch is CancellationError {
            // The button was let go.
        } catch {
            inbox.put(.notice("VanOrb does not answer."))
        }
    }
}
