import Foundation

/// Announces a file.
public struct UploadBeginArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// The file's name, for messages only.
    public var name: String
    /// Its length; at most 64 MiB.
    public var bytes: Int

    /// A file of `bytes`.
    public init(name: String, bytes: Int) {
        self.name = name
        self.bytes = bytes
    }

    /// - Throws: when the length is out of range, or the name's.
    public func check() throws(ControlError) {
        // It stands in messages, which are bounded as everything is that travels.
        guard name.count <= ControlLimits.nameCharacters else {
            throw .badArguments(
                "arguments.name: at most \(ControlLimits.nameCharacters) characters are expected, not \(name.count)")
        }
        guard bytes > 0 else {
            throw .badArguments("arguments.bytes: \(name) is empty")
        }
        guard bytes <= ControlLimits.uploadBytes else {
            throw .badArguments(
                "arguments.bytes: \(name) has \(bytes) bytes; at most \(ControlLimits.uploadBytes) (64 MiB) are taken"
            )
        }
    }
}

/// A file may now be sent.
public struct UploadBeginResult: Codable, Sendable, Equatable {
    /// Names it in the calls that follow.
    public var upload: Int

    /// The upload of this number.
    public init(upload: Int) { self.upload = upload }
}

/// A piece of a file.
public struct UploadDataArguments: Codable, Sendable, Equatable {
    /// As `upload.begin` answered.
    public var upload: Int
    /// At most 512 KiB of the file, in base64.
    public var base64: String

    /// A piece as it travels.
    public init(upload: Int, base64: String) {
        self.upload = upload
        self.base64 = base64
    }

    /// A piece from its bytes.
    public init(upload: Int, bytes: Data) {
        self.init(upload: upload, base64: bytes.base64EncodedString())
    }
}

/// A piece has arrived.
public struct UploadDataResult: Codable, Sendable, Equatable {
    /// Bytes received so far.
    public var received: Int

    /// So many bytes have arrived.
    public init(received: Int) { self.received = received }
}
