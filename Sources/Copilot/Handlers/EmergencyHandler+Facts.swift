import Foundation

/// What an emergency's reply is made of, as far as it can be had at once.
struct EmergencyFacts: Sendable {
    /// Where the van is or was last.
    let whereabouts: Whereabouts?
    /// The country of that place, ISO 3166 alpha-2; nil where only the setting tells.
    let country: String?
    /// The numbers to call.
    let numbers: EmergencyNumbers
    /// Places, with their articles.
    let firstAidKit: String?, extinguisher: String?
    /// What the owner wants helpers to know.
    let medicalNotes: String?
    /// Of the trip under way.
    let destination: String?

    /// How long the reply waits for any of it. All is asked for at once.
    private static let patience = Duration.seconds(1)

    /// Asks for everything; what does not answer is left out.
    static func gather(_ context: HandlerContext) async -> EmergencyFacts {
        let stores = context.stores
        async let here = Whereabouts.find(context, within: patience)
        async let items = Promptly.value(within: patience) { try await stores.manifest.items() }
        async let notes = Promptly.value(within: patience) { try await stores.kept.value("medical_notes") }
        async let trip = Promptly.value(within: patience) { try await stores.trips.current() }
        let aboard = await items ?? [], place = await here
        let country = place?.country
        let text = await notes
        return EmergencyFacts(
            whereabouts: place, country: country?.code, numbers: numbers(country, context),
            firstAidKit: Self.place("emergency.item_first_aid", aboard, context),
            extinguisher: Self.place("emergency.item_extinguisher", aboard, context),
            medicalNotes: text?.isEmpty == false ? text : nil, destination: await trip?.destination)
    }

    /// The same facts with another country's numbers.
    func abroad(_ code: String, _ numbers: EmergencyNumbers) -> EmergencyFacts {
        EmergencyFacts(
            whereabouts: whereabouts, country: code, numbers: numbers, firstAidKit: firstAidKit,
            extinguisher: extinguisher, medicalNotes: medicalNotes, destination: destination)
    }

    /// The numbers of the country that the van is in, else of the setting's. So near a border that it may be in
    /// another, 112 where all of them have it.
    private static func numbers(_ guess: CountryGuess?, _ context: HandlerContext) -> EmergencyNumbers {
        let own = EmergencyNumbers.of(guess?.code ?? context.country) ?? .international
        guard let near = guess?.near, !near.isEmpty, own.hasInternational else { return own }
        let allHaveIt = near.allSatisfy { EmergencyNumbers.of($0)?.hasInternational == true }
        return allHaveIt ? .international : own
    }

    private static func place(_ key: String, _ items: [Item], _ context: HandlerContext) -> String? {
        let words = context.replies(key).lowercased()
        let item = items.first { item in
            item.place != nil && ([item.name] + item.aliases).contains { $0.lowercased().contains(words) }
        }
        return item?.place.map { context.spoken.the($0) }
    }
}
