import CGPIOD
import Foundation

/// A line of a GPIO chip and how it is wired.
public struct GPIOLine: Sendable, Equatable {
    /// How a line is found on its chip.
    public enum Place: Sendable, Equatable {
        /// By its number.
        case offset(UInt32)
        /// By the name that the kernel or the board gives it, such as `GPIO17`.
        case name(String)
    }

    /// The resistor inside the chip.
    public enum Bias: Int32, Sendable {
        /// As the kernel has it.
        case asIs = 0
        /// None.
        case none = 1
        /// To the supply.
        case pullUp = 2
        /// To ground.
        case pullDown = 3
    }

    /// Path, name, label or number of the chip.
    public var chip: String
    /// Where on the chip.
    public var place: Place
    /// True when the line is active while its level is low, as for a button to ground.
    public var isActiveLow: Bool
    /// The resistor.
    public var bias: Bias

    /// A line.
    public init(chip: String, place: Place, isActiveLow: Bool = false, bias: Bias = .asIs) {
        self.chip = chip
        self.place = place
        self.isActiveLow = isActiveLow
        self.bias = bias
    }

    var lineDescription: String {
        switch place {
        case .offset(let offset): "\(offset)"
        case .name(let name): "“\(name)”"
        }
    }
}

/// An open line. It lives on the thread that opened it; closing happens with its end.
final class GPIOHandle {
    private var gpio = vanorb_gpio()
    private let line: GPIOLine

    /// Opens the line as an input that reports edges, or as an output that starts inactive.
    init(_ line: GPIOLine, isOutput: Bool) throws(GPIOError) {
        self.line = line
        var call: UnsafePointer<CChar>?
        var code: Int32 = 0
        var name: String?
        var offset: UInt32 = 0
        switch line.place {
        case .offset(let number): offset = number
        case .name(let text): name = text
        }
        line.chip.withCString { chip in
            withOptionalCString(name) { name in
                var request = vanorb_gpio_request(
                    chip: chip, line_name: name, offset: offset, is_output: isOutput,
                    is_active_low: line.isActiveLow, bias: line.bias.rawValue)
                errno = 0
                code = vanorb_gpio_open(&gpio, &request, &call)
            }
        }
        guard code == 0 else {
            throw GPIOError(call: call.map { String(cString: $0) } ?? "gpiod", code: code, line: line)
        }
    }

    deinit { vanorb_gpio_close(&gpio) }

    /// True while the line is active.
    func isActive() throws(GPIOError) -> Bool { try check("gpiod_line_get_value", vanorb_gpio_get(&gpio)) > 0 }

    /// Makes the line active or inactive.
    func set(_ isActive: Bool) throws(GPIOError) {
        _ = try check("gpiod_line_set_value", vanorb_gpio_set(&gpio, isActive ? 1 : 0))
    }

    /// Waits for an edge, at most `timeout`.
    /// - Returns: true when the line became active, false when inactive, nil when nothing happened.
    func edge(within timeout: Duration) throws(GPIOError) -> Bool? {
        let nanoseconds = Int64(max(0, timeout / .nanoseconds(1)))
        guard try check("gpiod_line_event_wait", vanorb_gpio_wait(&gpio, nanoseconds)) > 0 else { return nil }
        return try check("gpiod_line_event_read", vanorb_gpio_read_edge(&gpio)) > 0
    }

    private func check(_ call: String, _ result: Int32) throws(GPIOError) -> Int32 {
        // A signal ends a wait early; that is the same as nothing having happened.
        if result < 0, errno == EINTR { return 0 }
        if result < 0 { throw GPIOError(call: call, code: errno, line: line) }
        return result
    }
}

private func withOptionalCString(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
    if let text { text.withCString { body($0) } } else { body(nil) }
}
