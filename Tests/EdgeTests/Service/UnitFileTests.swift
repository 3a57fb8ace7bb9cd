import Foundation
import Testing

private let analyze = ["/usr/bin/systemd-analyze", "/bin/systemd-analyze"].first {
    FileManager.default.isExecutableFile(atPath: $0)
}
private let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../systemd").standardizedFileURL.path
private let units = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()

/// The units as systemd reads them, where it is there.
@Suite(.enabled(if: analyze != nil, "systemd-analyze is not installed"))
struct UnitFileTests {
    private func run(_ arguments: String...) throws -> (status: Int32, text: String) {
        let process = Process(), pipe = Pipe()
        process.executableURL = URL(filePath: try #require(analyze))
        process.arguments = arguments
        process.standardOutput = pipe
        process.standardError = pipe
        process.environment = ["SYSTEMD_LOG_LEVEL": "warning", "PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        try process.run()
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }

    @Test(arguments: units)
    func systemdUnderstandsEveryLine(of unit: String) throws {
        // What is only installed with the package is not there to be found.
        let complaints = try run("verify", folder + "/" + unit).text.split(separator: "\n").filter {
            !$0.contains("is not executable: No such file") && !$0.contains("Command 'man ")
        }
        #expect(complaints.isEmpty, "\(complaints.joined(separator: "\n"))")
    }

    @Test(arguments: units.filter { $0.hasSuffix(".service") })
    func serviceIsExposedByTwoOfTenAtMost(_ unit: String) throws {
        let result = try run("security", "--offline=yes", "--no-pager", "--threshold=20", folder + "/" + unit)
        #expect(result.status == 0, "\(result.text.split(separator: "\n").last ?? "")")
    }

    @Test(arguments: units)
    func nothingWaitsForANetworkOrAClock(_ unit: String) throws {
        let text = try String(contentsOfFile: folder + "/" + unit, encoding: .utf8)
        let order = text.split(separator: "\n").filter {
            $0.wholeMatch(of: /(After|Wants|Requires|BindsTo|Requisite)=.*/) != nil
        }
        for line in order {
            #expect(line.firstMatch(of: /network-online|time-sync|mosquitto|wait-sync/) == nil, "\(line)")
        }
    }
}
