import Control
import Foundation
import Testing

extension ScenarioTests {
    /// What can go wrong on the control socket of the running daemon.
    @Suite(.serialized, .van(Setup(hasBroker: false))) struct SocketTests {
        private func refusal(of bytes: [UInt8]) async throws -> String {
            let socket = try RawClient(ScenarioTests.van.socket)
            let greeting = await socket.line()
            #expect(greeting?.contains("vanorb") == true)
            await socket.send(bytes)
            return try #require(await socket.line())
        }

        private func isUp() async throws { #expect(try await ScenarioTests.van.status().state == .closed) }

        @Test func lineThatIsNotJSON_isRefused() async throws {
            #expect(try await refusal(of: Array("turn on the pump\n".utf8)).contains("not-json"))
            try await isUp()
        }

        @Test func binary_isRefused() async throws {
            let bytes = (0..<4_000).map { UInt8(truncatingIfNeeded: $0 &* 167 + 13) }.filter { $0 != 10 } + [10]
            #expect(try await refusal(of: bytes).contains("not-json"))
            try await isUp()
        }

        @Test func lineOverOneMebibyte_isRefused() async throws {
            let line = [UInt8](repeating: UInt8(ascii: "a"), count: (1 << 20) + 1) + [10]
            #expect(try await refusal(of: line).contains("line-too-long"))
            try await isUp()
        }

        @Test func longText_isRefused_withItsLimit() async throws {
            let van = try ScenarioTests.van
            let text = String(repeating: "log ", count: 2_500)
            let answer = try await van.vanorb("say", text)
            #expect(answer.status == 1)
            #expect(answer.lines.joined().contains("at most 2000 characters"), "\(answer.lines)")
            try await isUp()
        }

        @Test func longestText_isAnswered() async throws {
            let van = try ScenarioTests.van
            let turn = try await van.say(String(String(repeating: "fiddlesticks ", count: 200).prefix(2_000)))
            #expect(turn.outcome == .fallback, "\(turn.reply)")
            _ = try await van.client.call(CloseCall.self)
            try await isUp()
        }

        @Test func secondDaemonOnTheSameSocket_leavesTheFirstAlone() async throws {
            let van = try ScenarioTests.van
            let second = try ChildProcess(
                "\(Workshop.products)/vanorbd",
                [
                    "--defaults", "\(Workshop.root)/deploy/defaults.yaml",
                ]
                    + [
                        "paths.board=\(van.folder.file("board.yaml"))", "paths.data=\(van.folder.file("data2"))",
                        "paths.run=\(van.run)", "paths.devices=\(Workshop.devices)", "mqtt.enabled=false",
                        "paths.classifier=\(try Workshop.shared().classifier)",
                    ].flatMap { ["--set", $0] })
            let status = try await second.exit(within: .seconds(120))
            #expect(status != 0)
            #expect(status != 78, "the settings are right")
            let last = try #require(second.lines.last)
            #expect(last.contains(van.socket), "\(second.lines)")
            #expect(!second.lines.contains { $0.contains("Fatal error") }, "\(second.lines)")
            try await isUp()
            #expect(try await van.hear("where is the tow rope").reply == "The tow rope is in the garage.")
            _ = try await van.client.call(CloseCall.self)
        }
    }
}
