import Foundation

/// The data that belong to no language: the emergency numbers.
enum ShippedData {
    /// The path of a data file. An installed appliance keeps its data apart from the program; a build tree has them in
    /// the resource bundle.
    static func path(_ name: String) -> String {
        let installed = "/usr/share/vanorb/Data/\(name)"
        if FileManager.default.fileExists(atPath: installed) { return installed }
        return Bundle.module.resourceURL?.appendingPathComponent("Data/\(name)").path ?? installed
    }
}
