import Configuration
import Devices
import Foundation
import Language
import Setup

/// Builder 1 of 5: what the owner wrote in addition to the settings, with the phrasebooks that it extends.
struct OwnerFiles: Sendable {
    let books: Phrasebooks
    let van: VanFile

    /// - Throws: `ConfigurationError` where a file is at fault.
    init(_ environment: DaemonEnvironment) throws {
        let settings = environment.settings
        books = try Phrasebooks(
            folder: LanguageFolder(language: settings.language, root: LanguageFolder.shippedRoot),
            customFiles: Phrasebooks.customFiles(in: settings.phrases))
        Self.report(books, environment)
        van = try Self.van(environment)
    }

    private static func report(_ books: Phrasebooks, _ environment: DaemonEnvironment) {
        for problem in books.problems {
            environment.logger.error("\(problem)")
            environment.health.report(
                "phrasebook \(problem.file)", .failed, "\(problem)",
                advice: "Fix the file, then restart: sudo systemctl restart vanorb")
        }
        environment.health.report("phrasebooks", .ok, "\(books.phraseCount) phrases in \(books.books.count) files")
    }

    private static func van(_ environment: DaemonEnvironment) throws -> VanFile {
        let path = environment.settings.devices
        guard FileManager.default.fileExists(atPath: path) else {
            environment.health.report("devices", .ok, "no \(path); only discovered devices are known")
            return VanFile()
        }
        let file = try DeviceFile.read(ConfigurationNode(contentsOf: path))
        environment.health.report("devices", .ok, "\(file.devices.count) devices")
        return file
    }
}
