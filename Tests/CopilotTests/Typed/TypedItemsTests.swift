@testable import Devices
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// What is aboard, the modes and the medical notes, changed from the keyboard.
@Suite struct TypedItemsTests {
    private let bench: VanBench
    private let talk: Talk
    private let items: TypedItems

    init() async throws {
        bench = try VanBench()
        talk = try await Talk(bench, hears: .patient)
        items = TypedItems(talk.conversation)
    }

    private func item(_ change: (inout TypedItem) -> Void) -> TypedItem {
        var item = TypedItem()
        change(&item)
        return item
    }

    @Test func anItem_isAddedFoundChangedAndRemoved_andEachIsTakenBack() async throws {
        let added = try await items.add(
            item {
                ($0.name, $0.place, $0.weight, $0.quantity) = ("The Tow Rope", "garage", "1.5", 2)
                $0.aliases = ["Cord", "cord", ""]
            })
        #expect(added.effects.count == 1)
        let rope = try await items.item("cord")
        #expect(rope.name == "tow rope" && rope.unitGrams == 1_500 && rope.quantity == 2 && rope.aliases == ["cord"])
        #expect(await talk.conversation.say("where is the cord").reply.contains("garage"), "it can be said at once")
        #expect(try await items.find(place: "Garage", text: "rope") == [rope])
        _ = try await items.set("\(rope.id)", item { ($0.weight, $0.notes, $0.place) = ("300 g", "frayed", "") })
        let changed = try await items.item("tow rope")
        #expect(changed.unitGrams == 300 && changed.notes == "frayed" && changed.place == nil)
        #expect(changed.aliases == ["cord"], "what is not said stays")
        _ = try await items.remove("tow rope")
        #expect(try await bench.stores.manifest.items().isEmpty)
        for expected in [[changed], [rope], []] {
            #expect(await talk.conversation.undo().outcome == .done)
            #expect(try await bench.stores.manifest.items() == expected)
        }
    }

    @Test(arguments: [
        "1,2,3", "12,34,567", "1,2345 kg", "1234,567 g", "0,500 kg", ".5 kg", "1.2.3", "--1", "1e2", "1½ kg", "٥ kg",
        "5/3",
        "9223372036854775808 kg", "1,2,3 g",
    ])
    func aNumberThatIsMalformed_isRefused_whereverANumberIsTyped(text: String) async throws {
        let values = TypedValues(items.context), van = TypedVan(items.context)
        let attempts: [(String, () throws -> Void)] = [
            ("weight", { _ = try values.mass(text, "--weight") }),
            ("litres", { _ = try values.measure(.volume, text, "--litres", "40 or 38.5") }),
            ("odometer", { _ = try values.odometer(text, "--odometer") }),
            ("unladen", { _ = try van.vehicleMass(text, "--unladen") }),
            ("capacity", { _ = try van.capacity(text, "--capacity") }),
            ("level", { _ = try van.percent(text, "--level") }), ("rate", { _ = try van.rate(text, "The rate") }),
        ]
        for (name, attempt) in attempts {
            #expect(throws: TypedRefusal.self, "\(name)") { try attempt() }
        }
    }

    @Test func numbersAsTheBritishAndTheContinentWriteThem_areTaken() throws {
        let values = TypedValues(items.context), van = TypedVan(items.context)
        for (text, grams) in [
            ("1,5 kg", 1_500), ("1.5", 1_500), ("1,250 g", 1_250), ("1.250,5 g", 1_251), ("300g", 300),
        ] {
            #expect(try values.mass(text, "--weight") == grams)
        }
        for text in ["84210", "84,210 km", "84.210,5 km", "84,210.5km"] {
            #expect(throws: Never.self) { try values.odometer(text, "--odometer") }
        }
        #expect(try van.percent("60 %", "--level") == 60)
    }

    @Test func whatIsUnclear_isRefused_andNothingChanges() async throws {
        try await bench.item("torch", in: "cab")
        try await bench.item("torch", in: "garage")
        let before = try await bench.stores.manifest.items()
        let several = await #expect(throws: TypedRefusal.self) { try await items.remove("torch") }
        #expect(several?.description.contains("cab") == true && several?.description.contains("garage") == true)
        await #expect(throws: TypedRefusal.self) { try await items.remove("tortch") }
        await #expect(throws: TypedRefusal.self) { try await items.find(place: "moon", text: nil) }
        await #expect(throws: TypedRefusal.self) {
            try await items.add(item { ($0.name, $0.place) = ("torch", "cab") })
        }
        let number = "\(before[0].id)"
        for bad in [
            item { $0.weight = "heavy" }, item { $0.weight = "9000 kg" }, item { $0.quantity = -1 },
            item { $0.name = "7" },
        ] {
            await #expect(throws: TypedRefusal.self) { try await items.set(number, bad) }
        }
        #expect(try await items.set(number, item { $0.quantity = 1 }).effects.isEmpty, "it is so already")
        #expect(try await bench.stores.manifest.items() == before)
    }

    @Test func medicalNotes_areToldInAnEmergency_andTakenBack() async throws {
        let notes = TypedNotes(talk.conversation)
        #expect(try await notes.medical() == nil)
        #expect(try await notes.setMedical("Anna is allergic to penicillin.").outcome == .done)
        let told = await talk.conversation.say("medical emergency").reply
        #expect(told.contains("Anna is allergic to penicillin.") && !told.contains(".."), "\(told)")
        #expect(try await notes.setMedical("Anna is allergic to penicillin.").effects.isEmpty)
        _ = await talk.conversation.undo()
        #expect(try await notes.medical() == nil)
    }

    @Test func aReply_isSpokenAgain() async throws {
        _ = await talk.conversation.say("what time is it")
        let entry = try await talk.history(1)
        #expect(try await talk.conversation.services.speakAgain(turn: 1) == entry.assistant)
        try await talk.speaker.journal.until("it was spoken twice") { spoken in
            spoken.count { $0 == .sentence(entry.assistant) } == 2
        }
        await #expect(throws: TypedRefusal.self) { try await talk.conversation.services.speakAgain(turn: 7) }
    }
}

/// The modes, changed from the keyboard.
@Suite struct TypedModesTests {
    @Test func aModeWhoseCheckFails_isSetWithAYesOnly() async throws {
        let bench = try VanBench(modes: [
            Mode(name: "drive", aliases: ["driving"], checks: [Check(device: "water_pump", expectation: .off)]),
            Mode(name: "camp"),
        ])
        try await bench.run {
            try await bench.isThere("water_pump", true)
            try await bench.report(("water_pump", "ON"))
            let talk = try await Talk(bench, hears: .patient)
            let modes = TypedModes(talk.conversation)
            #expect(await modes.isReady("driving") == false)
            let asked = try await modes.set("driving", isConfirmed: false)
            guard case .confirmation? = asked.question else { return #expect(Bool(false), "\(asked)") }
            #expect(try await modes.current() == nil)
            #expect(try await modes.set("driving", isConfirmed: true).outcome == .done)
            #expect(try await modes.current() == "drive")
            #expect(try await modes.set("party", isConfirmed: true).outcome == .failed)
            #expect(await modes.isReady("camp"))
            _ = await talk.conversation.undo()
            #expect(try await modes.current() == nil)
        }
    }
}
