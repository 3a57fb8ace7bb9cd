import Foundation

/// The model's files, as they must be: a weight that is wrong makes no error, only nonsense.
enum ModelFiles {
    static let sums = [
        (MoonshineModel.files.encoder, "94e90a4654fc45cdfedb77c4c08e1739f48862998e58fada384b25118134f221"),
        (MoonshineModel.files.decoder, "cf524c4862d36e9e5ab032eddc73637efd822d70e868ac575cf1a46e1e4708a0"),
        (MoonshineModel.files.tokeniser, "6884b35fd6377d4c4d32336a0bc152f36b64d1e45b6503683cdc238250a8472d"),
    ]

    /// The library that `deploy/second-ear` installs, by architecture: a damaged one ends the process that loads
    /// it, and one that nobody has tried here may compute other numbers. `deploy/prepare.sh` has the same hashes; a
    /// test compares.
    static let librarySums = [
        "x86_64": "c0995ae1102b871426e7bddf625451d6c19f12d0b6d79786218cbb77c2de865c",
        "aarch64": "2723a421531e984cf053ead965b8ea00c88a0353dce17b622bc82e752ef6752f",
    ]

    /// This machine's, nil where no library is known for it.
    private static var librarySum: String? {
        #if arch(x86_64)
            librarySums["x86_64"]
        #elseif arch(arm64)
            librarySums["aarch64"]
        #else
            nil
        #endif
    }

    /// The first file that is missing; nil where all are there.
    static func missing(in folder: String) -> String? {
        (sums.map(\.0) + [MoonshineModel.files.library]).first {
            !FileManager.default.isReadableFile(atPath: "\(folder)/\($0)")
        }
    }

    /// Compares the files with their sums by coreutils' sha256sum, which takes 0.2 s.
    /// - Throws: `MoonshineError` that names a file that is missing or not as it should be.
    static func check(_ folder: String) throws {
        let advice = "Get it with deploy/second-ear"
        if let name = missing(in: folder) {
            throw MoonshineError(call: "constrained recogniser", detail: "there is no \(folder)/\(name). \(advice)")
        }
        guard let librarySum else {
            throw MoonshineError(call: "constrained recogniser", detail: "ONNX Runtime is not known for this processor")
        }
        let sums = sums + [(MoonshineModel.files.library, librarySum)]
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
            throw MoonshineError(call: "constrained recogniser", detail: "in \(folder), \(wrong). \(advice)")
        }
    }
}
