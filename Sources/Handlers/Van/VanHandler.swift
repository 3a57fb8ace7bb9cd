import Domain
import Language
import Devices

/// The van's devices: commands, and what they are doing. It speaks of success only when a device's state says so.
package struct VanHandler: Handler {
    package static let name = HandlerName.van
    package static let intents = VanIntent.names

    let van: Van
    /// Holds the mode: in an empty van, heat has to be confirmed.
    let kept: any KeptValueStore
    package let environment: HandlerEnvironment

    /// How devices are put into words.
    package var phrasing: DevicePhrasing { DevicePhrasing(environment: environment) }
    /// Which devices are meant, and what they are called.
    package var resolver: DeviceResolver { DeviceResolver(van: van, environment: environment) }
    /// Sends commands, and takes them back.
    package var commander: DeviceCommander { DeviceCommander(van: van, kept: kept, environment: environment) }
    /// Answers questions.
    private var questions: DeviceQuestions { DeviceQuestions(van: van, environment: environment) }

    package func act(on command: Command) async throws -> Reply {
        var reply =
            switch try VanIntent(command) {
            case .request(let request, let target): try await carryOut(request, target, command)
            case .incomplete(let slot): ask(for: slot, command)
            case .only(let target): try await leaveOnly(target, command)
            case .runScene(let scene, let area): try await runScene(scene, in: area, command)
            case .state(let question): await questions.state(question, command)
            case .value(let measurement): await questions.value(measurement, command)
            case .listOn(let target): await questions.listOn(target)
            case .listOpen(let target): await questions.listOpen(target)
            case .listOffline: await questions.listOffline()
            case .timeLeft(let toFull): await questions.timeLeft(toFull: toFull)
            }
        reply.palette = .van
        return reply
    }

    /// A command to one device or to several.
    private func carryOut(
        _ request: DeviceRequest, _ reference: VanIntent.TargetReference, _ command: Command
    ) async throws -> Reply {
        switch resolver.targets(reference, for: request, command) {
        case .reply(let reply): return reply
        case .one(let device):
            return try await commander.carryOut(phrasing.moving(request, device), on: device, command)
        case .many(let devices, let said):
            return try await commander.carryOut(
                request, onAll: devices, said, isEverything: reference.isEverything, command)
        }
    }

    /// “Only the reading light”: it on, and the other lights off.
    private func leaveOnly(_ reference: VanIntent.TargetReference, _ command: Command) async throws -> Reply {
        let kept: [Device]
        switch resolver.targets(reference, for: .turn(true), command) {
        case .reply(let reply): return reply
        case .one(let device): kept = [device]
        case .many(let devices, _): kept = devices
        }
        // “Only the fridge” says of nothing else what it is to do, and perhaps not of the fridge.
        if let other = kept.first(where: { $0.kind != .light }), !command.isConfirmed {
            return Reply(replies("van.confirm_on", phrasing.names(other)), question: .confirmation(of: command))
        }
        let ids = Set(kept.map(\.id)), isOfLights = kept.allSatisfy { $0.kind == .light }
        let others = van.devices.filter { isOfLights && $0.kind == .light && $0.canSwitch && !ids.contains($0.id) }
        let requests = kept.map { ($0, DeviceRequest.turn(true)) } + others.map { ($0, .turn(false)) }
        return try await commander.carryOut(requests, replies("van.lights").spoken, isEverything: false, command)
    }

    /// Asks for the value that a device is to be set to.
    private func ask(for slot: VanIntent.Slot, _ command: Command) -> Reply {
        let key =
            switch slot {
            case .temperature: "van.ask_temperature"
            case .option: "van.ask_option"
            case .colour: "van.ask_colour"
            default: "van.ask_level"
            }
        return Reply(replies(key), question: VanIntent.question(for: slot, of: command))
    }
}
