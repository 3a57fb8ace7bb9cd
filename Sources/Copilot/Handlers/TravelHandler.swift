import Foundation

/// Trips.
enum TravelHandler: Handler {
    static let name = "travel"
    static let intents = ["start_trip", "end_trip", "current_trip", "nights", "list_trips"]

    static func act(on command: Command, in context: HandlerContext) async throws -> Reply {
        let trips = context.stores.trips, replies = context.replies
        switch command.intent {
        case "start_trip":
            guard let destination = command.text("destination") ?? command.text("place") else {
                return Reply(replies("travel.ask_destination"), question: .slot("destination", of: command))
            }
            if let current = try await trips.current() {
                return Reply(replies("travel.under_way", ["destination": current.destination]))
            }
            let name = titled(destination)
            let trip = try await trips.start(Trip(destination: name, start: context.now()))
            return Reply(
                replies("travel.started", ["destination": name]), effects: ["trip: \(trip.id), \(name)"],
                undo: Undo(replies("travel.undo_start", ["destination": name])))
        case "end_trip":
            guard let current = try await trips.current() else { return Reply(replies("travel.none")) }
            guard try await trips.setEnd(context.now(), id: current.id) else { return Reply(replies("travel.none")) }
            var values = nights(of: current, context)
            values["destination"] = current.destination
            return Reply(
                replies("travel.ended", values), effects: ["trip: ended \(current.id)"],
                undo: Undo(replies("travel.undo_end", values)))
        case "current_trip", "nights":
            guard let current = try await trips.current() else { return Reply(replies("travel.none")) }
            var values = nights(of: current, context)
            values["destination"] = current.destination
            return Reply(replies(command.intent == "nights" ? "travel.nights" : "travel.current", values))
        default:
            let all = try await trips.trips()
            guard !all.isEmpty else { return Reply(replies("travel.no_trips")) }
            let shown = all.prefix(5).map(\.destination)
            return Reply(replies("travel.list", ["list": context.spoken.list(shown), "count": "\(all.count)"]))
        }
    }

    private static func nights(of trip: Trip, _ context: HandlerContext) -> [String: String] {
        let calendar = context.calendar
        let days = calendar.dateComponents(
            [.day], from: calendar.startOfDay(for: trip.start), to: calendar.startOfDay(for: context.now()))
        return ["nights": "\(max(0, days.day ?? 0))"]
    }

    private static func titled(_ name: String) -> String {
        name.split(separator: " ").map { word in
            ["the", "of", "and"].contains(word) ? String(word) : word.prefix(1).uppercased() + word.dropFirst()
        }.joined(separator: " ")
    }
}
