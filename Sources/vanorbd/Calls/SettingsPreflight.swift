import Configuration
import Language
import Devices
import Foundation
import Setup

/// Whether what a setting names exists and can be used. Checked when it is set; at the start each part does what it
/// can without.
struct SettingsPreflight {
    let settings: Settings

    /// - Parameter value: what the key is set to, even if the command line overrides it.
    /// - Throws: `ConfigurationError`.
    func check(_ key: String, _ value: String) throws {
        switch key {
        case "language":
            let folder = LanguageFolder(language: value, root: LanguageFolder.shippedRoot)
            _ = try Phrasebooks(folder: folder, customFiles: Phrasebooks.customFiles(in: settings.phrases))
        case "currency":
            guard Locale.commonISOCurrencyCodes.contains(value) else {
                throw complaint(key, "expected an ISO 4217 code such as GBP, found “\(value)”")
            }
        case "country":
            guard Locale.Region.isoRegions.contains(Locale.Region(settings.country)) else {
                throw complaint(key, "expected an ISO 3166 code such as GB, found “\(value)”")
            }
        case "mqtt.host", "position.host":
            // Neither a URL nor a port behind it.
            guard value.allSatisfy({ !$0.isWhitespace && !"/[]".contains($0) }), value.count(where: { $0 == ":" }) != 1
            else {
                throw complaint(
                    key, "expected a host name or address such as 127.0.0.1 or broker.local, found “\(value)”")
            }
        case "paths.board":
            try fileIsThere(key, value)
            _ = try Board(file: value, run: settings.run)
        case "paths.devices":
            try isAbsolute(key, value)
            if FileManager.default.fileExists(atPath: value) {
                _ = try DeviceFile.read(ConfigurationNode(contentsOf: value))
            }
        case "paths.acoustic_model", "paths.second_ear", "paths.encoder": try folderIsThere(key, value)
        case "paths.classifier", "paths.places": try fileIsThere(key, value)
        case "mqtt.ca_file", "mqtt.certificate", "mqtt.key": if !value.isEmpty { try fileIsThere(key, value) }
        case "paths.data", "paths.run", "paths.phrases", "backup.second_path":
            guard !value.isEmpty else { return }
            try isAbsolute(key, value)
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: value, isDirectory: &isFolder), !isFolder.boolValue {
                throw complaint(key, "\(value) is not a folder")
            }
        default: break
        }
    }

    private func complaint(_ key: String, _ message: String) -> ConfigurationError {
        ConfigurationError(file: key, line: nil, message: message + ". Nothing was changed.")
    }

    private func isAbsolute(_ key: String, _ path: String) throws {
        guard path.hasPrefix("/") else { throw complaint(key, "expected an absolute path, found “\(path)”") }
    }

    private func fileIsThere(_ key: String, _ path: String) throws {
        try isAbsolute(key, path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw complaint(key, "\(path) does not exist")
        }
        guard !isFolder.boolValue else { throw complaint(key, "\(path) is a folder, not a file") }
        guard access(path, R_OK) == 0 else { throw complaint(key, "VanOrb has no permission to read \(path)") }
    }

    private func folderIsThere(_ key: String, _ path: String) throws {
        try isAbsolute(key, path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue else {
            throw complaint(key, "there is no folder \(path)")
        }
        guard access(path, R_OK | X_OK) == 0 else { throw complaint(key, "VanOrb has no permission to read \(path)") }
    }
}
