import Foundation
import Logging
import Testing

@testable import PositionGPSD

/// Lines, reports and the distance, without a gpsd.
@Suite struct GPSDReportTests {
    private static let line =
        #"{"class":"TPV","mode":3,"time":"2026-11-21T10:00:26.000Z","lat":45.7604,"lon":4.85,"speed":3.5,"eph":17.1}"#

    @Test func aFix_isReadWithItsErrorAndSpeed() throws {
        let report = try #require(GPSDReport(line: Array(Self.line.utf8)))
        #expect(report.position.latitude == 45.7604)
        #expect(report.position.longitude == 4.85)
        #expect(report.position.uncertainty == 17.1)
        #expect(report.position.time == Date(timeIntervalSince1970: 1_795_255_226))
        #expect(report.speed == 3.5)
    }

    @Test(arguments: [
        "", "{", "null", "[]", "{}", "garbage \u{0}\u{7f}", #"{"class":"VERSION","release":"3.22"}"#,
        #"{"class":"TPV","mode":1,"lat":1,"lon":1}"#, #"{"class":"TPV","mode":3,"lon":1}"#,
        #"{"class":"TPV","mode":3,"lat":91,"lon":1}"#, #"{"class":"TPV","mode":3,"lat":1,"lon":-181}"#,
        #"{"class":"TPV","mode":"3","lat":1,"lon":1}"#, #"{"class":"TPV","mode":3,"lat":1e999,"lon":1}"#,
    ])
    func whatIsNoFix_isNone(line: String) { #expect(GPSDReport(line: Array(line.utf8)) == nil) }

    @Test func lines_areCut_andEndlessOnesDropped() {
        var splitter = LineSplitter()
        #expect(splitter.take(Array("one\ntw".utf8)).map { String(decoding: $0, as: UTF8.self) } == ["one"])
        #expect(splitter.take(Array("o\n".utf8)).map { String(decoding: $0, as: UTF8.self) } == ["two"])
        #expect(splitter.take(repeatElement(UInt8(ascii: "x"), count: 1_000_000)).isEmpty)
        #expect(splitter.take(Array("x\nthree\n".utf8)).map { String(decoding: $0, as: UTF8.self) } == ["three"])
    }

    // MARK: the distance

    private static func report(_ latitude: Double, speed: Double? = nil, error: Double? = 5, at second: Double)
        throws -> GPSDReport
    {
        var parts = [#""class":"TPV","mode":3,"lon":4.85,"lat":\#(latitude)"#]
        let time = Date(timeIntervalSince1970: 1_795_255_226 + second)
        parts.append(#""time":"\#(time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)))""#)
        if let speed { parts.append(#""speed":\#(speed)"#) }
        if let error { parts.append(#""eph":\#(error)"#) }
        return try #require(GPSDReport(line: Array("{\(parts.joined(separator: ","))}".utf8)))
    }

    /// 0.001° of latitude are 111.195 m.
    @Test func driving_isCounted_standingAndJitterAreNot() throws {
        var meter = DistanceMeter()
        let start = ContinuousClock.now
        for second in 0..<100 {
            let report = try Self.report(45 + Double(second) * 0.0001, speed: 11, at: Double(second))
            meter.add(report, at: start + .seconds(second))
        }
        #expect(abs(meter.metres - 1_100) < 45)
        let driven = meter.metres
        // An hour in a lay-by, 20 m around, and a receiver that tells no speed for the second half.
        for second in 100..<3_700 {
            let wobble = Double(second % 3 - 1) * 0.00009
            let report = try Self.report(
                45.0099 + wobble, speed: second < 1_900 ? 0.3 : nil, error: 15, at: Double(second))
            meter.add(report, at: start + .seconds(second))
        }
        #expect(meter.metres - driven < 30)
    }

    @Test func aJump_countsNeitherThereNorBack_norDoesAPoorFix() throws {
        var meter = DistanceMeter()
        let start = ContinuousClock.now
        for (second, latitude) in [45.0, 45.1, 45.0].enumerated() {
            meter.add(try Self.report(latitude, at: Double(second)), at: start + .seconds(second))
        }
        meter.add(try Self.report(45.002, error: 500, at: 10), at: start + .seconds(10))
        #expect(meter.metres == 0)
    }

    @Test func aTunnel_isCounted_aFerryIsNot() throws {
        var meter = DistanceMeter()
        let start = ContinuousClock.now
        meter.add(try Self.report(45, at: 0), at: start)
        meter.add(try Self.report(45.05, at: 300), at: start + .seconds(300))
        #expect(abs(meter.metres - 5_560) < 10)
        meter.add(try Self.report(45.55, at: 4_000), at: start + .seconds(4_000))
        #expect(abs(meter.metres - 5_560) < 10)
    }

    // MARK: age

    @Test func aFix_expiresAfterTenSeconds_andStaysKnownWithItsAge() async throws {
        let clock = TestInstant()
        let source = GPSDPosition(logger: Logger(label: "test"), now: { clock.now })
        #expect(await source.latest() == nil)
        source.receive(Array(Self.line.utf8))
        source.receive(Array("nonsense".utf8))
        #expect(await source.latest()?.isCurrent == true)
        clock.advance(.seconds(10))
        #expect(await source.latest()?.isCurrent == true)
        clock.advance(.seconds(1))
        let old = try #require(await source.latest())
        #expect(!old.isCurrent)
        #expect(old.age == .seconds(11))
        #expect(old.position.latitude == 45.7604)
    }
}
