import Foundation
import Testing

/// The panel's C functions over libgpiod 2, which a machine with Debian 12 cannot link: the program that
/// `board/virtual/gpiod2/build` made of them in Debian 13.
@Suite(.serialized, .enabled(if: LineLibrary.program != nil, LineLibrary.missing))
struct LineLibraryTests {
    @Test func errors_nameTheCallAndTheCause_andLeaveNothingOpen() async throws {
        try LineLibrary.verify(try await VirtualBoard.execute(try #require(LineLibrary.program), ["errors"]))
    }

    @Test(.enabled(if: Guest.folder != nil, Guest.missing))
    func simulatedLines_areFoundReadSetAndDebounced() async throws {
        let guest = try await Guest.rested(), name = "shim-test"
        try? FileManager.default.removeItem(atPath: guest.exchange(name))
        try FileManager.default.copyItem(
            atPath: try #require(LineLibrary.program), toPath: guest.exchange(name))
        // The daemon holds the lines; its helper, which lets the motor go, ends with it.
        try await guest.run("systemctl stop vanorb")
        // What was printed is in the error as well; the daemon comes back either way.
        let lines = await Result { try await guest.run("/exchange/\(name) lines 2>&1") }
        try await guest.run("echo pull-up >/run/lines/button/pull; systemctl start vanorb")
        try await guest.answers()
        try LineLibrary.verify(try lines.get())
        #expect(try await guest.motor() == false)
    }
}

/// What the tests of the line library share.
private enum LineLibrary {
    /// The program on this machine; nil where there is none, and the tests are skipped.
    static let program = ProcessInfo.processInfo.environment["VANORB_GPIOD2"]
        .flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }
    /// Why they are skipped.
    static let missing: Comment = "the program over libgpiod 2 is missing (VANORB_GPIOD2); deploy/test says why"

    /// Its last line counts what it found true, over the library that was wanted.
    static func verify(_ lines: [String]) throws {
        let count = try #require(lines.last?.firstMatch(of: /(\d+) checks passed over libgpiod 2/)?.1, "\(lines)")
        #expect(try #require(Int(count)) > 50, "\(lines)")
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}
