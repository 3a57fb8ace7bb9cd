import Domain

/// Which intents only look something up in the owner's data, so that a store that fails is told of in fitting words.
package enum LookUps {
    private static let intents: [String: Set<String>] = [
        "finance": [
            "balance", "spent", "biggest_expense", "average_per_day", "runway", "budget_left", "list_recent",
            "trip_cost",
        ],
        "manifest": ["find_item", "have_item", "list_place", "count_items", "total_weight", "payload_left"],
        "modes": ["get_mode", "list_modes", "check_mode"],
        "checklist": ["list_left", "next_task", "read_list", "list_lists"],
        "travel": [
            "current_trip", "distance", "nights", "countries", "list_trips", "trip_stats", "fuel_use", "where_am_i",
        ],
    ]

    /// What is said where the store has failed a command.
    package static func failureKey(for command: Command?) -> String {
        guard let command, intents[command.handler]?.contains(command.intent) == true else {
            return "general.store_failed"
        }
        return "general.look_up_failed"
    }
}
