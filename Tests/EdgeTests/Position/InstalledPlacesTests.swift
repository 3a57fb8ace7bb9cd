@testable import Domain
@testable import Handlers
import Foundation
import Testing

/// The towns of the installed libgeonames0, against places whose country everybody knows.
@Suite(.enabled(if: Installed.library != nil, "libgeonames0 or gresource (libglib2.0-bin) is not installed"))
struct InstalledPlacesTests {
    /// Name, latitude, longitude, country; “-” where none may be claimed. Positions are good to a kilometre.
    private static let positions = """
        Fort William, 56.82, -5.11, GB
        Ullapool, 57.90, -5.16, GB
        Durness, 58.57, -4.75, GB
        Land's End, 50.07, -5.71, GB
        Betws-y-Coed, 53.09, -3.80, GB
        Portree, 57.41, -6.19, GB
        Lerwick, 60.15, -1.15, GB
        Newry, 54.18, -6.34, GB
        Derry, 55.00, -7.32, GB
        Dundalk, 54.00, -6.40, IE
        Dingle, 52.14, -10.27, IE
        Donegal, 54.65, -8.11, IE
        Calais, 50.95, 1.86, FR
        Millau, 44.10, 3.08, FR
        Chamonix, 45.92, 6.87, FR
        Hendaye, 43.36, -1.77, FR
        Menton, 43.78, 7.50, FR
        Strasbourg, 48.58, 7.75, FR
        Bonifacio, 41.39, 9.16, FR
        Irun, 43.34, -1.79, ES
        Tarifa, 36.01, -5.60, ES
        Ayamonte, 37.21, -7.40, ES
        Tui, 42.05, -8.64, ES
        Potes, 43.15, -4.62, ES
        Ceuta, 35.89, -5.31, ES
        Gibraltar, 36.14, -5.35, GI
        Vila Real de Santo Antonio, 37.19, -7.41, PT
        Valenca, 42.03, -8.64, PT
        Sagres, 37.01, -8.94, PT
        Canillo, 42.57, 1.60, AD
        Pas de la Casa, 42.54, 1.73, AD
        Basel, 47.56, 7.59, CH
        Zermatt, 46.02, 7.75, CH
        Geneva, 46.20, 6.14, CH
        Weil am Rhein, 47.59, 7.62, DE
        Konstanz, 47.66, 9.18, DE
        Kehl, 48.57, 7.81, DE
        Berchtesgaden, 47.63, 13.00, DE
        Passau, 48.57, 13.43, DE
        Aachen, 50.78, 6.08, DE
        Flensburg, 54.78, 9.43, DE
        Goerlitz, 51.15, 14.99, DE
        Zgorzelec, 51.15, 15.01, PL
        Vaduz, 47.14, 9.52, LI
        Bregenz, 47.50, 9.75, AT
        Salzburg, 47.80, 13.04, AT
        Brennero, 47.00, 11.51, IT
        Cortina, 46.54, 12.14, IT
        Ventimiglia, 43.79, 7.61, IT
        Tarvisio, 46.51, 13.58, IT
        Trieste, 45.65, 13.77, IT
        Kranjska Gora, 46.48, 13.79, SI
        Piran, 45.53, 13.57, SI
        Dubrovnik, 42.65, 18.09, HR
        Neum, 42.92, 17.62, BA
        Kotor, 42.42, 18.77, ME
        Ohrid, 41.12, 20.80, MK
        Kalambaka, 39.71, 21.63, GR
        Edirne, 41.68, 26.56, TR
        Echternach, 49.81, 6.42, LU
        Maastricht, 50.85, 5.69, NL
        Bruges, 51.21, 3.22, BE
        Tonder, 54.94, 8.86, DK
        Helsingor, 56.03, 12.59, DK
        Malmo, 55.60, 13.00, SE
        Kiruna, 67.86, 20.23, SE
        Haparanda, 65.84, 24.14, SE
        Tornio, 65.85, 24.15, FI
        Rovaniemi, 66.50, 25.73, FI
        Tromso, 69.65, 18.96, NO
        Geiranger, 62.10, 7.21, NO
        North Cape, 71.17, 25.78, NO
        Vik, 63.42, -19.01, IS
        Hofn, 64.25, -15.21, IS
        Chefchaouen, 35.17, -5.27, MA
        Merzouga, 31.10, -4.01, MA
        Bay of Biscay, 45.5, -5.5, -
        North Sea, 56.0, 3.0, -
        Mid-Atlantic, 45.0, -30.0, -
        Tyrrhenian Sea, 40.2, 12.0, -
        """

    @Test func countriesAreMostlyRight_andSeldomWrong() throws {
        let places = try Installed.places()
        #expect(places.count > 20_000)
        var right = 0, possible: [String] = [], unknown: [String] = [], wrong: [String] = []
        for line in Self.positions.split(separator: "\n") {
            let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            let latitude = try #require(Double(fields[1])), longitude = try #require(Double(fields[2]))
            let position = Position(latitude: latitude, longitude: longitude, time: .distantPast)
            let guess = places.country(at: position)
            switch guess {
            case nil where fields[3] == "-": right += 1
            case nil: unknown.append(fields[0])
            case let guess? where guess.code == fields[3]: right += 1
            case let guess? where guess.near.contains(fields[3]): possible.append(fields[0])
            default: wrong.append(fields[0])
            }
        }
        print("right \(right), possible \(possible), unknown \(unknown), wrong \(wrong)")
        #expect(right >= 62)
        #expect(wrong.count <= 6, "\(wrong)")
    }

    @Test func lisbonAndPerpignan_areFoundByName() throws {
        let places = try Installed.places()
        let perpignan = places.nearest(to: Position(latitude: 42.7, longitude: 2.9, time: .distantPast))
        #expect(perpignan?.name == "Perpignan")
        #expect((perpignan?.metres ?? .infinity) < 2_500)
        #expect(places.nearest(to: Position(latitude: 38.71, longitude: -9.14, time: .distantPast))?.name == "Lisbon")
    }
}

private enum Installed {
    /// The library that holds the towns; nil where it, or what takes them out, is missing.
    static let library: String? = {
        guard FileManager.default.isExecutableFile(atPath: gresource) else { return nil }
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib")) ?? []
        return folders.map { "/usr/lib/\($0)/libgeonames.so.0" }.first(where: FileManager.default.fileExists)
    }()
    private static let gresource = "/usr/bin/gresource"

    /// The towns, taken out as `deploy/prepare.sh` does.
    static func places() throws -> Places {
        let library = try #require(Self.library)
        let listing = String(decoding: try output(["list", library]), as: UTF8.self)
        let resource = try #require(listing.split(separator: "\n").first { $0.hasSuffix("/cities.compiled") })
        let path = NSTemporaryDirectory() + "cities-\(UUID().uuidString)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try output(["extract", library, String(resource)]).write(to: URL(fileURLWithPath: path))
        return try Places(contentsOf: path)
    }

    private static func output(_ arguments: [String]) throws -> Data {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: gresource)
        process.arguments = arguments
        process.standardOutput = pipe
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return data
    }
}
