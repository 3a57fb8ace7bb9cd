/// Commands: sent at once or never, and believed when the device says so.
extension Van {
    /// Turns a device on or off and waits for its state to say so. What cannot be sent now is never sent.
    public func turn(_ device: Device, on isOn: Bool) async -> CommandOutcome {
        await carryOut(isOn ? .on : .off, on: device)
    }

    /// Tells a device something and waits for its state to say so. What cannot be sent now is never sent.
    public func carryOut(_ command: DeviceCommand, on device: Device) async -> CommandOutcome {
        let report = report(on: device)
        if device.isMissing { return isConnected ? .offline : .unreachable(disconnection) }
        let order: DeviceOrder
        do { order = try device.order(for: command, report) } catch { return error.outcome }
        guard let bus, bus.isConnected else { return .unreachable(disconnection) }
        guard report.isAvailable else { return .offline }
        if isSoAlready(order, device, report) { return .already }
        // A turn that was dropped meanwhile sends nothing any more.
        guard !Task.isCancelled else { return .unreachable("the turn was dropped") }
        guard let aspect = order.aspect else {
            do {
                for (topic, payload) in order.messages {
                    try await bus.publish(topic: topic, payload: payload, retain: false)
                }
                return .told
            } catch { return .unreachable("\(error)") }
        }
        // The answer may arrive before the broker's acknowledgement: listen first, then send.
        let number = nextWaiter
        nextWaiter += 1
        // Taken here: an argument of the child task is evaluated when that begins, which may be after the answer.
        let start = ContinuousClock.now
        async let answer = confirmation(number, device: device.id, aspect, order.confirms, since: start)
        do {
            for (topic, payload) in order.messages {
                try await bus.publish(topic: topic, payload: payload, retain: false)
            }
        } catch {
            if waiters[number] == nil { abandoned.insert(number) }
            giveUp(number)
            _ = await answer
            abandoned.remove(number)
            return .unreachable("\(error)")
        }
        switch await answer {
        case .done: return .confirmed
        case .begun: return .begun
        case .no: return .unconfirmed
        }
    }

    private func isSoAlready(_ order: DeviceOrder, _ device: Device, _ report: DeviceReport) -> Bool {
        guard order.isState, let aspect = order.aspect, !report.isStale else { return false }
        // A lamp's brightness is kept while it is off; only a lamp that is on is at it.
        if aspect == .level, device.canSwitch, report.state == .off { return false }
        let state = aspect == .main ? report.state : records[device.id]?.readings[aspect]?.state ?? .unknown
        return order.confirms(state) == .done
    }

    private func confirmation(
        _ number: Int, device: String, _ aspect: Aspect,
        _ confirms: @escaping @Sendable (DeviceReport.State) -> Confirmation, since start: ContinuousClock.Instant
    ) async -> Confirmation {
        // Both may have happened before this call came to run.
        if abandoned.remove(number) != nil { return .no }
        if let reading = records[device]?.readings[aspect], reading.arrival >= start {
            let answer = confirms(reading.state)
            if answer != .no { return answer }
        }
        let limit = confirmationLimit
        let timeout = Task { [weak self] in
            try? await Task.sleep(for: limit)
            await self?.giveUp(number)
        }
        defer { timeout.cancel() }
        return await withCheckedContinuation { continuation in
            waiters[number] = Waiter(device: device, aspect: aspect, confirms: confirms, continuation: continuation)
        }
    }

    private func giveUp(_ number: Int) {
        if let waiter = waiters.removeValue(forKey: number) {
            waiter.continuation.resume(returning: .no)
        }
    }
}
