import Control
import Testing

@testable import vanorb_lab

@Suite struct ActScoreTests {
    private let score = ActScore(words: ActWords(categories: ["food": "groceries", "grocery": "groceries"]))

    private func verdict(_ expect: String, _ turn: ActTurn) throws -> ActVerdict {
        let text = "said\tclass\texpect\na sentence\ta class\t\(expect)"
        return score.verdict(try ActLabels.parse(text, file: "labels.tsv")[0], turn)
    }

    private func turn(
        _ intent: String?, _ outcome: TurnOutcome = .done, _ slots: [String: String] = [:], reply: String = "",
        deeds: [Deed] = []
    ) -> ActTurn {
        var turn = ActTurn(outcome: outcome, intent: intent)
        (turn.slots, turn.reply, turn.deeds) = (slots, reply, deeds)
        turn.asksAboutAct = outcome == .asked && ActIntents.changes(intent ?? "")
        return turn
    }

    private func did(_ intent: String, _ slots: [String: String] = [:]) -> ActTurn {
        turn(intent, deeds: [Deed(intent, slots)])
    }

    // MARK: nothing

    @Test func nothing_isRight_withAnyAnswerThatDoesNothing() throws {
        #expect(try verdict("nothing", turn(nil, .fallback)) == .right)
        #expect(try verdict("nothing", turn("manifest.find_item")) == .right)
        #expect(try verdict("nothing", turn("van.open", .failed)) == .right)
        #expect(try verdict("nothing", turn("session.cancel", .cancelled)) == .right)
        #expect(try verdict("nothing", turn("travel.trip_stats", .asked)) == .right)
    }

    @Test func nothing_isAskedBack_whereTheQuestionIsAboutAnAct() throws {
        #expect(try verdict("nothing", turn("van.open", .asked)) == .asked)
        #expect(try verdict("nothing | ask", turn("van.open", .asked)) == .right)
    }

    @Test func nothing_isAWrongAct_whereSomethingWasDoneOrSaidToBeSo() throws {
        #expect(try verdict("nothing", did("van.turn_on", ["device": "router"])) == .wrongAct)
        let claim = Deed("van.turn_off", ["device": "router"], isClaim: true)
        #expect(try verdict("nothing", turn("van.turn_off", deeds: [claim])) == .wrongAct)
    }

    @Test func aRefusal_isRight_inWords_andWhereNothingWasUnderstood() throws {
        #expect(try verdict("refuse", turn("van.turn_off", .failed)) == .right)
        #expect(try verdict("refuse", turn(nil, .fallback)) == .right)
        #expect(try verdict("refuse", turn("van.get_value")) == .wrongAnswer)
        #expect(try verdict("refuse", turn("van.turn_off", .asked)) == .asked)
        #expect(try verdict("refuse", did("van.turn_off", ["device": "router"])) == .wrongAct)
    }

    // MARK: answers

    @Test func anAnswer_isRight_byItsIntentAndSlots() throws {
        let expect = "answer manifest.find_item item=spare_fuses"
        #expect(try verdict(expect, turn("manifest.find_item", .done, ["item": "the spare fuse"])) == .right)
        #expect(try verdict(expect, turn("manifest.find_item", .done, ["item": "spare keys"])) == .wrongAnswer)
        #expect(try verdict(expect, turn("manifest.count_items", .done, ["item": "spare fuses"])) == .wrongAnswer)
        #expect(try verdict(expect, turn(nil, .fallback)) == .notUnderstood)
        #expect(try verdict(expect, turn("manifest.find_item", .asked)) == .asked)
        #expect(try verdict(expect, did("manifest.remove_item", ["item": "spare fuses"])) == .wrongAct)
    }

    @Test func whatTheReplyNames_countsAsMuchAsASlot_butNotAnEcho() throws {
        let expect = "answer manifest.find_item item=head_torch"
        let found = turn(
            "manifest.find_item", .done, ["item": "torches"], reply: "You have 2 head torches in the overhead locker.")
        #expect(try verdict(expect, found) == .right)
        let echo = turn(
            "manifest.find_item", .done, ["item": "torch i mean the head torch"],
            reply: "I have no torch i mean the head torch in the manifest.")
        #expect(try verdict(expect, echo) == .wrongAnswer)
    }

    @Test func anAnswerThatDataIsMissing_isRight() throws {
        #expect(try verdict("answer travel.fuel_use", turn("travel.fuel_use", .failed)) == .right)
    }

    // MARK: acts

    @Test func anAct_isRight_whenItAndNothingElseWasDone() throws {
        let expect = "act van.turn_on device=water_pump"
        #expect(try verdict(expect, did("van.turn_on", ["device": "water pump"])) == .right)
        #expect(try verdict(expect, did("van.turn_on", ["device": "router"])) == .wrongAct)
        #expect(try verdict(expect, did("van.turn_off", ["device": "water pump"])) == .wrongAct)
        let both = ["water pump", "router"].map { Deed("van.turn_on", ["device": $0]) }
        #expect(try verdict(expect, turn("van.turn_on", deeds: both)) == .wrongAct)
        #expect(try verdict(expect, turn("van.turn_on", .failed)) == .refused)
        #expect(try verdict(expect, turn("van.get_state")) == .wrongAnswer)
        #expect(try verdict(expect, turn("van.turn_on", .asked)) == .asked)
        #expect(try verdict(expect + " | ask", turn("van.turn_on", .asked)) == .right)
    }

    @Test func whatIsSoAlready_isRight_whereItWasAskedFor() throws {
        let claim = Deed("van.turn_off", ["device": "roof fan"], isClaim: true)
        let already = turn("van.turn_off", .done, ["device": "roof fan"], deeds: [claim])
        #expect(try verdict("act van.turn_off device=roof_fan", already) == .right)
        #expect(try verdict("act van.turn_off device=bathroom_fan", already) == .wrongAct)
    }

    @Test func whatIsSoAlready_ofAKind_isSoOfEachOfIt() throws {
        var claim = Deed("van.turn_off", ["kinds": "all fan"], isClaim: true)
        claim.members = ["roof fan", "bathroom fan"]
        let already = turn("van.turn_off", .done, reply: "The fans are already off.", deeds: [claim])
        #expect(try verdict("act van.turn_off device=roof_fan device=bathroom_fan", already) == .right)
        #expect(try verdict("act van.turn_off device=roof_fan", already) == .wrongAct)
        #expect(try verdict("act van.turn_off device=roof_fan device=cab_lights", already) == .wrongAct)
    }

    @Test func aQuantity_isHowManyThereAre_orByHowManyItChanged() throws {
        let taken = did("manifest.set_quantity", ["item": "batteries", "quantity": "12", "change": "4"])
        #expect(try verdict("act manifest.set_quantity item=batteries quantity=12", taken) == .right)
        #expect(try verdict("act manifest.set_quantity item=batteries quantity=4", taken) == .right)
        #expect(try verdict("act manifest.set_quantity item=batteries quantity=5", taken) == .wrongAct)
    }

    @Test func everyNamedDevice_isNeeded_andOneIsNotSeveral() throws {
        let lamps = ["bedroom lights", "awning light"].map { Deed("van.turn_on", ["device": $0, "area": "bedroom"]) }
        let both = turn("van.turn_on", deeds: lamps), one = turn("van.turn_on", deeds: [lamps[0]])
        #expect(try verdict("act van.turn_on device=bedroom_lights device=awning_light", both) == .right)
        #expect(try verdict("act van.turn_on device=bedroom_lights device=awning_light", one) == .wrongAct)
        #expect(try verdict("act van.turn_on", both) == .right)
        #expect(try verdict("act van.turn_on", one) == .wrongAct)
        #expect(try verdict("act van.turn_on area=bedroom", one) == .right)
        #expect(try verdict("act van.turn_on area=kitchen", one) == .wrongAct)
        #expect(try verdict("act van.turn_on except=cab_lights", both) == .right)
        #expect(try verdict("act van.turn_on except=awning_light", both) == .wrongAct)
    }

    @Test func severalActs_areAllNeeded_theSecondMayBeSoAlready() throws {
        let expect = "act van.turn_off device=water_heater ; act van.turn_on device=roof_fan"
        let off = Deed("van.turn_off", ["device": "water heater"]), on = Deed("van.turn_on", ["device": "roof fan"])
        #expect(try verdict(expect, turn("van.turn_off", deeds: [off, on])) == .right)
        #expect(try verdict(expect, turn("van.turn_off", deeds: [off])) == .wrongAct)
        let said = turn("van.turn_off", reply: "The water heater is off. The roof fan is already on.", deeds: [off])
        #expect(try verdict(expect, said) == .right)
    }

    @Test func numbers_countByTheirValue() throws {
        let quarter = did("van.set_level", ["device": "bedroom lights", "value": "25.098"])
        #expect(try verdict("act van.set_level device=bedroom_lights value=25", quarter) == .right)
        #expect(try verdict("act van.set_level device=bedroom_lights value=30", quarter) == .wrongAct)
        let spent = did("finance.log_expense", ["amount": "40.0", "currency": "EUR", "category": "groceries"])
        #expect(try verdict("act finance.log_expense amount=40.00 currency=EUR category=food", spent) == .right)
        #expect(try verdict("act finance.log_expense amount=40.50", spent) == .wrongAct)
        #expect(try verdict("act finance.log_expense amount=40.00 category=fuel", spent) == .wrongAct)
        let miles = did("travel.log_odometer", ["odometer": "147254.9", "miles": "91500.0"])
        #expect(try verdict("act travel.log_odometer odometer=91500", miles) == .right)
    }

    @Test func actsOfTheSession_andWalks_needNoDeed() throws {
        #expect(try verdict("act session.close | answer session.close", turn("session.close")) == .right)
        let walk = turn("checklist.start_walk", .asked, ["list": "departure"])
        #expect(try verdict("act checklist.start_walk list=departure", walk) == .right)
        #expect(try verdict("act checklist.start_walk list=arrival", walk) == .asked)
        let fire = did("emergency.fire")
        #expect(try verdict("act emergency.fire | act emergency.emergency", fire) == .right)
    }

    // MARK: the report

    @Test func theReport_countsSentencesThatAskForNothingApart() throws {
        func scored(_ expect: String, _ turn: ActTurn) throws -> ScoredSentence {
            let label = try ActLabels.parse("said\tclass\texpect\na\tb\t\(expect)", file: "labels.tsv")[0]
            return ScoredSentence(
                label: label, turn: turn, verdict: score.verdict(label, turn), slots: [:], effects: [],
                isPlainFallback: turn.outcome == .fallback)
        }
        let claim = Deed("van.turn_off", ["device": "router"], isClaim: true)
        let report = ActReport(
            sentences: [
                try scored("nothing", turn(nil, .fallback)), try scored("nothing", did("van.turn_on")),
                try scored("refuse", turn("van.turn_off", deeds: [claim])), try scored("refuse", turn(nil, .fallback)),
                try scored("nothing", turn("van.open", .asked)),
                try scored("act van.open device=awning | ask", turn("van.open", .asked)),
                try scored("answer finance.balance", did("finance.delete_last")),
            ], takingBack: TakingBack())
        #expect(report.actedOn == Proportion(part: 2, whole: 5))
        #expect(report.claimedOnly == Proportion(part: 1, whole: 2))
        #expect(report.askedAbout == Proportion(part: 1, whole: 5))
        #expect(report.plainRefusals == Proportion(part: 1, whole: 2))
        #expect(report.right == Proportion(part: 1, whole: 2))
        #expect(report.wrongActs == Proportion(part: 1, whole: 2))
        #expect(report.byClass.map(\.sentences) == [7])
    }
}
