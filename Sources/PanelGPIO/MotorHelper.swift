import Foundation

/// The process that holds the motor's line; see `vanorb-motor`, whose protocol this is.
final class MotorHelper {
    /// What it reports.
    enum Word: Equatable {
        /// It has the line, which is off.
        case ready
        /// A pattern has been played.
        case done
        /// It cannot open the line: the errno, and the call that failed.
        case error(Int32, call: String)
    }

    private let socket: Int32
    /// The child's process number.
    let process: pid_t
    private var unread: [UInt8] = []

    /// Starts `program` with `arguments`.
    /// - Throws: `POSIXFailure`, which names call and code.
    init(_ program: String, _ arguments: [String]) throws(POSIXFailure) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw POSIXFailure("socketpair", errno) }
        defer { close(ends[1]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO)
        var words = ([program] + arguments).map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let code = posix_spawn(&child, program, &actions, nil, &words, environ)
        guard code == 0 else {
            close(ends[0])
            throw POSIXFailure("posix_spawn \(program)", code)
        }
        (socket, process) = (ends[0], child)
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    /// Closes the connection, at which the child switches the motor off and ends, and waits for that.
    deinit {
        close(socket)
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    /// Requests a pattern: milliseconds on, off, on, … Returns at once; ignored after the child's end.
    func run(_ pattern: [Int]) {
        let line = Array((pattern.map(String.init).joined(separator: " ") + "\n").utf8)
        _ = send(socket, line, line.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }

    /// Ends the wait of `next`, from any thread.
    func hangUp() { shutdown(socket, Int32(SHUT_RDWR)) }

    /// Its next report, or nil when it has ended.
    /// - Parameter idle: called every ten seconds without a report.
    func next(idle: () -> Void = {}) -> Word? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                let words = String(decoding: unread[..<end], as: UTF8.self).split(separator: " ", maxSplits: 2)
                unread.removeFirst(end + 1)
                switch words.first {
                case "ready": return .ready
                case "done": return .done
                case "error":
                    return .error(words.count > 1 ? Int32(words[1]) ?? EIO : EIO, call: String(words.last ?? ""))
                default: continue
                }
            }
            var buffer = [UInt8](repeating: 0, count: 256)
            let count = recv(socket, &buffer, buffer.count, 0)
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                idle()
                continue
            }
            guard count > 0 else { return nil }
            unread += buffer.prefix(count)
        }
    }
}

/// A system call that failed.
struct POSIXFailure: Error, CustomStringConvertible {
    let call: String, code: Int32

    init(_ call: String, _ code: Int32) { (self.call, self.code) = (call, code) }

    var description: String { "\(call): \(String(cString: strerror(code))) (\(code))" }
}
