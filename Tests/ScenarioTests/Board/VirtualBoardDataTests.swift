import Control
import Foundation
import SystemTestKit
import Testing

/// The data of the installed package, under systemd: restored, damaged, upgraded over, and on a disk that turns
/// read-only.
@Suite(.serialized, .enabled(if: Guest.folder != nil, Guest.missing))
struct VirtualBoardDataTests {
    private func isUndisturbed(_ guest: Guest, restarts: Int = 0) async throws {
        #expect(try await guest.run("systemctl is-active vanorb; true") == ["active"])
        #expect(try await guest.run("systemctl --failed --plain --no-legend") == [])
        #expect(try await guest.run("systemctl show -P NRestarts vanorb") == ["\(restarts)"])
    }

    /// How often systemd has restarted the daemon since it was last started by hand: after a restore, by another test.
    private func restarts(_ guest: Guest) async throws -> Int {
        try #require(Int(try await guest.run("systemctl show -P NRestarts vanorb").joined()))
    }

    private func amounts(_ guest: Guest) async throws -> [Int: Int] { try await LedgerTable(guest.client).pounds }

    /// What overwrites pages in the middle of the database.
    private static let damage = """
        systemctl stop vanorb; cd /var/lib/vanorb
        dd if=/dev/urandom of=vanorb.sqlite bs=4096 seek=$(($(stat -c %s vanorb.sqlite) / 8192)) count=2 conv=notrunc 2>&1
        sha256sum vanorb.sqlite; systemctl start vanorb
        """

    @Test func restore_bringsBackWhatWas_alsoOverADamagedDatabase_whichIsKept() async throws {
        let guest = try await Guest.rested()
        try await guest.run("vanorb say 'log parking for 301 pounds'")
        let before = try await amounts(guest)
        #expect(before[301] == 1)
        let backup = try #require(try await guest.run("vanorb backup").first?.split(separator: " ").first).description
        try await guest.run("vanorb say 'log parking for 302 pounds'")
        let pid = try await guest.daemon()
        let restored = try await guest.run("vanorb restore newest --yes")
        #expect(restored.first?.hasPrefix(backup) == true, "\(restored)")
        #expect(try await amounts(guest) == before)
        #expect(try await guest.daemon() != pid)
        try await isUndisturbed(guest, restarts: 1)

        let sum = try #require(try await guest.run(Self.damage).last)
        try await guest.answers()
        try await eventually("the backup to be offered", within: Guest.patience) {
            let store = try await guest.client.call(StatusCall.self).parts.first { $0.name == "store" }
            return store?.state == .failed && store?.advice?.contains(backup) == true
        }
        #expect(try await guest.run("vanorb say \"there's a fire\"").joined().contains("Everybody out"))
        _ = try await guest.client.call(CloseCall.self)
        let over = try await guest.run("vanorb restore newest --yes")
        #expect(over.joined(separator: " ").contains("kept as"), "\(over)")
        #expect(try await amounts(guest) == before)
        let kept = try await guest.run("sha256sum /var/lib/vanorb/vanorb.sqlite.replaced-*Z")
        #expect(kept.contains { $0.hasPrefix(sum.prefix(64)) }, "\(kept), \(sum)")
        try await isUndisturbed(guest, restarts: 1)
    }

    @Test(.enabled(if: Guest.isWhole, "for deploy/test --board")) func upgradeBetweenTwoTurns_keepsDataAndSettings()
        async throws
    {
        let guest = try await Guest.rested()
        try await guest.run("vanorb say 'log parking for 311 pounds'")
        let settings = try await guest.run("cat /etc/vanorb/*.yaml | sha256sum"), pid = try await guest.daemon()
        try await guest.run("DEBIAN_FRONTEND=noninteractive dpkg -i /opt/vanorb/vanorb.deb 2>&1")
        try await guest.answers()
        #expect(try await guest.daemon() != pid, "the new program runs")
        try await guest.run("vanorb say 'log parking for 312 pounds'")
        let amounts = try await amounts(guest)
        #expect(amounts[311] == 1 && amounts[312] == 1, "\(amounts)")
        #expect(try await guest.run("cat /etc/vanorb/*.yaml | sha256sum") == settings)
        try await isUndisturbed(guest)
    }

    /// As the kernel does with a card that is worn out: whatever is open for writing, the disk takes nothing any more.
    /// (The emergency read-only of SysRq would not do: with it ext4 takes what it has room for, and flushes nothing.)
    @Test(.enabled(if: Guest.isKept, "the board is switched off afterwards, and must keep its disk"))
    func diskThatTurnsReadOnly_isSaid_andEverythingConfirmedIsThereAfterTheNextBoot() async throws {
        let guest = try await Guest.rested(), restarts = try await restarts(guest)
        try await guest.run("vanorb say 'log parking for 321 pounds'; vanorb backup; sync")
        try await guest.run("printf 'date,amount\\n1/1/2026,322\\n' >/run/table.csv")
        try await guest.run("mount -o remount,errors=remount-ro / && echo 1 >/sys/fs/ext4/vda/trigger_fs_error")
        try await eventually("the disk to be read-only", within: Guest.patience) {
            try await guest.run("touch /var/lib/vanorb/probe 2>&1; true").joined().contains("Read-only")
        }
        for command in [
            "say 'log parking for 323 pounds'", "import ledger /run/table.csv", "backup", "restore newest --yes",
            "words set lidl 'lid ul'",
        ] {
            let said = try await guest.run("vanorb \(command) && echo DONE; true").joined(separator: " ")
            #expect(!said.contains("DONE") && !said.isEmpty, "\(command): \(said)")
        }
        let store = try await guest.client.call(StatusCall.self).parts.first { $0.name == "store" }
        #expect(store?.state == .failed, "\(store?.detail ?? "")")
        #expect(try await guest.run("vanorb say \"there's a fire\"").joined().contains("Everybody out"))
        try await isUndisturbed(guest, restarts: restarts)
        var random = SeededRandom(seed: Guest.seed)
        _ = try await guest.cutPower(&random)
        try await guest.switchOn()
        let amounts = try await amounts(guest)
        #expect(amounts[321] == 1 && amounts[322] == nil && amounts[323] == nil, "\(amounts)")
        try await isUndisturbed(guest)
    }
}
