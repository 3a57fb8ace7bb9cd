import Domain

extension Reply {
    /// What a screen shows of it.
    var text: String { wording.written }
}
