import Foundation

/// What `say` and `hear` answer with: the whole trace of the turn.
public typealias TurnResult = TraceRecord

/// What came of a turn.
public enum TurnOutcome: String, Codable, Sendable, Equatable {
    /// It was understood and done.
    case done
    /// It ended in a question; the answer is awaited.
    case asked
    /// It was not understood.
    case fallback
    /// It was cancelled before anything was done.
    case cancelled
    /// It was understood and could not be done.
    case failed
    /// Nothing was said.
    case nothingHeard = "nothing-heard"

    /// True when a command line that asked for this turn has got what it asked for.
    public var isSuccess: Bool { self == .done || self == .asked }
}

/// How sure a handler is of a turn; the values in rising order.
public enum TurnLevel: String, Codable, Sendable, Equatable, CaseIterable {
    /// Not for this handler.
    case none
    /// A keyword alone.
    case low
    /// The classifier's hint with all slots, or a strict keyword rule.
    case medium
    /// A template within the error budget.
    case high
    /// A template matches the whole text.
    case exact
}

/// Everything about one turn.
public struct TraceRecord: Codable, Sendable, Equatable {
    /// How a turn came in.
    public enum Source: String, Codable, Sendable, Equatable {
        /// Spoken, to the microphone or from a recording.
        case voice
        /// Typed.
        case text
    }

    /// Something else that may have been said.
    public struct Alternative: Codable, Sendable, Equatable {
        /// The words.
        public var text: String
        /// 0…1.
        public var confidence: Double

        /// An alternative.
        public init(text: String, confidence: Double) {
            self.text = text
            self.confidence = confidence
        }
    }

    /// What the classifier believes.
    public struct Guess: Codable, Sendable, Equatable {
        /// `handler.intent`.
        public var intent: String
        /// 0…1.
        public var probability: Double

        /// A guess.
        public init(intent: String, probability: Double) {
            self.intent = intent
            self.probability = probability
        }
    }

    /// What a handler offered.
    public struct Proposal: Codable, Sendable, Equatable {
        /// The handler.
        public var handler: String
        /// The intent it saw; nil when it saw none.
        public var intent: String?
        /// How sure it was.
        public var level: TurnLevel

        /// A proposal.
        public init(handler: String, intent: String?, level: TurnLevel) {
            self.handler = handler
            self.intent = intent
            self.level = level
        }
    }

    /// How long a step took.
    public struct Stage: Codable, Sendable, Equatable {
        /// The step, such as `recognise`.
        public var name: String
        /// In milliseconds.
        public var milliseconds: Double

        /// A step.
        public init(name: String, milliseconds: Double) {
            self.name = name
            self.milliseconds = milliseconds
        }
    }

    /// Counts from 1 since the daemon started.
    public var turn: Int
    /// How it came in.
    public var source: Source
    /// What was said, as recognised or typed; empty when nothing was.
    public var transcript: String
    /// What else it may have been, best first.
    public var alternatives: [Alternative]
    /// How it was heard: which recogniser, and why it was believed; nil where nothing is known.
    public var hearing: [String]?
    /// What it says beside a command: its mood, times, conditions, words that nothing accounts for; nil for a plain
    /// command.
    public var meaning: [String]?
    /// The transcript after normalising.
    public var normalised: String
    /// The handler that took it; nil when none did.
    public var handler: String?
    /// The intent as which it was taken; nil when it was none.
    public var intent: String?
    /// How sure that handler was.
    public var level: TurnLevel
    /// 0…1: how sure the decision is; 1 for a template that matched exactly.
    public var confidence: Double
    /// 0…1: how sure the recogniser is of the transcript; 1 for typed text.
    public var recogniserConfidence: Double
    /// The slots' values as text.
    public var slots: [String: String]
    /// The classifier's guesses, best first.
    public var classifier: [Guess]
    /// What each handler offered, in the order asked.
    public var proposals: [Proposal]
    /// What was answered.
    public var reply: String
    /// What came of it.
    public var outcome: TurnOutcome
    /// What was written or published, one line each.
    public var effects: [String]
    /// The steps in order.
    public var stages: [Stage]
    /// When it began; whole seconds on the wire.
    public var startedAt: Date

    /// Which turn it was.
    public struct Origin: Sendable {
        let turn: Int, source: Source, startedAt: Date

        /// - Parameter turn: counts from 1 since the daemon started.
        public init(turn: Int, source: Source, startedAt: Date) {
            (self.turn, self.source, self.startedAt) = (turn, source, startedAt)
        }
    }

    /// What was said, and how it was heard.
    public struct Heard: Sendable {
        let transcript: String, normalised: String, recogniserConfidence: Double
        let alternatives: [Alternative], hearing: [String]?, meaning: [String]?

        /// - Parameters:
        ///   - recogniserConfidence: 0…1.
        ///   - alternatives: what else it may have been, best first.
        ///   - hearing: which recogniser, and why it was believed.
        ///   - meaning: what it says beside a command.
        public init(
            _ transcript: String, normalised: String = "", recogniserConfidence: Double = 1,
            alternatives: [Alternative] = [], hearing: [String]? = nil, meaning: [String]? = nil
        ) {
            (self.transcript, self.normalised) = (transcript, normalised)
            (self.recogniserConfidence, self.alternatives) = (recogniserConfidence, alternatives)
            (self.hearing, self.meaning) = (hearing, meaning)
        }
    }

    /// As what it was taken.
    public struct Interpretation: Sendable {
        let handler: String?, intent: String?, level: TurnLevel, confidence: Double, slots: [String: String]

        /// - Parameter confidence: 0…1.
        public init(
            handler: String?, intent: String? = nil, level: TurnLevel = .none, confidence: Double = 0,
            slots: [String: String] = [:]
        ) {
            (self.handler, self.intent, self.level) = (handler, intent, level)
            (self.confidence, self.slots) = (confidence, slots)
        }

        /// Taken by nobody.
        public static let none = Interpretation(handler: nil)
    }

    /// How that was decided.
    public struct Routing: Sendable {
        let classifier: [Guess], proposals: [Proposal], stages: [Stage]

        /// The guesses, best first; the proposals and the steps in order.
        public init(classifier: [Guess] = [], proposals: [Proposal] = [], stages: [Stage] = []) {
            (self.classifier, self.proposals, self.stages) = (classifier, proposals, stages)
        }
    }

    /// What was done and answered.
    public struct Result: Sendable {
        let reply: String, outcome: TurnOutcome, effects: [String]

        /// - Parameter effects: what was written or published, one line each.
        public init(reply: String, outcome: TurnOutcome, effects: [String] = []) {
            (self.reply, self.outcome, self.effects) = (reply, outcome, effects)
        }
    }

    /// A turn; on the wire the groups' fields stand next to each other.
    public init(
        _ origin: Origin, heard: Heard, interpretation: Interpretation = .none, routing: Routing = Routing(),
        result: Result
    ) {
        (turn, source, startedAt) = (origin.turn, origin.source, origin.startedAt)
        (transcript, normalised) = (heard.transcript, heard.normalised)
        (recogniserConfidence, alternatives, hearing) = (heard.recogniserConfidence, heard.alternatives, heard.hearing)
        meaning = heard.meaning
        (handler, intent, level) = (interpretation.handler, interpretation.intent, interpretation.level)
        (confidence, slots) = (interpretation.confidence, interpretation.slots)
        (classifier, proposals, stages) = (routing.classifier, routing.proposals, routing.stages)
        (reply, outcome, effects) = (result.reply, result.outcome, result.effects)
    }
}

/// How many traces are wanted.
public struct TraceArguments: Codable, Sendable, Equatable, CheckedArguments {
    /// 1…50; nil for one.
    public var count: Int?

    /// How many of the newest are left out, 0…1000000; nil for none.
    public var skip: Int?

    /// The last `count` traces before the newest `skip`.
    public init(count: Int? = nil, skip: Int? = nil) {
        self.count = count
        self.skip = skip
    }

    /// - Throws: when `count` or `skip` is out of range.
    public func check() throws(ControlError) {
        if let skip, !(0...ControlLimits.skippedTraces).contains(skip) {
            throw .badArguments("arguments.skip: 0 to \(ControlLimits.skippedTraces) is expected, not \(skip)")
        }
        guard let count, !(1...ControlLimits.traces).contains(count) else { return }
        throw .badArguments("arguments.count: 1 to \(ControlLimits.traces) is expected, not \(count)")
    }
}

/// Traces, newest first.
public struct TraceResult: Codable, Sendable, Equatable {
    /// The turns.
    public var turns: [TraceRecord]

    /// The traces of `turns`.
    public init(turns: [TraceRecord]) { self.turns = turns }
}
