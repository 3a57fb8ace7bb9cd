import Foundation
import NIOCore

/// What the other end sent.
enum InboundLine: Sendable, Equatable {
    /// A line without its newline.
    case line(ByteBuffer)
    /// The line under way has passed the limit; nothing after it is read.
    case tooLong
}

/// Cuts the bytes into lines and holds at most one line's worth of them.
struct LineDecoder: ByteToMessageDecoder {
    typealias InboundOut = InboundLine

    private let limit: Int
    private var scanned = 0
    private var isDead = false

    /// Lines of at most `limit` bytes, the newline not counted.
    init(limit: Int) { self.limit = limit }

    mutating func decode(context: ChannelHandlerContext, buffer: inout ByteBuffer) throws -> DecodingState {
        guard !isDead else {
            buffer.moveReaderIndex(to: buffer.writerIndex)
            return .needMoreData
        }
        let newline = offsetOfNewline(in: buffer)
        let length = newline ?? buffer.readableBytes
        guard length <= limit else {
            isDead = true
            buffer.moveReaderIndex(to: buffer.writerIndex)
            context.fireChannelRead(wrapInboundOut(.tooLong))
            return .needMoreData
        }
        guard newline != nil, let line = buffer.readSlice(length: length) else {
            // Do not look at the same bytes again when the next ones come.
            scanned = buffer.readableBytes
            return .needMoreData
        }
        buffer.moveReaderIndex(forwardBy: 1)
        scanned = 0
        context.fireChannelRead(wrapInboundOut(.line(line)))
        return .continue
    }

    private func offsetOfNewline(in buffer: ByteBuffer) -> Int? {
        buffer.withUnsafeReadableBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, scanned < bytes.count else { return nil }
            return memchr(base + scanned, Int32(UInt8(ascii: "\n")), bytes.count - scanned).map {
                UnsafeRawPointer($0) - base
            }
        }
    }

    /// An unterminated line at the end is dropped.
    mutating func decodeLast(
        context: ChannelHandlerContext, buffer: inout ByteBuffer, seenEOF: Bool
    ) throws -> DecodingState {
        while try decode(context: context, buffer: &buffer) == .continue {}
        buffer.moveReaderIndex(to: buffer.writerIndex)
        return .needMoreData
    }
}
