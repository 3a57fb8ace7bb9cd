import COnnxRuntime
import Foundation

/// ONNX Runtime's library, loaded at run time: everything is built and works without it.
///
/// It is never unloaded: its threads and its allocator outlive any session.
final class OnnxLibrary: Sendable {
    /// The oldest version of the API with everything used here; newer libraries still provide it.
    private static let version: UInt32 = 17

    nonisolated(unsafe) private let table: UnsafePointer<OrtApi>
    /// Such as `1.23.2`.
    let versionText: String

    /// Loads the library at a path.
    /// - Throws: `MoonshineError` when it is missing, built for another machine, or too old.
    init(path: String) throws {
        guard let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL) else {
            let reason = dlerror().map { String(cString: $0) } ?? "no reason given"
            throw MoonshineError(
                call: "dlopen", detail: "ONNX Runtime cannot be loaded: \(reason). Get it with deploy/second-ear"
            )
        }
        guard let symbol = dlsym(handle, "OrtGetApiBase"),
            let base = unsafeBitCast(symbol, to: vanorb_ort_api_base.self)()
        else {
            dlclose(handle)
            throw MoonshineError(
                call: "OrtGetApiBase", detail: "\(path) is not ONNX Runtime. Get it with deploy/second-ear")
        }
        versionText = base.pointee.GetVersionString().map { String(cString: $0) } ?? "of an unknown version"
        guard let table = base.pointee.GetApi(Self.version) else {
            throw MoonshineError(
                call: "GetApi",
                detail: "ONNX Runtime \(versionText) in \(path) is too old; version 1.\(Self.version) or later is "
                    + "needed. Get it with deploy/second-ear")
        }
        self.table = table
    }

    /// Calls a function of the API that creates an object.
    /// - Throws: `MoonshineError` with the library's message.
    func make<Made>(
        _ name: String, _ call: (OrtApi, UnsafeMutablePointer<Made?>) -> OpaquePointer?
    ) throws -> Made {
        var made: Made?
        try check(name, call(table.pointee, &made))
        guard let made else {
            throw MoonshineError(call: name, detail: "the library returned neither an object nor an error")
        }
        return made
    }

    /// Calls a function of the API.
    /// - Throws: `MoonshineError` with the library's message.
    func call(_ name: String, _ call: (OrtApi) -> OpaquePointer?) throws { try check(name, call(table.pointee)) }

    /// Calls a function that cannot fail.
    func release(_ call: (OrtApi) -> Void) { call(table.pointee) }

    private func check(_ name: String, _ status: OpaquePointer?) throws {
        guard let status else { return }
        defer { table.pointee.ReleaseStatus(status) }
        throw MoonshineError(
            call: name, detail: table.pointee.GetErrorMessage(status).map { String(cString: $0) } ?? "")
    }
}
