import Foundation

/// The daemon's first line.
struct Greeting: Codable, Sendable, Equatable {
    var vanorb: String
    var `protocol`: Int
    /// Nil from a daemon that does not know it.
    var owner: OwnerLocale?
}

/// What every request has; the arguments are decoded once the call is known.
struct RequestHead: Decodable {
    var id: Int?
    var call: String?
    var cancel: Int?
}

/// A request as a client writes it.
struct Request<Arguments: Encodable>: Encodable {
    var id: Int
    var call: String
    var arguments: Arguments
}

/// A request that ends another.
struct CancelRequest: Encodable {
    var cancel: Int
}

/// The arguments within a request. A call whose fields are all optional may be sent without any.
struct RequestBody<Arguments: Decodable>: Decodable {
    var arguments: Arguments?
}

/// The line that answers a call.
struct ResultLine<Value: Codable>: Codable {
    var id: Int
    var result: Value
}

/// A line of a stream.
struct EventLine<Event: Codable>: Codable {
    var id: Int
    var event: Event
}

/// The line that answers what failed; `id` is null where the request's own could not be read.
struct ErrorLine: Encodable {
    var id: Int?
    var error: ControlError

    private enum Key: CodingKey { case id, error }

    /// The line. Numbers and texts can always be written.
    var data: Data { (try? ControlJSON.encode(self)) ?? Data() }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        // Written as null rather than left out, so that every answer has the same shape.
        try container.encode(id, forKey: .id)
        try container.encode(error, forKey: .error)
    }
}

/// An answer as a client reads it, whatever it holds.
struct AnswerLine<Value: Decodable>: Decodable {
    var id: Int?
    var result: Value?
    var error: ControlError?
}

/// A stream's line as a client reads it; a result, whatever it is, ends the stream.
struct StreamLine<Event: Decodable>: Decodable {
    var id: Int?
    var event: Event?
    var error: ControlError?
    var result: Empty?
}
