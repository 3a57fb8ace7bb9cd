import Control
import Foundation
import Setup
import StoreSQLite

/// Calls that make, list and restore backups.
struct BackupCalls: Sendable {
    let appliance: Appliance, uploads: UploadTable

    private var service: BackupService { appliance.storage.backups }

    func register(in table: inout CallTable) {
        table.register(BackupMakeCall.self) { [self] _ in try await make() }
        table.register(BackupListCall.self) { [service] _ in service.list() }
        table.registerForConnection(RestorePlanCall.self) { [self] in try await plan($0, on: $1) }
        table.registerForConnection(RestoreCall.self) { [self] in try await restore($0, on: $1) }
    }

    private func make() async throws -> BackupResult {
        guard let store = appliance.storage.database else {
            throw ControlError(
                code: ControlError.Code.failed,
                message: "Nothing to back up: the database cannot be used. Run `vanorb doctor`.")
        }
        let result = try await service.make(of: store)
        await service.report(to: appliance.health, kept: appliance.storage.stores.kept)
        return result
    }

    private func plan(_ arguments: RestoreArguments, on connection: ClientConnection) async throws -> RestorePlan {
        try await use(arguments, on: connection) { path in
            var plan = try await service.plan(path)
            if arguments.upload != nil {
                plan.path = arguments.backup
                plan.date = BackupFolder.date(named: arguments.backup) ?? arguments.modified ?? plan.date
            }
            return plan
        }
    }

    /// Stages a backup and restarts: it replaces the database before that is opened again.
    private func restore(_ arguments: RestoreArguments, on connection: ClientConnection) async throws -> Acknowledgement
    {
        let shown = try await use(arguments, on: connection) { path in
            let plan = try await service.plan(path)
            try await service.prepare(plan.path)
            return arguments.upload == nil ? plan.path : arguments.backup
        }
        ProcessRestart.request()
        return Acknowledgement(message: "Restoring \(shown). VanOrb restarts with it.")
    }

    /// Calls `body` with the backup's file: the uploaded one, which errors call by the owner's name for it, or the one
    /// that is named.
    private func use<Value: Sendable>(
        _ arguments: RestoreArguments, on connection: ClientConnection,
        _ body: @Sendable (_ path: String) async throws -> Value
    ) async throws -> Value {
        guard let upload = arguments.upload else { return try await body(arguments.backup) }
        return try await uploads.use(upload, on: connection) { path in
            do { return try await body(path) } catch let error as StoreError where error.file == path {
                throw ControlError(
                    code: ControlError.Code.failed,
                    message: "\(error)".replacing(path, with: arguments.backup))
            }
        }
    }
}
