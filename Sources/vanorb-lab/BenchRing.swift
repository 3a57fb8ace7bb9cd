import Domain
import ArgumentParser
import Foundation
import Logging
import PanelGPIO

/// Measures the ring's processor time.
struct BenchRing: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench-ring", abstract: "Measure the processor time of the ring.",
        discussion: """
            Draws the ring into a file, animated and then static, and tells the share of one core that this program \
            took. Build with -c release first. On a board give --spi to send the bytes to a real ring as well.
            """)

    @Flag(help: "Print JSON.")
    var json = false
    @Option(help: "Seconds for each measurement.")
    var seconds = 10
    @Option(help: "A SPI device with APA102 LEDs, instead of a file.")
    var spi: String?

    func run() async throws {
        guard seconds > 0 else { throw ValidationError("--seconds: at least 1 is expected") }
        let file = "\(NSTemporaryDirectory())/vanorb-ring-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: file) }
        var figures: [Figure] = []
        for count in [12, 24] {
            let wire = spi.map { RingConfiguration.Wire.spi(device: $0) } ?? .file(file)
            let panel = GPIOPanel(
                configuration: GPIOPanelConfiguration(ring: RingConfiguration(count: count, wire: wire)),
                logger: Logger(label: "vanorb-lab"))
            defer { panel.close() }
            for (look, limit) in [(RingLook.listening, 2.0), (.thinking, 2.0), (.muted, 0.1)] {
                panel.show(look, palette: .van)
                panel.loudness(0.5)
                let (before, frames) = (Self.processorTime, panel.frameCount)
                try await Task.sleep(for: .seconds(seconds))
                let share = (Self.processorTime - before) / Double(seconds) * 100
                let name = "\(count) LEDs, \(look.rawValue)"
                figures.append(Figure(name: "\(name), share of a core", value: share, unit: "%", limit: limit))
                let rate = Double(panel.frameCount - frames) / Double(seconds)
                figures.append(Figure(name: "\(name), frames a second", value: rate, unit: "", limit: nil))
            }
        }
        try Figure.print(figures, json: json)
    }

    /// Seconds that this program has had of the processor, in itself and in the kernel.
    private static var processorTime: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
