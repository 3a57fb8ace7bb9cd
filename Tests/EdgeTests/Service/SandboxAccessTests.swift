import Foundation
import Testing

@testable import Setup

@Suite struct SandboxAccessTests {
    private func allowed(_ hosts: String...) -> String? {
        SandboxAccess.dropIn(hosts: hosts, folder: nil)?.split(separator: "\n").last.map(String.init)
    }

    @Test(arguments: ["127.0.0.1", "127.0.1.1", "::1", "localhost", "LocalHost"])
    func thisBoard_needsNoDropIn(host: String) { #expect(SandboxAccess.dropIn(hosts: [host], folder: nil) == nil) }

    @Test func address_isAllowedAlone() {
        #expect(allowed("127.0.0.1", "192.168.8.2") == "IPAddressAllow=192.168.8.2")
        #expect(allowed("FE80:0::1%eth0") == "IPAddressAllow=fe80::1")
        #expect(allowed("10.0.0.1", "10.0.0.1", "10.0.0.2") == "IPAddressAllow=10.0.0.1 10.0.0.2")
    }

    @Test func name_opensTheVansOwnNetworks_butNeverTheInternet() {
        let line = "IPAddressAllow=10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 link-local"
        #expect(allowed("broker.local") == line)
        #expect(allowed("venus.local", "broker.local") == line)
    }

    @Test(arguments: ["any", "0.0.0.0/0", "1.2.3.4\n[Service]\nExecStartPre=/bin/sh", "1.2.3.4 any", "::/0"])
    func hostThatIsNeither_getsNothingOfItselfIntoTheUnit(host: String) {
        let text = SandboxAccess.dropIn(hosts: [host], folder: nil) ?? ""
        #expect(text.contains("IPAddressAllow=10.0.0.0/8"))
        #expect(!text.contains("Exec") && !text.contains("any") && !text.contains("/0\n") && !text.contains("1.2.3.4"))
    }

    @Test(arguments: [
        ("/mnt", "\"-/mnt\""), ("/srv/a b//", "\"-/srv/a b\""), ("/srv/100%/\"q\"", "\"-/srv/100%%/\\\"q\\\"\""),
        ("/srv/back\\slash", "\"-/srv/back\\\\slash\""), ("/srv/-x", "\"-/srv/-x\""), ("/srv/Büro", "\"-/srv/Büro\""),
        ("/data/vanorb", "\"-/data/vanorb\""),
    ])
    func secondPathOfBackups_mayBeWritten(path: String, written: String) {
        let lines = SandboxAccess.dropIn(hosts: ["127.0.0.1"], folder: path)?.split(separator: "\n").map(String.init)
        #expect(lines?.dropFirst() == ["[Service]", "ReadWritePaths=\(written)"])
    }

    /// What is granted is held while the service runs: of a stick, that must not be its own folder.
    @Test(arguments: [
        ("/media/stick/vanorb", "/media"), ("/media/stick", "/media"), ("/mnt/a b//c", "/mnt"),
        ("/run/media/paul/stick", "/run/media"),
    ])
    func secondPathOnAStick_isGrantedAboveWhereItIsMounted(path: String, granted: String) {
        let lines = SandboxAccess.dropIn(hosts: [], folder: path)?.split(separator: "\n").map(String.init)
        #expect(lines?.dropFirst() == ["[Service]", "ReadWritePaths=\"-\(granted)\""])
    }

    @Test(arguments: [
        "/", "//", "", "stick", "./mnt/x", "/mnt/../etc", "/mnt/./x", "/etc", "/etc/vanorb", "/usr/local", "/bin",
        "/lib64/x",
        "/boot/firmware", "/dev/sda", "/proc/1", "/sys/x", "/run", "/run/vanorb", "/run/media/paul", "/root/x",
        "/home/paul",
        "/var/lib/other", "/tmp/x", "/media", "/opt", "/mnt/a\nExecStartPre=/bin/sh",
    ])
    func foldersOfTheSystem_areNeverGranted(path: String) {
        #expect(SandboxAccess.dropIn(hosts: [], folder: path) == nil)
    }

    private static let links: [String: SandboxAccess.Entry] = [
        "/srv": .other(isRoots: true), "/srv/etc": .link(to: "/etc"), "/srv/up": .link(to: "../etc/vanorb"),
        "/srv/far": .link(to: "/srv/etc/ssh"), "/srv/round": .link(to: "/srv/round"),
        "/srv/disk": .link(to: "/mnt/disk"),
        "/srv/near": .link(to: "real"), "/media/stick": .link(to: "/usr"), "/data": .link(to: "/var/data"),
        "/srv/anyone": .other(isRoots: false), "/mnt/disk": .other(isRoots: false),
    ]

    @Test(arguments: [
        "/srv/etc", "/srv/etc/vanorb", "/srv/up", "/srv/far", "/srv/round", "/media/stick/x", "/data", "/data/x",
        // Whoever may write there could put a link in its place once it has been looked at.
        "/srv/anyone/x",
    ])
    func secondPathThatLeadsElsewhere_isNotGranted(path: String) {
        #expect(SandboxAccess.grantable(path) { Self.links[$0] } == nil)
    }

    @Test(arguments: [
        ("/srv/disk/vanorb", "/mnt/disk/vanorb"), ("/srv/near/x", "/srv/real/x"), ("/srv/anyone", "/srv/anyone"),
        ("/mnt/disk/a/b", "/mnt/disk/a/b"), ("/srv/not/there", "/srv/not/there"),
    ])
    func secondPathThroughALink_isGrantedWhereItLeads(path: String, real: String) {
        #expect(SandboxAccess.grantable(path) { Self.links[$0] } == real)
    }

    @Test func linkOnDisk_isSeen() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vanorb-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try FileManager.default.createSymbolicLink(atPath: folder + "/link", withDestinationPath: "/etc")
        #expect(SandboxAccess.look(folder + "/link") == .link(to: "/etc"))
        try #require(chmod(folder, 0o777) == 0)
        #expect(SandboxAccess.look(folder) == .other(isRoots: false))
        #expect(SandboxAccess.look(folder + "/none") == nil)
    }

    @Test func hostAndFolder_standInOneDropIn() {
        let text = SandboxAccess.dropIn(hosts: ["10.0.0.2"], folder: "/srv/x")
        #expect(text?.contains("\n[Service]\nIPAddressAllow=10.0.0.2\nReadWritePaths=\"-/srv/x\"\n") == true)
    }

    @Test func whatTheUnitAllows_isComparedWithTheSettings_whereThePackageIs() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vanorb-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: folder) }
        func settings(host: String) throws -> Settings {
            let defaults = URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../../../deploy/defaults.yaml").standardizedFileURL.path
            return try Settings(SettingsFile(defaults: defaults, owner: nil, overrides: ["mqtt.host=\(host)"]))
        }
        let here = try settings(host: "127.0.0.1"), there = try settings(host: "10.0.0.2")
        #expect(SandboxAccess.isInForce(there, folder: folder), "no package is installed, nothing is forbidden")

        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(SandboxAccess.isInForce(here, folder: folder))
        #expect(!SandboxAccess.isInForce(there, folder: folder))
        let text = try #require(SandboxAccess.dropIn(for: there))
        // As the shell writes it, with one line's end.
        try Data((text.trimmingCharacters(in: .newlines) + "\n").utf8).write(
            to: URL(filePath: folder + "/access.conf"))
        #expect(SandboxAccess.isInForce(there, folder: folder))
        #expect(!SandboxAccess.isInForce(here, folder: folder), "what is no longer named is no longer allowed")
    }

    /// The drop-in as systemd reads it, where that is there.
    @Test func systemd_understandsThePathsAsTheyAreMeant() throws {
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/systemd-analyze") else { return }
        let unit = FileManager.default.temporaryDirectory.appending(path: "vanorb-\(UUID().uuidString).service").path
        defer { try? FileManager.default.removeItem(atPath: unit) }
        let dropIn = try #require(SandboxAccess.dropIn(hosts: ["fe80::1%eth0"], folder: "/srv/100%/a \"b\" \\c/é"))
        try Data((dropIn + "ExecStart=/bin/true\n").utf8).write(to: URL(filePath: unit))
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: "/usr/bin/systemd-analyze")
        process.arguments = ["verify", "--man=no", unit]
        process.standardError = pipe
        process.standardOutput = pipe
        try process.run()
        let said = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(!said.contains("ReadWritePaths") && !said.contains("IPAddressAllow"), "\(said)")
    }
}
