/// The owner's pronunciations, lost.
extension LostStore {
    /// Fails.
    public func ownerWords(language: String) async throws -> [String: [OwnerPronunciation]] { throw reason }
    /// Fails.
    public func setOwnerWord(_ word: String, language: String, to pronunciations: [OwnerPronunciation]) async throws {
        throw reason
    }
    /// Fails.
    public func removeOwnerWord(_ word: String, language: String) async throws -> Bool { throw reason }
}
