import Domain
import CMosquitto
import Synchronization

/// What libmosquitto reports, in order.
enum Incoming: Sendable {
    /// The broker answered CONNECT with this code.
    case connected(Int32)
    /// The broker answered the subscription of this number with a granted QoS for each filter; 128 is a refusal.
    case subscribed(Int32, [Int32])
    /// The broker took the publication of this number.
    case acknowledged(Int32)
    /// A message arrived.
    case message(BusMessage)
    /// A message was skipped: its topic's beginning, and the payload's bytes.
    case tooLarge(String, Int)
    /// The connection ended.
    case disconnected(Int32)
    /// A warning or an error in the library's words.
    case complaint(String)
}

/// Where the library's callbacks put their events. They run inside the library, so they only unbox and yield;
/// the connection's thread takes it out and acts once the library has returned.
final class Inbox: Sendable {
    private let incoming = Mutex<[Incoming]>([])

    func yield(_ event: Incoming) { incoming.withLock { $0.append(event) } }

    /// Everything since the last call.
    func drain() -> [Incoming] {
        incoming.withLock { events in
            defer { events.removeAll(keepingCapacity: true) }
            return events
        }
    }

    /// Has `handle`, which must have been made with this inbox as its user data, report here.
    func attach(to handle: OpaquePointer) {
        mosquitto_connect_callback_set(handle, onConnect)
        mosquitto_disconnect_callback_set(handle, onDisconnect)
        mosquitto_subscribe_callback_set(handle, onSubscribe)
        mosquitto_publish_callback_set(handle, onPublish)
        mosquitto_message_callback_set(handle, onMessage)
        mosquitto_log_callback_set(handle, onLog)
    }
}

private func inbox(_ userData: UnsafeMutableRawPointer?) -> Inbox? {
    userData.map { Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue() }
}

private func onConnect(_ handle: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ code: Int32) {
    inbox(userData)?.yield(.connected(code))
}

private func onDisconnect(_ handle: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ code: Int32) {
    inbox(userData)?.yield(.disconnected(code))
}

private func onSubscribe(
    _ handle: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ message: Int32, _ count: Int32,
    _ granted: UnsafePointer<Int32>?
) {
    inbox(userData)?.yield(.subscribed(message, Array(UnsafeBufferPointer(start: granted, count: Int(count)))))
}

private func onPublish(_ handle: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ message: Int32) {
    inbox(userData)?.yield(.acknowledged(message))
}

private func onMessage(
    _ handle: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ message: UnsafePointer<mosquitto_message>?
) {
    guard let message = message?.pointee, let characters = message.topic else { return }
    let topic = String(cString: characters)
    let size = Int(message.payloadlen)
    guard topic.utf8.count <= Limits.topicBytes, size <= Limits.payloadBytes else {
        inbox(userData)?.yield(.tooLarge(String(topic.prefix(80)), size))
        return
    }
    let payload = [UInt8](UnsafeRawBufferPointer(start: message.payload, count: size))
    inbox(userData)?.yield(.message(BusMessage(topic: topic, payload: payload, isRetained: message.retain)))
}

private func onLog(
    _ handle: OpaquePointer?, _ userData: UnsafeMutableRawPointer?, _ level: Int32, _ text: UnsafePointer<CChar>?
) {
    guard level & (MOSQ_LOG_ERR | MOSQ_LOG_WARNING) != 0, let text else { return }
    inbox(userData)?.yield(.complaint(String(cString: text)))
}
