import Foundation

/// Files on their way to the daemon, each a file of its own in a folder that only the daemon reads.
///
/// Each belongs to the connection that announced it: no other knows it, and it goes with it. Together they are at most
/// 64 MiB; one that comes slower than `pace` gives way where another user needs its room. One that is left alone for
/// `patience` is removed, as is one whose pieces do not add up; what a daemon that was killed left behind is removed by
/// the next.
public actor UploadTable {
    private struct Upload {
        let owner: ClientConnection
        let name: String
        let path: String
        let declaredBytes: Int
        let file: FileHandle
        let begun = ContinuousClock.now
        var received = 0
        var expiry: Task<Void, Never>?
    }

    private static let prefix = "upload-"
    private let folder: String
    private let patience: Duration
    private let limit: Int
    private let pace: Int, grace: Duration
    private var uploads: [Int: Upload] = [:]
    private var nextID = 1

    /// Uploads into `folder`, which is made if need be.
    /// - Parameters:
    ///   - patience: how long an upload may be left alone.
    ///   - limit: bytes on their way at one time.
    ///   - pace: bytes a second that may be expected of a client on the same machine, after `grace`.
    /// - Throws: the system's error when the folder cannot be made.
    public init(
        folder: String, patience: Duration = .seconds(60), limit: Int = ControlLimits.uploadBytes,
        pace: Int = 256 << 10, grace: Duration = .seconds(1)
    ) throws {
        self.folder = folder
        self.patience = patience
        self.limit = limit
        self.pace = pace
        self.grace = grace
        let files = FileManager.default
        try files.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700]
        )
        for name in try files.contentsOfDirectory(atPath: folder) where name.hasPrefix(Self.prefix) {
            try? files.removeItem(atPath: "\(folder)/\(name)")
        }
    }

    /// Files on their way.
    public var count: Int { uploads.count }

    /// Adds the calls that send files, and drops a connection's files when it closes.
    public nonisolated func register(in calls: inout CallTable) {
        calls.registerForConnection(UploadBeginCall.self) { try await self.begin($0, on: $1) }
        calls.registerForConnection(UploadDataCall.self) { try await self.add($0, on: $1) }
        calls.onDisconnect { await self.dropAll(of: $0) }
    }

    /// Makes room for a file.
    /// - Throws: `ControlError` when there is none, or can't create the file.
    public func begin(
        _ arguments: UploadBeginArguments, on connection: ClientConnection
    ) throws(ControlError) -> UploadBeginResult {
        try arguments.check()
        let own = uploads.values.count { $0.owner.user == connection.user }
        guard own < ControlLimits.uploadsPerUser else {
            throw ControlError(
                code: ControlError.Code.busy,
                message: "You already have \(own) uploads in progress, the most for one user. Try again when one has "
                    + "arrived."
            )
        }
        makeRoom(for: arguments.bytes, of: connection.user)
        let reserved = uploads.values.reduce(0) { $0 + $1.declaredBytes }
        let isRoot = connection.user == ClientConnection.root
        guard reserved + arguments.bytes <= limit, isRoot || uploads.count < ControlLimits.uploads else {
            throw ControlError(
                code: ControlError.Code.busy,
                message: "\(uploads.count) uploads of \(reserved) bytes are in progress, and at most "
                    + "\(ControlLimits.uploads) of \(limit) bytes are allowed. Try again in a minute."
            )
        }
        let id = nextID
        nextID += 1
        let path = "\(folder)/\(Self.prefix)\(id)"
        guard FileManager.default.createFile(atPath: path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let file = FileHandle(forWritingAtPath: path)
        else {
            throw Self.writeFailure(arguments.name, folder, "can't create the file")
        }
        uploads[id] = Upload(
            owner: connection, name: arguments.name, path: path, declaredBytes: arguments.bytes, file: file)
        extend(id)
        return UploadBeginResult(upload: id)
    }

    /// Takes the next piece.
    /// - Throws: `ControlError`; the upload is dropped then, unless it was its number that was wrong.
    public func add(
        _ arguments: UploadDataArguments, on connection: ClientConnection
    ) throws(ControlError) -> UploadDataResult {
        let id = arguments.upload
        let upload = try find(id, connection)
        do {
            guard let piece = Data(base64Encoded: arguments.base64) else {
                throw ControlError.badArguments("arguments.base64: expected base64 (\(upload.name))")
            }
            guard piece.count <= ControlLimits.pieceBytes else {
                throw ControlError.badArguments(
                    "arguments.base64: at most \(ControlLimits.pieceBytes) bytes a piece are expected, not \(piece.count)"
                )
            }
            let received = upload.received + piece.count
            guard received <= upload.declaredBytes else {
                throw ControlError.badArguments(
                    "arguments.base64: \(upload.name) was announced with \(upload.declaredBytes) bytes; this makes \(received)"
                )
            }
            try upload.file.write(contentsOf: piece)
            uploads[id]?.received = received
            extend(id)
            return UploadDataResult(received: received)
        } catch let error as ControlError {
            drop(id)
            throw error
        } catch {
            drop(id)
            throw Self.writeFailure(upload.name, folder, Self.words(of: error))
        }
    }

    /// The name under which an upload was announced, for messages.
    /// - Throws: `ControlError` when the connection has no such upload.
    public func name(of upload: Int, on connection: ClientConnection) throws(ControlError) -> String {
        try find(upload, connection).name
    }

    /// Hands the complete file to `body` as a file, and removes it afterwards.
    /// - Throws: `ControlError` when it is not complete, or what `body` throws.
    public func use<Value: Sendable>(
        _ number: Int, on connection: ClientConnection, _ body: @Sendable (_ path: String) async throws -> Value
    ) async throws -> Value {
        let upload = try find(number, connection)
        guard upload.received == upload.declaredBytes else {
            drop(number)
            throw ControlError.badArguments(
                "arguments.upload: \(upload.name) was announced with \(upload.declaredBytes) bytes; "
                    + "\(upload.received) have arrived"
            )
        }
        // Its time must not run out while it is being used, and nobody may finish it twice.
        upload.expiry?.cancel()
        uploads[number] = nil
        try? upload.file.close()
        defer { unlink(upload.path) }
        return try await body(upload.path)
    }

    /// Another connection's is as good as none.
    private func find(_ id: Int, _ connection: ClientConnection) throws(ControlError) -> Upload {
        guard let upload = uploads[id], upload.owner == connection else {
            throw .badArguments(
                "arguments.upload: this connection has no upload \(id); it may have timed out, so send it again, on the "
                    + "connection that uses it")
        }
        return upload
    }

    private func extend(_ id: Int) {
        uploads[id]?.expiry?.cancel()
        uploads[id]?.expiry = Task { [weak self, patience] in
            do { try await Task.sleep(for: patience) } catch { return }
            await self?.drop(id)
        }
    }

    /// Drops what others send too slowly, oldest first, until `bytes` more have room or nothing slow is left.
    private func makeRoom(for bytes: Int, of user: UInt32) {
        func isSlow(_ upload: Upload) -> Bool {
            upload.begun.duration(to: .now) > grace + .seconds(Double(upload.received) / Double(pace))
        }
        for (id, upload) in uploads.sorted(by: { $0.key < $1.key }) where upload.owner.user != user && isSlow(upload) {
            guard uploads.values.reduce(bytes, { $0 + $1.declaredBytes }) > limit else { return }
            drop(id)
        }
    }

    private func dropAll(of connection: ClientConnection) {
        for (id, upload) in uploads where upload.owner == connection { drop(id) }
    }

    private func drop(_ id: Int) {
        guard let upload = uploads.removeValue(forKey: id) else { return }
        upload.expiry?.cancel()
        try? upload.file.close()
        unlink(upload.path)
    }

    /// What the system said, out of what Foundation has wrapped around it.
    private static func words(of error: any Error) -> String {
        let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError ?? error as NSError
        guard cause.domain == NSPOSIXErrorDomain else { return cause.localizedDescription }
        return String(cString: strerror(Int32(cause.code)))
    }

    private static func writeFailure(_ name: String, _ folder: String, _ detail: String) -> ControlError {
        ControlError(
            code: ControlError.Code.failed,
            message: "Can't store \(name) in \(folder) (\(detail)). Check the free disk space."
        )
    }
}
