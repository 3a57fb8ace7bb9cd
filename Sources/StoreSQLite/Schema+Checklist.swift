/// What is still open on a list, without a look at the table.
extension Schema {
    static let checklist = """
        CREATE INDEX checklist_task_open ON checklist_task (checklist_id, is_done, id);
        """
}
