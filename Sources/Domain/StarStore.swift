/// The owner's stars: what was marked to be found again, across all kinds of things.
public protocol StarStore: Sendable {
    /// What has a star, each as kind and identity, such as `item:12` or `device:water_pump`.
    func stars() async throws -> Set<String>
    /// Gives `thing` a star or takes it off.
    /// - Parameter thing: kind and identity, such as `item:12`.
    /// - Returns: false when it was so already.
    func setStar(_ isStarred: Bool, on thing: String) async throws -> Bool
}

/// What can have a star.
public enum Starrable {
    /// The kinds.
    public static let kinds: Set<String> = ["entry", "item", "device", "task", "trip"]

    /// Whether a thing, named by kind and identity, can have a star.
    public static func includes(_ thing: String) -> Bool {
        let parts = thing.split(separator: ":", maxSplits: 1)
        return parts.count == 2 && kinds.contains(String(parts[0])) && thing.count <= 300
    }
}
