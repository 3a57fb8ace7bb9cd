import Control
import Foundation
import SystemTestKit
import Testing

/// The power goes in the middle of writes: QEMU is killed at a moment drawn by chance, what the guest had not flushed
/// is lost, whole or in part (`LoggedDisk`), and the board is switched on again. Once in the ordinary suite, fifty
/// times in the long one.
///
/// That it is installed, upgraded, removed and purged on a clean system is proven by `deploy/prove-package`.
@Suite(
    .serialized,
    .enabled(if: Guest.isKept, "no virtual board that keeps its disk (board/virtual/guest keep); deploy/test makes one")
)
struct PowerCutTests {
    /// What goes on beside the ledger's entries when the power goes.
    private enum Company: CaseIterable { case nothing, anImport, aBackup }

    @Test func powerCutInTheMiddleOfWrites_losesNothingThatWasConfirmed_andEveryStartIsGood() async throws {
        var random = SeededRandom(seed: Guest.seed), total = 0
        var guest = try await Guest.rested()
        let log = WriteLog(above: try await LedgerTable(guest.client))
        // What is installed is on the disk: its own power cuts are dpkg's matter.
        try await guest.run("sync")
        for number in 1...Guest.powerCuts {
            let company = Company.allCases[(number + Int(Guest.seed % 3)) % Company.allCases.count]
            let place = "cut \(number) with \(company), VANORB_SEED=\(Guest.seed)"
            let confirmed = log.confirmed.count
            let writing = try await write(to: guest, company, number, log)
            try await eventually("the first confirmations; \(place)", within: Guest.patience) {
                log.confirmed.count >= confirmed + 3
            }
            let cut = try await guest.cutPower(&random, after: 1 + random.next(150))
            writing.forEach { $0.cancel() }
            for task in writing { await task.value }
            let began = ContinuousClock.now
            try await guest.switchOn()
            let ready = try await start(of: guest, place)
            print(
                "power \(place): \(log.confirmed.count - confirmed) confirmed; \(cut); ready \(ready) s after its start, "
                    + "\(began.duration(to: .now).components.seconds) s after the power")
            total += log.confirmed.count - confirmed
            try await look(at: guest, log, place)
            try await undo(on: guest, log, place)
            guest = try await Guest.rested()
        }
        print("power cuts: \(Guest.powerCuts), \(total) confirmed entries, none lost")
        // Nobody writes to it now: it is read whole, by the program that has not opened it.
        let doctor = try await guest.run("systemctl stop vanorb; vanorb doctor; systemctl start vanorb; true")
        #expect(doctor.contains { $0.contains("integrity verified") }, "\(doctor)")
        try await guest.answers()
    }

    // MARK: writing

    /// Several clients write at once, each the next as soon as the last is confirmed, until the connection ends.
    private func write(
        to guest: Guest, _ company: Company, _ number: Int, _ log: WriteLog
    ) async throws -> [Task<Void, Never>] {
        let client = guest.client, watcher = try await Watcher(client)
        let spoken = Task {
            while true {
                let pounds = log.begin()
                let turn = try? await client.call(SayCall.self, SayArguments(text: "log food for \(pounds) pounds"))
                guard let turn else { return }
                if turn.outcome == .done { log.confirm(pounds) }
            }
        }
        let typed = (0..<2).map { _ in
            Task {
                while true {
                    let pounds = log.begin()
                    var entry = EntryText()
                    entry.words = "£\(pounds) groceries"
                    let arguments = LedgerChangeArguments(.add, entry: entry)
                    guard let done = try? await client.call(LedgerChangeCall.self, arguments) else { return }
                    if done.done { log.confirm(pounds) }
                }
            }
        }
        // What was said aloud counts, also where the answer to who typed it was on its way still.
        let heard = Task {
            func note() {
                for event in watcher.events where event.kind == WatchEvent.Kind.reply {
                    if let pounds = event.text.flatMap(WriteLog.pounds(in:)) { log.confirm(pounds) }
                }
            }
            try? await eventually("the end of it", within: .seconds(600)) {
                note()
                return watcher.failure != nil || Task.isCancelled
            }
            note()
        }
        return [spoken, heard] + typed + (try await self.company(company, number, client, log))
    }

    private func company(
        _ company: Company, _ number: Int, _ client: ControlClient, _ log: WriteLog
    ) async throws -> [Task<Void, Never>] {
        switch company {
        case .nothing: return []
        case .aBackup:
            return [Task { while let made = try? await client.call(BackupMakeCall.self) { log.made(made.path) } }]
        case .anImport:
            var table = "date,amount,currency,note\n"
            for row in 1...WriteLog.tableRows { table += "2020-01-01,\(row).50,GBP,table \(number)\n" }
            let content = Data(table.utf8)
            log.imports("table \(number)")
            return [
                Task {
                    try? await client.connected { connection in
                        let upload = try await connection.upload(content, name: "table.csv")
                        let arguments = ImportArguments(table: .ledger, upload: upload)
                        try await connection.stream(ImportStream.self, arguments) { event in
                            if event.report != nil { log.imported("table \(number)") }
                        }
                    }
                }
            ]
        }
    }

    // MARK: looking

    /// - Returns: how long the daemon took, in seconds.
    private func start(of guest: Guest, _ place: String) async throws -> Double {
        #expect(try await guest.run("systemctl is-active vanorb; true") == ["active"], "\(place)")
        #expect(try await guest.run("systemctl --failed --plain --no-legend") == [], "\(place)")
        #expect(try await guest.run("systemctl show -P NRestarts vanorb") == ["0"], "\(place)")
        let store = try await guest.client.call(StatusCall.self).parts.first { $0.name == "store" }
        #expect(store?.state == .ok, "\(store?.detail ?? "no store"), \(place)")
        let times = try await guest.run(
            "systemctl show -P ExecMainStartTimestampMonotonic -P ActiveEnterTimestampMonotonic vanorb"
        ).compactMap { Double($0) }.sorted()
        return times.count == 2 ? ((times[1] - times[0]) / 100_000).rounded() / 10 : -1
    }

    private func look(at guest: Guest, _ log: WriteLog, _ place: String) async throws {
        let rows = try await LedgerTable(guest.client)
        for pounds in log.confirmed {
            #expect(rows.pounds[pounds] == 1, "\(pounds) pounds: \(rows.pounds[pounds] ?? 0) times, \(place)")
        }
        for (pounds, count) in rows.pounds where log.isKnown(pounds) {
            #expect(count == 1, "\(pounds) pounds is there \(count) times, \(place)")
        }
        #expect(rows.incomplete.isEmpty, "\(rows.incomplete), \(place)")
        for (table, isConfirmed) in log.tables {
            let count = rows.notes[table] ?? 0
            #expect(count == WriteLog.tableRows || (count == 0 && !isConfirmed), "\(table): \(count) rows, \(place)")
        }
        let kept = Set(try await guest.client.call(BackupListCall.self).backups.map(\.path))
        for backup in log.backups.suffix(1) {
            #expect(kept.contains(backup), "\(backup), \(place)")
            // Reads it whole.
            _ = try await guest.client.call(RestorePlanCall.self, RestoreArguments(backup: backup))
        }
        #expect(
            try await guest.run("ls /var/lib/vanorb/backups 2>/dev/null; true").allSatisfy {
                $0.hasSuffix(".sqlite") || $0.contains(".unfinished")
            })
    }

    /// The last change can be taken back over the power cut, and it alone.
    private func undo(on guest: Guest, _ log: WriteLog, _ place: String) async throws {
        let before = try await LedgerTable(guest.client)
        let undone = try await guest.client.call(UndoCall.self, UndoArguments())
        #expect(undone.done, "\(undone.message), \(place)")
        let after = try await LedgerTable(guest.client)
        let gone = before.count - after.count
        #expect(gone == 1 || gone == WriteLog.tableRows, "\(undone.message) took \(gone) rows, \(place)")
        log.forget(where: { before.pounds[$0] == 1 && after.pounds[$0] == nil }, { after.notes[$0] == nil })
    }
}
