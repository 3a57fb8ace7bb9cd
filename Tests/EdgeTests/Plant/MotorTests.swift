import Foundation
import Logging
import SystemTestKit
import Testing

@testable import PanelGPIO

/// The motor's helper and what becomes of a pulse when one of the two is killed. The line is a file, which keeps its
/// last value as a Raspberry Pi's lines do.
@Suite(.serialized) struct MotorTests {
    private let logger = Logger(label: "test")
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// The helper among what the package builds.
    static let helper = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "vanorb-motor").path

    private func motor(_ file: String) -> MotorConfiguration { MotorConfiguration(.file(file), helper: Self.helper) }

    private func level(_ file: String) -> String? {
        FileManager.default.contents(atPath: file).map { String(decoding: $0.prefix(1), as: UTF8.self) }
    }

    @Test func pulse_switchesOn_andOffAgain() async throws {
        let file = folder.file("motor")
        let helper = try MotorHelper(Self.helper, ["--file", file])
        #expect(helper.next() == .ready)
        #expect(level(file) == "0")
        helper.run([400])
        try await eventually("on") { level(file) == "1" }
        #expect(helper.next() == .done)
        #expect(level(file) == "0")
    }

    /// A watchdog that takes a busy motor for a dead one ends the daemon in the middle of a talk.
    @Test func everyPulse_isASignOfLife() async throws {
        let pump = try MotorPump(motor(folder.file("motor")), logger: logger)
        defer { pump.stop() }
        try await eventually("silence") { pump.silence > .milliseconds(500) }
        pump.pulse(.light)
        // Without a pulse the next sign comes ten seconds after the first.
        try await eventually("a sign of life", within: .seconds(5)) { pump.silence < .milliseconds(400) }
    }

    @Test func daemonThatIsKilledInThePulse_leavesItToEndByItself() async throws {
        let file = folder.file("motor")
        var helper: MotorHelper? = try MotorHelper(Self.helper, ["--file", file])
        #expect(helper?.next() == .ready)
        helper?.run([300])
        try await eventually("on") { level(file) == "1" }
        // What the kernel does with the connection of a process that it kills; `deinit` waits for the child's end.
        helper?.hangUp()
        helper = nil
        #expect(level(file) == "0")
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP]) func signalToTheHelper_endsNoPulseHalfway(_ number: Int32) async throws
    {
        let file = folder.file("motor")
        let helper = try MotorHelper(Self.helper, ["--file", file])
        #expect(helper.next() == .ready)
        helper.run([200])
        try await eventually("on") { level(file) == "1" }
        kill(helper.process, number)
        #expect(helper.next() == .done, "it goes on")
        #expect(level(file) == "0")
    }

    @Test func helperThatIsKilledInThePulse_isStartedAgain_andTheMotorIsOff() async throws {
        let file = folder.file("motor")
        let pump = try MotorPump(motor(file), logger: logger)
        defer { pump.stop() }
        let first = try #require(pump.process)
        pump.pulse(.medium)
        kill(first, SIGKILL)
        try await eventually("another helper") { pump.process.map { $0 != first } == true }
        #expect(level(file) == "0")
        pump.pulse(.medium)
        try await eventually("on") { level(file) == "1" }
        try await eventually("off") { level(file) == "0" }
    }

    @Test(arguments: ["", "x", "-5", "40 x", "99999", "1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1", "4294967296"])
    func whatIsNoPattern_movesNothing(_ line: String) async throws {
        let file = folder.file("motor")
        let child = Process(), input = Pipe()
        child.executableURL = URL(filePath: Self.helper)
        child.arguments = ["--file", file]
        child.standardInput = input
        try child.run()
        input.fileHandleForWriting.write(Data("\(line)\n".utf8))
        try input.fileHandleForWriting.close()
        child.waitUntilExit()
        #expect(child.terminationStatus == 0)
        #expect(level(file) == "0")
    }

    @Test func lineThatCannotBeHad_isNamedWithCallAndCode() throws {
        let line = GPIOLine(chip: "gpiochip97", place: .name("GPIO27"))
        let error = try #require(throws: GPIOError.self) {
            try MotorPump(MotorConfiguration(.line(line), helper: Self.helper), logger: logger)
        }
        #expect(error.code == ENOENT && error.description.contains("line “GPIO27”"), "\(error)")
    }

    @Test func missingHelper_isAnErrorThatNamesIt() throws {
        let file = folder.file("motor")
        let error = try #require(throws: POSIXFailure.self) {
            try MotorPump(MotorConfiguration(.file(file), helper: "/nowhere/vanorb-motor"), logger: logger)
        }
        #expect(error.description.contains("/nowhere/vanorb-motor"))
    }

    @Test func morePulsesThanAreFelt_areDropped_andStopLeavesItOff() throws {
        let file = folder.file("motor")
        for _ in 0..<20 {
            let pump = try MotorPump(motor(file), logger: logger)
            for _ in 0..<100 { pump.pulse(.medium) }
            pump.stop()
            #expect(level(file) == "0")
            #expect(pump.process == nil)
            pump.pulse(.medium)
            pump.stop()
        }
    }

    @Test func makeSafe_switchesOffWhatWasLeftOn() throws {
        let file = folder.file("motor")
        try Data("1\n".utf8).write(to: URL(filePath: file))
        try motor(file).makeSafe()
        #expect(level(file) == "0")
    }
}
