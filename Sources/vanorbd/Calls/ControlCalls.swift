import AudioALSA
import Control
import Dialogue
import Domain
import Foundation
import Handlers
import Setup
import SignalProcessing
import SoundFiles

/// Registers what each call of the control socket does.
struct ControlCalls {
    let appliance: Appliance
    private let uploads: UploadTable
    private let settings: SettingsCalls
    private let reader: LibSndFileReader

    init(_ appliance: Appliance) throws {
        self.appliance = appliance
        uploads = try UploadTable(folder: appliance.settings.run + "/uploads")
        settings = SettingsCalls(appliance.environment.source, appliance: appliance)
        reader = LibSndFileReader { samples, rate in
            try Resampler.convert(samples, from: rate, to: AudioFormat.sampleRate)
        }
    }

    private var conversation: Conversation { appliance.conversation }
    private var context: HandlerContext { appliance.context }

    /// The table of all calls but those that the server adds.
    func table() -> CallTable {
        var table = CallTable()
        registerAppliance(in: &table)
        registerTurns(in: &table)
        uploads.register(in: &table)
        DeviceCalls(van: appliance.connection.van, typed: TypedDevices(conversation)).register(in: &table)
        OwnerCalls(context: context, conversation: conversation).register(in: &table)
        LedgerCalls(conversation, context).register(in: &table)
        ItemCalls(conversation, context).register(in: &table)
        ModeCalls(conversation).register(in: &table)
        ListCalls(conversation).register(in: &table)
        TripCalls(conversation, context).register(in: &table)
        ScreenCalls(context).register(in: &table)
        appliance.dialogue.words.register(in: &table)
        TableCalls(appliance: appliance, uploads: uploads).register(in: &table)
        BackupCalls(appliance: appliance, uploads: uploads).register(in: &table)
        table.register(SettingsCall.self) { [settings] _ in try await settings.list() }
        table.register(SettingShowCall.self) { [settings] in try await settings.show($0) }
        table.register(SettingChangeCall.self) { [settings] in try await settings.change($0) }
        table.register(LanguagesCall.self) { [settings] _ in try await settings.languages() }
        return table
    }

    private func registerAppliance(in table: inout CallTable) {
        let conversation = conversation
        table.register(VersionCall.self) { _ in VersionResult(version: Release.version) }
        table.register(StatusCall.self) { [self] _ in await status() }
        table.register(MuteCall.self) { _ in
            await conversation.mute()
            return Acknowledgement(message: "Muted: the microphone stays closed.")
        }
        table.register(UnmuteCall.self) { _ in
            await conversation.unmute()
            return Acknowledgement(message: "Unmuted.")
        }
        table.register(OnboardingResetCall.self) { _ in
            await conversation.introduceAgain()
            return Acknowledgement(message: "The introduction is spoken when the button opens the next session.")
        }
    }

    private func registerTurns(in table: inout CallTable) {
        let conversation = conversation, traceLog = appliance.storage.traceLog
        table.register(SayCall.self) { TraceRecord(await conversation.say($0.text)) }
        table.registerForConnection(HearFinishCall.self) { [self] arguments, connection in
            let name = try await uploads.name(of: arguments.upload, on: connection)
            return try await uploads.use(arguments.upload, on: connection) { try await hear($0, called: name) }
        }
        table.register(PressCall.self) { [self] in try await press($0) }
        table.register(CancelCall.self) { _ in
            await conversation.cancel()
            return Acknowledgement(message: "Cancelled.")
        }
        table.register(CloseCall.self) { _ in
            await conversation.close()
            return Acknowledgement(message: "The session is closed.")
        }
        table.register(UndoCall.self) { arguments in
            let trace = await conversation.services.typed.undo(isConfirmed: arguments.confirmed == true)
            guard trace.outcome != .asked else { return .asking(trace.reply) }
            return Acknowledgement(done: trace.outcome == .done && !trace.effects.isEmpty, message: trace.reply)
        }
        table.register(HistoryCall.self) { _ in
            HistoryResult(entries: await conversation.services.recorder.history.map { .init($0) })
        }
        table.register(TraceCall.self) { arguments in
            let memory = await conversation.services.recorder.traces.reversed().map { TraceRecord($0) }
            return TraceResult(
                turns: try await traceLog.turns(memory, count: arguments.count ?? 1, skipping: arguments.skip ?? 0))
        }
    }

    private var brokerDetail: String {
        get async {
            let van = appliance.connection.van
            guard van.isConnected, let broker = appliance.settings.broker else {
                return await van.connectionDetail
            }
            return "\(broker.host):\(broker.port)"
        }
    }

    /// Feeds a recording to the microphone. The upload may be WAV or FLAC of any rate; what ALSA
    /// captures is raw samples.
    private func hear(_ upload: String, called name: String) async throws -> TraceRecord {
        let raw = "\(upload).raw"
        defer { try? FileManager.default.removeItem(atPath: raw) }
        do {
            let samples = try reader.read(path: upload)
            try samples.withUnsafeBytes { try Data($0).write(to: URL(filePath: raw)) }
        } catch let failure as SoundFileFailure {
            throw ControlError(code: ControlError.Code.badArguments, message: "\(name): \(failure.message)")
        }
        guard let trace = await conversation.hear(.recording(path: raw)) else {
            throw ControlError(
                code: ControlError.Code.failed, message: "VanOrb is muted. Run `vanorb unmute`."
            )
        }
        return TraceRecord(trace)
    }

    private func press(_ arguments: PressArguments) async throws -> Acknowledgement {
        switch arguments.gesture {
        case .tap:
            await conversation.press(.pressed)
            await conversation.press(.released)
        case .double:
            for _ in 0..<2 {
                await conversation.press(.pressed)
                await conversation.press(.released)
            }
        case .hold:
            await conversation.press(.pressed)
            // A client that hangs up releases the button.
            try? await Task.sleep(for: .seconds(arguments.holdSeconds ?? 1))
            await conversation.press(.released)
        }
        return Acknowledgement(message: "Pressed.")
    }

    private func status() async -> StatusResult {
        let (phrases, names) = await conversation.services.vocabulary.counts
        let parts = appliance.health.all.map {
            PartStatus(
                name: $0.name, state: PartStatus.State(rawValue: $0.state.rawValue) ?? .failed, detail: $0.detail,
                advice: $0.advice)
        }
        let peripherals = appliance.peripherals
        return StatusResult(
            process: .init(
                version: Release.version, uptimeSeconds: appliance.started.duration(to: .now).seconds,
                residentBytes: ProcessFacts.residentBytes, cpuSeconds: ProcessFacts.cpuSeconds),
            activity: .init(
                state: ApplianceState(await conversation.state), muted: await conversation.isMuted,
                mode: try? await context.stores.kept.value("mode")),
            bus: BusStatus(connected: appliance.connection.van.isConnected, detail: await brokerDetail),
            parts: parts + [await settings.status()],
            speech: .init(
                recogniser: peripherals.recognisers.streamingRecogniser.name,
                voice: try? await peripherals.voice.voiceInUse(owners: conversation.services.profile.voice.voice)),
            counts: .init(devices: names[.device].count, items: names[.item].count, phrases: phrases))
    }
}

/// Calls of attached screens.
struct ScreenCalls {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    func register(in table: inout CallTable) {
        table.register(ScreenShowCall.self) { [context] view in
            let number = context.screens.attach(
                ScreenView(
                    tab: view.tab, thing: view.thing, name: view.name, place: view.place, count: view.count,
                    canGoBack: view.canGoBack))
            defer { context.screens.detach(number) }
            // Until the caller hangs up.
            while !Task.isCancelled { try await Task.sleep(for: .seconds(3_600)) }
            return Acknowledgement(message: "The screen is detached.")
        }
        table.register(StarsCall.self) { [context] _ in
            StarsResult(stars: try await context.stores.stars.stars().sorted())
        }
    }
}
