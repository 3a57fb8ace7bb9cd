import CGPIOD
import Foundation
import RingRenderer

/// Something that shows the ring's pixels. Made, used and ended on the animator's thread.
protocol RingDriver: AnyObject {
    /// Shows the pixels.
    func write(_ pixels: [RGB8]) throws
}

/// A ring of APA102 LEDs on a SPI device, or its bytes in a file.
final class SPIRing: RingDriver {
    private let device: String
    private let isFile: Bool
    private let descriptor: Int32

    /// Opens the device.
    /// - Throws: `SPIError`.
    init(_ wire: RingConfiguration.Wire) throws(SPIError) {
        let hertz: UInt32
        var flags = O_WRONLY | O_CLOEXEC
        switch wire {
        case .spi(let path, let speed): (device, isFile, hertz) = (path, false, speed)
        case .file(let path): (device, isFile, hertz) = (path, true, 0)
        }
        if isFile { flags |= O_CREAT | O_TRUNC }
        descriptor = open(device, flags, 0o644)
        guard descriptor >= 0 else { throw SPIError(call: "open", code: errno, device: device) }
        guard !isFile else { return }
        // From here on every property is set, so an error runs `deinit`, which closes.
        let code = vanorb_spi_configure(descriptor, hertz)
        if code != 0 { throw SPIError(call: "ioctl", code: code, device: device) }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    func write(_ pixels: [RGB8]) throws {
        // A stand-in file holds the newest frame, so that it does not grow for ever.
        if isFile { lseek(descriptor, 0, SEEK_SET) }
        var bytes = APA102.frame(pixels)[...]
        while !bytes.isEmpty {
            // spidev refuses more than its buffer (4096 bytes) at once; the chain does not mind a pause.
            let chunk = bytes.prefix(4_096)
            let written = chunk.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else { throw SPIError(call: "write", code: errno, device: device) }
            bytes = bytes.dropFirst(written)
        }
    }
}

extension RingConfiguration {
    /// Turns all LEDs off, whoever lit them: for the end of a daemon that could not do so itself.
    /// - Throws: `SPIError`.
    public func makeDark() throws {
        try SPIRing(wire).write(Array(repeating: .black, count: count))
    }
}
