import Domain
import CMosquitto
import Foundation

/// What a call of libmosquitto reported.
public struct MosquittoError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The function's name.
    public let call: String
    /// The library's code (`mosq_err_t`), or the broker's CONNACK code for `CONNACK`.
    public let code: Int32
    /// What it means, and what to do where that is known.
    public let detail: String

    /// Call, meaning and code.
    public var description: String { "\(call): \(detail) (code \(code))" }

    /// The same, as the seam reports it.
    public var failure: BusFailure { BusFailure(detail: description) }

    init(call: String, code: Int32, detail: String) {
        self.call = call
        self.code = code
        self.detail = detail
    }

    /// The library's words for `code`; those of the system where the library only says "errno".
    init(call: String, code: Int32, errno: Int32) {
        let isSystem = code == Int32(MOSQ_ERR_ERRNO.rawValue)
        let words = isSystem && errno != 0 ? strerror(errno) : UnsafeMutablePointer(mutating: mosquitto_strerror(code))
        self.init(call: call, code: code, detail: words.map { String(cString: $0) } ?? "unknown")
    }

    /// What the broker answered to CONNECT (MQTT 3.1.1, table 3.1).
    static func refused(_ code: Int32, by broker: String) -> MosquittoError {
        let detail =
            switch code {
            case 1: "the broker at \(broker) does not speak MQTT 3.1.1"
            case 2: "the broker at \(broker) refuses this client id; name another one in the settings"
            case 3: "the broker at \(broker) is not available yet"
            case 4, 5: "the broker at \(broker) refuses the user name or the password; correct them in the settings"
            default: "the broker at \(broker) refuses the connection"
            }
        return MosquittoError(call: "CONNACK", code: code, detail: detail)
    }
}

/// Throws what a call reported unless it succeeded.
func check(_ call: String, _ body: () -> Int32) throws(MosquittoError) {
    errno = 0
    let code = body()
    if code != Int32(MOSQ_ERR_SUCCESS.rawValue) { throw MosquittoError(call: call, code: code, errno: errno) }
}
