import CMosquitto

/// How to reach the broker, and what to take from it.
public struct MosquittoConfiguration: Sendable, Equatable {
    /// A message that the broker publishes for us when we are lost, at QoS 1. The bus publishes it itself when it ends
    /// in an orderly way, so that "offline" is seen either way.
    public struct Will: Sendable, Equatable {
        /// The topic, without wildcards.
        public var topic: String
        /// The payload.
        public var payload: String
        /// True when the broker shall keep it for later subscribers.
        public var retain: Bool

        /// A will on `topic`.
        public init(topic: String, payload: String, retain: Bool) {
            self.topic = topic
            self.payload = payload
            self.retain = retain
        }
    }

    /// Where the password is found anew for each connection, so that one that was corrected counts with the next.
    public struct PasswordReader: Sendable, Equatable {
        /// What tells it from others, such as the file's path.
        public let name: String
        private let body: @Sendable () -> String?

        /// A password that `body` reads on the bus's thread; nil where it cannot be read just now.
        public init(_ name: String, body: @escaping @Sendable () -> String?) {
            self.name = name
            self.body = body
        }

        func read() -> String? { body() }

        /// Whether they read the same.
        public static func == (one: PasswordReader, other: PasswordReader) -> Bool { one.name == other.name }
    }

    /// Host name or address.
    public var host: String
    /// TCP port, 1…65535.
    public var port: Int
    /// The client id; two clients of one id throw each other out.
    public var clientID: String
    /// The user's name, or nil for none.
    public var username: String?
    /// The password, or nil for none.
    public var password: String?
    /// Reads the password for each connection; `password` counts while it cannot.
    public var passwordReader: PasswordReader?
    /// PEM file of the authority that signed the broker's certificate; nil means no TLS.
    public var caFile: String?
    /// PEM file of our own certificate; needs `clientKey`.
    public var clientCertificate: String?
    /// PEM file of our own key, without a pass phrase.
    public var clientKey: String?
    /// Seconds between pings, 5…65535; a dead broker is noticed after at most one and a half times as long.
    public var keepAlive: Int
    /// Our will, or nil for none.
    public var will: Will?
    /// Topic filters, taken at QoS 1 after every connect.
    public var subscriptions: [String]

    /// A configuration; only host, port and client id are needed.
    public init(
        host: String, port: Int, clientID: String, username: String? = nil, password: String? = nil,
        caFile: String? = nil, clientCertificate: String? = nil, clientKey: String? = nil, keepAlive: Int = 15,
        will: Will? = nil, subscriptions: [String] = []
    ) {
        self.host = host
        self.port = port
        self.clientID = clientID
        self.username = username
        self.password = password
        self.caFile = caFile
        self.clientCertificate = clientCertificate
        self.clientKey = clientKey
        self.keepAlive = keepAlive
        self.will = will
        self.subscriptions = subscriptions
    }

    /// The password for a connection that begins now.
    var currentPassword: String? { passwordReader?.read() ?? password }

    /// `host:port`, for messages.
    var broker: String { "\(host):\(port)" }

    /// Refuses what could never connect, so that a typing mistake is named at the start and not retried for ever.
    func validate() throws(MosquittoError) {
        try require(!host.isEmpty && !host.contains("\0"), "the broker's host is missing")
        try require((1...65_535).contains(port), "the port \(port) is not between 1 and 65535")
        try require((5...65_535).contains(keepAlive), "the keep-alive of \(keepAlive) s is not between 5 and 65535")
        try require(!clientID.isEmpty && !clientID.contains("\0"), "the client id is missing")
        try require(password == nil || username != nil, "a password needs a user name")
        try require(
            (clientCertificate == nil) == (clientKey == nil), "a client certificate needs its key, and a key it")
        try require(clientCertificate == nil || caFile != nil, "a client certificate needs the authority's file too")
        for filter in subscriptions
        where filter.isEmpty || filter.contains("\0") || mosquitto_sub_topic_check(filter) != 0 {
            throw MosquittoError(
                call: "mosquitto_sub_topic_check", code: Int32(MOSQ_ERR_INVAL.rawValue),
                detail: "“\(filter)” is no topic filter; # stands only at the end, + alone between slashes")
        }
        if let will { try checkTopic(will.topic) }
    }

    private func require(_ condition: Bool, _ detail: String) throws(MosquittoError) {
        guard condition else {
            throw MosquittoError(call: "configuration", code: Int32(MOSQ_ERR_INVAL.rawValue), detail: detail)
        }
    }
}

/// Refuses topics that cannot be published to: empty, with wildcards or a NUL, or longer than our own limit.
func checkTopic(_ topic: String) throws(MosquittoError) {
    let problem: String? =
        if topic.isEmpty { "the topic is empty" } else if topic.utf8.count > Limits.topicBytes {
            "the topic is longer than \(Limits.topicBytes) bytes"
        } else if topic.utf8.contains(0) { "the topic holds a NUL" } else if mosquitto_pub_topic_check(topic) != 0 {
            "“\(topic)” holds a wildcard"
        } else { nil }
    if let problem {
        throw MosquittoError(
            call: "mosquitto_pub_topic_check", code: Int32(MOSQ_ERR_INVAL.rawValue), detail: problem)
    }
}

/// The bounds of the bus.
enum Limits {
    /// Longest topic, in bytes.
    static let topicBytes = 1_024
    /// Largest payload that is taken, in bytes: Zigbee2MQTT describes all its devices in one message.
    static let payloadBytes = 900 * 1_024
    /// Events that wait for the consumer.
    static let waitingEvents = 16_384
    /// As long as fewer events wait, each is delivered; beyond, a topic's newest message only.
    static let calmEvents = 512
    /// Payload bytes that wait for the consumer.
    static let waitingBytes = 8 * 1_024 * 1_024
    /// Topic filters in one packet.
    static let filtersInAPacket = 500
    /// How long a publication may wait for its acknowledgement.
    static let acknowledgement: Duration = .seconds(2)
    /// How long a connection may take until all subscriptions stand.
    static let connecting: Duration = .seconds(5)
    /// How long an orderly goodbye may take.
    static let goodbye: Duration = .milliseconds(500)
}
