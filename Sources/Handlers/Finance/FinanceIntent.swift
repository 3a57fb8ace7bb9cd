import Domain

/// What is asked of the ledger.
package enum FinanceIntent: HandlerIntent {
    package enum Name: String, CaseIterable, Sendable {
        case logExpense = "log_expense", logIncome = "log_income", correctLast = "correct_last"
        case deleteLast = "delete_last", balance, spent, biggestExpense = "biggest_expense"
        case averagePerDay = "average_per_day", runway, setBudget = "set_budget", budgetLeft = "budget_left"
        case listRecent = "list_recent", tripCost = "trip_cost"
    }

    package enum Slot: String, Sendable {
        case money, currency, category, source, filled, note, payer, merchant, shop, account, direction, litres, date
        case period, trip, thisTrip = "this_trip", place = "where", clear, span, count, only, price, nights, entry, many
    }

    case log(LedgerEntry.Kind, EntryDetails)
    case correctLast(EntryDetails)
    /// - Parameter id: an entry's number; nil means the last one.
    case delete(id: Int64?)
    /// Several entries at once.
    case deleteMany
    case balance(account: String?)
    case spent(Filter)
    case biggestExpense(Filter)
    case averagePerDay(Filter)
    case runway
    case setBudget(BudgetChange)
    case budgetLeft(category: String?)
    /// - Parameter count: how many entries; nil where no number was said.
    case listRecent(Filter, count: Double?, isOne: Bool)
    case tripCost(TripReference)

    package static let handler = FinanceHandler.name
    package static let lookUps: [Name] = [
        .balance, .spent, .biggestExpense, .averagePerDay, .runway, .budgetLeft, .listRecent, .tripCost,
    ]

    package init(_ name: Name, _ slots: SlotReader<Slot>) {
        self =
            switch name {
            case .logExpense: .log(.expense, EntryDetails(slots))
            case .logIncome: .log(.income, EntryDetails(slots))
            case .correctLast: .correctLast(EntryDetails(slots))
            case .deleteLast:
                slots.has(.many) ? .deleteMany : .delete(id: slots.number(.entry).flatMap { Int64(exactly: $0) })
            case .balance: .balance(account: slots.text(.account))
            case .spent: .spent(Filter(slots))
            case .biggestExpense: .biggestExpense(Filter(slots))
            case .averagePerDay: .averagePerDay(Filter(slots))
            case .runway: .runway
            case .setBudget: .setBudget(BudgetChange(slots))
            case .budgetLeft: .budgetLeft(category: slots.text(.category))
            case .listRecent:
                .listRecent(Filter(slots), count: slots.number(.count), isOne: slots.has(.only))
            case .tripCost: .tripCost(TripReference(slots))
            }
    }

    /// What is said of an entry that is written down or corrected.
    package struct EntryDetails: Sendable, Equatable {
        let amount: SpokenMoney?
        /// A currency without a number, ISO 4217.
        let currency: String?
        /// What it was for: a category; the fuel that was filled in; or a note in the words that were said.
        let category: SpokenName?, filled: String?, note: String?
        /// Where an income is from: a category, or somebody's name.
        let source: SpokenName?, payer: String?
        /// The shop: a known one by its own name, another as it was heard.
        let merchant: String?
        let account: String?
        /// What a correction makes of the entry.
        let kind: LedgerEntry.Kind?
        let litres: Double?
        let date: Period?

        init(_ slots: SlotReader<Slot>) {
            amount = slots.money(.money) ?? Self.product(slots)
            currency = slots.text(.currency)
            category = slots.name(.category)
            filled = slots.text(.filled)
            note = slots.text(.note)
            source = slots.name(.source)
            payer = slots.text(.payer)
            merchant = FinanceIntent.merchant(slots)
            account = slots.text(.account)
            kind = slots.text(.direction).flatMap(LedgerEntry.Kind.init(rawValue:))
            litres = slots.number(.litres)
            date = slots.period(.date)
        }

        /// What a price comes to: that of a litre for some litres, or of a night for some nights; nil where none was
        /// said, or where it may as well be the whole amount.
        private static func product(_ slots: SlotReader<Slot>) -> SpokenMoney? {
            guard let price = slots.money(.price) else { return nil }
            func times(_ count: Double, _ minorUnits: Double) -> SpokenMoney? {
                let minor = (count * minorUnits).rounded()
                guard count > 0, minor.magnitude < 1e15 else { return nil }
                return SpokenMoney(minorUnits: Int64(minor), currency: price.currency)
            }
            if let nights = slots.number(.nights) { return times(nights, Double(price.minorUnits)) }
            guard let litres = slots.number(.litres) else { return nil }
            // No litre costs ten pounds: it is the amount, or the pence of “at a hundred and forty nine”.
            if price.minorUnits < 1_000 { return times(litres, Double(price.minorUnits)) }
            if price.currency != nil { return price }
            return price.minorUnits < 10_000 ? nil : times(litres, Double(price.minorUnits) / 100)
        }

        /// True where a correction has nothing to change.
        var changesNothing: Bool {
            amount == nil && currency == nil && category == nil && note == nil && merchant == nil && account == nil
                && kind == nil && litres == nil && date == nil
        }
    }

    /// Which entries a question is about.
    package struct Filter: Sendable, Equatable {
        let category: SpokenName?
        let merchant: String?
        let account: String?
        let trip: TripReference
        /// A stretch of time, and the words for it.
        let period: SlotValue?
        /// Which way the money went; nil where that was not said.
        let kind: LedgerEntry.Kind?

        init(_ slots: SlotReader<Slot>) {
            category = slots.name(.category)
            merchant = FinanceIntent.merchant(slots)
            account = slots.text(.account)
            kind = slots.text(.direction).flatMap(LedgerEntry.Kind.init(rawValue:))
            trip = TripReference(slots)
            period = slots[.period]
        }
    }

    /// Which trip is meant.
    package struct TripReference: Sendable, Equatable {
        enum Which: String { case current, last }

        /// A trip of the owner's by its destination.
        let named: SpokenName?
        /// “This trip”, “the last trip”.
        let which: Which?
        /// True where the words for `which` were said.
        let isSaid: Bool
        /// A place that no trip is known to.
        let place: String?

        init(_ slots: SlotReader<Slot>) {
            named = slots.name(.trip)
            which = slots.text(.thisTrip).flatMap(Which.init(rawValue:))
            isSaid = slots.has(.trip) || slots.has(.thisTrip)
            place = slots.text(.place)
        }
    }

    /// How a budget is set or removed.
    package struct BudgetChange: Sendable, Equatable {
        /// The category; nil for the budget over everything.
        let category: String?
        let amount: SpokenMoney?
        /// True where it is removed.
        let isRemoval: Bool
        /// True where another stretch of time than a month was said.
        let isForAnotherSpan: Bool

        init(_ slots: SlotReader<Slot>) {
            category = slots.text(.category)
            amount = slots.money(.money)
            isRemoval = slots.has(.clear)
            isForAnotherSpan = slots.has(.span)
        }
    }

    private static func merchant(_ slots: SlotReader<Slot>) -> String? {
        slots.text(.merchant) ?? slots.text(.shop).map(\.capitalisedFirst)
    }
}
