import Synchronization

/// How the database is, for the appliance's health.
public enum StoreCondition: Sendable, Equatable {
    /// It can be written.
    case good
    /// It cannot be written at present; the cause may be temporary.
    case failing(StoreError)
    /// It is damaged; nothing is read or written any more until the program starts with a good one.
    case damaged(StoreError)
}

/// Remembers what calls ran into: a damaged database is not used from then on, and what fails for lack of space
/// is reported once, and again when it works.
final class StoreGuard: Sendable {
    private let condition: Mutex<StoreCondition>
    private let onChange: @Sendable (StoreCondition) -> Void

    init(_ condition: StoreCondition = .good, onChange: @escaping @Sendable (StoreCondition) -> Void) {
        self.condition = Mutex(condition)
        self.onChange = onChange
    }

    /// - Throws: the damage, when some is known.
    func admit() throws {
        if case .damaged(let error) = condition.withLock({ $0 }) { throw error }
    }

    /// True once damage was found.
    var isLost: Bool {
        if case .damaged = condition.withLock({ $0 }) { return true }
        return false
    }

    /// Takes note of an error on its way to the caller.
    func met(_ error: StoreError) {
        switch error.reason {
        case .damaged: turn(to: .damaged(error))
        case .diskFull, .notWritable, .unreachable: turn(to: .failing(error))
        case .failed where error.code & 0xFF == 10: turn(to: .failing(error))  // SQLITE_IOERR: the card has gone
        case .foreign, .tooNew, .busy, .invalidValue, .failed: break
        }
    }

    /// Takes note of a write that was committed.
    func wrote() { turn(to: .good) }

    private func turn(to next: StoreCondition) {
        let isNews = condition.withLock { now in
            switch (now, next) {
            case (.damaged, _), (.good, .good), (.failing, .failing): return false
            default:
                now = next
                return true
            }
        }
        if isNews { onChange(next) }
    }
}
