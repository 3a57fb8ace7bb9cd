import ArgumentParser
import Control
import Foundation

/// `vanorb hear`
struct HearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hear", abstract: "Plays a recording to the co-pilot in place of the microphone.",
        discussion: "Takes WAV and FLAC. Exits 1 when it was not understood or could not be done."
    )
    @OptionGroup var global: GlobalOptions
    @Argument(help: "The recording.", completion: .file(extensions: ["wav", "flac"])) var file: String

    func run() async throws {
        try await global.run { client, output in
            let recording = try Self.read(file)
            let name = (file as NSString).lastPathComponent
            let upload = try await client.call(
                HearBeginCall.self, HearBeginArguments(name: name, bytes: recording.count)
            ).upload
            for start in stride(from: 0, to: recording.count, by: ControlLimits.pieceBytes) {
                let piece = recording[start..<min(start + ControlLimits.pieceBytes, recording.count)]
                _ = try await client.call(HearDataCall.self, HearDataArguments(upload: upload, bytes: piece))
            }
            let turn = try await client.call(HearFinishCall.self, HearFinishArguments(upload: upload))
            try output.show(turn, TurnText.short)
            guard turn.outcome.isSuccess else { throw ExitCode.failure }
        }
    }

    /// The file's bytes; a pipe will do.
    private static func read(_ path: String) throws -> Data {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw failure("\(path): there is no such file")
        }
        guard !isFolder.boolValue else { throw failure("\(path) is a folder; a WAV or FLAC file is expected") }
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw failure("\(path) cannot be opened: \(String(cString: strerror(errno)))")
        }
        var recording = Data()
        do {
            // One byte over the limit tells a file that is too large from one that just fits.
            while recording.count <= ControlLimits.uploadBytes,
                let piece = try file.read(upToCount: ControlLimits.uploadBytes + 1 - recording.count), !piece.isEmpty
            {
                recording += piece
            }
        } catch {
            throw failure("\(path) cannot be read: \(error.localizedDescription)")
        }
        guard !recording.isEmpty else { throw failure("\(path) is empty; a WAV or FLAC file is expected") }
        guard recording.count <= ControlLimits.uploadBytes else {
            throw failure("\(path) is larger than 64 MiB, the most that is taken")
        }
        return recording
    }

    private static func failure(_ message: String) -> ControlError { ControlError(code: "file", message: message) }
}
