import Domain
import Foundation

/// What an emergency's reply is made of, as far as it can be read within a second.
struct EmergencyFacts: Sendable {
    /// Where the van is or was last.
    let whereabouts: Whereabouts?
    /// The country that the numbers are known to be of, ISO 3166 alpha-2; nil where only the setting says so, and where
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

    /// The same facts with another country's numbers.
    func abroad(_ code: String, _ numbers: EmergencyNumbers) -> EmergencyFacts {
        EmergencyFacts(
            whereabouts: whereabouts, country: code, presumedCountry: code, numbers: numbers,
            firstAidKit: firstAidKit, extinguisher: extinguisher, medicalNotes: medicalNotes, destination: destination)
    }
}

extension EmergencyHandler {
    /// How long the reply waits for any of the facts. All are asked for at once.
    private static let patience = Duration.seconds(1)

    /// Asks for everything; what does not answer is left out.
    func gatherFacts() async -> EmergencyFacts {
        async let here = Whereabouts.find(location, trips, environment, within: Self.patience)
        async let items = environment.read(within: Self.patience) { try await manifest.items() }
        async let notes = environment.read(within: Self.patience) { try await kept.value(Self.notesKey) }
        async let trip = environment.read(within: Self.patience) { try await trips.current() }
        let aboard = await items ?? [], place = await here
        // The reply sets its own full stop.
        let text = await notes?.trimming { $0.isWhitespace || $0 == "." }
        let (numbers, country) = numbers(at: place)
        return EmergencyFacts(
            whereabouts: place, country: country,
            presumedCountry: place?.isRemote == true ? nil : place?.country?.code ?? environment.region.country,
            numbers: numbers,
            firstAidKit: self.place(of: "emergency.item_first_aid", aboard),
            extinguisher: self.place(of: "emergency.item_extinguisher", aboard),
            medicalNotes: text?.isEmpty == false ? text : nil, destination: await trip?.destination)
    }

    /// The numbers of the country that the van is in, else of the setting's. Where it may be in one of several, and
    /// where no town is near, 112 if all that it may be in have it: no country is named then.
    private func numbers(
        at here: Whereabouts?
    ) -> (numbers: EmergencyNumbers, country: String?) {
        let own = EmergencyNumbers.of(here?.country?.code ?? environment.region.country) ?? .international
        let near = here?.country?.near ?? []
        let isInDoubt = !near.isEmpty || here?.isRemote == true
        let allHaveIt = ([own] + near.map { EmergencyNumbers.of($0) ?? own }).allSatisfy(\.hasInternational)
        return isInDoubt && allHaveIt ? (.international, nil) : (own, here?.country?.code)
    }

    /// Where the item is whose name is the text under `key`.
    private func place(of key: String, _ items: [Item]) -> String? {
        let words = replies(key).spoken.lowercased()
        let item = items.first { item in
            item.place != nil && ([item.name] + item.aliases).contains { $0.lowercased().contains(words) }
        }
        return item?.place.map { spoken.inside($0) }
    }
}
