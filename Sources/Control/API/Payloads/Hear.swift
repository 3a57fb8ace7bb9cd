/// The recording is complete.
public struct HearFinishArguments: Codable, Sendable, Equatable {
    /// As `upload.begin` answered.
    public var upload: Int

    /// The upload of this number.
    public init(upload: Int) { self.upload = upload }
}
