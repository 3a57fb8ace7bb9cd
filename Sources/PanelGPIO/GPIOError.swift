import Foundation

/// Why a GPIO line cannot be used: the call, the errno, the line, and what to do.
public struct GPIOError: Error, Sendable, Equatable, CustomStringConvertible {
    /// libgpiod's function.
    public let call: String
    /// The errno.
    public let code: Int32
    /// The chip as the board file names it.
    public let chip: String
    /// The line as the board file names it, by name or offset.
    public let line: String

    /// Chip and line, what is wrong, what to do, call and code.
    public var description: String {
        "GPIO chip \(chip), line \(line): \(problem). \(remedy) (\(call): \(String(cString: strerror(code))), \(code))"
    }

    /// What is wrong, in words.
    public var problem: String {
        switch (code, isAboutChip) {
        case (ENOENT, true), (ENODEV, true), (ENXIO, true): "there is no such chip"
        case (ENOENT, false), (EINVAL, false): "the chip has no such line, or it refuses this bias"
        case (ENOTTY, _): "this is no GPIO chip"
        case (EACCES, _), (EPERM, _): "access is denied"
        case (EBUSY, _): "another program or the kernel holds the line"
        default: "the line does not work"
        }
    }

    /// What to do about it, as a sentence.
    public var remedy: String {
        switch code {
        case EACCES, EPERM: "Give the user that runs vanorbd access to the chip: install VanOrb's udev rule."
        case EBUSY: "`gpioinfo` names who holds it; name another line in the board file or end that program."
        default: "`gpiodetect` and `gpioinfo` list what there is; correct the board file."
        }
    }

    private var isAboutChip: Bool { call.hasPrefix("gpiod_chip_open") }

    init(call: String, code: Int32, line: GPIOLine) {
        self.call = call
        self.code = code
        chip = line.chip
        self.line = line.lineDescription
    }
}

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
        case ENOTTY: "This is no SPI device; correct the device in the board file."
        default: "Check the wiring and the device in the board file."
        }
    }
}
