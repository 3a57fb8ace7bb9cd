import CGPIOD
import Foundation
import RingRenderer

/// Something that shows the ring's pixels. Made, used and ended on the animator's thread.
protocol RingDriver: AnyObject {
    /// The share of a core, 0…1, that showing may take; nil where it costs little.
    var processorShare: Double? { get }
    /// Shows the pixels, the first one at the top and the others clockwise.
    func write(_ pixels: [RGB8]) throws
}

extension RingDriver {
    var processorShare: Double? { nil }
}

extension RingConfiguration {
    /// Opens what the ring is wired to.
    /// - Throws: `SPIError`, `GPIOError`.
    func open() throws -> any RingDriver {
        let power = try power.map { line in
            let handle = try GPIOHandle(line, for: .output)
            try handle.set(true)
            return handle
        }
        if case .lines(let data, let clock) = wire {
            return LinesRing(self, lines: try GPIOPair(data, clock), power: power)
        }
        return try SPIRing(self, power: power)
    }
}

/// A ring of LEDs on a SPI device, or its bytes in a file.
final class SPIRing: RingDriver {
    private let configuration: RingConfiguration
    private let device: String
    private let isFile: Bool
    private let descriptor: Int32
    private let transfer: Int
    private let power: GPIOHandle?

    /// Opens the device.
    /// - Throws: `SPIError`.
    init(_ configuration: RingConfiguration, power: GPIOHandle? = nil) throws(SPIError) {
        self.configuration = configuration
        self.power = power
        var flags = O_WRONLY | O_CLOEXEC
        switch configuration.wire {
        case .spi(let path, _): (device, isFile) = (path, false)
        case .file(let path): (device, isFile) = (path, true)
        case .lines: (device, isFile) = ("", false)
        }
        transfer = SPITransfer.limit
        if isFile { flags |= O_CREAT | O_TRUNC }
        descriptor = Glibc.open(device, flags, 0o644)
        guard descriptor >= 0 else { throw SPIError(call: "open", code: errno, device: device) }
        guard !isFile else { return }
        // From here on every property is set, so an error runs `deinit`, which closes.
        let code = vanorb_spi_configure(descriptor, configuration.hertz)
        if code != 0 { throw SPIError(call: "ioctl", code: code, device: device) }
        if let limit = configuration.limit(transfer: transfer), configuration.count > limit {
            throw SPIError(call: "write", code: EMSGSIZE, device: device)
        }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ pixels: [RGB8]) throws {
        // A file has the newest frame only, so that it does not grow.
        if isFile { lseek(descriptor, 0, SEEK_SET) }
        var bytes = configuration.frame(pixels)[...]
        while !bytes.isEmpty {
            // spidev rejects more than its buffer at once. An APA102 chain tolerates a pause; a frame of WS2812
            // LEDs always fits.
            let chunk = bytes.prefix(transfer)
            let written = chunk.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw SPIError(call: "write", code: errno, device: device) }
            bytes = bytes.dropFirst(written)
        }
    }
}

/// The limit of one spidev transfer.
public enum SPITransfer {
    /// The kernel's default limit.
    public static let usualLimit = 4_096

    /// Bytes in one transfer on this machine: the parameter `bufsiz` of the module spidev.
    public static var limit: Int {
        let file = "/sys/module/spidev/parameters/bufsiz"
        guard let text = try? String(contentsOfFile: file, encoding: .utf8),
            let size = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)), size > 0
        else { return usualLimit }
        return size
    }
}

extension RingConfiguration {
    /// Turns all LEDs off, for a daemon that ended without doing so.
    /// - Throws: `SPIError`, `GPIOError`.
    public func makeDark() throws {
        try open().write(Array(repeating: .black, count: count))
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
        case EMSGSIZE: "spidev takes less than a frame at once: name fewer LEDs, or raise spidev.bufsiz."
        case ENOTTY: "It is not a SPI device. Correct the device in the board file."
        default: "Check the wiring and the device in the board file."
        }
    }
}
