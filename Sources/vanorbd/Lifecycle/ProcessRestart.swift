import Dialogue
import Foundation
import Synchronization

/// A restart that the daemon asks for itself: after a restore, and when a setting needs one that it may do on its own.
///
/// It shuts down in order and exits with 0, and systemd starts it again (`Restart=always`): a new process, with nothing
/// left over from the old one, in the sandbox that its settings need by now, and watched from its first `READY=1` on.
/// Started by hand, by a test or the demonstration, it has nobody to start it again, and executes its program itself.
enum ProcessRestart {
    private static let isRequested = Mutex(false)

    static var isUnderWay: Bool { isRequested.withLock { $0 } }

    /// Shuts the daemon down in a moment, so that the call that asked for it is still answered.
    static func request() {
        isRequested.withLock { $0 = true }
        Task.detached {
            try? await Task.sleep(for: .milliseconds(200))
            kill(getpid(), SIGTERM)
        }
    }

    /// Shuts the daemon down as soon as no turn is under way.
    static func request(after conversation: Conversation) {
        Task.detached {
            while ![.closed, .ready].contains(await conversation.state) {
                try? await Task.sleep(for: .milliseconds(100))
            }
            request()
        }
    }

    /// Called last: executes the program again where a restart was requested and nobody else will start it. Returns
    /// otherwise, and where it cannot be executed.
    static func executeWithoutSupervisor() {
        guard isUnderWay, !SystemdNotify.isService else { return }
        // What is ignored or blocked here would stay so in the program that follows.
        for number in [SIGTERM, SIGINT, SIGPIPE] { signal(number, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        execv("/proc/self/exe", arguments)
        let reason = String(cString: strerror(errno))
        FileHandle.standardError.write(Data("vanorbd: cannot restart (\(reason)). Start it again.\n".utf8))
    }
}
