import Domain

extension Router {
    /// What a sentence by itself would do, without anything being done: one command, several, or none. A tie is none.
    /// - Returns: how the whole was routed, and the commands in their order.
    public func commands(in transcript: String) -> (routing: Routing, commands: [Command]) {
        let routing = route(transcript)
        let normaliser = index.books.normaliser
        let utterance = normaliser.withoutFillers(normaliser.normalise(transcript))
        switch Correction(index: index, router: self).find(utterance, whole: routing) {
        case .corrected(let command): return (routing, [command])
        case .withdrawn, .unclear: return (routing, [])
        case .none: break
        }
        guard routing.refused == nil else { return (routing, []) }
        switch TwoActions(index: index, router: self).find(utterance, whole: routing) {
        case .several(let commands): return (routing, commands)
        case .half: return (routing, [])
        case .one: return (routing, routing.chosen.map { [Command($0)] } ?? [])
        }
    }
}
