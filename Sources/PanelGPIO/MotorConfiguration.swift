import Foundation

/// The vibration motor of a board.
public struct MotorConfiguration: Sendable, Equatable {
    /// What switches the motor.
    public enum Wire: Sendable, Equatable {
        /// A GPIO line, through a transistor.
        case line(GPIOLine)
        /// A file with 1 or 0: for a virtual board.
        case file(String)
    }

    /// What switches it.
    public var wire: Wire
    /// The path of `vanorb-motor`, which holds the line; next to the program unless said otherwise.
    public var helper: String

    /// A motor.
    public init(_ wire: Wire, helper: String = Self.besideTheProgram) {
        self.wire = wire
        self.helper = helper
    }

    /// The helper in the folder of the running program.
    public static var besideTheProgram: String {
        URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
            .appending(path: "vanorb-motor").path
    }

    /// The helper's arguments.
    var arguments: [String] {
        switch wire {
        case .file(let path): ["--file", path]
        case .line(let line):
            switch line.place {
            case .name(let name): [line.chip ?? "", name, line.isActiveLow ? "1" : "0"]
            case .offset(let offset): [line.chip ?? "", "\(offset)", line.isActiveLow ? "1" : "0"]
            }
        }
    }

    /// The GPIO line, where it is on one.
    public var line: GPIOLine? { if case .line(let line) = wire { line } else { nil } }

    func failure(_ call: String, _ code: Int32) -> any Error {
        switch wire {
        case .file(let path): POSIXFailure("\(call) \(path)", code)
        case .line(let line): GPIOError(call: call, code: code, line: line)
        }
    }

    /// Switches the motor off, for a daemon that ended without doing so.
    /// - Throws: `GPIOError`, or the failure to write the file.
    public func makeSafe() throws {
        switch wire {
        case .file(let path): try Data("0\n".utf8).write(to: URL(filePath: path))
        // A requested output starts inactive.
        case .line(let line): _ = try GPIOHandle(line, isOutput: true)
        }
    }
}
