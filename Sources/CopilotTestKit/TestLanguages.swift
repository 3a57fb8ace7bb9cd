import Foundation

/// Languages that exist for tests alone.
public enum TestLanguages {
    /// The folder that holds them, one folder each.
    public static var root: String { Bundle.module.resourceURL?.appendingPathComponent("Languages").path ?? "" }
}
