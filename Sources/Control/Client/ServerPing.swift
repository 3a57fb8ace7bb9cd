import Foundation
import NIOCore
import Synchronization

/// Asks the daemon whether it lives while nothing comes from it, and gives up when it says nothing for too long.
///
/// The answer says that the daemon goes on, not that the call is done: a backup may take an hour. Time is counted in
/// beats of our own, so that a client that was stopped for a while (Ctrl-Z) does not blame the daemon.
final class ServerPing: ChannelDuplexHandler {
    typealias InboundIn = InboundLine
    typealias InboundOut = InboundLine
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// The number of its own calls; others begin with 1.
    private static let id = 0
    /// In how many beats the silence is counted.
    private static let beats = 5
    /// Longer lines are no answers to it.
    private static let answerBytes = 16 << 10

    /// The answer's number alone.
    private struct Answer: Decodable { var id: Int? }

    /// Remembers that it was given up, for the task that waits.
    final class Verdict: Sendable {
        private let isDead = Atomic(false)
        /// True once the daemon was given up.
        var hasGivenUp: Bool { isDead.load(ordering: .acquiring) }
        fileprivate func giveUp() { isDead.store(true, ordering: .releasing) }
    }

    private let silence: TimeAmount
    private let verdict: Verdict
    private var timer: RepeatedTask?
    private var hasHeard = false
    /// Whether we take what comes: while our own reader is behind, nothing is known of the daemon.
    private var isReading = false
    private var isAsking = false
    private var quietBeats = 0

    /// Gives up after `silence`.
    init(silence: Duration, verdict: Verdict) {
        self.silence = TimeAmount(silence)
        self.verdict = verdict
    }

    func channelActive(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        let beat = TimeAmount.nanoseconds(max(1, silence.nanoseconds / Int64(Self.beats)))
        timer = context.eventLoop.scheduleRepeatedTask(initialDelay: beat, delay: beat) { _ in
            bound.value.handler.beat(bound.value.context)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        stop()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { stop() }

    func read(context: ChannelHandlerContext) {
        isReading = true
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.fireChannelReadComplete()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasHeard = true
        if isAsking, case .line(let line) = unwrapInboundIn(data), isAnswer(line) {
            isAsking = false
        } else {
            context.fireChannelRead(data)
        }
    }

    private func isAnswer(_ line: ByteBuffer) -> Bool {
        line.readableBytes <= Self.answerBytes
            && (try? ControlJSON.decode(Answer.self, from: Data(line.readableBytesView)))?.id == Self.id
    }

    private func beat(_ context: ChannelHandlerContext) {
        guard !hasHeard, isReading else {
            (hasHeard, quietBeats) = (false, 0)
            return
        }
        quietBeats += 1
        if quietBeats >= Self.beats {
            stop()
            verdict.giveUp()
            context.close(promise: nil)
        } else if !isAsking, let request = try? Request(id: Self.id, call: PingCall.name, arguments: Empty()).line {
            isAsking = true
            context.writeAndFlush(wrapOutboundOut(request), promise: nil)
        }
    }

    private func stop() {
        timer?.cancel()
        timer = nil
    }
}

extension Request {
    /// The request as it is sent.
    /// - Throws: `EncodingError`; `ControlError` where it is too long.
    var line: ByteBuffer {
        get throws {
            let data = try ControlJSON.encode(self)
            guard data.count <= ControlLimits.lineBytes else {
                throw ControlError(
                    code: ControlError.Code.lineTooLong,
                    message: "The request has \(data.count) bytes; at most \(ControlLimits.lineBytes) are possible."
                )
            }
            var buffer = ByteBuffer(bytes: data)
            buffer.writeInteger(UInt8(ascii: "\n"))
            return buffer
        }
    }
}
