/// The owner's stars, lost.
extension LostStore: StarStore {
    /// Fails.
    public func stars() async throws -> Set<String> { throw reason }
    /// Fails.
    public func setStar(_ isStarred: Bool, on thing: String) async throws -> Bool { throw reason }
}
