import Foundation
import Logging
import NIOCore

/// One client: greets it, starts a task for each request, and ends them all when the client is gone.
///
/// What waits to be sent is bounded: a call's task holds at most one line at a time, and while the client does not
/// read, nothing more is read from it (`BackPressureHandler`).
final class ConnectionHandler: ChannelInboundHandler {
    typealias InboundIn = InboundLine
    typealias OutboundOut = ByteBuffer

    /// How long a client that is being turned away may take to read why.
    private static let farewell = TimeAmount.seconds(1)

    private let greeting: Greeting
    private let calls: CallTable
    private let logger: Logger
    private let connection: ClientConnection
    /// Why it is turned away; nil for one that is welcome.
    private let refusal: String?
    private let open: OpenConnections
    private var running: [Int: Task<Void, Never>] = [:]
    /// Ends a connection that says nothing.
    private var silence: Scheduled<Void>?
    private var inputEnded = false
    private var isLeaving = false
    private var isGone = false

    /// A connection that is greeted, or turned away when it is one too many.
    /// - Throws: `ChannelError` while the server is ending.
    init(
        greeting: Greeting, calls: CallTable, admission: OpenConnections.Admission, open: OpenConnections,
        logger: Logger
    ) throws {
        switch admission {
        case .welcome(let connection): (self.connection, refusal) = (connection, nil)
        case .refused(let connection, let reason): (self.connection, refusal) = (connection, reason)
        case .closing: throw ChannelError.ioOnClosedChannel
        }
        self.greeting = greeting
        self.calls = calls
        self.open = open
        self.logger = logger
    }

    func channelActive(context: ChannelHandlerContext) {
        if let refusal {
            refuse(nil, ControlError.Code.busy, refusal, context: context)
            leave(context: context)
        } else {
            send(greeting, context: context)
            awaitFirstLine(context: context)
        }
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLeaving else { return }
        switch unwrapInboundIn(data) {
        case .tooLong:
            refuse(
                nil, ControlError.Code.lineTooLong,
                "The line is longer than \(ControlLimits.lineBytes) bytes (1 MiB); send files in pieces.",
                context: context
            )
            leave(context: context)
        case .line(let line):
            answer(Data(line.readableBytesView), context: context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed = event {
            // The client may have sent all it wanted and still wait for the answers.
            inputEnded = true
            leaveWhenDone(context: context)
        }
        if let displaced = event as? OpenConnections.Displaced, !isLeaving {
            refuse(nil, ControlError.Code.busy, displaced.reason, context: context)
            leave(context: context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        isGone = true
        silence?.cancel()
        for task in running.values { task.cancel() }
        depart()
        context.fireChannelInactive()
    }

    /// A connection that asks for nothing must not keep a place from others.
    private func awaitFirstLine(context: ChannelHandlerContext) {
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        silence = context.eventLoop.scheduleTask(in: .seconds(Int64(ControlLimits.silentSeconds))) {
            let (handler, context) = bound.value
            guard !handler.isLeaving else { return }
            handler.refuse(
                nil, ControlError.Code.idle,
                "No request came within \(ControlLimits.silentSeconds) s of connecting, so the connection was closed; "
                    + "connect again.", context: context)
            handler.leave(context: context)
        }
    }

    /// Lets go of what belongs to the connection; the server waits for it as for a call.
    private func depart() {
        open.callBegan(on: connection)
        Task { [calls, connection, open] in
            await calls.disconnected(connection)
            open.callEnded(on: connection)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        logger.debug("control connection lost", metadata: ["error": "\(error)"])
        context.close(promise: nil)
    }

    private func answer(_ line: Data, context: ChannelHandlerContext) {
        guard line.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\r") }) else { return }
        silence?.cancel()
        let head: RequestHead
        do {
            head = try ControlJSON.decode(RequestHead.self, from: line)
        } catch let error as DecodingError where ControlJSON.isJSON(line) {
            return refuse(nil, ControlError.Code.badRequest, error.explanation(of: line), context: context)
        } catch {
            return refuse(
                nil, ControlError.Code.notJSON,
                "The line is not JSON. A request looks like {\"id\": 1, \"call\": \"status\"}.", context: context
            )
        }
        if let id = head.cancel {
            // Unknown numbers are ignored: the answer may be on its way already.
            running[id]?.cancel()
            return
        }
        guard let id = head.id else {
            return refuse(nil, ControlError.Code.badRequest, "id: the field is missing", context: context)
        }
        guard let name = head.call else {
            return refuse(id, ControlError.Code.badRequest, "call: the field is missing", context: context)
        }
        guard let entry = calls.entry(name) else {
            let known = calls.names.joined(separator: ", ")
            return refuse(
                id, ControlError.Code.unknownCall, "Unknown call \(name.prefix(60)). The calls are: \(known).",
                context: context
            )
        }
        guard running[id] == nil else {
            return refuse(
                id, ControlError.Code.badRequest, "id: \(id) is in use by a call that has not ended", context: context
            )
        }
        guard running.count < ControlLimits.callsPerConnection else {
            return refuse(
                id, ControlError.Code.busy,
                "Already \(running.count) calls are running on this connection. Wait for one to end.",
                context: context
            )
        }
        start(entry, id: id, line: line, context: context)
    }

    private func start(_ entry: @escaping CallTable.Entry, id: Int, line: Data, context: ChannelHandlerContext) {
        let channel = context.channel
        let eventLoop = context.eventLoop
        let handler = NIOLoopBound(self, eventLoop: eventLoop)
        let bound = NIOLoopBound(context, eventLoop: eventLoop)
        let write: CallTable.Writer = { data in
            try await channel.writeAndFlush(Self.buffer(data)).get()
        }
        open.callBegan(on: connection)
        running[id] = Task { [open, connection] in
            let ending = await entry(id, line, connection, write)
            eventLoop.execute {
                handler.value.ended(id, ending, context: bound.value)
                open.callEnded(on: connection)
            }
        }
    }

    private func ended(_ id: Int, _ ending: CallTable.Ending, context: ChannelHandlerContext) {
        // First the number is free again, then the client learns so.
        running[id] = nil
        // Once more: what a call has begun after its client was gone belongs to nobody.
        if isGone, running.isEmpty { depart() }
        guard !isLeaving, !isGone else { return }
        context.writeAndFlush(wrapOutboundOut(Self.buffer(ending.line)), promise: nil)
        if ending.closesConnection { leave(context: context) } else { leaveWhenDone(context: context) }
    }

    private func leaveWhenDone(context: ChannelHandlerContext) {
        if inputEnded, running.isEmpty, !isLeaving { leave(context: context) }
    }

    /// Ends our side and lets the client read what was said last: closing at once while it still sends would make its
    /// next write fail before it has read the reason.
    private func leave(context: ChannelHandlerContext) {
        isLeaving = true
        silence?.cancel()
        let channel = context.channel
        guard open.leave(connection) else { return channel.close(promise: nil) }
        context.close(mode: .output, promise: nil)
        context.eventLoop.scheduleTask(in: Self.farewell) { channel.close(promise: nil) }
    }

    private func refuse(_ id: Int?, _ code: String, _ message: String, context: ChannelHandlerContext) {
        send(ErrorLine(id: id, error: ControlError(code: code, message: message)), context: context)
    }

    private func send(_ line: some Encodable, context: ChannelHandlerContext) {
        guard let data = try? ControlJSON.encode(line) else { return }
        context.writeAndFlush(wrapOutboundOut(Self.buffer(data)), promise: nil)
    }

    private static func buffer(_ line: Data) -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: line.count + 1)
        buffer.writeBytes(line)
        buffer.writeInteger(UInt8(ascii: "\n"))
        return buffer
    }
}

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
