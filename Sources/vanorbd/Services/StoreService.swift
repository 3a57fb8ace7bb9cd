import Domain
import Dialogue
import Foundation
import Logging
import StoreSQLite

/// Opens the database, and reports its condition from the start and whenever that changes.
struct StoreService: Sendable {
    let folder: String
    /// Of which the newest good one is offered where the database is damaged.
    let backups: BackupFolder
    /// The copies on the second path; nil where none is set.
    var second: BackupFolder?
    let clock: BoardClock
    let health: Health
    let logger: Logger

    var file: String { "\(folder)/vanorb.sqlite" }

    /// Empty stores for `vanorbd --check`: the database may be in use, or not be made yet.
    static func forCheck() throws -> (Stores, SQLiteStore?) { (try SQLiteStore.inMemory().stores, nil) }

    /// The stores; where the database is lost, stores that say why, so that the appliance stays up. Where it only
    /// cannot be written for now, it is read, and opened for writing when the cause has gone.
    func open() -> (Stores, SQLiteStore?) {
        do {
            let store = try SQLiteStore.openAsFarAsPossible(
                path: file, backups: [backups] + [second].compactMap(\.self), logger: logger,
                clock: { [clock] in clock.reading }
            ) { turned(to: $0) }
            if let obstacle = store.obstacle { failing(obstacle, isReadable: store.isReadable) } else { ready(store) }
            return (store.stores, store)
        } catch {
            logger.critical("the store is lost: \(error)")
            switch error as? StoreError {
            case .some(let error) where error.reason == .damaged: turned(to: .damaged(error))
            case let known:
                let remedy = known?.remedy ?? "Run `vanorb doctor`."
                health.report("store", .failed, "\(error)", advice: "\(remedy) Nothing can be saved until then.")
            }
            return (LostStore(reason: "\(error)").stores, nil)
        }
    }

    /// The part's name in the appliance's health.
    static let part = "store"
    /// Between two tries to open what could not be opened.
    static let pause = Duration.seconds(10)

    /// Tries to open what could not be opened for writing, until it is or the task is cancelled.
    func recover(_ store: SQLiteStore, clock time: any Clock<Duration> = ContinuousClock()) async {
        guard store.obstacle != nil else { return }
        while store.obstacle != nil {
            guard (try? await time.sleep(for: Self.pause)) != nil else { return }
            do { try await store.recover() } catch let error as StoreError where error.reason == .damaged {
                // Reported by the store itself; restoring a backup restarts the daemon.
                return
            } catch { logger.debug("the store: \(error)") }
        }
        ready(store)
    }

    /// Reports that it is open, and what was done for it.
    private func ready(_ store: SQLiteStore) {
        if let kept = store.replaced { logger.notice("restored a backup; the replaced database is kept as \(kept)") }
        if let former = store.former {
            logger.notice("migrated the database; the previous version is kept as \(former)")
        }
        let restored = store.replaced.map { ", restored; the replaced database is kept as \($0)" } ?? ""
        health.report(Self.part, .ok, file + restored)
        if !store.isChecked { checkInBackground(store) }
    }

    /// Reports that it cannot be written from the start.
    private func failing(_ error: StoreError, isReadable: Bool) {
        logger.error("\(error)")
        let words = isReadable ? "It can be read, but not written." : "Nothing can be read or saved until then."
        health.report(
            Self.part, .failed, "\(error)", advice: "\(error.remedy) \(words) VanOrb keeps retrying.")
    }

    /// Reads a large file through while the appliance works already.
    private func checkInBackground(_ store: SQLiteStore) {
        Task.detached(priority: .background) { [logger, health] in
            do { try await store.checkIntegrity() } catch let error as StoreError {
                logger.critical("the store's check: \(error)")
                // Damage was reported by the store itself.
                if error.reason != .damaged {
                    health.report("store", .warning, "\(error)", advice: error.remedy)
                }
            } catch { logger.error("the store's check did not end: \(error)") }
        }
    }

    private func turned(to condition: StoreCondition) {
        switch condition {
        case .good:
            logger.notice("the store works again")
            // First what is to be said: who sees that it works hears so with the next reply.
            health.announcements.addAgain(Announcement("store works", replyKey: "store.works_again"))
            health.report("store", .ok, file)
        case .failing(let error):
            logger.error("\(error)")
            health.report("store", .failed, "\(error)", advice: error.remedy)
        case .damaged(let error):
            logger.critical("\(error)")
            // Known at once; the backups take a while to read.
            health.report("store", .failed, "\(error)", advice: error.remedy)
            Task.detached(priority: .utility) { offerBackup(error) }
        }
    }

    private func offerBackup(_ error: StoreError) {
        guard let newest = backups.newestGood() ?? second?.newestGood() else {
            health.report(
                "store", .failed, "\(error)",
                advice: "No valid backup in \(backups.path). Keep the damaged file: data may be recoverable from it.")
            health.announcements.add(
                Announcement("damaged store", replyKey: "store.damaged_without_backup"))
            return
        }
        health.report(
            "store", .failed, "\(error)",
            advice: "Restore the newest valid backup, \(newest.path): `vanorb restore`. "
                + "Or start with an empty database: `vanorb restore empty`. Both keep the damaged file.")
        health.announcements.add(
            Announcement("damaged store", replyKey: "store.damaged", dates: ["date": newest.date]))
    }
}
