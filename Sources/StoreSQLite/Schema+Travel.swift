/// Odometer, countries and stops.
extension Schema {
    static let travel = """
        SELECT 1;
        """
}
