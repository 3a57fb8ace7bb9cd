/// Masses, tanks and occupants.
extension Schema {
    static let manifest = """
        SELECT 1;
        """
}
