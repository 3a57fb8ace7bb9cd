import Dialogue
import Domain
import Setup
import StoreSQLite

/// Builder 2 of 5: what is kept on disk, and what watches that disk and the clock by which entries are dated.
struct Storage: Sendable {
    let stores: Stores
    /// Nil where the database cannot be used; `stores` report why then.
    let database: SQLiteStore?
    let service: StoreService
    let backups: BackupService
    let clock: BoardClock
    let clockMonitor: ClockMonitor
    let diskMonitor: DiskMonitor
    let traceLog: TraceLog

    init(_ environment: DaemonEnvironment) async throws {
        let settings = environment.settings, health = environment.health, logger = environment.logger
        clock = KernelClock.clock(hasClockChip: environment.board.hasClockChip)
        backups = BackupService(settings: settings)
        service = StoreService(
            folder: settings.data, backups: backups.backups, second: backups.second, clock: clock, health: health,
            logger: logger)
        (stores, database) = try environment.isCheck ? StoreService.forCheck() : service.open()
        clockMonitor = ClockMonitor(clock: clock, stores: stores, health: health, logger: logger)
        await clockMonitor.begin()
        diskMonitor = DiskMonitor(folder: settings.data, health: health, logger: logger, reading: DataDisk.space)
        diskMonitor.look()
        traceLog = TraceLog(folder: settings.data, health: health, logger: logger)
        if !environment.isCheck { traceLog.keep(settings.traceMegabytes) }
    }
}
