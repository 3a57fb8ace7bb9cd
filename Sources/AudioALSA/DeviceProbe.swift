import CALSA
import Threads

/// Whether a sound device can be opened.
public enum DeviceProbe {
    /// Opens the device and closes it again. One that another program uses exists.
    /// - Throws: `ALSAError`.
    public static func look(for device: String, isCapture: Bool, configuration: ALSAConfiguration) throws(ALSAError) {
        do {
            _ = try PCM(device: device, direction: isCapture ? .capture : .playback, configuration: configuration)
        } catch {
            guard [-EBUSY, -EAGAIN].contains(error.code) else { throw error }
        }
    }

    /// Opens the mixer's control and closes it again.
    /// - Throws: `ALSAError`.
    public static func look(for control: MixerControl, configuration: ALSAConfiguration) throws(ALSAError) {
        _ = try ALSAMixerElement(control, configuration: configuration)
    }

    /// How long a device may be busy: our own other output may be about to release it.
    static let busyLimit = Duration.milliseconds(500)

    /// Opens `device` and closes it at once, without setting it up: nothing sounds, and a file is not written.
    /// - Throws: `DeviceFailure`.
    static func open(_ device: String, _ direction: PCM.Direction, _ configuration: ALSAConfiguration) async throws {
        let done = Handoff<Bool>(capacity: 1)
        _ = PumpThread(name: "vanorb-probe") { thread in
            do {
                _ = try PCM.patient(
                    device: device, direction: direction, configuration: configuration, limit: busyLimit, on: thread)
                done.finish()
            } catch {
                let failure = (error as? ALSAError)?.failure(of: device, whileRunning: false) ?? error
                done.finish(throwing: failure)
            }
        }
        _ = try await done.next()
    }
}

extension PCM {
    /// How soon a busy device is tried again: a chime must start within 20 ms of the press that ends a reply.
    private static let busyTick = Duration.milliseconds(2)

    /// Opens a device that may be busy for a moment.
    /// - Parameter limit: how long it is tried.
    /// - Returns: nil when the thread must stop.
    static func patient(
        device: String, direction: Direction, configuration: ALSAConfiguration, limit: Duration, on thread: PumpThread
    ) throws(ALSAError) -> PCM? {
        let deadline = ContinuousClock.now + limit
        while true {
            do {
                return try PCM(device: device, direction: direction, configuration: configuration)
            } catch {
                guard error.code == -EBUSY, .now < deadline else { throw error }
                if thread.wait(until: .now + busyTick) { return nil }
            }
        }
    }
}
