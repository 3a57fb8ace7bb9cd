import Foundation
import SystemTestKit
import Testing

@testable import Setup

@Suite struct RestartBackoffTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var pause: RestartBackoff { RestartBackoff(run: folder.path) }

    @Test func eachBadEnd_makesTheNextWaitLonger_upToAMinute() {
        var waits: [Int64] = []
        for end in 1...9 {
            pause.note(at: .seconds(end * 10))
            waits.append(pause.due(at: .seconds(end * 10)).wait.components.seconds)
        }
        #expect(waits == [0, 1, 2, 4, 8, 16, 32, 60, 60])
    }

    @Test func tenQuietMinutes_beginAnew() {
        for end in 1...5 { pause.note(at: .seconds(end)) }
        #expect(pause.due(at: .seconds(6)).wait > .zero)
        #expect(pause.due(at: .seconds(605)) == (0, .zero))
    }

    @Test func noteOfAnotherBoot_orANoteThatIsDamaged_countsForNothing() throws {
        try Data("99999\nrubbish\n5\n\u{0}\n".utf8).write(to: URL(filePath: folder.file("ends")))
        #expect(pause.due(at: .seconds(10)) == (1, .zero))
    }

    @Test func folderThatCannotBeWritten_delaysNothing() {
        let pause = RestartBackoff(run: "/nonexistent")
        pause.note(at: .seconds(1))
        #expect(pause.due(at: .seconds(2)) == (0, .zero))
    }

    @Test(arguments: [
        (["SERVICE_RESULT": "watchdog", "EXIT_STATUS": "ABRT"], true),
        (["SERVICE_RESULT": "exit-code", "EXIT_STATUS": "1"], true),
        (["SERVICE_RESULT": "exit-code", "EXIT_STATUS": "78"], false),
        (["SERVICE_RESULT": "success", "EXIT_STATUS": "0"], false), ([:], false),
    ])
    func onlyABadEnd_isNoted(environment: [String: String], isBad: Bool) {
        #expect(RestartBackoff.endedBadly(environment: environment) == isBad)
    }
}
