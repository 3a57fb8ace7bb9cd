import COnnxRuntime
import Foundation

/// How ONNX Runtime uses memory and processor.
package struct OnnxSettings: Equatable, Sendable {
    /// Threads that compute, the caller's among them.
    package var threads = 1
    /// Weights are copied in the order in which they are used: faster, and larger by the weights.
    package var prepacks = false
    /// Memory is kept between runs: faster, and as large as the longest run needed.
    package var usesArena = false

    /// Unless said otherwise one thread, and as little memory as can be.
    package init(threads: Int = 1, prepacks: Bool = false, usesArena: Bool = false) {
        (self.threads, self.prepacks, self.usesArena) = (threads, prepacks, usesArena)
    }
}

/// A model that can be run. Used by one actor at a time; `OnnxStop` may be used from any thread.
package final class OnnxSession {
    /// A tensor over memory that the caller keeps.
    package final class Tensor {
        fileprivate let library: OnnxLibrary
        fileprivate let pointer: OpaquePointer

        fileprivate init(_ library: OnnxLibrary, _ pointer: OpaquePointer) {
            self.library = library
            self.pointer = pointer
        }

        deinit { library.release { $0.ReleaseValue(pointer) } }
    }

    private let library: OnnxLibrary
    private let environment: OpaquePointer
    private let memory: OpaquePointer
    private let session: OpaquePointer

    /// Loads a model from its file, which stays mapped.
    /// - Throws: `OnnxError`.
    package init(_ library: OnnxLibrary, model: MappedFile, _ settings: OnnxSettings) throws {
        self.library = library
        self.model = model
        environment = try library.make("CreateEnv") { $0.CreateEnv(Int32(vanorb_ort_fatal), "vanorb", $1) }
        do {
            memory = try library.make("CreateCpuMemoryInfo") {
                $0.CreateCpuMemoryInfo(Int32(vanorb_ort_device_allocator), Int32(vanorb_ort_default_memory), $1)
            }
        } catch {
            library.release { [environment] in $0.ReleaseEnv(environment) }
            throw error
        }
        do {
            session = try Self.load(library, environment, model, settings)
        } catch {
            library.release { [environment, memory] in
                $0.ReleaseMemoryInfo(memory)
                $0.ReleaseEnv(environment)
            }
            throw error
        }
    }

    /// The library reads the weights from the mapping.
    private let model: MappedFile

    deinit {
        library.release {
            $0.ReleaseSession(session)
            $0.ReleaseMemoryInfo(memory)
            $0.ReleaseEnv(environment)
        }
    }

    private static func load(
        _ library: OnnxLibrary, _ environment: OpaquePointer, _ model: MappedFile, _ settings: OnnxSettings
    ) throws -> OpaquePointer {
        let options: OpaquePointer = try library.make("CreateSessionOptions") { $0.CreateSessionOptions($1) }
        defer { library.release { $0.ReleaseSessionOptions(options) } }
        try library.call("SetIntraOpNumThreads") { $0.SetIntraOpNumThreads(options, Int32(settings.threads)) }
        try library.call("SetInterOpNumThreads") { $0.SetInterOpNumThreads(options, 1) }
        // Lengths change with every step, so that memory patterns never repeat.
        try library.call("DisableMemPattern") { $0.DisableMemPattern(options) }
        if !settings.usesArena { try library.call("DisableCpuMemArena") { $0.DisableCpuMemArena(options) } }
        // Keys of onnxruntime_session_options_config_keys.h.
        var entries = [
            "session.use_ort_model_bytes_directly": "1", "session.use_ort_model_bytes_for_initializers": "1",
            "session.intra_op.allow_spinning": "0",
        ]
        if !settings.prepacks { entries["session.disable_prepacking"] = "1" }
        for (key, value) in entries {
            try library.call("AddSessionConfigEntry") { $0.AddSessionConfigEntry(options, key, value) }
        }
        return try library.make("CreateSessionFromArray") {
            $0.CreateSessionFromArray(environment, model.start, model.count, options, $1)
        }
    }

    /// A tensor of `shape` over memory that must outlive it.
    package func tensor<Element>(_ memory: UnsafeMutablePointer<Element>, _ shape: [Int]) throws -> Tensor {
        let kind: Int
        switch Element.self {
        case is Float.Type: kind = vanorb_ort_float
        case is Int64.Type: kind = vanorb_ort_int64
        default: kind = vanorb_ort_bool
        }
        let bytes = shape.reduce(MemoryLayout<Element>.stride, *)
        return Tensor(
            library,
            try library.make("CreateTensorWithDataAsOrtValue") {
                $0.CreateTensorWithDataAsOrtValue(
                    self.memory, memory, bytes, shape.map(Int64.init), shape.count, Int32(kind), $1)
            })
    }

    /// Runs the model; outputs are written to their tensors' memory.
    /// - Throws: `OnnxError`, also when it was stopped.
    package func run(
        _ stop: OnnxStop, _ inputs: [(CName, Tensor)], writing outputs: [(CName, Tensor)]
    ) throws {
        let inputNames: [UnsafePointer<CChar>?] = inputs.map { UnsafePointer($0.0.pointer) }
        let inputValues: [OpaquePointer?] = inputs.map { $0.1.pointer }
        let outputNames: [UnsafePointer<CChar>?] = outputs.map { UnsafePointer($0.0.pointer) }
        var outputValues: [OpaquePointer?] = outputs.map { $0.1.pointer }
        try library.call("Run") {
            $0.Run(
                session, stop.pointer, inputNames, inputValues, inputs.count, outputNames, outputs.count,
                &outputValues)
        }
        withExtendedLifetime((inputs, outputs)) {}
    }

    /// Runs the model and passes on an output whose shape is not known in advance.
    package func run<Result>(
        _ stop: OnnxStop, _ inputs: [(CName, Tensor)], reading output: CName,
        _ body: (_ shape: [Int], _ values: UnsafePointer<Float>) throws -> Result
    ) throws -> Result {
        let inputNames: [UnsafePointer<CChar>?] = inputs.map { UnsafePointer($0.0.pointer) }
        let inputValues: [OpaquePointer?] = inputs.map { $0.1.pointer }
        var made: [OpaquePointer?] = [nil]
        try library.call("Run") {
            $0.Run(
                session, stop.pointer, inputNames, inputValues, inputs.count, [UnsafePointer(output.pointer)], 1, &made)
        }
        withExtendedLifetime(inputs) {}
        guard let value = made[0] else { throw OnnxError(call: "Run", detail: "the model has no output") }
        defer { library.release { $0.ReleaseValue(value) } }
        let shape: OpaquePointer = try library.make("GetTensorTypeAndShape") { $0.GetTensorTypeAndShape(value, $1) }
        defer { library.release { $0.ReleaseTensorTypeAndShapeInfo(shape) } }
        var rank = 0
        try library.call("GetDimensionsCount") { $0.GetDimensionsCount(shape, &rank) }
        var sizes = [Int64](repeating: 0, count: rank)
        try library.call("GetDimensions") { $0.GetDimensions(shape, &sizes, rank) }
        var data: UnsafeMutableRawPointer?
        try library.call("GetTensorMutableData") { $0.GetTensorMutableData(value, &data) }
        guard let data else { throw OnnxError(call: "GetTensorMutableData", detail: "the tensor has no memory") }
        return try body(sizes.map(Int.init), UnsafePointer(data.assumingMemoryBound(to: Float.self)))
    }
}

/// Ends a run that is under way, from any thread.
package final class OnnxStop: Sendable {
    private let library: OnnxLibrary
    nonisolated(unsafe) fileprivate let pointer: OpaquePointer

    /// - Throws: `OnnxError`.
    package init(_ library: OnnxLibrary) throws {
        self.library = library
        pointer = try library.make("CreateRunOptions") { $0.CreateRunOptions($1) }
    }

    deinit { library.release { $0.ReleaseRunOptions(pointer) } }

    /// Runs that use it end with an error as soon as possible.
    package func stop() { try? library.call("RunOptionsSetTerminate") { $0.RunOptionsSetTerminate(pointer) } }
}

/// A name that C keeps a pointer to.
package final class CName: Sendable {
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<CChar>

    package init(_ text: String) {
        let bytes = text.utf8CString
        pointer = .allocate(capacity: bytes.count)
        for (place, byte) in bytes.enumerated() { (pointer + place).initialize(to: byte) }
    }

    deinit { pointer.deallocate() }
}

/// A memory-mapped file: its pages are shared with other readers, and reclaimed under memory pressure.
package final class MappedFile: @unchecked Sendable {
    package let start: UnsafeMutableRawPointer
    package let count: Int

    /// - Throws: `OnnxError` when the file cannot be read or is empty.
    package init(path: String) throws {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw Self.failure("open", path) }
        defer { close(file) }
        var facts = stat()
        guard fstat(file, &facts) == 0, facts.st_size > 0 else {
            throw OnnxError(call: "open", detail: "\(path) is empty. Get it with deploy/second-ear")
        }
        count = Int(facts.st_size)
        // The library may modify its input; the file itself is never written.
        guard let start = mmap(nil, count, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0), start != MAP_FAILED else {
            throw Self.failure("mmap", path)
        }
        self.start = start
    }

    deinit { munmap(start, count) }

    private static func failure(_ call: String, _ path: String) -> OnnxError {
        OnnxError(
            call: call, detail: "\(path): \(String(cString: strerror(errno))). Get it with deploy/second-ear")
    }
}
