import Control
import Foundation
import SystemTestKit
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

        /// Starts another daemon that shares a folder with the one that runs.
        /// - Returns: what it said last.
        private func second(data: String, run: String) async throws -> String {
            let second = try ChildProcess(
                "\(Workshop.products)/vanorbd",
                [
                    "--defaults", "\(Workshop.root)/deploy/defaults.yaml",
                ]
                    + [
                        "paths.board=\(try ScenarioTests.van.folder.file("board.yaml"))", "paths.data=\(data)",
                        "paths.run=\(run)", "paths.devices=\(Workshop.devices)", "mqtt.enabled=false",
                        "paths.classifier=\(try Workshop.shared().classifier)",
                    ].flatMap { ["--set", $0] })
            let status = try await second.exit(within: .seconds(120))
            #expect(status != 0)
            #expect(status != 78, "the settings are right")
            #expect(!second.lines.contains { $0.contains("Fatal error") }, "\(second.lines)")
            return try #require(second.lines.last)
        }

        @Test func secondDaemonOnTheSameData_isRefused_beforeItTouchesAnything() async throws {
            let van = try ScenarioTests.van
            // What a start would do: finish this restore, and away with this upload.
            let waiting = "\(van.data)/vanorb.sqlite.restored", uploads = "\(van.run)/uploads"
            try "not yet".write(toFile: waiting, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: waiting) }
            try await van.client.connected { connection in
                let arguments = UploadBeginArguments(name: "a.wav", bytes: 9)
                let upload = try await connection.call(UploadBeginCall.self, arguments).upload
                let said = try await second(data: van.data, run: van.folder.file("run2"))
                #expect(said.contains("Another vanorbd") && said.contains(van.data), "\(said)")
                #expect(FileManager.default.contents(atPath: waiting) == Data("not yet".utf8))
                _ = try await second(data: van.folder.file("data3"), run: van.run)
                #expect(try FileManager.default.contentsOfDirectory(atPath: uploads) == ["upload-\(upload)"])
                let whole = UploadDataArguments(upload: upload, bytes: Data(count: 9))
                _ = try await connection.call(UploadDataCall.self, whole)
            }
            try await isUp()
            #expect(try await van.part("store")?.state == .ok)
        }

        @Test func clientsThatSayNothing_orNeverRead_hinderNobody_norTheEnd() async throws {
            let van = try await VanUnderTest(Setup(hasBroker: false))
            defer { van.end() }
            var clients: [RawClient] = []
            for number in 0..<20 {
                let client = try RawClient(van.socket)
                // Nothing at all; half a line; a watch that nobody reads.
                if number % 3 == 1 { await client.send(Array("{\"id\": 1, \"call\": \"sta".utf8)) }
                if number % 3 == 2 { await client.send("{\"id\": 1, \"call\": \"events.watch\"}") }
                clients.append(client)
            }
            for _ in 0..<3 { #expect(try await van.say("what time is it").outcome == .done) }
            let began = ContinuousClock.now
            try await van.stop()
            #expect(began.duration(to: .now) < .seconds(10))
            withExtendedLifetime(clients) {}
        }

        @Test func secondDaemonOnTheSameSocket_leavesTheFirstAlone() async throws {
            let van = try ScenarioTests.van
            let last = try await second(data: van.folder.file("data2"), run: van.run)
            #expect(last.contains(van.socket), "\(last)")
            try await isUp()
            #expect(try await van.hear("where is the tow rope").reply == "The tow rope is in the garage.")
            _ = try await van.client.call(CloseCall.self)
        }
    }
}
