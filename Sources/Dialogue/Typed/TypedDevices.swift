import Domain
import Devices
import Handlers

/// The van's devices, from the keyboard: told what is typed, under the same questions as by voice, and taken back
/// alike.
public struct TypedDevices: Sendable {
    package let changes: TypedChanges

    /// The devices of a conversation's van.
    public init(_ conversation: Conversation) { self.init(conversation.services.typed) }

    init(_ changes: TypedChanges) { self.changes = changes }

    /// What came of it.
    public enum Outcome: Sendable, Equatable {
        /// Nothing was sent: it is risky, and this is asked.
        case asks(String)
        /// It was tried.
        case tried(CommandOutcome)
    }

    /// Tells a device something, and remembers it as the change that is taken back next.
    /// - Parameter isConfirmed: true where what is risky needs no yes any more.
    public func set(_ device: Device, to order: DeviceCommand, isConfirmed: Bool) async -> Outcome {
        let context = changes.context, commander = VanHandler(context).commander
        let report = await context.van.report(on: device)
        if !isConfirmed, let question = await commander.confirmation(before: order, device, report) {
            return .asks(question.written)
        }
        return await changes.drive {
            let result = await commander.perform(order, device)
            var reply = Reply("", effects: commander.effects(result))
            if result.isSent { reply.undo = await commander.undo([result], described: commander.undone(result)) }
            return (reply, .tried(result.outcome))
        }
    }
}
