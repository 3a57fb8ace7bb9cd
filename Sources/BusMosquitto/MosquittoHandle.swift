import CMosquitto
import Foundation

/// One handle of libmosquitto, for one connection. It is discarded with the connection and never reconnects: the
/// library would send what it still holds after the next connect, such as a command that was reported as failed.
///
/// Unchecked: the pointer never changes, and the library locks inside; `publish` and `disconnect` may be called from
/// any thread, the rest only from the connection's.
final class MosquittoHandle: @unchecked Sendable {
    private let pointer: OpaquePointer
    /// What the library reports on this connection.
    let inbox: Inbox

    private static let library: Int32 = mosquitto_lib_init()

    init(clientID: String) throws(MosquittoError) {
        try check("mosquitto_lib_init") { Self.library }
        inbox = Inbox()
        guard let pointer = mosquitto_new(clientID, true, Unmanaged.passUnretained(inbox).toOpaque()) else {
            throw MosquittoError(call: "mosquitto_new", code: Int32(MOSQ_ERR_ERRNO.rawValue), errno: errno)
        }
        self.pointer = pointer
        inbox.attach(to: pointer)
    }

    deinit { mosquitto_destroy(pointer) }

    /// Sets everything that must be set before connecting.
    func configure(_ configuration: MosquittoConfiguration) throws(MosquittoError) {
        // `publish` then only queues and wakes our loop, instead of writing to the socket from another thread.
        try check("mosquitto_threaded_set") { mosquitto_threaded_set(pointer, true) }
        _ = mosquitto_int_option(pointer, MOSQ_OPT_TCP_NODELAY, 1)
        if let username = configuration.credentials.username {
            try check("mosquitto_username_pw_set") {
                mosquitto_username_pw_set(pointer, username, configuration.credentials.currentPassword)
            }
        }
        if let will = configuration.session.will {
            try check("mosquitto_will_set") {
                mosquitto_will_set(
                    pointer, will.topic, Int32(will.payload.utf8.count), will.payload, 1, will.retain)
            }
        }
        guard let tls = configuration.tls else { return }
        for file in [tls.caFile, tls.clientCertificate, tls.clientKey].compactMap({ $0 })
        where !FileManager.default.isReadableFile(atPath: file) {
            throw MosquittoError(
                call: "mosquitto_tls_set", code: Int32(MOSQ_ERR_TLS.rawValue),
                detail: "\(file) cannot be read. Check mqtt.ca_file, mqtt.certificate and mqtt.key")
        }
        try check("mosquitto_tls_set") {
            mosquitto_tls_set(
                pointer, tls.caFile, nil, tls.clientCertificate, tls.clientKey, nil)
        }
    }

    /// Starts connecting; the answer comes to the inbox. Blocks for name resolution only.
    func connect(_ configuration: MosquittoConfiguration) throws(MosquittoError) {
        try check("mosquitto_connect_async") {
            mosquitto_connect_async(
                pointer, configuration.host, Int32(configuration.port), Int32(configuration.session.keepAlive))
        }
    }

    /// Waits for the network, at most `timeout`, and handles its events.
    func loop(_ timeout: Duration) throws(MosquittoError) {
        let milliseconds = Int32(max(0, min(60_000, timeout / .milliseconds(1))))
        try check("mosquitto_loop") { mosquitto_loop(pointer, milliseconds, 1) }
    }

    /// Subscribes to all filters with one packet.
    /// - Returns: its number, which the answer carries.
    func subscribe(_ filters: [String]) throws(MosquittoError) -> Int32 {
        let characters = filters.map { strdup($0) }
        defer { characters.forEach { free($0) } }
        var message: Int32 = 0
        try check("mosquitto_subscribe_multiple") {
            characters.withUnsafeBufferPointer { filters in
                mosquitto_subscribe_multiple(pointer, &message, Int32(filters.count), filters.baseAddress, 1, 0, nil)
            }
        }
        return message
    }

    /// Hands a message to the connection.
    /// - Returns: its number, which the acknowledgement carries.
    func publish(topic: String, payload: String, qos: Int32, retain: Bool) throws(MosquittoError) -> Int32 {
        var message: Int32 = 0
        let bytes = Array(payload.utf8)
        try check("mosquitto_publish") {
            mosquitto_publish(pointer, &message, topic, Int32(clamping: bytes.count), bytes, qos, retain)
        }
        return message
    }

    /// Queues a DISCONNECT, behind what was published before.
    func disconnect() { _ = mosquitto_disconnect(pointer) }

    /// Makes the socket drop unsent data when this handle is destroyed.
    func dropOnClose() {
        let socket = mosquitto_socket(pointer)
        if socket >= 0 { vanorb_drop_on_close(socket) }
    }
}
