@testable import Domain
@testable import Language
@testable import Devices
@testable import Handlers
import Foundation
import Logging
import StoreSQLite
import SystemTestKit
import Testing

@testable import PositionGPSD

/// The client against gpsfake's gpsd, which plays a track as it was recorded.
@Suite(.enabled(if: GPSFakeFixture.isInstalled, "gpsfake (gpsd-clients) or gpsd is not installed"))
struct GPSFakeTests {
    private static let start = 45.75, step = 0.0002, seconds = 240

    /// Four minutes due north on the meridian 4° 51' east, 22 m a second: RMC and GGA for each.
    private static let track = (0..<seconds).map { second in
        let latitude = start + Double(second) * step
        return GPSDFixture.sentences(latitude: latitude, speed: 22.24, second: second)
    }.joined()

    @Test func aRecordedTrack_saysWhereTheVanIs_andCountsTheWay() async throws {
        let gpsfake = try await GPSFakeFixture(track: Self.track)
        defer { gpsfake.end() }
        let silent = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        // Stands still: the way is reckoned by the receiver's clock, and no fix grows old while others keep the
        // machine.
        let clock = TestInstant()
        let client = GPSDPosition(host: "127.0.0.1", port: gpsfake.port, logger: silent, now: { clock.now })
        let running = Task { await client.run() }
        defer { running.cancel() }

        var first: Position?
        try await eventually("the first fix") {
            first = await client.latest()?.position
            return first != nil
        }
        let end = Self.start + Double(Self.seconds - 1) * Self.step
        try await eventually("the end of the track") {
            await client.latest().map { abs($0.position.latitude - end) < 0.00001 } ?? false
        }
        // From where the client came in; the meter's last step may be missing. The whole track is 5315 m long.
        let last = try #require(await client.latest()?.position)
        let way = try #require(first).metres(to: last), metres = await client.distance()
        #expect(metres > way - 60 && metres < 5_320, "\(metres) m of \(way) m")

        let stores = try SQLiteStore.inMemory().stores
        let books = try Phrasebooks(folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot))
        let context = HandlerContext(
            stores: stores, van: Van(bus: nil, logger: silent), bus: nil,
            location: LocationSources(
                receiver: client,
                places: Places(towns: [.init(name: "Lyon", country: "FR", latitude: 45.75, longitude: 4.85)])),
            environment: HandlerEnvironment(books: books))
        let travel = try #require(HandlerTable.handler("travel"))
        let here = try await travel.act(on: Command(handler: "travel", intent: "where_am_i"), in: context)
        #expect(here.wording.written == "You're 5.3 kilometres north of Lyon, in France. 45.798 north, 4.850 east.")
        await DriveLog(source: client, trips: stores.trips, places: nil, logger: silent).look()
        #expect(try await stores.trips.driven(in: nil) == Int64(metres))

        gpsfake.end()
        try await eventually("gpsd to be gone") { !Port.listens(gpsfake.port) }
    }
}
