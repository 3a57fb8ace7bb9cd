import Domain

/// Devices that describe themselves: they are known as soon as they did, and gone when they say so.
extension Van {
    /// Descriptions come by the hundred after a connect; of those within this time one change is made.
    private static let updateDelay = Duration.milliseconds(50)
    /// Between two keepalives for what stops publishing without them.
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

    /// How many complaints of one message are logged; the rest is in the diagnostics.
    private static let loggedComplaints = 3

    private func noteChange() {
        guard pendingUpdate == nil else { return }
        pendingUpdate = Task { [weak self] in
            try? await Task.sleep(for: Self.updateDelay)
            await self?.updateDevices()
        }
    }

    /// Replaces the devices by those that are described now.
    private func updateDevices() {
        pendingUpdate = nil
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

    /// Asks devices for their states, in the background. What fails is asked again after the next connect.
    package func request(_ requests: [BusRequest]) {
        guard let bus, !requests.isEmpty else { return }
        Task {
            for request in requests {
                try? await bus.publish(topic: request.topic, payload: request.payload, retain: false)
            }
        }
    }

    /// Publishes keepalives until the task is cancelled.
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
