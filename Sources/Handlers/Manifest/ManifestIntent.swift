import Domain

/// What is asked of the inventory.
package enum ManifestIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case findItem = "find_item", haveItem = "have_item", listPlace = "list_place", addItem = "add_item"
        case removeItem = "remove_item", moveItem = "move_item", setQuantity = "set_quantity"
        case setWeight = "set_weight", countItems = "count_items", totalWeight = "total_weight"
        case payloadLeft = "payload_left"
    }

    package enum Slot: String, Sendable {
        case item, thing, other, number, place, newPlace = "where", origin, mass, sort, everything, used, none, share
        case load
        /// Which of the van's own masses is set.
        case vehicle
        /// How many travel along, or that one does; what the others than the last weigh.
        case people, first, second, third
    }

    /// A mass of the van itself; the raw values are those of the phrasebook.
    package enum VehicleMass: String, Sendable { case unladen, permitted }

    /// Those who travel along.
    package struct People: Sendable, Equatable {
        let count: Int
        /// What each weighs.
        let grams: [Double]

        init(_ slots: SlotReader<Slot>) {
            let said = slots.number(.people).flatMap { Int(exactly: $0) } ?? 1
            // A number without a unit means kilos.
            let others = [Slot.first, .second, .third].compactMap { slot in
                slots.number(slot).map { if case .number? = slots[slot]?.content { $0 * 1_000 } else { $0 } }
            }
            let all = others + (slots.number(.mass).map { [$0] } ?? [])
            count = said
            guard slots.has(.share), let one = all.last, (1...Self.most).contains(said) else {
                grams = all
                return
            }
            let each = slots.text(.share) == "together" ? one / Double(said) : one
            grams = Array(repeating: each, count: said)
        }

        /// More than travel in any van.
        private static let most = 20
    }

    case find(ItemReference)
    case have(ItemReference)
    case list(ItemQuery)
    case add(Addition)
    case remove(Removal)
    case removeAll(place: String?)
    case move(Move)
    case moveAll(from: String?, to: PlaceReference)
    /// - Parameter quantity: pieces as said; nil where no number was.
    case setQuantity(ItemReference, quantity: Double?)
    /// - Parameters:
    ///   - grams: nil where no weight was said.
    ///   - isTogether: true where all pieces together weigh so much.
    case setWeight(ItemReference, grams: Double?, isTogether: Bool)
    case setVehicle(VehicleMass, grams: Double?)
    case setOccupants(People)
    case count(ItemReference)
    case countAll(ItemQuery)
    case weight(ItemReference)
    /// - Parameter isLoad: true where the van's own mass is not wanted.
    case totalWeight(ItemQuery, isLoad: Bool)
    case payloadLeft

    package static let handler = ManifestHandler.name
    package static let lookUps: [Name] = [
        .findItem, .haveItem, .listPlace, .countItems, .totalWeight, .payloadLeft,
    ]

    package init(_ name: Name, _ slots: SlotReader<Slot>) {
        let query = ItemQuery(place: slots.ownerName(.place), category: slots.text(.sort))
        let question = ItemReference(slots, isQuestion: true), target = ItemReference(slots)
        let hasItem = slots.has(.item) || slots.has(.thing), isForAll = slots.has(.everything)
        self =
            switch name {
            case .findItem: .find(question)
            case .haveItem: .have(question)
            case .listPlace: .list(query)
            case .addItem: .add(Addition(slots))
            case .removeItem: isForAll ? .removeAll(place: slots.ownerName(.place)) : .remove(Removal(slots))
            case .moveItem:
                isForAll
                    ? .moveAll(from: slots.ownerName(.origin), to: PlaceReference(slots)) : .move(Move(slots))
            case .setQuantity: .setQuantity(target, quantity: slots.has(.none) ? 0 : slots.number(.number))
            case .setWeight where slots.has(.people): .setOccupants(People(slots))
            case .setWeight:
                // A number without a unit means kilos.
                slots.text(.vehicle).flatMap(VehicleMass.init).map { .setVehicle($0, grams: slots.number(.mass)) }
                    ?? .setWeight(
                        target, grams: slots.number(.mass) ?? slots.number(.number).map { $0 * 1_000 },
                        isTogether: slots.text(.share) == "together")
            case .countItems: hasItem ? .count(question) : .countAll(query)
            case .totalWeight: hasItem ? .weight(question) : .totalWeight(query, isLoad: slots.has(.load))
            case .payloadLeft: .payloadLeft
            }
    }

    /// The command about this very item.
    static func command(_ command: Command, about item: Item) -> Command {
        let name = ItemWords.name(item)
        return changed(command, [.item: SlotValue(text: item.name, content: .names([name]))])
    }

    /// Which item is meant.
    package struct ItemReference: Sendable, Equatable {
        /// An item by its name.
        var item: SpokenName?
        /// Words that no item has for its name.
        let thing: String?
        /// Where it is kept.
        var place: String?
        /// True where nothing is changed, so that a near-miss will do.
        let isQuestion: Bool

        init(_ slots: SlotReader<Slot>, isQuestion: Bool = false) {
            item = slots.name(.item)
            thing = slots.text(.thing)
            place = slots.ownerName(.place)
            self.isQuestion = isQuestion
        }
    }

    /// Where something goes.
    package struct PlaceReference: Sendable, Equatable {
        /// One of the owner's places.
        let known: String?
        /// The words for another.
        let new: String?

        init(_ slots: SlotReader<Slot>) {
            known = slots.ownerName(.place)
            new = slots.text(.newPlace)
        }
    }

    /// What comes aboard.
    package struct Addition: Sendable, Equatable {
        let item: ItemReference
        let quantity: Double?
        let destination: PlaceReference
        /// What one weighs.
        let grams: Double?
        let category: String?

        init(_ slots: SlotReader<Slot>) {
            item = ItemReference(slots)
            quantity = slots.number(.number)
            destination = PlaceReference(slots)
            grams = slots.number(.mass)
            category = slots.text(.sort)
        }
    }

    /// What goes from aboard.
    package struct Removal: Sendable, Equatable {
        let item: ItemReference
        let quantity: Double?
        /// True where it is used up, so that its entry is kept.
        let isUsedUp: Bool

        init(_ slots: SlotReader<Slot>) {
            item = ItemReference(slots)
            quantity = slots.number(.number)
            isUsedUp = slots.has(.used) || slots.has(.none)
        }
    }

    /// What changes its place.
    package struct Move: Sendable, Equatable {
        let item: ItemReference
        /// A second item that goes there, too.
        let other: ItemReference?
        let quantity: Double?
        let origin: String?
        let destination: PlaceReference

        init(_ slots: SlotReader<Slot>) {
            var item = ItemReference(slots)
            // The place is where it goes, not where it is.
            item.place = nil
            self.item = item
            other = slots.name(.other).map { name in
                var other = item
                other.item = name
                return other
            }
            quantity = slots.number(.number)
            origin = slots.ownerName(.origin)
            destination = PlaceReference(slots)
        }
    }
}
