import Domain
import Dialogue
import Control

extension Acknowledgement {
    /// What would be asked aloud before it is done.
    static func asking(_ question: String) -> Acknowledgement {
        Acknowledgement(done: false, message: "\(question) Nothing has changed; --yes does it.")
    }

    /// What came of something typed. What would be asked aloud is for the caller to decide, by doing it again.
    /// - Parameter countsAsDone: whether a reply that changed nothing is as good: what was wanted is so already.
    init(_ reply: Reply, withoutEffect countsAsDone: Bool = false) {
        switch reply.question {
        case .confirmation: self = .asking(reply.text)
        case .slot, .choice: self.init(done: false, message: reply.text)
        case .steps, nil:
            let isDone = reply.outcome == .done && (countsAsDone || !reply.effects.isEmpty)
            self.init(done: isDone, message: reply.text)
        }
    }
}

/// Answers a call with what came of something typed.
/// - Throws: `ControlError` for what was refused; other errors as they are.
func typed<Result>(_ body: () async throws -> Result) async throws -> Result {
    do { return try await body() } catch let refusal as TypedRefusal {
        throw ControlError(code: ControlError.Code.badArguments, message: refusal.description)
    }
}
