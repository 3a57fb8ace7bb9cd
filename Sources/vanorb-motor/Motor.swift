import CGPIOD
import Glibc

/// Something that runs while it is set.
protocol Motor {
    /// Switches it on or off.
    func set(_ isOn: Bool)
}

/// A call that failed while the motor was opened.
struct MotorFailure: Error {
    let call: String, code: Int32
}

/// The motor on a GPIO line. It is off when it is opened.
final class LineMotor: Motor {
    private var gpio = vanorb_gpio()

    init(chip: String, line: String, isActiveLow: Bool) throws {
        var call: UnsafePointer<CChar>?
        let code = chip.withCString { chip in
            line.withCString { name in
                let offset = UInt32(line)
                // Without a chip's name the line is looked for on all of them.
                var request = vanorb_gpio_request(
                    chip: chip.pointee == 0 ? nil : chip, line_name: offset == nil ? name : nil, offset: offset ?? 0,
                    use: Int32(vanorb_gpio_output.rawValue), is_active_low: isActiveLow, bias: 0)
                errno = 0
                return vanorb_gpio_open(&gpio, &request, &call)
            }
        }
        guard code == 0 else { throw MotorFailure(call: call.map { String(cString: $0) } ?? "gpiod", code: code) }
    }

    deinit { vanorb_gpio_close(&gpio) }

    func set(_ isOn: Bool) {
        // A line that fails is lost to this process. The daemon starts another, which opens it afresh.
        guard vanorb_gpio_set(&gpio, isOn ? 1 : 0) == 0 else { exit(1) }
    }
}

/// The motor in a file of one digit, which stays as it is when its writer dies, as a Raspberry Pi's lines do.
final class FileMotor: Motor {
    private let descriptor: Int32

    init(path: String) throws {
        descriptor = Glibc.open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw MotorFailure(call: "open", code: errno) }
        set(false)
    }

    deinit { close(descriptor) }

    func set(_ isOn: Bool) { if pwrite(descriptor, isOn ? "1\n" : "0\n", 2, 0) != 2 { exit(1) } }
}
