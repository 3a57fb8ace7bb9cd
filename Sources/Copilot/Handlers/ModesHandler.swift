/// The van's modes. The mode survives a restart.
enum ModesHandler: Handler {
    static let name = "modes"
    static let intents = ["set_mode", "get_mode", "list_modes"]

    /// Where the mode is kept.
    static let key = "mode"
    /// The modes that every van has.
    static let standard = ["drive", "camp", "night", "away"]

    static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        let kept = context.stores.kept
        switch command.intent {
        case "set_mode":
            guard let mode = command.slots["mode"]?.names.first?.name else {
                return Reply(context.replies("modes.ask_mode"), question: .slot("mode", of: command))
            }
            let before = try await kept.value(key)
            if before == mode { return Reply(context.replies("modes.already", ["mode": mode])) }
            try await kept.set(key, to: mode)
            return Reply(
                context.replies("modes.set", ["mode": mode]), effects: ["mode: \(mode)"],
                undo: Undo(context.replies("modes.undo", ["mode": before ?? context.replies("modes.none_name")])) {
                    try await kept.set(key, to: before)
                    return true
                })
        case "get_mode":
            guard let mode = try await kept.value(key) else { return Reply(context.replies("modes.none")) }
            return Reply(context.replies("modes.current", ["mode": mode]))
        default:
            return Reply(context.replies("modes.list", ["list": context.spoken.list(standard)]))
        }
    }
}
