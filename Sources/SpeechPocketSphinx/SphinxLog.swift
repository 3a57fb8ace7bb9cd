import CPocketSphinx
import Foundation
import Logging

/// The library's log: to our logger at debug level, and its errors to the caller. The library has one log for the whole
/// process and writes it to standard error unless it is redirected.
enum SphinxLog {
    /// Sends the log of all decoders to `logger` from now on.
    static func install(_ logger: Logger) {
        sphinxLogState.setLogger(logger)
        vanorb_sphinx_set_sink(sphinxSaid)
        // The table of settings that a decoder prints as it loads does not pass through the callback.
        err_set_logfp(nil)
    }

    /// Writes the library's errors to the standard error stream as they come, so that the one with which it ends the
    /// process is known. For a process that may crash.
    static func echoErrors() {
        vanorb_sphinx_set_sink(sphinxEchoed)
        err_set_logfp(nil)
    }

    /// Runs a call and returns the errors that the library logged on this thread while it ran.
    static func collectingErrors<Result>(_ call: () -> Result) -> (result: Result, errors: [String]) {
        sphinxLogState.beginCollecting()
        let result = call()
        return (result, sphinxLogState.endCollecting())
    }
}

private func sphinxEchoed(_ level: Int32, _ text: UnsafePointer<CChar>?) {
    guard let text, level >= Int32(ERR_ERROR.rawValue) else { return }
    sphinxLogState.take(level: level, text)
    FileHandle.standardError.write(Data(String(cString: text).utf8))
}

private let sphinxLogState = SphinxLogState()

/// Called by the library on the thread that made the call.
private func sphinxSaid(_ level: Int32, _ text: UnsafePointer<CChar>?) {
    guard let text else { return }
    sphinxLogState.take(level: level, text)
}

private final class SphinxLogState: @unchecked Sendable {
    // Unchecked: everything below is guarded by `lock`.
    private let lock = NSLock()
    private var logger: Logger?
    private var errors: [UInt: [String]] = [:]

    private var thread: UInt { UInt(pthread_self()) }

    func setLogger(_ logger: Logger) { lock.withLock { self.logger = logger } }

    func beginCollecting() { lock.withLock { errors[thread] = [] } }

    func endCollecting() -> [String] { lock.withLock { errors.removeValue(forKey: thread) ?? [] } }

    func take(level: Int32, _ text: UnsafePointer<CChar>) {
        let isError = level >= Int32(ERR_ERROR.rawValue)
        let logger = lock.withLock { self.logger }
        // A decoder writes hundreds of lines as it loads: none is copied unless the level is enabled.
        guard isError || (logger?.logLevel ?? .info) <= .debug else { return }
        let line = String(cString: text).trimmingCharacters(in: .whitespacesAndNewlines)
        guard !line.isEmpty else { return }
        if isError { lock.withLock { errors[thread]?.append(line) } }
        logger?.debug("pocketsphinx: \(line)")
    }
}

/// A failed call of libpocketsphinx, or a failed step towards one.
public struct PocketSphinxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library's function, or the step's name.
    public let call: String
    /// What it returned; 0 where it returns a pointer or the step is our own.
    public let code: Int32
    /// What failed, the library's errors, and what to do.
    public let detail: String

    /// A failed call.
    public init(call: String, code: Int32 = 0, detail: String) {
        self.call = call
        self.code = code
        self.detail = detail
    }

    /// Call, code and detail on one line.
    public var description: String { code == 0 ? "\(call): \(detail)" : "\(call) returned \(code): \(detail)" }
}

/// Passes on what a call returned, or throws when it is negative, with the errors the library logged meanwhile.
@discardableResult
func checkSphinx(_ name: String, _ detail: String, _ call: () -> Int32) throws -> Int32 {
    let (result, errors) = SphinxLog.collectingErrors(call)
    guard result >= 0 else {
        throw PocketSphinxError(call: name, code: result, detail: ([detail] + errors).joined(separator: "; "))
    }
    return result
}
