import Control
import Foundation
import StoreSQLite

extension ControlCalls {
    /// Makes a backup and says where it is.
    func makeBackup() async throws -> BackupResult {
        let folder = StoreRoom.backups(in: appliance.settings.data)
        guard let store = appliance.store else {
            throw ControlError(
                code: ControlError.Code.failed,
                message: "There is nothing to back up: the database cannot be used (vanorb status).")
        }
        let backup = try await folder.make(of: store, now: Date())
        return BackupResult(
            path: backup.path, date: backup.date, bytes: Int64(backup.bytes), kept: folder.all().count)
    }
}
