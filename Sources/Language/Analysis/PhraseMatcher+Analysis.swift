import Domain

extension PhraseMatcher {
    /// A place where a cue stands.
    struct CueHit {
        let kind: AnalysisRules.Kind
        let range: Range<Int>
    }

    /// What the utterance says beside its command.
    package func analysis() -> Analysis {
        var analysis = Analysis()
        guard text.count > 0 else { return analysis }
        guard text.count <= Self.longestSentence else {
            analysis.mood = .report
            return analysis
        }
        let start = afterLeads()
        let opening = hits(in: index.cues.opening, index.cues.openingKinds, from: start)
        let all = cueHits, unable = all.filter { $0.kind == .inability }.map(\.range)
        let asides = all.filter { $0.kind == .aside }.map(\.range)
        let anywhere = all.filter { hit in
            !(hit.kind == .negation ? unable + asides : asides).contains {
                $0.lowerBound <= hit.range.lowerBound && hit.range.upperBound <= $0.upperBound
            }
        }
        // The longest opening tells most: “can we have” asks for something, “can we” asks whether.
        let isRequest = Self.longest(.request, opening) > Self.longest(.question, opening)
        // A command behind “we need to” is one, “would” in it or not.
        let asking = opening.filter { $0.kind == (isRequest ? .request : .question) }.map(\.range.upperBound).max()
        let asked = asking ?? start
        for (kind, mood) in Self.moods {
            let own = isRequest && kind != .negation ? [] : opening.filter { $0.kind == kind }
            let found = (own + anywhere.filter { $0.kind == kind && $0.range.upperBound > asked })
                .max { $0.range.count < $1.range.count }
            guard let found else { continue }
            analysis.mood = mood
            analysis.cue = words(found.range)
            break
        }
        analysis.isRequest = isRequest
        analysis.isReminder = opening.contains { $0.kind == .reminder }
        analysis.isForbidding =
            analysis.mood == .negation && text.utterance.begins(with: index.books.analysis.forbidding)
        analysis.asks = (all + opening).contains { $0.kind == .asking || $0.kind == .question }
        analysis.isWish =
            analysis.mood != .negation && opening.contains { $0.kind == .wish && $0.range.lowerBound == start }
        analysis.isUnable = !unable.isEmpty
        analysis.modifiers = modifiers(anywhere, opening)
        analysis.scope = Self.scopes.first { kind, _ in (anywhere + opening).contains { $0.kind == kind } }?.scope
        return analysis
    }

    /// More words than these are a story, whatever is said in it.
    private static var longestSentence: Int { 60 }

    /// The likeliest to be missed first: what must not be done, or may be, weighs more than how it is asked.
    private static let moods: [(kind: AnalysisRules.Kind, mood: Analysis.Mood)] = [
        (.negation, .negation), (.question, .question), (.hypothesis, .hypothesis), (.report, .report),
    ]
    private static let scopes: [(kind: AnalysisRules.Kind, scope: Analysis.Scope)] = [
        (.count, .count), (.which, .which), (.any, .any), (.all, .all), (.one, .one),
    ]

    /// The cues that count everywhere, each with its places.
    func findCueHits() -> [CueHit] {
        guard text.count <= Self.longestSentence else { return [] }
        return (0..<text.count).flatMap { hits(in: index.cues.anywhere, index.cues.anywhereKinds, from: $0) }
    }

    private func hits(in automaton: PhraseAutomaton, _ kinds: [AnalysisRules.Kind], from start: Int) -> [CueHit] {
        guard start < text.count else { return [] }
        return search.hits(in: automaton, from: start, budget: 0, toEnd: false).map {
            CueHit(kind: kinds[$0.tag], range: start..<$0.end)
        }
    }

    /// Where the sentence itself begins, behind “oh”, “well”, “because”.
    private func afterLeads() -> Int {
        var start = 0
        while let lead = hits(in: index.cues.opening, index.cues.openingKinds, from: start)
            .filter({ $0.kind == .lead }).map(\.range.upperBound).max(), lead < text.count
        {
            start = lead
        }
        return start
    }

    /// Where a statement that opens the utterance may end at the earliest; nil where none does.
    var situation: Int? {
        hits(in: index.cues.opening, index.cues.openingKinds, from: afterLeads()).filter { $0.kind == .situation }
            .map(\.range.upperBound).min()
    }

    private static func longest(_ kind: AnalysisRules.Kind, _ hits: [CueHit]) -> Int {
        hits.filter { $0.kind == kind }.map(\.range.count).max() ?? 0
    }

    /// The parts that narrow the command; none overlaps another. A condition goes on to the end, unless it opens the
    /// sentence, and an exception to the reason for it all.
    private func modifiers(_ anywhere: [CueHit], _ opening: [CueHit]) -> [Analysis.Modifier] {
        let asksWhen = opening.contains { $0.kind == .question }
        var found: [Analysis.Modifier] = []
        func add(_ kind: Analysis.Modifier.Kind, _ range: Range<Int>) {
            guard !found.contains(where: { $0.range.overlaps(range) }) else { return }
            found.append(Analysis.Modifier(kind: kind, words: text.utterance.surface(range), range: range))
        }
        let atStart = opening.filter { $0.kind == .condition && $0.range.lowerBound == 0 }
        for hit in anywhere + atStart where hit.kind == .condition && !(asksWhen && hit.range.lowerBound == 0) {
            add(.condition, hit.range.lowerBound..<(hit.range.lowerBound == 0 ? hit.range.upperBound : text.count))
        }
        for hit in anywhere where hit.kind == .exception {
            // “All off bar the fridge, we're away” leaves out the fridge.
            let reasons = anywhere.filter { $0.kind == .reason && $0.range.lowerBound > hit.range.upperBound }
            add(.exception, hit.range.lowerBound..<(reasons.map(\.range.lowerBound).min() ?? text.count))
        }
        let times = anywhere.filter { $0.kind == .time && !isValue(behind: $0.range) }
            .sorted { ($0.range.count, -$0.range.lowerBound) > ($1.range.count, -$1.range.lowerBound) }
        for hit in times { add(.time, hit.range) }
        return found.sorted { $0.range.lowerBound < $1.range.lowerBound }
    }

    /// “At eleven degrees” is no time.
    private func isValue(behind range: Range<Int>) -> Bool {
        guard range.upperBound < text.count else { return false }
        let next = text.words[range.upperBound...], measures = index.books.measures
        let isUnit = measures.units.contains { kind, units in
            kind != .duration && units.contains { $0.words.contains { next.starts(with: $0) } }
        }
        return isUnit || measures.currencies.contains { $0.major.contains(next.first ?? "") }
    }

    func words(_ range: Range<Int>) -> String { text.words[range].joined(separator: " ") }

    /// The content words that nothing accounts for: not a slot, not the intent's own phrases, and not a word without
    /// meaning.
    /// - Parameter covered: the tokens that slots have taken.
    /// - Parameter slots: what they hold.
    package func leftOver(
        besides covered: Set<Int>, _ slots: [String: SlotValue], of handler: String, _ intent: String
    ) -> [String] {
        let rules = index.books.analysis, own = index.ownWords(of: handler, intent)
        guard !rules.cues.isEmpty else { return [] }
        // What says when it was is accounted for where the intent takes a report.
        let takesReport = index.books.intent(handler, intent)?.takes.contains(.report) == true
        let told = takesReport ? cueHits.filter { $0.kind == .report }.map(\.range) : []
        // Where it is clear what was paid, another number says how many were bought: “three beers, twelve pounds”.
        let isPaid = slots.values.contains {
            if case .money(_, let currency) = $0.content { currency != nil } else { false }
        }
        let numbers = index.books.normaliser.numbers, articles = index.books.words.articles.ofNames
        // “Lock the safe”: where no name says what is meant, a thing that is named has to be one of the van's.
        let isUnaimed = index.books.isUnaimed(handler, intent, slots)
        return text.words.indices.filter { place in
            // “The lamp's too bright” is about the lamp.
            let spoken = text.words[place], word = index.books.normaliser.withoutEnding(spoken)
            if isPaid, numbers.allWords.contains(word), covered.contains(place + 1) { return false }
            if isUnaimed, place > 0, articles.contains(text.words[place - 1]), !covered.contains(place) {
                return !rules.meaningless.contains(word)
            }
            return !told.contains { $0.contains(place) } && !covered.contains(place)
                && !rules.meaningless.contains(word) && !own.contains(word)
                && !own.contains(spoken) && !own.contains(text.stems[place])
        }.map { text.words[$0] }
    }
}

extension Utterance {
    /// The utterance without some of its tokens.
    func without(_ ranges: [Range<Int>]) -> Utterance {
        let kept = tokens.indices.filter { place in !ranges.contains { $0.contains(place) } }
        return Utterance(original: original, words: words, tokens: kept.map { tokens[$0] })
    }
}
