import ArgumentParser
import Control

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
            let recording = try FileSending(file, expected: "a WAV or FLAC file")
            let turn = try await client.connected { connection in
                let upload = try await recording.send(on: connection)
                return try await connection.call(HearFinishCall.self, HearFinishArguments(upload: upload))
            }
            try output.show(turn, TurnText.short)
            guard turn.outcome.isSuccess else { throw ExitCode.failure }
        }
    }
}
