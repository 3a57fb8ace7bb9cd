import ArgumentParser
import Control

/// `vanorb say`
struct SayCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "say", abstract: "Send a command as text.",
        discussion: """
            Exits 1 if the command was not understood or failed.
            Examples:
              vanorb say log diesel for fifty pounds
              vanorb say "where is the corkscrew?"
            """
    )
    @OptionGroup var global: GlobalOptions
    @Argument(help: "The command; several words need no quotes.") var words: [String]

    func run() async throws {
        try await global.run { client, output in
            let turn = try await client.call(SayCall.self, SayArguments(text: words.joined(separator: " ")))
            try output.show(turn, TurnText.short)
            guard turn.outcome.isSuccess else { throw ExitCode.failure }
        }
    }
}

/// `vanorb hear`
struct HearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hear", abstract: "Recognise a recording in place of the microphone.",
        discussion: "Reads WAV and FLAC. Exits 1 if the command was not understood or failed."
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

/// `vanorb listen`
struct ListenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "listen", abstract: "Listen as after a press, and print the result.",
        discussion: "Exits 1 if the command was not understood or failed."
    )
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.run { client, output in
            let turn = try await client.call(ListenCall.self)
            try output.show(turn, TurnText.short)
            guard turn.outcome.isSuccess else { throw ExitCode.failure }
        }
    }
}

extension PressGesture: ExpressibleByArgument {}

/// `vanorb press`
struct PressCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "press", abstract: "Press the button: a tap, a hold or a double tap."
    )
    @OptionGroup var global: GlobalOptions
    @Argument(help: "tap, hold or double.") var gesture = PressGesture.tap
    @Option(name: .customLong("for"), help: ArgumentHelp("How long a hold lasts.", valueName: "seconds"))
    var seconds: Double?

    func validate() throws {
        do {
            try PressArguments(gesture: gesture, holdSeconds: seconds).check()
        } catch {
            throw ValidationError(
                "--for must be 0.05 to \(Int(ControlLimits.holdSeconds)) seconds, and needs the gesture hold.")
        }
    }

    func run() async throws {
        try await global.acknowledge(
            PressCall.self, PressArguments(gesture: gesture, holdSeconds: seconds)
        )
    }
}

/// `vanorb cancel`
struct CancelCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Cancel the present turn and keep the session open.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(CancelCall.self, Empty()) }
}

/// `vanorb close`
struct CloseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "close", abstract: "Close the session.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(CloseCall.self, Empty()) }
}

/// `vanorb undo`
struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo", abstract: "Undo the last change.",
        discussion: "A risky change, such as unlocking again, needs --yes.")
    @OptionGroup var global: GlobalOptions
    @Flag(help: "Undo risky changes, too.") var yes = false

    func run() async throws { try await global.acknowledge(UndoCall.self, UndoArguments(confirmed: yes)) }
}

/// `vanorb mute`
struct MuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Mute the microphone, until `vanorb unmute` or a hold of 3 s.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(MuteCall.self, Empty()) }
}

/// `vanorb unmute`
struct UnmuteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unmute", abstract: "Unmute the microphone.")
    @OptionGroup var global: GlobalOptions

    func run() async throws { try await global.acknowledge(UnmuteCall.self, Empty()) }
}

/// `vanorb onboarding`
struct OnboardingCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "onboarding", abstract: "Manage the spoken introduction.",
        subcommands: [Reset.self])

    /// `vanorb onboarding reset`
    struct Reset: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "reset", abstract: "Speak the introduction again in the next session.")
        @OptionGroup var global: GlobalOptions

        func run() async throws { try await global.acknowledge(OnboardingResetCall.self, Empty()) }
    }
}
