import CGPIOD
import Foundation

/// An open line. It lives on the thread that opened it; closing happens with its end.
final class GPIOHandle {
    /// What a line is opened for.
    enum Use: UInt32 {
        /// An input that reports edges.
        case edges = 0
        /// An input that is polled.
        case input = 1
        /// An output that starts inactive.
        case output = 2
    }

    /// A level that the line changed to, and when.
    struct Edge {
        var isActive: Bool
        /// When the kernel saw it: nanoseconds of CLOCK_MONOTONIC.
        var time: Int64
    }

    /// True where the kernel debounces an input.
    static var isDebounced: Bool { vanorb_gpio_debounces() }

    private var gpio = vanorb_gpio()
    private let line: GPIOLine

    /// Opens the line as an input that reports edges, or as an output that starts inactive.
    convenience init(_ line: GPIOLine, isOutput: Bool) throws(GPIOError) {
        try self.init(line, for: isOutput ? .output : .edges)
    }

    /// Opens the line.
    init(_ line: GPIOLine, for use: Use) throws(GPIOError) {
        self.line = line
        var call: UnsafePointer<CChar>?
        var code: Int32 = 0
        line.withRequest(for: use) { request in code = vanorb_gpio_open(&gpio, &request, &call) }
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
    /// - Returns: nil when nothing happened.
    func edge(within timeout: Duration) throws(GPIOError) -> Edge? {
        let nanoseconds = Int64(max(0, timeout / .nanoseconds(1)))
        guard try check("gpiod_line_event_wait", vanorb_gpio_wait(&gpio, nanoseconds)) > 0 else { return nil }
        var time: Int64 = 0
        let isActive = try check("gpiod_line_event_read", vanorb_gpio_read_edge(&gpio, &time)) > 0
        return Edge(isActive: isActive, time: time)
    }

    private func check(_ call: String, _ result: Int32) throws(GPIOError) -> Int32 {
        // A signal ends a wait early; that is the same as a timeout.
        if result < 0, errno == EINTR { return 0 }
        if result < 0 { throw GPIOError(call: call, code: errno, line: line) }
        return result
    }
}

/// Two outputs of one chip that are set in one call, as for a bit-banged bus.
final class GPIOPair {
    private var pair = vanorb_gpio_pair()
    private let first: GPIOLine

    /// Opens both lines; the second is looked for on the chip of the first.
    init(_ first: GPIOLine, _ second: GPIOLine) throws(GPIOError) {
        self.first = first
        var call: UnsafePointer<CChar>?
        var code: Int32 = 0
        first.withRequest(for: .output) { one in
            second.withRequest(for: .output) { two in code = vanorb_gpio_pair_open(&pair, &one, &two, &call) }
        }
        guard code == 0 else {
            throw GPIOError(call: call.map { String(cString: $0) } ?? "gpiod", code: code, line: first)
        }
    }

    deinit { vanorb_gpio_pair_close(&pair) }

    /// Makes both lines high or low.
    func set(_ first: Bool, _ second: Bool) throws(GPIOError) {
        guard vanorb_gpio_pair_set(&pair, first ? 1 : 0, second ? 1 : 0) == 0 else {
            throw GPIOError(call: "gpiod_line_set_value_bulk", code: errno, line: self.first)
        }
    }
}

extension GPIOLine {
    /// Passes the line's properties to a C function.
    func withRequest(for use: GPIOHandle.Use, _ body: (inout vanorb_gpio_request) -> Void) {
        var name: String?
        var offset: UInt32 = 0
        switch place {
        case .offset(let number): offset = number
        case .name(let text): name = text
        }
        withOptionalCString(chip) { chip in
            withOptionalCString(name) { name in
                var request = vanorb_gpio_request(
                    chip: chip, line_name: name, offset: offset, use: Int32(use.rawValue),
                    is_active_low: isActiveLow, bias: bias.rawValue)
                body(&request)
            }
        }
    }
}

private func withOptionalCString(_ text: String?, _ body: (UnsafePointer<CChar>?) -> Void) {
    if let text { text.withCString { body($0) } } else { body(nil) }
}
