/// The release that daemon and command line are built from.
public enum Release {
    /// Semantic version.
    public static let version = "0.1.0"
}
