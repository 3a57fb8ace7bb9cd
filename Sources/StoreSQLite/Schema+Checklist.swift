/// The order of tasks.
extension Schema {
    static let checklist = """
        SELECT 1;
        """
}
