import Domain
import Foundation

/// A fix out of one line of gpsd's JSON (gpsd_json(5), class TPV).
struct GPSDReport: Sendable, Equatable {
    /// Where; its uncertainty is gpsd's estimate of the horizontal error.
    let position: Position
    /// Metres a second over ground; nil where the receiver does not report it.
    let speed: Double?

    private struct TPV: Decodable {
        let `class`: String
        let mode: Int?
        let time: String?
        let lat: Double?, lon: Double?
        /// Metres: the horizontal error, or its parts east and north.
        let eph: Double?, epx: Double?, epy: Double?
        let speed: Double?
    }

    /// The report in `line`; nil for other classes, reports without a fix (mode below 2), and lines that are damaged.
    init?(line: [UInt8]) {
        guard let report = try? JSONDecoder().decode(TPV.self, from: Data(line)), report.class == "TPV",
            let mode = report.mode, mode >= 2, let latitude = report.lat, let longitude = report.lon,
            (-90...90).contains(latitude), (-180...180).contains(longitude)
        else { return nil }
        let parts = report.epx.flatMap { east in report.epy.map { (east * east + $0 * $0).squareRoot() } }
        let uncertainty = (report.eph ?? parts).flatMap { $0 >= 0 && $0.isFinite ? $0 : nil }
        let time = report.time.flatMap {
            try? Date.ISO8601FormatStyle(includingFractionalSeconds: $0.contains(".")).parse($0)
        }
        position = Position(
            latitude: latitude, longitude: longitude, uncertainty: uncertainty, time: time ?? Date())
        speed = report.speed.flatMap { $0 >= 0 ? $0 : nil }
    }
}

/// Cuts a stream of bytes into lines. A line beyond the limit is dropped to its end: gpsd's own limit is 10 240 bytes
/// (GPS_JSON_RESPONSE_MAX), so it is not from gpsd.
struct LineSplitter: Sendable {
    static let limit = 16_384

    private var rest: [UInt8] = []
    private var isDropping = false

    /// The lines that `bytes` complete, without their ends.
    mutating func take(_ bytes: some Sequence<UInt8>) -> [[UInt8]] {
        var lines: [[UInt8]] = []
        for byte in bytes {
            if byte == 10 {
                if !isDropping { lines.append(rest) }
                rest = []
                isDropping = false
            } else if !isDropping {
                rest.append(byte)
                if rest.count > Self.limit {
                    rest = []
                    isDropping = true
                }
            }
        }
        return lines
    }
}
