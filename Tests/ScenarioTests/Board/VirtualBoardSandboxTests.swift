import Control
import Foundation
import SystemTestKit
import Testing

/// What the installed service may reach of the board although its sandbox is closed: a stick for backups, and the
/// second recogniser's library, which computes.
@Suite(.serialized, .enabled(if: Guest.folder != nil, Guest.missing))
struct VirtualBoardSandboxTests {
    /// Begins the daemon anew with what was set.
    private func restart(_ guest: Guest) async throws {
        try await guest.run("systemctl restart vanorb")
        try await guest.answers()
    }

    // MARK: the stick

    private static let stick = "/media/vanorb", copies = "/media/vanorb/backups"

    private func isMounted(_ guest: Guest) async throws -> Bool {
        try await guest.run("mountpoint -q \(Self.stick) && echo yes; true") == ["yes"]
    }

    /// Puts the stick in and waits until the board has mounted it by itself.
    private func putIn(_ guest: Guest) async throws {
        try await guest.plug("stick.img")
        try await eventually("the stick to be mounted", within: Guest.patience) { try await isMounted(guest) }
    }

    /// Pulls it out as it is, which nobody is told of before.
    private func pullOut(_ guest: Guest) async throws {
        try await guest.unplug()
        try await eventually("the stick to be gone", within: Guest.patience) {
            let isThere = try await !guest.run("ls -d /sys/block/sd* 2>/dev/null; true").isEmpty
            let isMounted = try await isMounted(guest)
            return !isThere && !isMounted
        }
        // Nor may it be held in the service's own name space: what is put in again would come up beneath it.
        let held = try await guest.run("grep \(Self.stick) /proc/\(try await guest.daemon())/mounts; true")
        #expect(held == [])
    }

    private func backup(_ guest: Guest) async throws -> BackupResult {
        try await guest.client.call(BackupMakeCall.self)
    }

    @Test func backupsGoToAStick_thatIsPulledOutAndPutInAgain() async throws {
        let guest = try await Guest.rested()
        try Data().write(to: URL(filePath: guest.exchange("stick.img")))
        try FileHandle(forWritingTo: URL(filePath: guest.exchange("stick.img"))).truncate(atOffset: 64 << 20)
        try await guest.plug("stick.img")
        try await eventually("the stick to be seen", within: Guest.patience) {
            try await guest.run("ls /dev/sda 2>/dev/null; true") == ["/dev/sda"]
        }
        try await guest.run("mkfs.vfat -I -n VANORB /dev/sda && sync")
        try await guest.unplug()
        try await putIn(guest)
        let said = try await guest.run("vanorb settings set backup.second_path \(Self.copies)")
        #expect(said.joined(separator: " ").contains("after a restart"), "\(said)")
        // vanorb-access.path has seen it, and root writes what the unit may do before that begins anew.
        try await restart(guest)
        #expect(try await guest.run("systemctl show -P ReadWritePaths vanorb").joined().contains("/media"))

        // The nightly one, by its own unit.
        try await guest.run("systemctl start vanorb-backup.service")
        let nightly = try await guest.run("ls \(Self.copies)")
        #expect(nightly.count == 1 && nightly.allSatisfy { $0.hasSuffix(".sqlite") }, "\(nightly)")

        // Shaken in its socket, it is mounted as often as it is there.
        let shaken = "systemctl stop media-vanorb.mount && systemctl start media-vanorb.mount || exit 1"
        try await guest.run("for time in 1 2 3 4 5 6 7; do \(shaken); done; mountpoint \(Self.stick)")

        try await guest.run("echo mine >\(Self.stick)/mine.txt; sync")
        try await pullOut(guest)
        let without = try await backup(guest)
        #expect(without.second == nil, "\(without)")
        #expect(without.notice == "\(Self.copies) is not available: not copied")

        try await putIn(guest)
        let again = try await backup(guest)
        #expect(again.notice == nil && again.second?.hasPrefix(Self.copies) == true, "\(again)")
        #expect(try await guest.run("cat \(Self.stick)/mine.txt") == ["mine"], "what was on it is on it still")
        #expect(try await guest.run("cmp \(again.path) \(again.second ?? "") && echo same") == ["same"])
        // It is good for a board that has nothing else.
        _ = try await guest.client.call(RestorePlanCall.self, RestoreArguments(backup: again.second ?? ""))

        // Where it cannot be written, what to do is said.
        try await guest.run("umount \(Self.stick) && mount -o umask=022 /dev/sda \(Self.stick)")
        #expect(try await backup(guest).notice == "\(Self.copies) is not writable for VanOrb: not copied")
        let part = try await guest.client.call(StatusCall.self).parts.first { $0.name == "backup" }
        #expect(part?.state == .warning && part?.advice?.contains("uid=vanorb") == true, "\(String(describing: part))")
        try await guest.run("umount \(Self.stick) && mount -o ro,uid=vanorb,gid=vanorb /dev/sda \(Self.stick)")
        #expect(try await backup(guest).notice == "\(Self.copies) is read-only: not copied")

        try await guest.run("vanorb settings reset backup.second_path")
        try await restart(guest)
        #expect(try await !guest.run("systemctl show -P ReadWritePaths vanorb").joined().contains("/media"))
        try await pullOut(guest)
        #expect(try await guest.run("systemctl --failed --plain --no-legend") == [])
    }

    // MARK: many changes at once

    @Test func settingsChangedManyTimesInSeconds_areFollowedToTheLast() async throws {
        let guest = try await Guest.rested()
        let set = "vanorb settings set backup.second_path /media/vanorb/$time || exit 1"
        try await guest.run("for time in $(seq 15); do \(set); done")
        try await eventually("the drop-in", within: Guest.patience) {
            try await guest.run("systemctl show -P ReadWritePaths vanorb").joined().contains("/media")
        }
        try await guest.run("vanorb settings reset backup.second_path")
        try await eventually("no drop-in", within: Guest.patience) {
            try await !guest.run("systemctl show -P ReadWritePaths vanorb").joined().contains("/media")
        }
        #expect(try await guest.run("systemctl --failed --plain --no-legend") == [])
        try await restart(guest)
    }

    @Test func settingsThatNobodyFollows_areToldBeforeTheyAreMissed() async throws {
        let guest = try await Guest.rested()
        func part() async throws -> PartStatus? {
            try await guest.client.call(StatusCall.self).parts.first { $0.name == "settings" }
        }
        #expect(try await part()?.state == .ok)
        try await guest.run("systemctl stop vanorb-access.path")
        try await guest.run("vanorb settings set position.host 192.0.2.7")
        let told = try #require(try await part())
        #expect(told.state == .warning && told.detail.contains("sandbox does not match"), "\(told)")
        #expect(told.advice?.hasPrefix("sudo systemctl start vanorb-access") == true)

        try await guest.run("systemctl start vanorb-access")
        #expect(try await guest.run("systemctl show -P IPAddressAllow vanorb").joined().contains("192.0.2.7"))
        #expect(try await part()?.state == .ok)
        try await guest.run("systemctl start vanorb-access.path; vanorb settings reset position.host")
        try await restart(guest)
        #expect(try await part()?.state == .ok)
    }

    // MARK: the constrained recogniser

    /// Where deploy/test put it.
    private static let recogniser = ProcessInfo.processInfo.environment["VANORB_SECOND_EAR"] ?? ""

    /// Emulated, it takes minutes.
    @Test(
        .enabled(if: Guest.isWhole, "for deploy/test --board"),
        .enabled(
            if: FileManager.default.isReadableFile(atPath: recogniser + "/tokenizer.bin"),
            "the constrained recogniser is not in VANORB_SECOND_EAR; deploy/test says why"))
    func constrainedRecogniser_hearsWithinTheServicesSandbox() async throws {
        let guest = try await Guest.rested()
        try? FileManager.default.removeItem(atPath: guest.exchange("second-ear"))
        try FileManager.default.copyItem(atPath: Self.recogniser, toPath: guest.exchange("second-ear"))
        try await guest.run(
            """
            set -e; cp -r /exchange/second-ear /var/lib/vanorb/second-ear; chown -R vanorb: /var/lib/vanorb/second-ear
            vanorb settings set recogniser.engine moonshine; vanorb settings set recogniser.patience 60
            vanorb settings set limits.thinking 100
            """)
        try FileManager.default.removeItem(atPath: guest.exchange("second-ear"))
        try await restart(guest)
        #expect(try await guest.run("systemctl show -P MemoryDenyWriteExecute vanorb") == ["yes"])
        let watcher = try await Watcher(guest.client), start = watcher.count
        try await guest.tap()
        try await watcher.state(.listening, after: start)
        try await guest.speak("log diesel for fifty pounds")
        let turn = try #require(
            try await watcher.event("turn", after: start, within: Guest.patience) { $0.turn != nil }.turn)
        #expect(turn.intent == "log_expense" && turn.outcome == .done, "\(turn)")
        let heard = turn.hearing?.filter { $0.hasPrefix("moonshine") } ?? []
        #expect(heard.contains { $0.contains("“log diesel for fifty pounds”") }, "\(turn)")
        let recogniser = try await guest.client.call(StatusCall.self).parts.first {
            $0.name == "constrained recogniser"
        }
        #expect(recogniser?.state == .ok, "\(recogniser?.detail ?? "no constrained recogniser")")
        _ = try await guest.client.call(CloseCall.self)
        try await guest.run(
            """
            set -e; vanorb settings set recogniser.engine pocketsphinx; vanorb settings reset recogniser.patience
            vanorb settings reset limits.thinking; rm -r /var/lib/vanorb/second-ear
            """)
        try await restart(guest)
    }
}
