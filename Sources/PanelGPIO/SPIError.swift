import Foundation

/// Why the ring's serial bus cannot be used: the call, the errno, the device, and what to do.
public struct SPIError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The system call.
    public let call: String
    /// The errno.
    public let code: Int32
    /// The device's path.
    public let device: String

    /// Device, what is wrong, what to do, call and code.
    public var description: String {
        "ring on \(device): \(String(cString: strerror(code))). \(remedy) (\(call), \(code))"
    }

    private var remedy: String {
        switch code {
        case ENOENT: "Turn on SPI in the board's firmware settings, or correct the device in the board file."
        case EACCES, EPERM: "Give the user that runs vanorbd access to the device: install VanOrb's udev rule."
        case EMSGSIZE: "spidev takes less than a frame at once: name fewer LEDs, or raise spidev.bufsiz."
        case ENOTTY: "This is no SPI device; correct the device in the board file."
        default: "Check the wiring and the device in the board file."
        }
    }
}
