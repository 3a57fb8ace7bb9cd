import Domain
import Foundation

/// What an emergency's reply is made of, as far as it can be had at once.
struct EmergencyFacts: Sendable {
    /// Where the van is or was last.
    let whereabouts: Whereabouts?
    /// The country that the numbers are known to be of, ISO 3166 alpha-2; nil where only the setting tells, and where
    /// it is in doubt.
    let country: String?
    /// The most probable country; nil in the wilds.
    let presumedCountry: String?
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
        let stores = context.stores, clock = context.clock
        async let here = Whereabouts.find(context, within: patience)
        async let items = withTimeout(patience, clock: clock) { try await stores.manifest.items() }
        async let notes = withTimeout(patience, clock: clock) {
            try await stores.kept.value(EmergencyHandler.notesKey)
        }
        async let trip = withTimeout(patience, clock: clock) { try await stores.trips.current() }
        let aboard = await items ?? [], place = await here
        // The reply sets its own full stop.
        let text = await notes?.trimming { $0.isWhitespace || $0 == "." }
        let (numbers, country) = numbers(place, context)
        return EmergencyFacts(
            whereabouts: place, country: country,
            presumedCountry: place?.isRemote == true ? nil : place?.country?.code ?? context.country, numbers: numbers,
            firstAidKit: Self.place("emergency.item_first_aid", aboard, context),
            extinguisher: Self.place("emergency.item_extinguisher", aboard, context),
            medicalNotes: text?.isEmpty == false ? text : nil, destination: await trip?.destination)
    }

    /// The same facts with another country's numbers.
    func abroad(_ code: String, _ numbers: EmergencyNumbers) -> EmergencyFacts {
        EmergencyFacts(
            whereabouts: whereabouts, country: code, presumedCountry: code, numbers: numbers,
            firstAidKit: firstAidKit, extinguisher: extinguisher, medicalNotes: medicalNotes, destination: destination)
    }

    /// The numbers of the country that the van is in, else of the setting's. Where it may be in one of several, and
    /// where no town is near, 112 if all that it may be in have it: no country is named then.
    private static func numbers(
        _ here: Whereabouts?, _ context: HandlerContext
    ) -> (numbers: EmergencyNumbers, country: String?) {
        let own = EmergencyNumbers.of(here?.country?.code ?? context.country) ?? .international
        let near = here?.country?.near ?? []
        let isInDoubt = !near.isEmpty || here?.isRemote == true
        let allHaveIt = ([own] + near.map { EmergencyNumbers.of($0) ?? own }).allSatisfy(\.hasInternational)
        return isInDoubt && allHaveIt ? (.international, nil) : (own, here?.country?.code)
    }

    private static func place(_ key: String, _ items: [Item], _ context: HandlerContext) -> String? {
        let words = context.replies(key).lowercased()
        let item = items.first { item in
            item.place != nil && ([item.name] + item.aliases).contains { $0.lowercased().contains(words) }
        }
        return item?.place.map { context.spoken.inside($0) }
    }
}
