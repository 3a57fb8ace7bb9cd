import ArgumentParser
import Control

extension TableKind: ExpressibleByArgument {}

/// `vanorb import`
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a CSV table, all of it or nothing.",
        discussion: """
            The first line names the columns, in any order, as `vanorb export` writes them; in a bank statement it may be \
            among the first twenty lines. Cells are separated by commas, semicolons or tabs; the encoding is UTF-8, UTF-16 or \
            Windows-1252; amounts and dates are read as spreadsheets and banks write them. Rows that exist are skipped. \
            If a line is invalid, each such line is reported and nothing is imported (exit status 1). `vanorb undo` \
            reverts an import.
            Weights without a unit are kilograms; aliases are separated by semicolons. A task that is on its list already \
            stays as it is, ticked or not. Of trips, destination, start and end are read: nights, distance and money \
            are calculated from the ledger and the odometer. The day on which a trip ended belongs to it.
            Examples:
              vanorb import ledger statement.csv --dry-run
              vanorb import items stores.csv
            """)
    @OptionGroup var global: GlobalOptions
    @Argument(help: "The table: \(TableKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var table: TableKind
    @Argument(help: "The file; - for standard input.", completion: .file(extensions: ["csv", "tsv", "txt"]))
    var file: String
    @Flag(help: "Show what would happen, and change nothing.") var dryRun = false
    @Flag(help: "Read 03/04/2026 as 4 March. By default the file's other dates decide, else it is 3 April.")
    var monthFirst = false

    func run() async throws {
        try await global.run { client, output in
            let line = ProgressLine(isQuiet: global.json)
            defer { line.end() }
            let content = try FileSending(file, expected: "a CSV file")
            let report = try await client.connected { connection in
                let upload = try await content.send(on: connection) { line.show("sending", $0) }
                let arguments = ImportArguments(
                    table: table, upload: upload, dryRun: dryRun, monthFirst: monthFirst ? true : nil)
                var report: ImportReport?
                try await connection.stream(ImportStream.self, arguments) { event in
                    line.show(event.phase, event.share)
                    report = event.report ?? report
                }
                return report
            }
            line.end()
            guard let report else {
                throw ControlError(
                    code: ControlError.Code.failed,
                    message: "The daemon ended during the import. Check whether it was done: vanorb "
                        + "\(table.rawValue) list")
            }
            try output.show(report) { Self.lines($0, file) }
            guard report.badCount == 0 else { throw ExitCode.failure }
        }
    }

    static func lines(_ report: ImportReport, _ file: String) -> [String] {
        let words = report.notes.map { "note: \($0)" }
        let counted = report.table.counted
        guard report.badCount == 0 else {
            let more = report.badCount - report.bad.count
            return words + report.bad.map { Self.line($0, file) } + (more > 0 ? ["and \(more) more"] : [])
                + [
                    "Nothing was imported: \(report.badCount) bad \(report.badCount == 1 ? "cell or line" : "cells or lines")."
                ]
        }
        var lines = words
        if report.present > 0 {
            let shown = report.presentLines.map(String.init).joined(separator: ", ")
            let more = report.present > report.presentLines.count ? ", …" : ""
            lines.append(
                "\(counted(report.present)) skipped, as \(report.present == 1 ? "it exists" : "they exist") already "
                    + "(\(report.presentLines.count == 1 ? "line" : "lines") \(shown)\(more))")
        }
        if report.dryRun {
            lines.append("\(counted(report.added)) would be imported. Nothing was changed.")
        } else {
            let undo = report.added > 0 ? " To revert it: vanorb undo" : ""
            lines.append("\(counted(report.added)) imported in \(Text.decimal(report.seconds, places: 1)) s.\(undo)")
        }
        return lines
    }

    private static func line(_ bad: BadLine, _ file: String) -> String {
        let place = "\(file):\(bad.line)" + (bad.column.isEmpty ? "" : ", \(bad.column)")
        let found = bad.found.isEmpty ? (bad.column.isEmpty ? "" : "empty; ") : "“\(bad.found)”; "
        return bad.column.isEmpty && bad.found.isEmpty
            ? "\(place): \(bad.expected)" : "\(place): \(found)expected \(bad.expected)"
    }
}
