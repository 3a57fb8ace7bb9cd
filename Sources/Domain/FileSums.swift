import Foundation

/// Files of one folder with their SHA-256 hashes: a wrong weight causes no error, only nonsense.
public struct FileSums: Sendable {
    /// The names of the files, with their hashes in hexadecimal.
    public let sums: [(name: String, sum: String)]

    /// The files that belong to a folder.
    public init(_ sums: [(name: String, sum: String)]) { self.sums = sums }

    /// What the files are, in short: the beginnings of their hashes. It changes with each of them, so that what was
    /// computed from other files is recognised.
    public var identity: String { sums.map { String($0.sum.prefix(16)) }.joined(separator: "-") }

    /// The first file that is missing or cannot be read; nil where none is.
    public func missing(in folder: String) -> String? {
        sums.map(\.name).first { !FileManager.default.isReadableFile(atPath: "\(folder)/\($0)") }
    }

    /// Compares the files with their hashes by coreutils' sha256sum.
    /// - Returns: what is wrong in words, such as “model.bin: FAILED”; nil where all are as they should be.
    /// - Throws: when sha256sum cannot be started.
    public func damage(in folder: String) throws -> String? {
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
        try input.fileHandleForWriting.write(contentsOf: Data(sums.map { "\($0.sum)  \($0.name)\n" }.joined().utf8))
        try input.fileHandleForWriting.close()
        let answer = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        guard process.terminationStatus != 0 else { return nil }
        return answer.split(separator: "\n").filter { !$0.hasSuffix(": OK") }.joined(separator: ", ")
    }
}
