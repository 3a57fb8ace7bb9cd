import TableExchange
import Control
import Foundation
import StoreSQLite

/// Calls that import and export the owner's data as CSV.
struct TableCalls: Sendable {
    let appliance: Appliance
    let uploads: UploadTable
    private let turn = OneAtATime()

    init(appliance: Appliance, uploads: UploadTable) {
        self.appliance = appliance
        self.uploads = uploads
    }

    func register(in table: inout CallTable) {
        table.registerForConnection(ImportStream.self) { [self] in importing($0, on: $1) }
        table.register(ExportStream.self) { [self] in try await exporting($0) }
    }

    private func store() throws -> SQLiteStore {
        guard let store = appliance.storage.database else {
            throw ControlError(
                code: ControlError.Code.failed,
                message: "The database cannot be used at present. Run `vanorb doctor`.")
        }
        return store
    }

    // MARK: in

    /// Imports a table. A client that hangs up cancels it, and then nothing is imported unless it was the last moment.
    private func importing(
        _ arguments: ImportArguments, on connection: ClientConnection
    ) -> AsyncThrowingStream<ImportEvent, any Error> {
        // Progress that was not taken in time is old; the report comes last and is never dropped.
        let (stream, events) = AsyncThrowingStream.makeStream(
            of: ImportEvent.self, throwing: (any Error).self, bufferingPolicy: .bufferingNewest(4))
        let task = Task(priority: .utility) {
            do {
                try await turn.enter()
                do {
                    let name = try await uploads.name(of: arguments.upload, on: connection)
                    let report = try await uploads.use(arguments.upload, on: connection) { path in
                        try await run(arguments, path, name) { events.yield($0) }
                    }
                    await turn.leave()
                    events.yield(ImportEvent(phase: "done", share: 1, report: report))
                    events.finish()
                } catch {
                    await turn.leave()
                    throw error
                }
            } catch {
                events.finish(throwing: error)
            }
        }
        events.onTermination = { _ in task.cancel() }
        return stream
    }

    private func run(
        _ arguments: ImportArguments, _ path: String, _ name: String,
        _ tell: @escaping @Sendable (ImportEvent) -> Void
    ) async throws -> ImportReport {
        let began = ContinuousClock.now
        let work = TableImport(
            store: try store(), conversation: appliance.conversation, context: appliance.context, arguments: arguments,
            name: name, tell: tell)
        do {
            var report = try await work.run(path)
            report.seconds = (began.duration(to: .now)).seconds
            return report
        } catch let refusal as TableRefusal {
            throw ControlError(code: ControlError.Code.badArguments, message: "\(name): \(refusal)")
        }
    }

    // MARK: out

    private func exporting(_ arguments: ExportArguments) async throws -> AsyncThrowingStream<ExportPiece, any Error> {
        let pages = try await TableExport.of(
            arguments.table, try store(), appliance.conversation, appliance.context)
        // Pulled: a page is read when the one before has been taken.
        return AsyncThrowingStream { try await pages.next() }
    }
}

/// Admits one at a time and refuses the others.
actor OneAtATime {
    private var isBusy = false

    func enter() throws {
        guard !isBusy else {
            throw ControlError(
                code: ControlError.Code.busy, message: "Another import is running. Try again when it has finished.")
        }
        isBusy = true
    }

    func leave() { isBusy = false }
}
