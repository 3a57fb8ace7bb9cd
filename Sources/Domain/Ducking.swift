/// Lowers other programs' audio while the microphone is open.
///
/// Nothing here throws or waits: whether it works is no business of the conversation. What goes wrong is told to
/// `Health`.
public protocol Ducking: Sendable {
    /// Lowers the other programs' audio; again while it is lowered, does nothing. Returns at once.
    func duck()
    /// Gives it back its volume; does nothing where it has it. Returns at once.
    func restore()
    /// Returns once everything asked for so far has been done.
    func settled() async
}
