import Configuration
import Foundation
import Testing

@testable import Setup

/// Where the broker's password is, and what is taken for one.
@Suite struct PasswordFileTests {
    private static let project = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "../../..").standardizedFileURL.path

    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "vanorb-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body(folder)
    }

    private func settings(_ file: String) throws -> Settings {
        try Settings(
            SettingsFile(
                defaults: Self.project + "/deploy/defaults.yaml", owner: nil,
                overrides: ["mqtt.password_file=\(file)", "mqtt.username=vanorb"]))
    }

    @Test func oneLine_isThePassword() throws {
        try inFolder { folder in
            try Data("  s3cret with blanks \n\n".utf8).write(to: URL(filePath: folder + "/p"))
            #expect(try settings(folder + "/p").broker?.credentials.password == "s3cret with blanks")
        }
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("root:x:0:0\ndaemon:x:1:1\n", "several lines"), (String(repeating: "k", count: 2_000), "1 kB"),
            ("a\u{0}b", "control characters"), ("a\rb", "several lines"),
        ])
    func whatIsNoPassword_isRefused_andNotRepeated(text: String, reason: String) throws {
        try inFolder { folder in
            try Data(text.utf8).write(to: URL(filePath: folder + "/p"))
            let error = #expect(throws: ConfigurationError.self) { _ = try settings(folder + "/p") }
            #expect(error?.message.contains(reason) == true, "\(error?.description ?? "")")
            #expect(error?.message.contains(folder + "/p") == true)
            #expect(error?.message.contains("daemon:x") != true && error?.message.contains("kkk") != true)
        }
    }

    /// systemd reads the credential as root: nobody else may have a say about what stands there.
    @Test func theUnit_readsThePasswordWhereOnlyRootMayWrite() throws {
        let unit = try String(contentsOfFile: Self.project + "/systemd/vanorb.service", encoding: .utf8)
        let folders = try String(contentsOfFile: Self.project + "/deploy/debian/vanorb.tmpfiles", encoding: .utf8)
        let place = try #require(unit.firstMatch(of: /LoadCredential=[a-z-]+:(\/.*)\/[a-z-]+/)?.1)
        let line = try #require(folders.split(separator: "\n").first { $0.hasPrefix("d \(place) ") })
        let fields = line.split(separator: " ")
        #expect(fields[2...4] == ["0750", "root", "vanorb"], "\(line)")
        #expect(!place.hasPrefix("/etc/vanorb/"), "the group may rename what stands in /etc/vanorb")
    }

    private func move(_ folder: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            Self.project + "/deploy/debian/move-password", folder + "/open/mqtt-password",
            folder + "/closed/mqtt-password", "root",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
    }

    private func inFolders(_ body: (String) throws -> Void) throws {
        try inFolder { folder in
            for name in ["open", "closed"] {
                try FileManager.default.createDirectory(
                    atPath: "\(folder)/\(name)", withIntermediateDirectories: true)
            }
            try body(folder)
        }
    }

    @Test(.enabled(if: getuid() == 0, "only root may give files to root"))
    func upgrade_movesThePassword_andSettingsFindItStill() throws {
        try inFolders { folder in
            let old = folder + "/open/mqtt-password", new = folder + "/closed/mqtt-password"
            try Data("s3cret\n".utf8).write(to: URL(filePath: old))
            for _ in 1...2 {
                try move(folder)
                #expect(SandboxAccess.look(old) == .link(to: new))
                #expect(SandboxAccess.look(new) == .other(isRoots: true))
                #expect(try settings(old).broker?.credentials.password == "s3cret")
            }
        }
    }

    @Test func upgrade_followsNoLink() throws {
        try inFolders { folder in
            let old = folder + "/open/mqtt-password", new = folder + "/closed/mqtt-password"
            let secret = folder + "/secret"
            try Data("key\n".utf8).write(to: URL(filePath: secret))
            try FileManager.default.createSymbolicLink(atPath: old, withDestinationPath: secret)
            try move(folder)
            #expect(SandboxAccess.look(new) == nil)
            #expect(SandboxAccess.look(old) == .link(to: secret))
            try FileManager.default.removeItem(atPath: old)
            try FileManager.default.linkItem(atPath: secret, toPath: old)
            try move(folder)
            #expect(SandboxAccess.look(new) == nil, "a second name of a file is no password")
            #expect(try String(contentsOfFile: secret, encoding: .utf8) == "key\n")
        }
    }
}
