import Devices
import Domain
import Foundation
import Handlers
import Language
import Logging

/// A sensor that warns of fire, gas or carbon monoxide speaks by itself, whatever the session is doing.
extension Conversation {
    /// Between two times that a warning is spoken, and how often at most: who sleeps has to wake.
    static let alarmPause = Duration.seconds(20), alarmLimit = 15

    /// Says what a sensor warns of and what to do, again and again while it warns, until the button is pressed by hand.
    public func alarm(_ device: Device) async {
        guard let kind = device.alarm else { return }
        for _ in 0..<Self.alarmLimit {
            let began = ContinuousClock.now
            _ = await raise(kind, device)
            guard (try? await clock.sleep(for: Self.alarmPause)) != nil, touchInstant < began,
                await parts.context.van.warns(device)
            else { return }
        }
    }

    private func raise(_ kind: Device.Alarm, _ device: Device) async -> TurnTrace {
        let actions = machine.receive(.text)
        let turn = machine.turn
        // A yes to what was asked before must not be one to the warning, nor the other way round.
        open.dropQuestion()
        alarms[turn] = (kind, device)
        return await withCheckedContinuation { continuation in
            waiters[turn, default: []].append(continuation)
            perform(actions)
        }
    }

    /// The warning and what to do, as where the owner asks for help.
    func warn(_ turn: Int, of kind: Device.Alarm, _ device: Device) async {
        let context = parts.context, command = Command(handler: EmergencyHandler.name, intent: kind.rawValue)
        var trace = TurnTrace(turn: turn, source: "sensor", startedAt: context.now())
        var reply = Reply("", palette: .emergency)
        do { reply = try await EmergencyHandler.act(on: command, in: context) } catch {
            logger.error("the advice for an alarm cannot be given: \(error)")
        }
        reply.text =
            text("emergency.tripped_\(kind.rawValue)", VanHandler.names(device, context))
            + (reply.text.isEmpty ? "" : " " + reply.text)
        trace.outcome = .done
        trace.commands = [command]
        trace.effects = reply.effects
        palette = .emergency
        warningTurn = turn
        guard isCurrent(turn) else { return record(trace) }
        deliver(reply, turn, trace, isUrgent: true)
    }
}
