@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// “Undo that” is about the last thing that was done, whoever did it, and about nothing else.
@Suite struct UndoOrderTests {
    private static let kettle = """
        language: en
        intents:
          boil_the_kettle:
            phrases: ["boil the kettle"]
            publish: {topic: kitchen/kettle, payload: boil}
          daylight:
            phrases: ["let some daylight in"]
            publish: {topic: roof/skylight, payload: open}
            undo: {topic: roof/skylight, payload: close}
        """

    @Test func aCustomCommandWithoutAWayBack_isSaidToBeSo_andTheChangeBeforeItStays() async throws {
        let bench = try VanBench(books: english(with: Self.kettle)), talk = try await Talk(bench)
        bench.bus.reach(true)
        try await bench.run {
            try await bench.heard()
            #expect(await talk.conversation.say("log diesel for £50").outcome == .done)
            #expect(await talk.conversation.say("boil the kettle").outcome == .done)
            let undone = await talk.conversation.say("undo that")
            #expect(undone.reply == "I can't undo that: what was sent for “boil the kettle”.")
            #expect(try await talk.ledger.count == 1)
            // Said once; after it comes the change before.
            #expect(await talk.conversation.say("undo that").outcome == .done)
            #expect(try await talk.ledger.isEmpty)
        }
    }

    @Test func aCustomCommandWithItsOwnWayBack_isTakenBackByIt() async throws {
        let bench = try VanBench(books: english(with: Self.kettle)), talk = try await Talk(bench)
        bench.bus.reach(true)
        try await bench.run {
            #expect(await talk.conversation.say("let some daylight in").outcome == .done)
            #expect(await talk.conversation.say("undo that").effects.isEmpty == false)
            #expect(bench.commands.map(\.payload) == ["open", "close"])
        }
    }

    @Test func aWayBackForWhatPublishesNothing_isRefusedWithItsLine() throws {
        let book = """
            language: en
            intents:
              hello:
                phrases: ["hello van"]
                reply: "Hello."
                undo: {topic: a/b, payload: c}
            """
        let problems = try english(with: book).problems.map { "\($0)" }
        #expect(problems.contains { $0.contains("custom1.yaml:6") && $0.contains("nothing to undo") }, "\(problems)")
    }

    @Test func aDeviceThatWasTyped_isTheNextToBeTakenBack() async throws {
        let bench = try VanBench(), talk = try await Talk(bench)
        let pump = try #require(bench.van.devices.first { $0.name == "water pump" })
        bench.answersAll()
        try await bench.run {
            try await bench.report(("water_pump", "OFF"))
            #expect(await talk.conversation.say("log diesel for £50").outcome == .done)
            let devices = TypedDevices(talk.conversation)
            #expect(await devices.set(pump, to: .on, isConfirmed: false) == .tried(.confirmed))
            #expect(await talk.conversation.say("undo that").outcome == .done)
            #expect(bench.commands.map(\.payload) == ["ON", "OFF"])
            #expect(try await talk.ledger.count == 1)
        }
    }

    @Test func whatIsRiskyToTakeBack_isAskedOfWhoTypesIt_andDoneWithAYes() async throws {
        let talk = try await Talk(VanBench())
        var undo = Undo("the side door locked") { Undone() }
        undo.confirmation = "That unlocks the side door. Shall I?"
        await talk.conversation.services.changes.record(undo)
        let asked = await talk.conversation.services.typed.undo(isConfirmed: false)
        #expect(asked.outcome == .asked)
        #expect(asked.reply == "That unlocks the side door. Shall I?")
        #expect(await talk.conversation.services.typed.undo(isConfirmed: true).outcome == .done)
    }

    @Test func aRiskyDevice_isAskedOfWhoTypesIt_andNothingIsSent() async throws {
        var winch = VanBench.device("winch", .switch)
        winch.isRisky = true
        let bench = try VanBench(devices: [winch]), talk = try await Talk(bench)
        try await bench.run {
            try await bench.report(("winch", "OFF"))
            let devices = TypedDevices(talk.conversation)
            guard case .asks = await devices.set(winch, to: .on, isConfirmed: false) else {
                Issue.record("it was not asked")
                return
            }
            #expect(bench.commands.isEmpty)
        }
    }

    @Test func whatIsTakenBackInPart_isToldInPart() async throws {
        let bench = try VanYard.bench(), talk = try await Talk(bench)
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/kl/state", "ON"), ("van/sink/state", "OFF"), ("van/al/state", "ON"))
            #expect(await talk.conversation.say("lights off").outcome == .done)
            // What the screens are to show is published, too.
            await talk.conversation.services.screens.finish()
            bench.bus.refuse(after: 1)
            let undone = await talk.conversation.say("undo that")
            #expect(undone.outcome == .failed)
            #expect(undone.reply.contains("couldn't be reached"), "\(undone.reply)")
            #expect(undone.effects.contains { $0.hasPrefix("undone in part") }, "\(undone.effects)")
            #expect(undone.effects.contains { $0.hasPrefix("mqtt: van/") }, "\(undone.effects)")
        }
    }

    @Test func aWayBackThatTheBrokerRefusesHalfway_isToldInPart() async throws {
        let scene = """
            language: en
            intents:
              cinema:
                phrases: ["cinema time"]
                publish: {topic: a/screen, payload: down}
                undo: [{topic: a/screen, payload: up}, {topic: a/blinds, payload: up}]
            """
        let bench = try VanBench(books: english(with: scene)), talk = try await Talk(bench)
        bench.bus.reach(true)
        try await bench.run {
            #expect(await talk.conversation.say("cinema time").outcome == .done)
            bench.bus.refuse(after: 1)
            let undone = await talk.conversation.say("undo that")
            #expect(undone.outcome == .failed)
            #expect(undone.effects.contains("mqtt: a/screen up"), "\(undone.effects)")
            #expect(undone.reply.contains("I could only send part of it"), "\(undone.reply)")
        }
    }

    @Test func aDeviceThatIsDrivenWhileAnEntryIsWritten_leavesTheEntryItsOwnWayBack() async throws {
        let gate = Gate(isOpen: false), bench = try VanBench()
        let held = try VanBench(stores: bench.stores.budgetsHeld(at: gate)), talk = try await Talk(held)
        let pump = try #require(held.van.devices.first { $0.name == "water pump" })
        held.answersAll()
        try await held.run {
            try await held.report(("water_pump", "OFF"))
            async let logged = talk.conversation.say("log diesel for £50")
            try await gate.arrived()
            _ = await TypedDevices(talk.conversation).set(pump, to: .on, isConfirmed: true)
            gate.open()
            #expect(await logged.outcome == .done)
            #expect(await talk.conversation.undo().reply.contains("diesel"))
            #expect(try await talk.ledger.isEmpty)
            #expect(await talk.conversation.undo().outcome == .done)
            #expect(held.commands.map(\.payload) == ["ON", "OFF"])
        }
    }
}
