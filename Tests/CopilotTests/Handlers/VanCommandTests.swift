@testable import Domain
@testable import Dialogue
import CopilotTestKit
import Foundation
import Testing

/// Commands to devices of every kind.
@Suite struct VanCommandTests {
    @Test func aLevel_isSentInTheDevicesOwnNumbers_andUndone() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/kl/state", "ON"), ("van/kl/dim", "255"))
            let reply = try await bench.say("set the kitchen light to forty percent")
            #expect(reply.text == "The kitchen light is at 40%.")
            #expect(bench.sent == ["van/kl/dim/set 102"])
            #expect(try await bench.undo(reply) == true)
            #expect(bench.sent.last == "van/kl/dim/set 255")
        }
    }

    @Test func aLampThatIsOff_isTurnedOnBeforeItIsDimmed_andOffAgainByUndo() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/kl/state", "OFF"), ("van/kl/dim", "255"))
            let reply = try await bench.say("set the kitchen light to forty percent")
            #expect(bench.sent == ["van/kl/set ON", "van/kl/dim/set 102"])
            #expect(try await bench.undo(reply) == true)
            #expect(bench.sent.last == "van/kl/set OFF")
        }
    }

    @Test func brighter_goesByAStep_andNeedsTheLevel() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(
                try await bench.say("make the roof fan faster").text
                    == "I don't know how the roof fan is set now, so I can't change it by a step.")
            try await bench.tell(("van/fan/state", "ON"), ("van/fan/speed", "40"))
            #expect(try await bench.say("make the roof fan faster").text == "The roof fan is at 60%.")
            #expect(
                try await bench.say("turn the roof fan up by fifty percent").text == "The roof fan is at 100%.")
            try await bench.heard()
            #expect(
                try await bench.say("make the roof fan faster").text
                    == "The roof fan is already at 100%, and that's the limit.")
        }
    }

    @Test func aTemperature_isSet_andRefusedOutOfRange() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("set the heater to 21 degrees").text == "The heater is set to 21 °C.")
            let sent = bench.sent
            #expect(
                try await bench.say("set the heating to 45 degrees").text
                    == "The heater can be set from 5 to 30 °C, so I sent nothing.")
            #expect(bench.sent == sent)
            let reply = try await bench.say("I'm cold")
            #expect(reply.text == "The heater is set to 22 °C.")
            #expect(try await bench.undo(reply) == true)
            #expect(bench.sent.last == "van/heat/temp/set 21")
        }
    }

    @Test func anOption_isSet_andAnUnknownOneNamesTheOthers() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("set the fridge to gas").text == "The fridge is set to gas.")
            #expect(try await bench.say("set the fridge to 12 volts").text == "The fridge is set to twelve volts.")
            #expect(bench.sent == ["van/fridge/set gas", "van/fridge/set dc"] || bench.sent.count == 2)
            #expect(
                try await bench.say("set the fridge to turbo").text
                    == "The fridge can be set to twelve volts, mains or gas, so I sent nothing.")
        }
    }

    @Test func openingACover_isAskedFor_closingIsNot() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/vent/state", "closed"), ("van/vent/pos", "0"))
            let question = try await bench.say("open the roof vent")
            #expect(question.text == "Shall I open the roof vent?")
            #expect(bench.sent.isEmpty)
            #expect(try await bench.sayYes("open the roof vent").text == "The roof vent is open.")
            #expect(try await bench.say("close the roof vent").text == "The roof vent is closed.")
            #expect(try await bench.say("close the roof vent").text == "The roof vent is already closed.")
        }
    }

    @Test func aCoverOnItsWay_isSaidToBe_andTakesStopFirst() async throws {
        let bench = try VanYard.bench()
        bench.bus.answer { publication in
            publication.topic == "van/vent/set"
                ? [BusMessage(topic: "van/vent/state", payload: Array("closing".utf8), isRetained: false)] : []
        }
        try await bench.run { () async throws in
            try await bench.tell(("van/vent/state", "open"))
            let reply = try await bench.say("close the roof vent")
            #expect(reply.text == "The roof vent is closing.")
            guard case .steps(let steps)? = reply.question else {
                Issue.record("stop is not listened for")
                return
            }
            #expect(steps["stop"]?.intent == "stop")
        }
    }

    @Test func unlocking_isAskedFor_andUndoneByLocking() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/door/state", "LOCKED"))
            #expect(try await bench.say("lock the front door").text == "The front door is already locked.")
            #expect(try await bench.say("unlock the front door").text == "Shall I unlock the front door?")
            let reply = try await bench.sayYes("unlock the front door")
            #expect(reply.text == "The front door is unlocked.")
            #expect(try await bench.undo(reply) == true)
            #expect(bench.sent == ["van/door/set UNLOCK", "van/door/set LOCK"])
        }
    }

    @Test func undoingALock_isAskedFor_asUnlockingIs() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/door/state", "UNLOCKED"))
            let reply = try await bench.say("lock the front door")
            #expect(reply.text == "The front door is locked.")
            #expect(reply.undo?.confirmation == "Undoing that means the front door unlocked. Shall I?")
        }
    }

    @Test func whatTheOwnerMarked_andHeatWhileAway_areAskedFor() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("turn on the inverter").text == "Shall I turn on the inverter?")
            #expect(try await bench.say("turn on the heater").text == "The heater is on.")
            #expect(try await bench.say("turn off the heater").text == "The heater is off.")
            try await bench.stores.kept.set("mode", to: "away")
            #expect(try await bench.say("turn on the heater").text == "Shall I turn on the heater?")
        }
    }

    @Test func heaterWhileTheModeCannotBeRead_isAskedAbout_andTurnedOffAtOnce() async throws {
        let bench = try VanYard.bench(stores: LostStore(reason: "the disk is gone").stores)
        bench.obeysAll()
        try await bench.run { () async throws in
            let names = await OwnerNamesReader.readableNames(bench.context).names
            #expect(try await bench.say("turn on the heater", names).text == "Shall I turn on the heater?")
            #expect(try await bench.say("turn off the heater", names).text == "The heater is off.")
        }
    }

    @Test func anUnknownStateBefore_cannotBeUndone() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            let reply = try await bench.say("turn on the sink light")
            #expect(try await bench.undo(reply) == false)
            #expect(bench.sent == ["van/sink/set ON"])
        }
    }

    @Test func aButton_isPressed_andANumberIsSet() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("press the doorbell").text == "I've pressed the doorbell.")
            #expect(try await bench.say("set the charge limit to 20").text == "The charge limit is set to 20 amps.")
            #expect(
                try await bench.say("set the charge limit to 80").text
                    == "The charge limit can be set from 5 to 50 amps, so I sent nothing.")
        }
    }

    @Test func whatADeviceCannotDo_isSaid() async throws {
        let bench = try VanYard.bench()
        try await bench.run { () async throws in
            #expect(try await bench.say("open the sink light").text == "The sink light can't be opened from here.")
            #expect(try await bench.say("set the sink light to half").text == "The sink light can't be set to that.")
            #expect(
                try await bench.say("turn on the coffee machine").text
                    == "I don't know a device called coffee machine.")
            #expect(bench.sent.isEmpty)
        }
    }

    @Test func anUnconfirmedLevel_isSaidToBe() async throws {
        let bench = try VanYard.bench(confirmationLimit: .milliseconds(1))
        try await bench.run { () async throws in
            let reply = try await bench.say("set the roof fan to half")
            #expect(reply.text == "I've told the roof fan, but it hasn't confirmed.")
            #expect(reply.outcome == .failed)
        }
    }

    @Test func aScene_isRun_andUndone() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/kl/state", "ON"), ("van/fan/state", "ON"))
            let reply = try await bench.say("movie night")
            #expect(reply.text == "Movie night is set.")
            #expect(Set(bench.sent) == ["van/kl/set OFF", "van/fan/set OFF"])
            #expect(try await bench.undo(reply) == true)
            #expect(bench.sent.count >= 4)
        }
    }

    @Test func aNumberBetweenTheSteps_isToldAsItIsSet() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("set the charge limit to 22").text == "The charge limit is set to 20 amps.")
            #expect(bench.sent == ["van/lim/set 20"])
            #expect(try await bench.say("set the heater to 19.3 degrees").text == "The heater is set to 19.5 °C.")
        }
    }

    @Test func aCoverThatIsHalfOpen_isNotOpenAlready() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            try await bench.tell(("van/vent/state", "open"), ("van/vent/pos", "30"))
            #expect(try await bench.say("open the roof vent").text == "Shall I open the roof vent?")
            #expect(try await bench.sayYes("open the roof vent").text == "The roof vent is open.")
        }
    }

    @Test func lockUp_isForEveryLock() async throws {
        let bench = try VanYard.bench()
        bench.obeysAll()
        try await bench.run { () async throws in
            #expect(try await bench.say("lock everything").text == "The front door is locked.")
        }
    }
}
