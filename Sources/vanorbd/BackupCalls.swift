import Dialogue
import Control
import Foundation
import Setup
import StoreSQLite
import Synchronization

/// Makes backups, and brings them back.
struct BackupCalls: Sendable {
    let appliance: Appliance, uploads: UploadTable

    private var room: BackupService { appliance.backupRoom }

    /// Makes a backup and says where it is.
    func make() async throws -> BackupResult {
        guard let store = appliance.store else {
            throw ControlError(
                code: ControlError.Code.failed,
                message: "There is nothing to back up: the database cannot be used (vanorb status).")
        }
        let result = try await room.make(of: store)
        await room.report(to: appliance.health, kept: appliance.context.stores.kept)
        return result
    }

    func list() -> BackupsResult { room.list() }

    func plan(_ arguments: RestoreArguments, on connection: ClientConnection) async throws -> RestorePlan {
        try await use(arguments, on: connection) { path in
            var plan = try await room.plan(path)
            if arguments.upload != nil {
                plan.path = arguments.backup
                plan.date = BackupFolder.date(named: arguments.backup) ?? arguments.modified ?? plan.date
            }
            return plan
        }
    }

    /// Lays a backup ready and begins anew with it: the exchange is made before the database is opened again.
    func restore(_ arguments: RestoreArguments, on connection: ClientConnection) async throws -> Acknowledgement {
        let shown = try await use(arguments, on: connection) { path in
            let plan = try await room.plan(path)
            try await room.prepare(plan.path)
            return arguments.upload == nil ? plan.path : arguments.backup
        }
        Rebirth.begin()
        return Acknowledgement(message: "\(shown) is being put in place; VanOrb starts anew with it.")
    }

    /// Hands over the backup's file: the uploaded one, which errors call by its owner's name, or the one that is named.
    private func use<Value: Sendable>(
        _ arguments: RestoreArguments, on connection: ClientConnection,
        _ body: @Sendable (_ path: String) async throws -> Value
    ) async throws -> Value {
        guard let upload = arguments.upload else { return try await body(arguments.backup) }
        return try await uploads.use(upload, on: connection) { path in
            do { return try await body(path) } catch let error as StoreError where error.file == path {
                throw ControlError(
                    code: ControlError.Code.failed,
                    message: "\(error)".replacing(path, with: arguments.backup))
            }
        }
    }
}

/// The daemon ends in order and begins anew in the same process, for whoever watches over it the same one.
enum Rebirth {
    private static let isWanted = Mutex(false)
    private static let given = Mutex<Set<Int32>>([])

    private static var open: [Int32] {
        ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).compactMap { Int32($0) }
    }

    /// Remembers what the program was started with: by a descriptor that stays open, whoever started it may know that
    /// it lives. Called before anything is opened.
    static func rememberWhatWasGiven() { given.withLock { $0 = Set(open) } }

    /// Ends the daemon shortly, so that whoever asked for it still gets an answer.
    static func begin() {
        isWanted.withLock { $0 = true }
        Task.detached {
            try? await Task.sleep(for: .milliseconds(200))
            kill(getpid(), SIGTERM)
        }
    }

    /// Ends the daemon as soon as no turn is under way.
    static func begin(after conversation: Conversation) {
        Task.detached {
            while ![.closed, .ready].contains(await conversation.state) {
                try? await Task.sleep(for: .milliseconds(100))
            }
            begin()
        }
    }

    static var isUnderWay: Bool { isWanted.withLock { $0 } }

    /// Begins anew, where it was asked for; returns only where it was not, or cannot be.
    static func perform() {
        guard isUnderWay else { return }
        SystemdNotify.awaitStart()
        // What libraries have left open shall not be carried over.
        let given = given.withLock { $0 }
        for descriptor in open where descriptor > 2 && !given.contains(descriptor) {
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        }
        var arguments: [UnsafeMutablePointer<CChar>?] = CommandLine.arguments.map { strdup($0) }
        arguments.append(nil)
        // A signal that is blocked or ignored here would stay so.
        for number in [SIGTERM, SIGINT, SIGPIPE] { signal(number, SIG_DFL) }
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        execv("/proc/self/exe", arguments)
        FileHandle.standardError.write(Data("vanorbd: cannot begin anew: \(String(cString: strerror(errno)))\n".utf8))
    }
}
