import Foundation
import SystemTestKit
import Testing

@testable import Control

@Suite struct UploadTests {
    private let client = ClientConnection(number: 1, user: 1000)

    private func files(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder)
    }

    @Test func recordingInPieces_arrivesWhole_andIsRemovedAfterUse() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            let recording = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) })
            let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: recording.count), on: client)
                .upload
            for start in stride(from: 0, to: recording.count, by: ControlLimits.pieceBytes) {
                let piece = recording[start..<min(start + ControlLimits.pieceBytes, recording.count)]
                _ = try await table.add(UploadDataArguments(upload: upload, bytes: Data(piece)), on: client)
            }
            let heard = try await table.use(upload, on: client) { path in
                try Data(contentsOf: URL(fileURLWithPath: path))
            }
            #expect(heard == recording)
            #expect(try files(folder).isEmpty)
            await #expect(throws: ControlError.self) {
                try await table.use(upload, on: client) { _ in }
            }
        }
    }

    @Test func largestPiece_fitsOnALine() throws {
        let piece = UploadDataArguments(upload: 1, bytes: Data(count: ControlLimits.pieceBytes))
        let line = try ControlJSON.encode(Request(id: 1, call: UploadDataCall.name, arguments: piece))
        #expect(line.count <= ControlLimits.lineBytes)
    }

    @Test func failingUse_removesTheFile() async throws {
        struct Failure: Error {}
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 1), on: client).upload
            _ = try await table.add(UploadDataArguments(upload: upload, bytes: Data([1])), on: client)
            await #expect(throws: Failure.self) {
                try await table.use(upload, on: client) { _ in throw Failure() }
            }
            #expect(try files(folder).isEmpty)
        }
    }

    @Test func badPieces_dropTheUpload() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            for base64 in ["not base64!", Data(count: 11).base64EncodedString()] {
                let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 10), on: client).upload
                await #expect(throws: ControlError.self) {
                    try await table.add(UploadDataArguments(upload: upload, base64: base64), on: client)
                }
                #expect(await table.count == 0)
            }
            let large = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 1 << 20), on: client).upload
            await #expect(throws: ControlError.self) {
                try await table.add(
                    UploadDataArguments(upload: large, bytes: Data(count: ControlLimits.pieceBytes + 1)), on: client)
            }
            let short = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 2), on: client).upload
            _ = try await table.add(UploadDataArguments(upload: short, bytes: Data([1])), on: client)
            await #expect(throws: ControlError.self) {
                try await table.use(short, on: client) { _ in }
            }
            #expect(try files(folder).isEmpty)
        }
    }

    @Test(arguments: [0, -1, Int.min, ControlLimits.uploadBytes + 1, Int.max])
    func impossibleLength_isRefused(_ bytes: Int) async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            await #expect(throws: ControlError.self) {
                try await table.begin(UploadBeginArguments(name: "a.wav", bytes: bytes), on: client)
            }
        }
    }

    @Test func nameThatIsTooLong_isRefused() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            let name = String(repeating: "x", count: ControlLimits.nameCharacters + 1)
            await #expect(throws: ControlError.self) {
                try await table.begin(UploadBeginArguments(name: name, bytes: 1), on: client)
            }
        }
    }

    @Test func allUploadsTogether_areBounded() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder, limit: 100)
            _ = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 60), on: client)
            await #expect(throws: ControlError.self) {
                try await table.begin(UploadBeginArguments(name: "b.wav", bytes: 41), on: client)
            }
            _ = try await table.begin(UploadBeginArguments(name: "c.wav", bytes: 40), on: client)
        }
    }

    @Test func whatComesTooSlowly_givesWayToAnotherUser_andToNobodyElse() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder, limit: 100, grace: .zero)
            let slow = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 60), on: client).upload
            let sibling = ClientConnection(number: 2, user: client.user)
            await #expect(throws: ControlError.self) {
                try await table.begin(UploadBeginArguments(name: "b.wav", bytes: 60), on: sibling)
            }
            let other = ClientConnection(number: 3, user: 1001)
            _ = try await table.begin(UploadBeginArguments(name: "c.wav", bytes: 60), on: other)
            await #expect(throws: ControlError.self) { try await table.name(of: slow, on: client) }
            #expect(await table.count == 1)
        }
    }

    @Test func uploadLeftAlone_isRemoved() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder, patience: .milliseconds(20))
            let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 60), on: client).upload
            try await eventually("the upload has timed out") { await table.count == 0 }
            #expect(try files(folder).isEmpty)
            await #expect(throws: ControlError.self) {
                try await table.add(UploadDataArguments(upload: upload, bytes: Data([1])), on: client)
            }
        }
    }

    @Test func leftovers_areRemovedAtTheStart() async throws {
        try await withFolder { folder in
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/upload-7"))
            try Data([1]).write(to: URL(fileURLWithPath: "\(folder)/other"))
            _ = try UploadTable(folder: folder)
            #expect(try files(folder) == ["other"])
        }
    }

    @Test func anotherConnectionsUpload_isUnknownToIt_asIfThereWereNone() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            // The same user's, and another's.
            for stranger in [ClientConnection(number: 2, user: 1000), ClientConnection(number: 3, user: 1001)] {
                let upload = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 1), on: client).upload
                let piece = UploadDataArguments(upload: upload, bytes: Data([7]))
                let refusal = await #expect(throws: ControlError.self) { try await table.add(piece, on: stranger) }
                #expect(refusal?.message.contains("this connection has no upload \(upload);") == true)
                await #expect(throws: ControlError.self) { try await table.use(upload, on: stranger) { _ in } }
                await #expect(throws: ControlError.self) { try await table.name(of: upload, on: stranger) }
                // Its owner notices nothing of it.
                _ = try await table.add(UploadDataArguments(upload: upload, bytes: Data([1])), on: client)
                let content = try await table.use(upload, on: client) { FileManager.default.contents(atPath: $0) }
                #expect(content == Data([1]))
            }
        }
    }

    @Test func oneUsersUploads_leaveRoomForAnothers() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            for number in 1...ControlLimits.uploads {
                let connection = ClientConnection(number: number, user: 1000)
                let isRoom = number <= ControlLimits.uploadsPerUser
                do {
                    _ = try await table.begin(UploadBeginArguments(name: "a.wav", bytes: 1), on: connection)
                    #expect(isRoom)
                } catch let error as ControlError {
                    #expect(!isRoom && error.message.contains("You already have 4 uploads"), "\(error.message)")
                }
            }
            let other = ClientConnection(number: 99, user: 1001)
            _ = try await table.begin(UploadBeginArguments(name: "b.wav", bytes: 1), on: other)
        }
    }

    @Test func allUsersUploads_areBounded_andRootHasRoom() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder)
            let arguments = UploadBeginArguments(name: "a.wav", bytes: 1)
            for number in 0..<ControlLimits.uploads {
                let user = UInt32(1000 + number / ControlLimits.uploadsPerUser)
                _ = try await table.begin(arguments, on: ClientConnection(number: number, user: user))
            }
            await #expect(throws: ControlError.self) {
                try await table.begin(arguments, on: ClientConnection(number: 98, user: 2000))
            }
            _ = try await table.begin(arguments, on: ClientConnection(number: 99, user: ClientConnection.root))
        }
    }

    @Test func connectionThatCloses_takesItsUploadsAlong_andNoOthers() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: "\(folder)/uploads")
            var calls = CallTable()
            table.register(in: &calls)
            try await withServer(calls: calls) { path in
                let begin = "{\"id\": 1, \"call\": \"upload.begin\", \"arguments\": {\"name\": \"a\", \"bytes\": 9}}"
                var leaving: RawClient? = try RawClient(path)
                let staying = try RawClient(path)
                for client in [leaving, staying].compactMap(\.self) {
                    _ = await client.line()
                    await client.send(begin)
                    #expect(await client.line()?.contains("\"upload\"") == true)
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/uploads").count == 2)
                leaving = nil
                try await eventually("one upload is gone") { await table.count == 1 }
                #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/uploads") == ["upload-2"])
            }
            // The server has ended, and all connections with it.
            #expect(await table.count == 0)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder)/uploads").isEmpty)
        }
    }

    @Test func uploadBegunAsItsConnectionCloses_isDroppedAllTheSame() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: "\(folder)/uploads")
            let (began, signal) = AsyncStream.makeStream(of: Void.self)
            let (release, releaser) = AsyncStream.makeStream(of: Void.self)
            var calls = CallTable()
            calls.registerForConnection(UploadBeginCall.self) { arguments, connection in
                signal.yield()
                await Task { for await _ in release { break } }.value
                let result = try await table.begin(arguments, on: connection)
                signal.yield()
                return result
            }
            var other = CallTable()
            table.register(in: &other)
            calls.onDisconnect { [uploads = other] connection in
                await uploads.disconnected(connection)
                releaser.yield()
            }
            try await withServer(calls: calls) { path in
                var client: RawClient? = try RawClient(path)
                await client?.send(
                    "{\"id\": 1, \"call\": \"upload.begin\", \"arguments\": {\"name\": \"a\", \"bytes\": 9}}")
                var steps = began.makeAsyncIterator()
                await steps.next()
                client = nil
                await steps.next()
                try await eventually("the upload is gone") { await table.count == 0 }
            }
        }
    }

    @Test func connectionThatStaysOpen_sendsAFileAndUsesIt() async throws {
        try await withFolder { folder in
            let table = try UploadTable(folder: folder + "/uploads")
            var calls = CallTable()
            table.register(in: &calls)
            calls.registerForConnection(HearFinishCall.self) { arguments, connection in
                let name = try await table.name(of: arguments.upload, on: connection)
                return try await table.use(arguments.upload, on: connection) { path in
                    echo("\(name): \(try Data(contentsOf: URL(fileURLWithPath: path)).count) bytes")
                }
            }
            let content = Data(count: ControlLimits.pieceBytes + 5)
            try await withServer(calls: calls) { path in
                let client = ControlClient(path: path)
                let turn = try await client.connected { connection in
                    let upload = try await connection.upload(content, name: "a.wav")
                    return try await connection.call(HearFinishCall.self, HearFinishArguments(upload: upload))
                }
                #expect(turn.reply == "a.wav: \(content.count) bytes")
                let left = try await client.connected { try await $0.upload(content, name: "b.wav") }
                await #expect(throws: ControlError.self) {
                    try await client.call(HearFinishCall.self, HearFinishArguments(upload: left))
                }
            }
        }
    }
}
