import CALSA

/// Whether a sound device is there, without using it.
public enum DeviceProbe {
    /// Opens the device and closes it again. One that somebody else plays on, or records from, is there.
    /// - Throws: `ALSAError`.
    public static func look(for device: String, isCapture: Bool, configuration: ALSAConfiguration) throws(ALSAError) {
        do {
            _ = try PCM(device: device, direction: isCapture ? .capture : .playback, configuration: configuration)
        } catch {
            guard [-EBUSY, -EAGAIN].contains(error.code) else { throw error }
        }
    }
}
