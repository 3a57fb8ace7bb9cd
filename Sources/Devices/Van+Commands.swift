/// Commands: sent at once or never, and confirmed by the device's state.
extension Van {
    /// Turns a device on or off and waits for its state to confirm it. What cannot be sent now is never sent.
    public func turn(_ device: Device, on isOn: Bool) async -> CommandOutcome {
        await carryOut(isOn ? .on : .off, on: device)
    }

    /// Sends a command and waits for the device's state to confirm it. What cannot be sent now is never sent.
    public func carryOut(_ command: DeviceCommand, on device: Device) async -> CommandOutcome {
        let report = report(on: device)
        if device.isMissing { return isConnected ? .offline : .unreachable(disconnection) }
        let plan: CommandPlan
        do { plan = try device.plan(for: command, report) } catch { return error.outcome }
        guard let bus, bus.isConnected else { return .unreachable(disconnection) }
        guard report.isAvailable else { return .offline }
        if isAlready(plan, device, report) { return .already }
        // A turn that was dropped meanwhile sends nothing any more.
        guard !Task.isCancelled else { return .unreachable("the turn was dropped") }
        guard plan.aspect != nil else {
            var acknowledged = 0
            do {
                for (topic, payload) in plan.messages {
                    try await bus.publish(topic: topic, payload: payload, retain: false)
                    acknowledged += 1
                }
                return .sent
            } catch { return acknowledged > 0 ? .unconfirmed : .unreachable("\(error)") }
        }
        // The answer may arrive before the broker's acknowledgement: listen first, then send.
        let number = nextWaiter
        nextWaiter += 1
        // Taken here: an argument of the child task is evaluated when that begins, which may be after the answer.
        let start = ContinuousClock.now
        async let answer = confirmation(number, device: device.id, plan, since: start)
        var acknowledged = 0
        do {
            for (topic, payload) in plan.messages {
                try await bus.publish(topic: topic, payload: payload, retain: false)
                acknowledged += 1
            }
        } catch {
            if waiters[number] == nil { abandoned.insert(number) }
            giveUp(number)
            let confirmation = await answer
            abandoned.remove(number)
            // The device's state decides: perhaps only the acknowledgement was lost.
            switch confirmation {
            case .done: return .confirmed
            case .begun: return .begun
            case .no: return acknowledged > 0 ? .unconfirmed : .unreachable("\(error)")
            }
        }
        switch await answer {
        case .done: return .confirmed
        case .begun: return .begun
        case .no: return .unconfirmed
        }
    }

    private func isAlready(_ plan: CommandPlan, _ device: Device, _ report: DeviceReport) -> Bool {
        guard plan.isState, let aspect = plan.aspect, !report.isStale else { return false }
        if plan.isWhileOn, report.state == .off { return false }
        let state = aspect == .main ? report.state : records[device.id]?.readings[aspect]?.state ?? .unknown
        return plan.confirms(state) == .done
    }

    /// Whether what a device has reported since then confirms a command.
    package func answer(
        to plan: CommandPlan, _ device: String, since start: ContinuousClock.Instant
    ) -> Confirmation {
        guard let aspect = plan.aspect, let readings = records[device]?.readings, let reading = readings[aspect],
            reading.arrival >= start
        else { return .no }
        if plan.isWhileOn, readings[.main]?.state == .off { return .no }
        return plan.confirms(reading.state)
    }

    private func confirmation(
        _ number: Int, device: String, _ plan: CommandPlan, since start: ContinuousClock.Instant
    ) async -> Confirmation {
        // Both may have happened before this call came to run.
        let answer = answer(to: plan, device, since: start)
        if answer != .no { return answer }
        if abandoned.remove(number) != nil { return .no }
        let limit = confirmationLimit, clock = clock
        let timeout = Task { [weak self] in
            try? await clock.sleep(for: limit)
            await self?.giveUp(number)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { continuation in
            waiters[number] = Waiter(device: device, plan: plan, start: start, continuation: continuation)
        }
    }

    private func giveUp(_ number: Int) {
        if let waiter = waiters.removeValue(forKey: number) {
            waiter.continuation.resume(returning: .no)
        }
    }
}
