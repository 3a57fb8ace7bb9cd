import AudioALSA
import Control
import Foundation
import Threads

extension Appliance {
    /// What feeds systemd's watchdog; nil where systemd does not ask for it. Threads and queues show their signs of
    /// life by themselves; what is named here must be asked.
    func watchdog(server: ControlServer) -> Watchdog? {
        let interval = Watchdog.interval(
            environment: ProcessInfo.processInfo.environment, process: ProcessInfo.processInfo.processIdentifier)
        guard let interval else { return nil }
        var asked = [
            ProbedHeartbeat("conversation") { [conversation] in _ = await conversation.state },
            ProbedHeartbeat("van") { [van] in await van.answer() },
            ProbedHeartbeat("control socket") { await server.answer() },
        ]
        // A slow card may hold up a write for long.
        if let store { asked.append(ProbedHeartbeat("database", patience: .seconds(120)) { await store.answer() }) }
        if let receiver { asked.append(ProbedHeartbeat("position") { await receiver.answer() }) }
        if let ducker = sound.ducker { asked.append(ProbedHeartbeat("ducking") { await ducker.settled() }) }
        let logger = logger
        return Watchdog(loops: [.process, HeartbeatRegistry(asking: asked)], interval: interval) {
            SystemdNotify.send("WATCHDOG=1")
        } complain: { overdue in
            logger.critical(
                "no answer from \(overdue.joined(separator: ", ")); unless one comes, systemd starts VanOrb anew")
        }
    }

    /// Tells whether the sound's threads get real-time priority, which a thread of their kind finds out.
    func reportPriority() {
        let priority = RealTimePriority.process
        priority.want()
        PumpThread(name: "vanorb-priority", isUrgent: true) { _ in }.join()
        if let code = priority.refusal {
            // Somebody who runs the daemon by hand need not be warned of it.
            let isService = ProcessInfo.processInfo.environment["NOTIFY_SOCKET"] != nil
            health.report(
                "real-time priority", isService ? .warning : .ok,
                "refused (\(String(cString: strerror(code)))): sound may stutter while the board is busy",
                advice: isService ? "let the service have it: LimitRTPRIO=20 in its unit" : nil)
        } else {
            health.report("real-time priority", .ok, "the sound's threads have it")
        }
    }
}
