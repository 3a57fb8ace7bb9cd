import Devices
import Handlers
import Dialogue
import Logging

/// Publishes VanOrb to Home Assistant: its description after every connect, its state after every change. Takes the
/// requests that other programs may make.
struct PresenceService: Sendable {
    let presence: HubPresence
    /// The broker is there again.
    let connects: AsyncStream<Void>
    let conversation: Conversation
    let context: HandlerContext
    /// Something may have changed.
    let changes: (stream: AsyncStream<Void>, continuation: AsyncStream<Void>.Continuation)
    let logger: Logger

    /// Between two states; the ring of an attached screen is not run by them.
    private static let pause = Duration.milliseconds(250)

    /// Publishes the state after each change, if it differs.
    func publishState() async {
        var last: HubPresence.Message?
        for await _ in changes.stream {
            guard context.van.isConnected else {
                last = nil
                continue
            }
            let trace = await conversation.services.recorder.traces.last { !$0.transcript.isEmpty }
            let facts = await HubFacts.read(
                state: "\(conversation.state)", lastCommand: trace?.transcript, context)
            let message = presence.state(facts)
            if message != last, await publish(message) { last = message }
            guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
        }
    }

    /// Describes VanOrb after every connect.
    func introduce() async { for await _ in connects { await describe() } }

    /// Publishes the description; also after Home Assistant has restarted.
    private func describe() async {
        let modes = context.van.modes.map(\.name)
        guard await publish(presence.description(currency: context.homeCurrency, modes: modes)) else { return }
        _ = await publish(HubPresence.birth)
        changes.continuation.yield()
    }

    /// Takes what comes on its topics.
    func listen() async {
        await withDiscardingTaskGroup { group in
            for await message in context.van.others.stream {
                if message.topic == presence.birthTopic {
                    if message.text == "online" { await describe() }
                    continue
                }
                // A turn that speaks must not hold up the next command, which interrupts it.
                if let input = presence.input(message) { group.addTask { await act(on: input) } }
            }
        }
    }

    private func act(on input: HubPresence.Input) async {
        switch input {
        case .text(let text): _ = await conversation.take(text)
        case .mode(let mode):
            guard context.van.modes.contains(where: { $0.name == mode }) else {
                return logger.warning("another program requested the unknown mode “\(mode)”")
            }
            _ = await conversation.take(context.replies("modes.input", ["mode": mode]).written)
        case .listen:
            await conversation.press(.pressed, isByHand: false)
            await conversation.press(.released, isByHand: false)
        }
    }

    private func publish(_ message: HubPresence.Message) async -> Bool {
        guard let bus = context.bus else { return false }
        do {
            try await bus.publish(topic: message.topic, payload: message.payload, retain: true)
            return true
        } catch {
            // The next connect publishes all of it.
            logger.debug("not told: \(error)")
            return false
        }
    }
}
