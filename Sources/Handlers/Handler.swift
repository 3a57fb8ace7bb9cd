import Domain
import Foundation
import Language

/// What speaks for a domain: a handler, or a part of one that does one kind of thing with the stores that it takes.
public protocol HandlerPart: Sendable {
    /// Texts, calendar, currency and time.
    var environment: HandlerEnvironment { get }
}

/// Acts on the commands of one domain, with the stores and devices of that domain only. `HandlerTable` builds each.
public protocol Handler: HandlerPart {
    /// Its name in phrasebooks, traces and evaluations.
    static var name: String { get }
    /// The intents that it acts on.
    static var intents: [String] { get }
    /// Takes what it works with out of the context.
    init(_ context: HandlerContext)
    /// Acts, and answers once the change is on the disk or the device has confirmed it.
    /// - Throws: `HandlerFailure` to say something particular; any other error becomes the general apology.
    func act(on command: Command) async throws -> Reply
}

extension Handler {
    /// Acts on a command with what the context has.
    /// - Throws: as `act(on:)`.
    public static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        try await Self(context).act(on: command)
    }
}

/// A failure that is reported to the owner in the handler's own words.
public struct HandlerFailure: Error, Sendable {
    /// The reply.
    public let replyKey: String
    /// For the log.
    public let detail: String

    package init(replyKey: String, detail: String) {
        self.replyKey = replyKey
        self.detail = detail
    }
}

// Shorthand for what most replies need.
extension HandlerPart {
    package var replies: Replies { environment.replies }
    package var spoken: SpokenForms { environment.spoken }
    package var calendar: Calendar { environment.region.calendar }
    package var homeCurrency: String { environment.region.currency }
    package func now() -> Date { environment.time.now() }
}
