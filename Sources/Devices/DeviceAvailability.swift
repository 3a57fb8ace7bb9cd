import Domain

extension Device {
    /// One of the topics on which a device, or what it hangs on, says that it is there.
    public struct Availability: Sendable, Equatable {
        /// How several of them make one answer.
        public enum Mode: String, Sendable, CaseIterable {
            /// What was said last, on any of them.
            case latest
            /// It is there while all of them say so.
            case all
            /// It is online while one of them says so.
            case any
        }

        /// The topic.
        public var topic: String
        /// What it says when it is there, and when it is not.
        public var payloadAvailable: String, payloadNotAvailable: String
        /// What of a payload that is; nil where it is the payload, or the `state` in an object.
        public var template: ValueTemplate?

        /// A topic with the payloads that the conventions have where nothing else is said.
        public init(
            topic: String, payloadAvailable: String = "online", payloadNotAvailable: String = "offline",
            template: ValueTemplate? = nil
        ) {
            self.topic = topic
            self.payloadAvailable = payloadAvailable
            self.payloadNotAvailable = payloadNotAvailable
            self.template = template
        }

        /// Whether a payload says that it is there; nil where it says neither.
        package func says(_ payload: [UInt8]) -> Bool? {
            let text: String?
            if let template {
                text = template.applied(to: payload)
            } else if payload.first == UInt8(ascii: "{") {
                // Zigbee2MQTT says the same in two forms, and devices change with its settings.
                text = JSONValue(payload)?["state"]?.string
            } else {
                text = String(validating: payload, as: UTF8.self)
            }
            if text == payloadAvailable { return true }
            return text == payloadNotAvailable ? false : nil
        }
    }

    /// An installation that says nothing of being there: it is while it says anything at all.
    public struct Pulse: Sendable, Hashable {
        /// What all its topics begin with, up to a slash.
        public var root: String
        /// Silent for longer, it is gone. It is asked for a sign of life several times meanwhile.
        public var limit: Duration

        /// Whether a topic is one of the installation's.
        func covers(_ topic: String) -> Bool { topic.hasPrefix(root) && topic.dropFirst(root.count).first == "/" }
    }

    /// What the availability topics of one device have said.
    package struct Presence: Sendable, Equatable {
        private var said: [Int: Bool] = [:]
        private var latest: Bool?

        /// Takes note of a message on one of the topics.
        package mutating func note(_ message: BusMessage, of availability: [Availability]) {
            for (index, source) in availability.enumerated() where source.topic == message.topic {
                guard let isThere = source.says(message.payload) else { continue }
                said[index] = isThere
                latest = isThere
            }
        }

        /// Whether the device is online. A topic without a message is taken for online: an availability that is never
        /// published must not block a device that answers.
        /// - Parameter count: how many topics there are.
        package func isThere(_ count: Int, _ mode: Availability.Mode) -> Bool {
            switch mode {
            case .latest: latest ?? true
            case .all: !said.values.contains(false)
            case .any: said.count < count || said.values.contains(true)
            }
        }
    }
}
