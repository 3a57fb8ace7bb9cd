import Foundation

/// The data that belong to no language: borders, towns, emergency numbers.
enum ShippedData {
    /// The path of a data file. An installed appliance keeps its data apart from the program; a build tree has them in
    /// the resource bundle.
    static func path(_ name: String) -> String {
        let installed = "/usr/share/vanorb/Data/\(name)"
        if FileManager.default.fileExists(atPath: installed) { return installed }
        return Bundle.module.resourceURL?.appendingPathComponent("Data/\(name)").path ?? installed
    }

    /// The lines of a data file that hold data, as bytes; none where it cannot be read: the van's place is then told
    /// by coordinates alone.
    static func lines(_ name: String) -> [ArraySlice<UInt8>] {
        guard let data = FileManager.default.contents(atPath: path(name)) else { return [] }
        return Array(data).split(separator: 10).filter { $0.first != UInt8(ascii: "#") }
    }
}
