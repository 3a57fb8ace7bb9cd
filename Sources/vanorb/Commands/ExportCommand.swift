import ArgumentParser
import Control
import Foundation

/// `vanorb export`
struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes a table as CSV.",
        discussion: """
            In UTF-8, with the columns' names in the first line. Texts that a spreadsheet would take for a formula have \
            an apostrophe before them, which an import takes away again. With --json one object a piece is written.
            Examples:
              vanorb export ledger ledger.csv
              vanorb export items
            """)
    @OptionGroup var global: GlobalOptions
    @Argument(help: "What to write: \(TableKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var table: TableKind
    @Argument(help: "The file; without it, or with -, the standard output.", completion: .file(extensions: ["csv"]))
    var file: String?
    @Flag(help: "Write over a file that is there.") var force = false

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
                        ? "\(file) is a folder; name a file in it"
                        : "\(file) is there already; name another file, or write over it with --force")
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
