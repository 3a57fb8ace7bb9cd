import Domain
import Dialogue
import AudioALSA
import Control
import Foundation
import Setup
import SignalProcessing
import SoundFiles

/// What each call of the control socket does.
struct ControlCalls {
    let appliance: Appliance
    private let uploads: UploadTable
    private let settings: SettingsCalls
    private let reader: LibSndFileReader

    init(appliance: Appliance) throws {
        self.appliance = appliance
        uploads = try UploadTable(folder: appliance.settings.run + "/uploads")
        settings = SettingsCalls(appliance.source, appliance: appliance)
        reader = LibSndFileReader { samples, rate in
            try Resampler.convert(samples, from: rate, to: AudioFormat.sampleRate)
        }
    }

    /// The table of all calls but `events.watch`, which the server adds.
    func table() -> CallTable {
        var table = CallTable()
        let conversation = appliance.conversation, uploads = uploads, traceLog = appliance.traceLog
        table.register(VersionCall.self) { _ in VersionResult(version: Release.version) }
        table.register(StatusCall.self) { [self] _ in await status() }
        table.register(SayCall.self) { TraceRecord(await conversation.say($0.text)) }
        uploads.register(in: &table)
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
        table.register(MuteCall.self) { _ in
            await conversation.mute()
            return Acknowledgement(message: "Muted: the microphone stays closed.")
        }
        table.register(UnmuteCall.self) { _ in
            await conversation.unmute()
            return Acknowledgement(message: "Listening again.")
        }
        table.register(OnboardingResetCall.self) { _ in
            await conversation.introduceAgain()
            return Acknowledgement(message: "The introduction is spoken at the next press that opens a session.")
        }
        table.register(UndoCall.self) { arguments in
            let trace = await conversation.undo(isConfirmed: arguments.confirmed == true)
            guard trace.outcome != .asked else { return .asking(trace.reply) }
            return Acknowledgement(done: trace.outcome == .done && !trace.effects.isEmpty, message: trace.reply)
        }
        table.register(HistoryCall.self) { _ in
            HistoryResult(entries: await conversation.history.map { .init($0) })
        }
        table.register(TraceCall.self) { arguments in
            let memory = await conversation.traces.reversed().map { TraceRecord($0) }
            return TraceResult(
                turns: try await traceLog.turns(memory, count: arguments.count ?? 1, skipping: arguments.skip ?? 0))
        }
        let stores = appliance.context.stores
        table.register(ItemsListCall.self) { _ in
            ItemsListResult(items: try await stores.manifest.items().map { ItemRow($0) })
        }
        let devices = DeviceCalls(van: appliance.van, typed: TypedDevices(conversation))
        table.register(DevicesListCall.self) { _ in await devices.list() }
        table.register(DeviceShowCall.self) { try await devices.show($0) }
        table.register(DeviceSetCall.self) { try await devices.set($0) }
        table.register(DevicesTestCall.self) { _ in await devices.test() }
        table.register(DeviceForgetCall.self) { try await devices.forget($0) }
        table.register(DevicesPurgeCall.self) { try await devices.purge($0) }
        let owner = OwnerCalls(context: appliance.context, conversation: conversation)
        table.register(VehicleCall.self) { _ in try await owner.vehicle() }
        table.register(VehicleSetCall.self) { try await owner.set($0) }
        table.register(RatesCall.self) { _ in try await owner.rates() }
        table.register(RateSetCall.self) { try await owner.set($0) }
        LedgerCalls(conversation, appliance.context).register(in: &table)
        ItemCalls(conversation).register(in: &table)
        ModeCalls(conversation).register(in: &table)
        ListCalls(conversation).register(in: &table)
        TripCalls(conversation, appliance.context).register(in: &table)
        ScreenCalls(appliance.context).register(in: &table)
        let words = appliance.words
        table.register(WordsCall.self) { try await words.list($0) }
        table.register(WordSpeakCall.self) { try await words.speak($0) }
        table.register(WordSetCall.self) { try await words.set($0) }
        let tables = TableCalls(appliance: appliance, uploads: uploads)
        table.registerForConnection(ImportStream.self) { tables.importing($0, on: $1) }
        table.register(ExportStream.self) { try await tables.exporting($0) }
        let backups = BackupCalls(appliance: appliance, uploads: uploads)
        table.register(BackupMakeCall.self) { _ in try await backups.make() }
        table.register(BackupListCall.self) { _ in backups.list() }
        table.registerForConnection(RestorePlanCall.self) { try await backups.plan($0, on: $1) }
        table.registerForConnection(RestoreCall.self) { try await backups.restore($0, on: $1) }
        table.register(SettingsCall.self) { [settings] _ in try await settings.list() }
        table.register(SettingShowCall.self) { [settings] in try await settings.show($0) }
        table.register(SettingChangeCall.self) { [settings] in try await settings.change($0) }
        table.register(LanguagesCall.self) { [settings] _ in try await settings.languages() }
        return table
    }

    private var brokerDetail: String {
        get async {
            guard appliance.van.isConnected, let broker = appliance.settings.broker else {
                return await appliance.van.connectionDetail
            }
            return "\(broker.host):\(broker.port)"
        }
    }

    /// Lets the microphone hear a recording in place of the room. The upload may be WAV or FLAC of any rate; what ALSA
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
        guard let trace = await appliance.conversation.hear(.recording(path: raw)) else {
            throw ControlError(
                code: ControlError.Code.failed, message: "The microphone did not open: VanOrb is muted (vanorb unmute)."
            )
        }
        return TraceRecord(trace)
    }

    private func press(_ arguments: PressArguments) async throws -> Acknowledgement {
        let conversation = appliance.conversation
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
            // A caller that goes away lets the button go.
            try? await Task.sleep(for: .seconds(arguments.holdSeconds ?? 1))
            await conversation.press(.released)
        }
        return Acknowledgement(message: "Pressed.")
    }

    private func status() async -> StatusResult {
        let conversation = appliance.conversation
        let (phrases, names) = await conversation.vocabularyCounts
        let mode = try? await appliance.context.stores.kept.value("mode")
        return StatusResult(
            version: Release.version, state: ApplianceState(await conversation.state),
            muted: await conversation.isMuted,
            mode: mode,
            bus: BusStatus(connected: appliance.van.isConnected, detail: await brokerDetail),
            parts: appliance.health.all.map {
                PartStatus(
                    name: $0.name, state: PartStatus.State(rawValue: $0.state.rawValue) ?? .failed, detail: $0.detail,
                    advice: $0.advice)
            } + [await settings.status()], recogniser: appliance.recogniser.name,
            voice: try? await appliance.voice.voiceInUse(owners: conversation.voice.voice),
            devices: names[.device].count, items: names[.item].count, phrases: phrases,
            uptimeSeconds: appliance.started.duration(to: .now).seconds,
            residentBytes: ProcessFacts.residentBytes, cpuSeconds: ProcessFacts.cpuSeconds)
    }
}
