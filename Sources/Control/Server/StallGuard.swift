import NIOCore

/// Disconnects a client that takes nothing for a while although something waits for it, so that a terminal that was
/// stopped with Ctrl-Z costs the daemon a bounded buffer for a bounded time.
final class StallGuard: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let patience: TimeAmount
    private var deadline: Scheduled<Void>?

    /// Disconnects after `patience`.
    init(patience: TimeAmount) { self.patience = patience }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        deadline?.cancel()
        deadline = nil
        if !context.channel.isWritable {
            let channel = context.channel
            deadline = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
        }
        context.fireChannelWritabilityChanged()
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }
}
