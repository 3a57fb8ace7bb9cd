import AudioPipeline
import Devices
import Domain
import Foundation

/// One utterance on its way to a reply. It is dropped as a whole: its task is cancelled and its microphone closed, so
/// that nothing has to ask whether the turn is still wanted.
@DialogueActor
final class Turn {
    /// What begins a turn.
    enum Input: Sendable {
        /// Sound; `pressed` is when it was asked for, by the button as a rule.
        case speech(SoundSource, pressed: ContinuousClock.Instant)
        case text(String)
        /// A sensor that warns.
        case alarm(Device.Alarm, Device)

        /// As the trace names it.
        var source: String {
            switch self {
            case .speech: "voice"
            case .text: "text"
            case .alarm: "sensor"
            }
        }
    }

    /// Its number in this run of the daemon, counted by the machine.
    let number: Int
    let input: Input
    /// What is known of it so far.
    var trace: TurnTrace
    /// Finds where the utterance begins and ends.
    var endpointer = Endpointer(Endpointer.Settings())
    /// How long was listened, where listening was cut short at its limit.
    var cutOffAfter: Duration?
    /// True while its commands are being carried out: dropped now, it is not known yet what it did.
    var isActing = false
    /// What is known of a drop amid acting, until it is known what the turn did.
    var unsettledDrop: UnsettledDrop?
    /// The reply, once there is one.
    var reply: Reply?
    /// True where the microphone was lost in a turn and this one listens in its place; it is not tried a second time.
    let isRetry: Bool

    /// True once the utterance is complete and what was said is to be acted on.
    private(set) var isSubmitted = false
    private(set) var isDropped = false
    private var capture: (any MicrophoneCapture)?
    private var task: Task<Void, Never>?
    private var waiters: [CheckedContinuation<TurnTrace, Never>] = []

    init(number: Int, input: Input, startedAt: Date, capture: (any MicrophoneCapture)? = nil) {
        self.number = number
        self.input = input
        self.capture = capture
        isRetry = capture != nil
        trace = TurnTrace(turn: number, source: input.source, startedAt: startedAt)
    }

    /// A drop amid acting.
    struct UnsettledDrop {
        /// The notice that was given in place of the reply, by its key.
        let notice: String?
        /// Ends the wait for what the turn did.
        let patience: Task<Void, Never>
    }

    /// Carries the turn out; what it was doing before is cancelled.
    func run(_ body: @escaping @DialogueActor @Sendable () async -> Void) {
        task?.cancel()
        task = Task { await body() }
    }

    /// The microphone that was opened for the turn beforehand, if any.
    func takeOpenedCapture() -> (any MicrophoneCapture)? {
        defer { capture = nil }
        return capture
    }

    /// Listens by `capture`, which is closed at once where the utterance is complete already.
    /// - Throws: `CancellationError` where the turn was dropped meanwhile.
    func listen(by capture: any MicrophoneCapture) throws {
        guard !isDropped, !Task.isCancelled else {
            capture.close()
            throw CancellationError()
        }
        self.capture = capture
        if isSubmitted { capture.close() }
    }

    /// The utterance is complete: the microphone is closed, and what was said is acted on.
    func submit() {
        isSubmitted = true
        closeMicrophone()
    }

    func closeMicrophone() {
        capture?.close()
        capture = nil
    }

    /// Forgets the turn: closes the microphone and cancels what is being done.
    func drop() {
        isDropped = true
        closeMicrophone()
        task?.cancel()
    }

    /// Answers all who wait for the turn's record, now or when there is one.
    func notify(_ waiter: CheckedContinuation<TurnTrace, Never>) { waiters.append(waiter) }

    /// Answers those who wait.
    func answerWaiters(_ trace: TurnTrace) {
        let waiting = waiters
        waiters = []
        for waiter in waiting { waiter.resume(returning: trace) }
    }
}
