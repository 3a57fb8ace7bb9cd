import Domain

/// Devices that describe themselves: they are known as soon as they did, and gone when they say so.
extension Van {
    /// Descriptions come by the hundred after a connect; of those within this time one change is made.
    private static let settling = Duration.milliseconds(50)
    /// Between two signs of life for what falls silent where nobody listens.
    private static let keepalive = VictronDiscovery.keepaliveInterval

    /// What is kept of messages whose device is not known yet: values, no descriptions.
    private static let unreadLimit = 1_000, unreadBytes = 1_024

    /// Reads a message that may describe devices.
    /// - Parameter isRead: true where a device has taken it as its state.
    func discover(_ message: BusMessage, isRead: Bool) {
        if !isRead, !conventions.isEmpty, message.payload.count <= Self.unreadBytes,
            unread[message.topic] != nil || unread.count < Self.unreadLimit
        {
            unread[message.topic] = (message, .now)
        }
        for rank in conventions.indices {
            guard let discovery = conventions[rank].read(message) else { continue }
            for complaint in discovery.complaints.prefix(Self.loggedComplaints) {
                logger.warning("\(conventions[rank].name): skipped: \(complaint)")
            }
            requests += discovery.requests
            if registry.take(discovery, of: rank) || !discovery.requests.isEmpty { noteChange() }
        }
    }

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
        let devices = registry.devices
        if devices != self.devices {
            use(devices)
            bus?.subscribe(Self.subscriptions(of: devices))
            for (message, arrival) in unread.values where receive(message, at: arrival) {
                unread[message.topic] = nil
            }
            deviceChanges.continuation.yield()
        }
        // Asked before the subscription, the answer might be missed, and it comes once.
        if !requests.isEmpty { request(requests) }
        requests = []
    }

    /// Asks devices for their states. Nobody waits for it, and what fails is asked again after the next connect.
    package func request(_ requests: [BusRequest]) {
        guard let bus, !requests.isEmpty else { return }
        Task {
            for request in requests {
                try? await bus.publish(topic: request.topic, payload: request.payload, retain: false)
            }
        }
    }

    /// Keeps those talking that fall silent where nobody listens, until the task is cancelled.
    package func keepAlive() async {
        while (try? await Task.sleep(for: Self.keepalive)) != nil {
            request(conventions.flatMap { $0.keepalive(isFirst: false) })
        }
    }

    /// A device that a scene or a mode names; where it has not described itself, one that is offline.
    package nonisolated func device(withID id: String) -> Device {
        devices.first { $0.id == id } ?? .missing(id, name: adjustments.first { $0.reference == id }?.name ?? id)
    }

    /// What descriptions could not be used, by their topics.
    public var complaints: [String: [String]] { registry.complaints }

    /// The retained messages by which a device describes itself; empty for the owner's own.
    public func descriptions(of device: Device) -> [String] { registry.descriptions(of: device) }
}
