import Domain
import Language
import Devices

/// The van's devices: commands, and what they are doing. It speaks of success only when a device's state says so.
package enum VanHandler: Handler {
    package static let name = HandlerName.van
    package static let intents = [
        "turn_on", "turn_off", "set_level", "adjust_level", "set_temperature", "adjust_temperature", "set_option",
        "open", "close", "stop", "lock", "unlock", "press", "run_scene", "get_state", "get_value", "list_on",
        "list_open", "list_offline", "time_left",
    ]

    package static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        var reply =
            switch command.intent {
            case "get_state": await state(command, context)
            case "get_value": await value(command, context)
            case "list_on": await listOn(command, context)
            case "list_open": await listOpen(command, context)
            case "list_offline": await listOffline(context)
            case "time_left": await timeLeft(context)
            case "run_scene": try await runScene(command, context)
            default: try await carryOut(command, context)
            }
        reply.palette = .van
        return reply
    }

    /// A command to one device or to several.
    private static func carryOut(_ command: Command, _ context: HandlerContext) async throws -> Reply {
        guard let wish = DeviceRequest(command) else { return missing(of: command, context) }
        switch targets(of: command, for: wish, context) {
        case .reply(let reply): return reply
        case .one(let device): return try await carryOut(wish, on: device, command, context)
        case .many(let devices, let said):
            return try await carryOut(wish, onAll: devices, said, command, context)
        }
    }

    /// Asks for what the command is to set.
    private static func missing(of command: Command, _ context: HandlerContext) -> Reply {
        switch command.intent {
        case "set_temperature":
            Reply(context.replies("van.ask_temperature"), question: .slot("temperature", of: command))
        case "set_option": Reply(context.replies("van.ask_option"), question: .slot("option", of: command))
        default: Reply(context.replies("van.ask_level"), question: .slot("level", of: command))
        }
    }

    /// A device's name in the forms that replies need.
    package static func names(_ device: Device, _ context: HandlerContext) -> [String: String] {
        let name = context.spoken.the(device.name)
        let be = context.spoken.be(device.name)
        let forms = context.replies(be == context.replies("verb.are") ? "van.plural" : "van.singular")
        let words = forms.split(separator: " ").map(String.init)
        var values = ["name": name, "Name": name.capitalisedFirst, "be": be]
        for (key, word) in zip(["it", "them", "has", "does", "was"], words) { values[key] = word }
        return values
    }
}
