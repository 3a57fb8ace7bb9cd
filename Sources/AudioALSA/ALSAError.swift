import Domain
import CALSA

/// A call of libasound that failed.
public struct ALSAError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The function's name.
    public let call: String
    /// What it returned: a negative errno value.
    public let code: Int32
    /// ALSA's message beyond the code: for configuration text, the place as `_toplevel_:line:column:`.
    public let words: String

    /// A failure of `call` with `code`.
    public init(call: String, code: Int32, words: String = "") {
        self.call = call
        self.code = code
        self.words = words
    }

    /// Call, meaning, code and ALSA's message on one line.
    public var description: String {
        let meaning = snd_strerror(code).map { String(cString: $0) } ?? "unknown error"
        return "\(call): \(meaning) (\(code))" + (words.isEmpty ? "" : ": \(words)")
    }

    /// The failure as `Domain` has it.
    ///
    /// While opening, the code gives the reason. A device that was running and fails beyond recovery is lost,
    /// whatever the code: a USB card answers its removal with ENODEV, EIO or EBADFD, depending on the moment. Only a
    /// format that it rejects is not a loss, as a reply may need several formats.
    func failure(of device: String, whileRunning: Bool) -> DeviceFailure {
        let isRefusal = code == -EINVAL && call.hasPrefix("snd_pcm_hw_params")
        return DeviceFailure(
            device: device, reason: whileRunning && !isRefusal ? .lost : openingReason, detail: description)
    }

    private var openingReason: DeviceFailure.Reason {
        switch -code {
        case ENOENT, ENODEV, ENXIO: .missing
        case EBUSY, EAGAIN: .busy
        case EACCES, EPERM: .noPermission
        default: .unusable
        }
    }
}

/// Turns ALSA's codes into errors.
enum ALSACall {
    /// Runs `body`, and throws when it returns a negative code.
    /// - Returns: what `body` returned.
    @discardableResult
    static func check<Code: BinaryInteger>(_ call: String, _ body: () -> Code) throws(ALSAError) -> Code {
        let earlier = vanorb_alsa_listen()
        let code = body()
        let words = vanorb_alsa_stop_listening(earlier)
        guard code < 0 else { return code }
        throw ALSAError(call: call, code: Int32(code), words: words.map { String(cString: $0) } ?? "")
    }
}
