/// A condition did not come true in time, or a program did not do what it should.
package struct NotInTime: Error, CustomStringConvertible {
    /// What was waited for, or what went wrong.
    package let description: String

    /// An error in these words.
    package init(description: String) { self.description = description }
}

/// Waits until `condition` holds.
/// - Parameters:
///   - what: what is waited for, as the error says it; it is asked for only when the time is up.
///   - limit: more than the slowest machine under load needs, since only a failing test waits that long.
/// - Throws: `NotInTime` when it does not hold within `limit`, and what `condition` throws.
package func eventually(
    _ what: @autoclosure () -> String, within limit: Duration = .seconds(60), _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else { throw NotInTime(description: "waited \(limit) for \(what())") }
        try await Task.sleep(for: .milliseconds(2))
    }
}
