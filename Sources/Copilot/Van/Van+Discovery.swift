/// Devices that describe themselves: they are known as soon as they did, and gone when they say so.
extension Van {
    /// Descriptions come by the hundred after a connect; of those within this time one change is made.
    private static let settling = Duration.milliseconds(50)
    /// Between two signs of life for what falls silent where nobody listens.
    private static let keepalive = VictronDiscovery.keepaliveInterval

    /// Reads a message that may describe devices.
    func discover(_ message: BusMessage) {
        for rank in conventions.indices {
            guard let discovery = conventions[rank].read(message) else { continue }
            for complaint in discovery.complaints.prefix(Self.loggedComplaints) {
                logger.warning("\(conventions[rank].name): skipped: \(complaint)")
            }
            let isChanged = registry.take(discovery, of: rank)
            // The answers are of use only once the states are subscribed to.
            requests += discovery.requests
            if isChanged || !discovery.requests.isEmpty { noteChange() }
        }
        // The first value of a device may be what it is discovered by.
        if byStateTopic[message.topic] == nil, message.payload.count <= Self.keptBytes {
            if early.count >= Self.keptMessages { early.removeAll() }
            early[message.topic] = message
        }
    }

    /// Of messages that no device has claimed yet.
    private static let keptMessages = 2_000, keptBytes = 512

    /// Of one message; the rest is in the diagnostics.
    private static let loggedComplaints = 3

    private func noteChange() {
        guard settlement == nil else { return }
        settlement = Task { [weak self] in
            try? await Task.sleep(for: Self.settling)
            await self?.settle()
        }
    }

    /// Takes over what was described.
    private func settle() {
        settlement = nil
        defer {
            request(requests)
            requests = []
        }
        let devices = registry.devices
        guard devices != self.devices else { return }
        use(devices)
        for (topic, message) in early where byStateTopic[topic] != nil {
            early[topic] = nil
            receive(message)
        }
        bus?.subscribe(Self.subscriptions(of: devices))
        deviceChanges.continuation.yield()
    }

    /// Asks devices for their states. Nobody waits for it, and what fails is asked again after the next connect.
    func request(_ requests: [BusRequest]) {
        guard let bus, !requests.isEmpty else { return }
        Task {
            for request in requests {
                try? await bus.publish(topic: request.topic, payload: request.payload, retain: false)
            }
        }
    }

    /// Keeps those talking that fall silent where nobody listens, until the task is cancelled.
    func keepAlive() async {
        while (try? await Task.sleep(for: Self.keepalive)) != nil {
            request(conventions.flatMap { $0.keepalive(isFirst: false) })
        }
    }

    /// A device that a scene or a mode names; where it has not described itself, one that is offline.
    nonisolated func device(withID id: String) -> Device {
        devices.first { $0.id == id } ?? .missing(id, name: adjustments.first { $0.reference == id }?.name ?? id)
    }

    /// What descriptions could not be used, by their topics.
    public var complaints: [String: [String]] { registry.complaints }

    /// The retained messages by which a device describes itself; empty for the owner's own.
    public func descriptions(of device: Device) -> [String] { registry.descriptions(of: device) }
}
