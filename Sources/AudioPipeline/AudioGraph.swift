import Domain

/// The audio chain as the board file declares it: nodes and connections.
public struct AudioGraph: Sendable, Equatable {
    /// One end of a connection: a node's sound or, with a port, one of its events or commands.
    public struct End: Sendable, Equatable, CustomStringConvertible {
        /// The node's name.
        public let node: String
        /// The event's or the command's name; nil for sound.
        public let port: String?

        /// An end at `node`.
        public init(_ node: String, _ port: String? = nil) {
            self.node = node
            self.port = port
        }

        /// `vad.end`, `fork`.
        public var description: String { port.map { "\(node).\($0)" } ?? node }
    }

    /// A connection, and the number of the line of the list that declares it, from 0.
    public struct Connection: Sendable, Equatable, CustomStringConvertible {
        /// Its source and its target.
        public let from: End, to: End
        package let place: Int

        /// A connection that the list's entry number `place` declares.
        public init(_ from: End, _ to: End, place: Int = 0) {
            self.from = from
            self.to = to
            self.place = place
        }

        /// Connections are the same wherever they are declared.
        public static func == (one: Self, other: Self) -> Bool { one.from == other.from && one.to == other.to }

        /// `vad.end → recogniser.finish`.
        public var description: String { "\(from) → \(to)" }
        var isSound: Bool { from.port == nil && to.port == nil }
    }

    /// The nodes, in the file's order.
    public let nodes: [AudioNode]
    /// The connections, those of events among them.
    public let connections: [Connection]

    /// A graph that has been checked.
    /// - Throws: `AudioGraphFault`.
    public init(nodes: [AudioNode], connections: [Connection]) throws(AudioGraphFault) {
        self.nodes = nodes
        self.connections = connections
        try AudioGraphCheck(nodes: nodes, connections: connections).run()
    }

    private init(checked nodes: [AudioNode], _ connections: [Connection]) {
        self.nodes = nodes
        self.connections = connections
    }

    /// What a board has whose file declares none; `board/virtual.yaml` spells it out.
    public static let standard = AudioGraph(
        checked: [
            AudioNode("microphone", .microphone(.heard)), AudioNode("fork", .split),
            AudioNode("meter", .levelMeter), AudioNode("recogniser", .recogniser),
            AudioNode(
                "vad",
                .voiceActivity(frame: 512, threshold: 0.5, minimumSilence: .milliseconds(40), tail: standardTail)),
            AudioNode("recorder", .recorder),
        ],
        ["meter", "recogniser", "vad", "recorder"].reduce(
            into: [Connection(End("microphone"), End("fork"))]
        ) { $0.append(Connection(End("fork"), End($1))) }
            + [Connection(End("vad", "end"), End("recogniser", "finish"))])

    /// What the voice activity misses of quiet endings and beginnings.
    ///
    /// Measured, with the detector's arithmetic in a script, on 720 utterances of flite's four voices with pauses of
    /// 0.6, 1.0 and 1.4 s, clean and with fan, engine and kitchen noise at 20, 12 and 6 dB: without it 614 were not cut
    /// off and 589 ended within 2.0 s of their true end; with it 711 and 668, half of them 1.7 s after it in place of
    /// 1.5 s. All cuts are at 1.4 s. With 0.15 s 693 were not cut off, with 0.3 s 718, but 611 ended in time. A lower
    /// threshold while speech lasts did worse.
    static let standardTail = Duration.milliseconds(200)

    /// The format that the microphone is to be opened with.
    public var microphone: SampleFormat {
        for case .microphone(let format) in nodes.map(\.work) { return format }
        return .heard
    }

    /// The endpointer's settings, as far as the chain has them.
    public func adopt(into settings: inout Endpointer.Settings) {
        for case .voiceActivity(_, _, let threshold, let silence, let tail) in nodes.map(\.work) {
            settings.tail = tail
            settings.threshold = threshold
            settings.minimumSilence = silence
        }
        settings.endsAtSilence = connections.contains { !$0.isSound }
    }

    /// The nodes that `name` feeds, in the file's order.
    func fed(by name: String) -> [AudioNode] {
        connections.filter { $0.isSound && $0.from.node == name }
            .compactMap { connection in nodes.first { $0.name == connection.to.node } }
    }
}

/// What is wrong with a graph, and where.
public struct AudioGraphFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// Where it is wrong.
    public enum Place: Sendable, Equatable {
        /// A node, by its name.
        case node(String)
        /// An entry of the list of connections, from 0.
        case connection(Int)
        /// The chain as a whole.
        case whole
    }

    /// Where.
    public let place: Place
    /// What, and what to do.
    public let description: String
}
