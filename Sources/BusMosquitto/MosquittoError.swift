import Domain
import CMosquitto
import Foundation

/// What a call of libmosquitto reported.
public struct MosquittoError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The function's name.
    public let call: String
    /// The library's code (`mosq_err_t`), or the broker's CONNACK code for `CONNACK`.
    public let code: Int32
    /// The system's error number where the library only says "errno"; else 0.
    public let errorNumber: Int32
    /// The cause, and the fix where one is known.
    public let detail: String

    /// The cause, for people; `call` and `code` are for debugging.
    public var description: String { detail }

    /// The error of `Bus`.
    public var failure: BusFailure { BusFailure(detail: description) }

    init(call: String, code: Int32, detail: String) {
        self.call = call
        self.code = code
        errorNumber = 0
        self.detail = detail
    }

    /// The library's message for `code`; the system's where the library only says "errno".
    init(call: String, code: Int32, errno: Int32) {
        let isSystem = code == Int32(MOSQ_ERR_ERRNO.rawValue) && errno != 0
        let words = isSystem ? strerror(errno) : UnsafeMutablePointer(mutating: mosquitto_strerror(code))
        self.call = call
        self.code = code
        errorNumber = isSystem ? errno : 0
        detail = words.map { String(cString: $0) } ?? "error \(code) of libmosquitto"
    }

    /// Why a connection to `broker` ended, and what to do.
    func reason(_ broker: String) -> String {
        let advice = "check `vanorb settings mqtt`."
        return switch (code, errorNumber) {
        case (_, ECONNREFUSED): "\(broker) refused the connection. Start mosquitto, or \(advice)"
        case (_, EHOSTUNREACH), (_, ENETUNREACH), (_, ETIMEDOUT):
            "\(broker) cannot be reached. Check the network, or \(advice)"
        case (Int32(MOSQ_ERR_EAI.rawValue), _): "the host name in \(broker) cannot be resolved. C\(advice.dropFirst())"
        case (Int32(MOSQ_ERR_CONN_LOST.rawValue), _) where call != "mosquitto_publish":
            "\(broker) closed the connection"
        default: detail.contains(broker) ? detail : "\(broker): \(detail)"
        }
    }

    /// What the broker answered to CONNECT (MQTT 3.1.1, table 3.1).
    static func refused(_ code: Int32, by broker: String) -> MosquittoError {
        let detail =
            switch code {
            case 1: "the broker at \(broker) does not speak MQTT 3.1.1"
            case 2: "the broker at \(broker) refuses this client id; set another one as mqtt.client_id"
            case 3: "the broker at \(broker) is not available yet"
            case 4, 5:
                "the broker at \(broker) refuses the user name or the password; correct mqtt.username and the password file"
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
