/// What repairs entries of an unset clock.
extension Schema {
    static let time = """
        SELECT 1;
        """
}
