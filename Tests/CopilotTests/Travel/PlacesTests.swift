@testable import Domain
@testable import Handlers
import Foundation
import SystemTestKit
import Testing

/// Towns and countries by position, and how a place is said.
@Suite struct PlacesTests {
    private static func position(_ latitude: Double, _ longitude: Double) -> Position {
        Position(latitude: latitude, longitude: longitude, time: VanBench.now)
    }

    @Test func theNearestTown_isFoundWithDistanceAndDirection() throws {
        let town = try #require(Places.few.nearest(to: Self.position(42.80, 2.90)))
        #expect(town.name == "Perpignan")
        #expect(town.octant == 0)
        #expect(abs(town.metres - 11_120) < 20)
        #expect(try #require(Places.few.nearest(to: Self.position(45.75, 4.75))).octant == 6)
        #expect(Places.few.nearest(to: Self.position(0, 0)) == nil)
    }

    @Test func acrossTheDateLine_aTownIsNear() throws {
        let town = try #require(Places.few.nearest(to: Self.position(-16.43, -179.99)))
        #expect(town.name == "Labasa")
        #expect(town.octant == 2)
    }

    @Test func theCountry_isTheNearestTowns_andInDoubtWhereAnotherIsNearlyAsNear() {
        #expect(Places.few.country(at: Self.position(45.75, 4.85)) == CountryGuess(code: "FR", near: []))
        #expect(Places.few.country(at: Self.position(42.464, 2.863)) == CountryGuess(code: "ES", near: ["FR"]))
        #expect(Places.few.country(at: Self.position(42.72, 2.90)) == CountryGuess(code: "FR", near: []))
        #expect(Places.few.country(at: Self.position(45, -30)) == nil, "at sea")
        #expect(Places(towns: []).country(at: Self.position(45.75, 4.85)) == nil)
    }

    @Test(arguments: [
        (45.76, 4.85, "You're close to Lyon, in France. 45.760 north, 4.850 east."),
        (46.0, 4.85, "You're 28 kilometres north of Lyon, in France. 46.000 north, 4.850 east."),
        (
            42.464, 2.863,
            "You're 23 kilometres north of Figueres, in Spain or perhaps France. 42.464 north, 2.863 east."
        ),
        (45, -30, "You're far from any town that I know. 45.000 north, 30.000 west."),
    ])
    func whereAmI_namesTheTownAndTheCountry(latitude: Double, longitude: Double, said: String) async throws {
        let bench = try VanBench()
        let context = bench.with(FakeReceiver(latitude, longitude))
        #expect(try await bench.ask("where am i", context).text == said)
    }

    @Test func whereAmI_withoutTowns_tellsTheCoordinates() async throws {
        let bench = try VanBench()
        let context = bench.with(FakeReceiver(45.75, 4.85), places: nil)
        #expect(
            try await bench.ask("where am i", context).text
                == "You're somewhere that I can't name, as the place names are missing. 45.750 north, 4.850 east.")
    }
}

/// `cities.compiled` read, whole or damaged.
@Suite struct PlacesFileTests {
    private static let towns = [
        Places.Town(name: "Sant Julià de Lòria", country: "AD", latitude: 42.46372, longitude: 1.49129),
        Places.Town(name: "Ålesund", country: "NO", latitude: 62.47225, longitude: 6.15492),
        Places.Town(
            name: String(repeating: "Long", count: 60), country: "AU", latitude: -33.86785, longitude: 151.20732),
    ]

    @Test(arguments: [1, 3, 300, 3_000])
    func whatWasWritten_isRead(count: Int) throws {
        let towns = (0..<count).map { Self.towns[$0 % 3] }
        #expect(try CompiledCities(bytes: CompiledCities.file(towns)).towns() == towns)
    }

    @Test func aFileCutShort_orWithAnyByteWrong_isRefusedOrRead_andNeverCrashes() throws {
        let file = CompiledCities.file(Self.towns)
        for count in file.indices {
            #expect(throws: CompiledCities.Damage.self) { try CompiledCities(bytes: Array(file[..<count])).towns() }
        }
        for index in file.indices {
            for value in [0, 1, 0x7f, 0x80, 0xff] as [UInt8] {
                var damaged = file
                damaged[index] = value
                _ = try? CompiledCities(bytes: damaged).towns()
            }
        }
    }

    @Test func aFileThatIsMissing_orNone_isNamed() async throws {
        try await withFolder { folder in
            let path = folder + "/cities.compiled"
            func problem() -> String {
                do { return "\(try Places(contentsOf: path).count) towns" } catch { return "\(error)" }
            }
            #expect(problem() == "\(path): no such file")
            try Data("Perpignan 42.7 2.9".utf8).write(to: URL(fileURLWithPath: path))
            #expect(problem() == "\(path): not a list of towns, or truncated")
            try Data().write(to: URL(fileURLWithPath: path))
            #expect(problem() == "\(path): not a list of towns, or truncated")
            var bytes = CompiledCities.file(Self.towns)
            bytes[2] = 0
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(problem() == "3 towns", "a name may be short")
            bytes[bytes.count - 2] = 0
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            #expect(problem().hasPrefix("\(path): row "))
            try FileManager.default.removeItem(atPath: path)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            #expect(problem() == "\(path): cannot be read")
        }
    }
}
