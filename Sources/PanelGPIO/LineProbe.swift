import CGPIOD
import Foundation

/// Checks lines and buses without using them.
extension GPIOLine {
    /// What uses the line: a program's name or the kernel's; nil when it is free. VanOrb itself is “vanorb”.
    /// - Throws: `GPIOError` where chip or line do not exist, or access is denied.
    public func user() throws(GPIOError) -> String? {
        var call: UnsafePointer<CChar>?
        var code: Int32 = 0, isUsed = false
        var name = [CChar](repeating: 0, count: 64)
        withRequest(for: .input) { request in
            var offset: UInt32 = 0
            guard let chip = vanorb_gpio_find(&request, &offset, &call) else {
                code = errno
                return
            }
            defer { gpiod_chip_close(chip) }
            let answer = vanorb_gpio_user(chip, offset, &name, name.count)
            if answer < 0 { code = errno }
            isUsed = answer > 0
        }
        guard code == 0 else {
            throw GPIOError(call: call.map { String(cString: $0) } ?? "gpiod", code: code, line: self)
        }
        guard isUsed else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The line's name for people.
    public var wording: String { chip.map { "\($0), line \(lineDescription)" } ?? "line \(lineDescription)" }
}

extension RingConfiguration {
    /// Opens the ring's SPI device, if it has one, and closes it again.
    /// - Throws: `SPIError`.
    public func lookForDevice() throws(SPIError) {
        guard case .spi = wire else { return }
        _ = try SPIRing(self)
    }

    /// The GPIO lines that the ring needs.
    public var lines: [GPIOLine] {
        var lines = power.map { [$0] } ?? []
        if case .lines(let data, let clock) = wire { lines += [data, clock] }
        return lines
    }
}
