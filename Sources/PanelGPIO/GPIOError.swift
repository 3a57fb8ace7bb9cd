import Foundation

/// Why a GPIO line cannot be used: the call, the errno, the line, and what to do.
public struct GPIOError: Error, Sendable, Equatable, CustomStringConvertible {
    /// libgpiod's function.
    public let call: String
    /// The errno.
    public let code: Int32
    /// The chip as the board file names it; nil where it has none.
    public let chip: String?
    /// The line as the board file names it, by name or offset.
    public let line: String

    /// Chip and line, what is wrong, what to do, call and code.
    public var description: String {
        let place = chip.map { "GPIO chip \($0), line \(line)" } ?? "GPIO line \(line)"
        return "\(place): \(problem). \(remedy) (\(call): \(String(cString: strerror(code))), \(code))"
    }

    /// What is wrong.
    public var problem: String {
        if chip == nil, code == ENOENT { return "no chip has a line of this name" }
        return switch (code, isAboutChip) {
        case (ENOENT, true), (ENODEV, true), (ENXIO, true): "the chip does not exist"
        case (ENOENT, false), (EINVAL, false): "the chip has no such line, or it refuses this bias"
        case (ENOTTY, _): "not a GPIO chip"
        case (EACCES, _), (EPERM, _): "access is denied"
        case (EBUSY, _): "another program or the kernel holds the line"
        default: "the line does not work"
        }
    }

    /// What to do, as a sentence.
    public var remedy: String {
        switch code {
        case EACCES, EPERM: "Give the user that runs vanorbd access to the chip: install VanOrb's udev rule."
        case EBUSY: "`gpioinfo` names who holds it; name another line in the board file or end that program."
        default: "`gpiodetect` and `gpioinfo` list what there is; correct the board file."
        }
    }

    /// True where the line may exist without being able to report edges.
    var mayLackEdges: Bool { !isAboutChip && [EINVAL, ENXIO, EOPNOTSUPP].contains(code) }

    private var isAboutChip: Bool { call.hasPrefix("gpiod_chip_open") }

    init(call: String, code: Int32, line: GPIOLine) {
        self.call = call
        self.code = code
        chip = line.chip
        self.line = line.lineDescription
    }
}
