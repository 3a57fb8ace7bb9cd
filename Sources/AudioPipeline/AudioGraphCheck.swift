import Domain

/// Finds what is wrong with an audio chain before any sound is lost in it.
struct AudioGraphCheck {
    let nodes: [AudioNode]
    let connections: [AudioGraph.Connection]

    func run() throws(AudioGraphFault) {
        try checkNumbers()
        for connection in connections { try checkEnds(of: connection) }
        try checkPorts()
        try checkFeeding()
        try checkFormats()
    }

    private func node(_ name: String) -> AudioNode? { nodes.first { $0.name == name } }

    private func fault(_ name: String, _ message: String) -> AudioGraphFault {
        AudioGraphFault(place: .node(name), description: message)
    }

    private func fault(_ connection: AudioGraph.Connection, _ message: String) -> AudioGraphFault {
        AudioGraphFault(place: .connection(connection.place), description: "“\(connection)”: \(message)")
    }

    /// One of each that there must be one of, and none twice that makes no sense twice.
    private func checkNumbers() throws(AudioGraphFault) {
        for kind in [AudioNode.Kind.microphone, .recogniser, .voiceActivity, .levelMeter, .recorder] {
            let found = nodes.filter { $0.kind == kind }
            let isNeeded = kind != .levelMeter && kind != .recorder
            if isNeeded, found.isEmpty {
                throw AudioGraphFault(place: .whole, description: "there is no \(kind.rawValue); the chain needs one")
            }
            guard found.count > 1, let last = found.last else { continue }
            let names = found.map { "“\($0.name)”" }.joined(separator: " and ")
            throw fault(last.name, "there are \(found.count) nodes of kind \(kind.rawValue), \(names); one is allowed")
        }
    }

    private func checkEnds(of connection: AudioGraph.Connection) throws(AudioGraphFault) {
        for end in [connection.from, connection.to] where node(end.node) == nil {
            let names = nodes.map(\.name).joined(separator: ", ")
            throw fault(connection, "there is no node “\(end.node)”; there are: \(names)")
        }
        guard let from = node(connection.from.node)?.kind, let to = node(connection.to.node)?.kind else { return }
        guard !connection.isSound else {
            guard from.hasOutput else {
                throw fault(connection, "the sound ends in “\(connection.from)”; to feed both, put a split before them")
            }
            guard to.hasInput else {
                throw fault(connection, "“\(connection.to)” is where the sound comes from; nothing can feed it")
            }
            return
        }
        try checkPort(connection.from, among: from.events, "events", of: connection)
        try checkPort(connection.to, among: to.commands, "commands", of: connection)
    }

    private func checkPort(
        _ end: AudioGraph.End, among known: [String], _ what: String, of connection: AudioGraph.Connection
    ) throws(AudioGraphFault) {
        guard let port = end.port else {
            throw fault(
                connection, "an event cannot be connected to the sound of “\(end.node)”; write vad.end → \(end.node).…")
        }
        guard !known.isEmpty else { throw fault(connection, "“\(end.node)” has no \(what)") }
        guard known.contains(port) else {
            let names = known.joined(separator: ", ")
            throw fault(connection, "“\(end.node)” has no “\(port)”; its \(what): \(names)")
        }
    }

    /// Only a split feeds several, and nothing is fed by two.
    private func checkPorts() throws(AudioGraphFault) {
        for (index, connection) in connections.enumerated() {
            let earlier = connections[..<index]
            if earlier.contains(where: { $0.to == connection.to }) {
                throw fault(connection, "“\(connection.to)” is connected twice; it takes one connection")
            }
            let isSplit = node(connection.from.node)?.kind == .split
            if !isSplit, earlier.contains(where: { $0.from == connection.from }) {
                throw fault(connection, "“\(connection.from)” is connected twice; to feed several, put a split there")
            }
        }
    }

    private func checkFeeding() throws(AudioGraphFault) {
        for node in nodes {
            let isFed = connections.contains { $0.isSound && $0.to.node == node.name }
            if node.kind.hasInput, !isFed { throw fault(node.name, "nothing feeds it; connect … → \(node.name)") }
            let feeds = connections.contains { $0.isSound && $0.from.node == node.name }
            if node.kind.hasOutput, !feeds { throw fault(node.name, "it feeds nothing; connect \(node.name) → …") }
        }
        for node in nodes { try checkForCycle(through: node) }
    }

    /// Every node is fed by one: to go back from it leads to the microphone, or round in a cycle.
    private func checkForCycle(through node: AudioNode) throws(AudioGraphFault) {
        var path = [node.name]
        while let feeder = connections.first(where: { $0.isSound && $0.to.node == path.last })?.from.node {
            path.append(feeder)
            if feeder == node.name {
                throw fault(node.name, "a cycle: \(path.reversed().joined(separator: " → "))")
            }
            // A cycle further up, which is reported at its own nodes.
            if path.count > nodes.count { return }
        }
    }

    private func checkFormats() throws(AudioGraphFault) {
        guard let microphone = nodes.first(where: { $0.kind == .microphone }),
            case .microphone(let format) = microphone.work
        else { return }
        var waiting = [(microphone.name, format)]
        while let (name, format) = waiting.popLast() {
            for next in connections where next.isSound && next.from.node == name {
                guard let node = node(next.to.node) else { continue }
                guard let output = node.output(of: format) else {
                    throw fault(node.name, "it takes \(node.takes) and gets \(format)\(advice(format, for: node))")
                }
                waiting.append((node.name, output))
            }
        }
    }

    private func advice(_ format: SampleFormat, for node: AudioNode) -> String {
        var missing: [String] = []
        if format.channels > 1 { missing.append("{kind: mono}") }
        let needsRate = [.voiceActivity, .recogniser, .recorder].contains(node.kind)
        if needsRate, format.rate != AudioFormat.sampleRate {
            missing.append("{kind: resample, rate: \(AudioFormat.sampleRate)}")
        }
        return missing.isEmpty ? "" : "; put \(missing.joined(separator: " and ")) before it"
    }
}
