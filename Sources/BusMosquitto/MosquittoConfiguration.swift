import CMosquitto

/// How to reach the broker, and what to subscribe to.
public struct MosquittoConfiguration: Sendable, Equatable {
    /// A message that the broker publishes for us when we are lost, at QoS 1. The bus publishes it itself when it ends
    /// in an orderly way, so that "offline" is seen either way.
    public struct Will: Sendable, Equatable {
        /// The topic, without wildcards.
        public var topic: String
        /// The payload.
        public var payload: String
        /// True when the broker must retain it for later subscribers.
        public var retain: Bool

        /// A will on `topic`.
        public init(topic: String, payload: String, retain: Bool) {
            self.topic = topic
            self.payload = payload
            self.retain = retain
        }
    }

    /// Reads the password for each connection, so that a corrected one takes effect with the next.
    public struct PasswordReader: Sendable, Equatable {
        /// Distinguishes it from others, such as the file's path.
        public let name: String
        private let body: @Sendable () -> String?

        /// A password that `body` reads on the bus's thread; nil where it cannot be read.
        public init(_ name: String, body: @escaping @Sendable () -> String?) {
            self.name = name
            self.body = body
        }

        func read() -> String? { body() }

        /// Compares the names.
        public static func == (one: PasswordReader, other: PasswordReader) -> Bool { one.name == other.name }
    }

    /// User name and password for the broker.
    public struct Credentials: Sendable, Equatable {
        /// The user's name, or nil for none.
        public var username: String?
        /// The password, or nil for none.
        public var password: String?
        /// Reads the password for each connection; `password` is used while it cannot.
        public var reader: PasswordReader?

        /// Credentials; unless said otherwise none.
        public init(username: String? = nil, password: String? = nil, reader: PasswordReader? = nil) {
            self.username = username
            self.password = password
            self.reader = reader
        }

        /// The password for a connection that starts now.
        var currentPassword: String? { reader?.read() ?? password }
    }

    /// The PEM files of a connection by TLS.
    public struct TLS: Sendable, Equatable {
        /// The certificate of the authority that signed the broker's.
        public var caFile: String
        /// Our own certificate; needs `clientKey`.
        public var clientCertificate: String?
        /// Our own key, without a pass phrase.
        public var clientKey: String?

        /// TLS with an authority's certificate.
        public init(caFile: String, clientCertificate: String? = nil, clientKey: String? = nil) {
            self.caFile = caFile
            self.clientCertificate = clientCertificate
            self.clientKey = clientKey
        }
    }

    /// What each connection sets up.
    public struct Session: Sendable, Equatable {
        /// Seconds between pings, 5…65535; a dead broker is noticed after at most one and a half times as long.
        public var keepAlive: Int
        /// Our will, or nil for none.
        public var will: Will?
        /// Topic filters, subscribed at QoS 1 after every connect.
        public var subscriptions: [String]

        /// A session; unless said otherwise without will and subscriptions.
        public init(keepAlive: Int = 15, will: Will? = nil, subscriptions: [String] = []) {
            self.keepAlive = keepAlive
            self.will = will
            self.subscriptions = subscriptions
        }
    }

    /// Host name or address.
    public var host: String
    /// TCP port, 1…65535.
    public var port: Int
    /// The client id; two clients with one id disconnect each other.
    public var clientID: String
    /// User name and password.
    public var credentials: Credentials
    /// Nil for an unencrypted connection.
    public var tls: TLS?
    /// What each connection sets up.
    public var session: Session

    /// A configuration; only host, port and client id are needed.
    public init(
        host: String, port: Int, clientID: String, credentials: Credentials = Credentials(), tls: TLS? = nil,
        session: Session = Session()
    ) {
        self.host = host
        self.port = port
        self.clientID = clientID
        self.credentials = credentials
        self.tls = tls
        self.session = session
    }

    /// `host:port`, for messages.
    var broker: String { "\(host):\(port)" }

    /// Rejects what could never connect, so that a typing mistake is reported at the start and not retried forever.
    func validate() throws(MosquittoError) {
        try require(!host.isEmpty && !host.contains("\0"), "the broker's host is missing")
        try require((1...65_535).contains(port), "the port \(port) is not between 1 and 65535")
        try require(
            (5...65_535).contains(session.keepAlive),
            "the keep-alive of \(session.keepAlive) s is not between 5 and 65535")
        try require(!clientID.isEmpty && !clientID.contains("\0"), "the client id is missing")
        try require(
            credentials.password == nil || credentials.username != nil, "a password needs a user name")
        try require(
            (tls?.clientCertificate == nil) == (tls?.clientKey == nil),
            "a client certificate needs its key, and a key its certificate")
        try require(tls?.caFile.isEmpty != true, "a client certificate needs the authority's file too")
        for filter in session.subscriptions
        where filter.isEmpty || filter.contains("\0") || mosquitto_sub_topic_check(filter) != 0 {
            throw MosquittoError(
                call: "mosquitto_sub_topic_check", code: Int32(MOSQ_ERR_INVAL.rawValue),
                detail: "“\(filter)” is not a topic filter: # must come last, + alone between slashes")
        }
        if let will = session.will { try checkTopic(will.topic) }
    }

    private func require(_ condition: Bool, _ detail: String) throws(MosquittoError) {
        guard condition else {
            throw MosquittoError(call: "configuration", code: Int32(MOSQ_ERR_INVAL.rawValue), detail: detail)
        }
    }
}

/// Rejects topics that cannot be published to: empty, with wildcards or a NUL, or longer than our own limit.
func checkTopic(_ topic: String) throws(MosquittoError) {
    let problem: String? =
        if topic.isEmpty { "the topic is empty" } else if topic.utf8.count > Limits.topicBytes {
            "the topic is longer than \(Limits.topicBytes) bytes"
        } else if topic.utf8.contains(0) { "the topic contains a NUL" } else if mosquitto_pub_topic_check(topic) != 0 {
            "“\(topic)” contains a wildcard"
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
    /// Largest payload that is accepted, in bytes: Zigbee2MQTT describes all its devices in one message.
    static let payloadBytes = 900 * 1_024
    /// Events that wait for the consumer.
    static let waitingEvents = 16_384
    /// While fewer events wait, each is delivered; beyond, only a topic's newest message.
    static let calmEvents = 512
    /// Payload bytes that wait for the consumer.
    static let waitingBytes = 8 * 1_024 * 1_024
    /// Topic filters in one packet.
    static let filtersInAPacket = 500
    /// How long a publication may wait for its acknowledgement.
    static let acknowledgement: Duration = .seconds(2)
    /// How long a connection may take until all subscriptions are confirmed.
    static let connecting: Duration = .seconds(5)
    /// How long an orderly disconnect may take.
    static let goodbye: Duration = .milliseconds(500)
}
