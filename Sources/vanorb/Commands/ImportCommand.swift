import ArgumentParser
import Control

extension TableKind: ExpressibleByArgument {}

/// `vanorb import`
struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Stores a CSV table: all of it, or nothing.",
        discussion: """
            The first line names the columns, in any order; “vanorb export” shows them. Of a ledger it may be one of the \
            first twenty, as in banks’ statements. Commas, semicolons and tabs part \
            cells; UTF-8, UTF-16 and Windows-1252 are read; amounts and dates are taken as spreadsheets and banks write \
            them. Rows that are there already are passed over. Each bad line is named, and then nothing is stored. \
            “vanorb undo” takes an import back. Exits 1 where nothing could be stored.
            Weights without a unit are kilograms; aliases are parted by semicolons. A task that is on its list already \
            stays as it is, ticked or not. Of trips, destination, start and end are read: nights, distance and money \
            are counted from the ledger and the odometer. A day on which a trip ended belongs to it.
            Examples:
              vanorb import ledger statement.csv --dry-run
              vanorb import items stores.csv
            """)
    @OptionGroup var global: GlobalOptions
    @Argument(help: "What the file holds: \(TableKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var table: TableKind
    @Argument(help: "The file; - reads the standard input.", completion: .file(extensions: ["csv", "tsv", "txt"]))
    var file: String
    @Flag(help: "Say what would happen, and change nothing.") var dryRun = false
    @Flag(help: "Read 03/04/2026 as 4 March. Without it, as the file shows; where it does not, as 3 April.")
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
                    message: "The daemon ended before it could say whether the import was done; look with: vanorb "
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
                "\(counted(report.present)) \(report.present == 1 ? "is" : "are") there already and passed over "
                    + "(\(report.presentLines.count == 1 ? "line" : "lines") \(shown)\(more))")
        }
        if report.dryRun {
            lines.append("\(counted(report.added)) would be imported. Nothing was changed.")
        } else {
            let undo = report.added > 0 ? " “vanorb undo” takes it back." : ""
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
