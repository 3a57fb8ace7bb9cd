/// A connection on the control socket, as the handler of a call knows it: what belongs to it ends with it.
public struct ClientConnection: Sendable, Hashable {
    /// The administrator, for whom there is always a place.
    static let root: UInt32 = 0
    /// Whoever the kernel does not name: they share one user's limits.
    static let unknownUser = UInt32.max

    /// Its number; none is given twice while the daemon runs.
    public let number: Int
    /// The user at the other end, by the kernel's word.
    public let user: UInt32

    /// The connection of this number and user.
    public init(number: Int, user: UInt32) {
        self.number = number
        self.user = user
    }
}
