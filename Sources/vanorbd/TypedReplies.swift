import Control
import Copilot

extension Acknowledgement {
    /// What came of something typed. What would be asked aloud is for the caller to decide, by doing it again.
    init(_ reply: Reply) {
        switch reply.question {
        case .confirmation: self.init(done: false, message: "\(reply.text) Nothing has changed; --yes does it.")
        case .slot, .choice: self.init(done: false, message: reply.text)
        case .steps, nil: self.init(done: reply.outcome == .done && !reply.effects.isEmpty, message: reply.text)
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
