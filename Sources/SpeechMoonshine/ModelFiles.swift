import Foundation

/// The model's files, as they must be: a weight that is wrong makes no error, only nonsense.
enum ModelFiles {
    private static let sums = [
        (MoonshineModel.files.encoder, "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221"),
        (MoonshineModel.files.decoder, "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0"),
        (MoonshineModel.files.tokeniser, "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d"),
    ]

    /// Compares the files with their sums by coreutils' sha256sum, which takes 0.2 s.
    /// - Throws: `MoonshineError` that names a file that is missing or not as it should be.
    static func check(_ folder: String) throws {
        let advice = "Get it with deploy/second-ear"
        for name in sums.map(\.0) + [MoonshineModel.files.library] {
            guard FileManager.default.isReadableFile(atPath: "\(folder)/\(name)") else {
                throw MoonshineError(call: "second ear", detail: "there is no \(folder)/\(name). \(advice)")
            }
        }
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sha256sum")
        process.arguments = ["--check"]
        process.currentDirectoryURL = URL(filePath: folder)
        process.environment = ["LC_ALL": "C"]
        let input = Pipe(), output = Pipe()
        process.standardInput = input
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data(sums.map { "\($0.1)  \($0.0)\n" }.joined().utf8))
        try input.fileHandleForWriting.close()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let wrong = answer.split(separator: "\n").filter { !$0.hasSuffix(": OK") }.joined(separator: ", ")
            throw MoonshineError(call: "second ear", detail: "in \(folder), \(wrong). \(advice)")
        }
    }
}
