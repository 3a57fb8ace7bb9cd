import ArgumentParser
import Control
import Foundation

/// `vanorb export`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export a table as CSV.",
        discussion: """
            The file is UTF-8 with a header line. An apostrophe keeps spreadsheets from reading a text as a formula; it \
            is removed by an import. With --json, the output is a sequence of JSON objects.
            Examples:
              vanorb export ledger ledger.csv
              vanorb export items
            """)
    @OptionGroup var global: GlobalOptions
    @Argument(help: "The table: \(TableKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var table: TableKind
    @Argument(help: "The file; standard output by default or with -.", completion: .file(extensions: ["csv"]))
    var file: String?
    @Flag(help: "Overwrite an existing file.") var force = false

    func run() async throws {
        try await global.run { client, output in
            let pieces = client.stream(ExportStream.self, ExportArguments(table: table))
            guard let file, file != "-" else {
                for try await piece in pieces {
                    if global.json { try output.compact(piece) } else { try output.raw(piece.text) }
                }
                return
            }
            var isFolder: ObjCBool = false
            if FileManager.default.fileExists(atPath: file, isDirectory: &isFolder), isFolder.boolValue || !force {
                throw Self.failure(
                    isFolder.boolValue
                        ? "\(file) is a folder. Name a file in it."
                        : "\(file) exists. Name another file, or overwrite it with --force.")
            }
            let line = ProgressLine(isQuiet: global.json)
            defer { line.end() }
            let rows = try await Self.write(pieces, to: file) { line.show("writing", $0) }
            line.end()
            try output.show(Written(file: file, rows: rows)) {
                ["\($0.file): \($0.rows) \($0.rows == 1 ? "row" : "rows")"]
            }
        }
    }

    /// What was written.
    private struct Written: Encodable {
        let file: String, rows: Int
    }

    private static func write(
        _ pieces: AsyncThrowingStream<ExportPiece, any Error>, to path: String, progress: (Double) -> Void
    ) async throws -> Int {
        let file = try UnfinishedFile(path)
        var rows = 0
        for try await piece in pieces {
            try file.write(piece.text)
            rows = piece.rows
            progress(piece.of > 0 ? Double(piece.rows) / Double(piece.of) : 1)
        }
        try file.finish()
        return rows
    }

    private static func failure(_ message: String) -> ControlError { ControlError(code: "file", message: message) }
}
