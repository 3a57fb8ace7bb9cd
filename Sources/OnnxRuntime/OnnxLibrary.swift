import COnnxRuntime
import Foundation

/// ONNX Runtime's library, loaded at run time: everything is built and works without it.
///
/// It is never unloaded: its threads and its allocator outlive any session.
package final class OnnxLibrary: Sendable {
    /// Its file in the folder that `deploy/second-ear` fills.
    package static let file = "libonnxruntime.so.1"

    /// The hash of the library that `deploy/second-ear` installs, by architecture: a damaged one ends the process that
    /// loads it, and another version may compute other numbers. `deploy/prepare.sh` has the same hashes; a test
    /// compares them.
    package static let sums = [
        "x86_64": "c0995ae1102b871426e7bddf625451d6c19f12d0b6d79786218cbb77c2de865c",
        "aarch64": "2723a421531e984cf053ead965b8ea00c88a0353dce17b622bc82e752ef6752f",
    ]

    /// This machine's; nil for an unsupported processor.
    package static var sum: String? {
        #if arch(x86_64)
            sums["x86_64"]
        #elseif arch(arm64)
            sums["aarch64"]
        #else
            nil
        #endif
    }

    /// The oldest version of the API with everything used here; newer libraries still provide it.
    private static let version: UInt32 = 17

    nonisolated(unsafe) private let table: UnsafePointer<OrtApi>
    /// Such as `1.23.2`.
    package let versionText: String

    /// Loads the library at a path.
    /// - Throws: `OnnxError` when it is missing, built for another machine, or too old.
    package init(path: String) throws {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
            throw OnnxError(
                call: "dlopen", detail: "ONNX Runtime cannot be loaded: \(reason). Get it with deploy/second-ear"
            )
        }
        guard let symbol = dlsym(handle, "OrtGetApiBase"),
            let base = unsafeBitCast(symbol, to: vanorb_ort_api_base.self)()
        else {
            dlclose(handle)
            throw OnnxError(
                call: "OrtGetApiBase", detail: "\(path) is not ONNX Runtime. Get it with deploy/second-ear")
        }
        versionText = base.pointee.GetVersionString().map { String(cString: $0) } ?? "of an unknown version"
        guard let table = base.pointee.GetApi(Self.version) else {
            throw OnnxError(
                call: "GetApi",
                detail: "ONNX Runtime \(versionText) in \(path) is too old; version 1.\(Self.version) or later is "
                    + "needed. Get it with deploy/second-ear")
        }
        self.table = table
    }

    /// Calls a function of the API that creates an object.
    /// - Throws: `OnnxError` with the library's message.
    func make<Made>(
        _ name: String, _ call: (OrtApi, UnsafeMutablePointer<Made?>) -> OpaquePointer?
    ) throws -> Made {
        var made: Made?
        try check(name, call(table.pointee, &made))
        guard let made else {
            throw OnnxError(call: name, detail: "the library returned neither an object nor an error")
        }
        return made
    }

    /// Calls a function of the API.
    /// - Throws: `OnnxError` with the library's message.
    func call(_ name: String, _ call: (OrtApi) -> OpaquePointer?) throws { try check(name, call(table.pointee)) }

    /// Calls a function that cannot fail.
    func release(_ call: (OrtApi) -> Void) { call(table.pointee) }

    private func check(_ name: String, _ status: OpaquePointer?) throws {
        guard let status else { return }
        defer { table.pointee.ReleaseStatus(status) }
        throw OnnxError(
            call: name, detail: table.pointee.GetErrorMessage(status).map { String(cString: $0) } ?? "")
    }
}

/// ONNX Runtime, a model that it runs, or one of their files failed or is missing.
public struct OnnxError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The step that failed: a function of ONNX Runtime, a file, a phase.
    public let call: String
    /// The cause, and the fix where one is known.
    public let detail: String

    /// A failure of `call`.
    public init(call: String, detail: String) {
        self.call = call
        self.detail = detail
    }

    /// Call and detail on one line.
    public var description: String { "\(call): \(detail)" }
}
