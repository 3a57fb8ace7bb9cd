import Domain
import Handlers
import Foundation

/// From the commands to what was done.
extension Conversation {
    /// What may be said between a question and its answer: the question stays.
    private static let asides: Set<String> = ["repeat", "slower", "faster", "louder", "quieter"]

    /// How long an action for the screens waits for the one before.
    private static let showingPatience = Duration.seconds(5)

    /// Carries out commands in their order. Where one asks back, the rest waits for the answer.
    /// - Throws: the first command's error; that of a later one is told behind what was done.
    func carryOut(_ commands: [Command], _ turn: Int, isStep: Bool) async throws -> Reply {
        let asked = open.question
        let isAside =
            commands.count == 1 && commands[0].handler == SessionIntents.name
            && Self.asides.contains(commands[0].intent)
        if !isAside { open.dropQuestion() }
        var all: Reply?
        for (number, command) in commands.enumerated() {
            // A press in the middle: nothing more is written or sent.
            guard isCurrent(turn) else { return dropped(behind: all) }
            var reply: Reply
            do {
                guard let done = try await changing(by: command, turn) else { return dropped(behind: all) }
                reply = done
            } catch {
                guard let done = all else { throw error }
                guard isCurrent(turn) else { return dropped(behind: done) }
                logger.error("the command failed: \(error)")
                let key = (error as? HandlerFailure)?.replyKey ?? LookUps.failureKey(for: command)
                return done.followed(by: .failed(text(key)))
            }
            await followMode()
            if reply.changesNames { refreshNames() }
            if isAside, let asked { reply.question = asked }
            if isCurrent(turn) { note(command, reply, isStep: isStep) }
            all = all?.followed(by: reply) ?? reply
            if open.question != nil, !isAside {
                open.rest = Array(commands[(number + 1)...])
                break
            }
        }
        return all ?? Reply("")
    }

    /// The reply to a turn that was dropped before all of its commands were carried out.
    private func dropped(behind done: Reply?) -> Reply {
        done?.followed(by: .failed(text("general.rest_left"))) ?? Reply("")
    }

    /// Acts, and names the change in the journal. What moves devices alone waits for nobody.
    /// - Returns: nil where the turn was dropped before its turn came.
    private func changing(by command: Command, _ turn: Int) async throws -> Reply? {
        let isJournalled = Self.changesData(command)
        let act: @Sendable () async throws -> Reply? = {
            guard await self.isCurrent(turn) else { return nil }
            do {
                let reply = try await self.acting(on: command)
                await self.remember(changeOf: reply, isJournalled: isJournalled)
                return reply
            } catch {
                guard isJournalled, let saved = await self.saved(despite: error, command) else { throw error }
                return saved
            }
        }
        return try await isJournalled ? performExclusively(of: turn, act) : act()
    }

    /// False for commands that leave the owner's data as they are.
    static func changesData(_ command: Command) -> Bool {
        switch command.handler {
        case VanHandler.name, EmergencyHandler.name: false
        // An undo takes back what others have written: never while one of them writes.
        case SessionIntents.name: SessionIntents.changingIntents.contains(command.intent)
        default: true
        }
    }

    /// The reply where a handler failed behind its commit: what is committed is done. The journal knows what was.
    /// - Returns: nil where nothing was written.
    func saved(despite error: any Error, _ command: Command) async -> Reply? {
        let description = text("general.last_change")
        do {
            guard let number = try await parts.context.stores.journal.seal(description) else { return nil }
            logger.error("\(command.handler).\(command.intent) was written, and failed behind it: \(error)")
            remember(change: number, description)
            return Reply(
                text("general.saved_all_the_same"), effects: ["written: \(command.handler), change \(number)"],
                changesNames: true)
        } catch let second {
            logger.error("whether \(command.handler).\(command.intent) was written is not known: \(second)")
            return nil
        }
    }

    /// Remembers what the next utterance may lean on.
    private func note(_ command: Command, _ reply: Reply, isStep: Bool) {
        if command.handler != SessionIntents.name {
            var about = command
            about.slots.merge(reply.subject) { mine, _ in mine }
            last = about
        }
        switch reply.question {
        case .steps(let commands): open.walk(commands, of: command.handler, at: elapsed())
        case nil where isStep: open.endWalk(of: command.handler)
        case nil: open.endStoppable(of: command.handler)
        default: open.question = reply.question
        }
    }

    /// Acts in a task of its own, which dropping the turn cancels.
    private func acting(on command: Command) async throws -> Reply {
        let task = Task { try await self.act(command) }
        action = task
        defer { action = nil }
        return try await task.value
    }

    package func act(_ command: Command) async throws -> Reply {
        if command.handler == SessionIntents.name { return try await SessionIntents.act(command, in: self) }
        guard let handler = HandlerTable.handler(command.handler) else {
            throw HandlerFailure(replyKey: "general.failed", detail: "no handler called \(command.handler)")
        }
        return try await handler.act(on: command, in: parts.context)
    }

    /// Tells the attached screens and the bus what to show, one after the other.
    package func show(_ action: AppAction) {
        emit(.action(action))
        guard let bus = parts.context.bus, bus.isConnected, let payload = action.json else { return }
        let before = showing, logger = logger, clock = clock
        showing = Task {
            // A broker that does not answer must not keep the screens dark for ever.
            _ = await withTimeout(Self.showingPatience, clock: clock) { await before?.value }
            do { try await bus.publish(topic: AppAction.topic, payload: payload, retain: false) } catch {
                logger.warning("the action was not published: \(error)")
            }
        }
    }
}

extension Reply {
    /// Two replies as one: what both say and did, the colours and the question of the second.
    package func followed(by next: Reply) -> Reply {
        var both = next
        both.text = [text, next.text].filter { !$0.isEmpty }.joined(separator: " ")
        both.effects = effects + next.effects
        both.undo = nil
        both.question = next.question ?? question
        both.action = next.action ?? action
        both.closesSession = closesSession || next.closesSession
        both.changesNames = changesNames || next.changesNames
        both.mutes = mutes || next.mutes
        if outcome == .failed { both.outcome = .failed }
        return both
    }
}
