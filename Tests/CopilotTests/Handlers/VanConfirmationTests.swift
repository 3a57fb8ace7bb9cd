@testable import Domain
import CopilotTestKit
import Foundation
import Testing

/// What counts as a confirmation, and what does not.
@Suite struct VanConfirmationTests {
    private static func answers(_ bench: VanBench, with messages: (topic: String, payload: String)...) {
        bench.bus.answer { publication in
            guard publication.topic == "van/fan/speed/set" else { return [] }
            return messages.map { BusMessage(topic: $0.topic, payload: Array($0.payload.utf8), isRetained: false) }
        }
    }

    @Test func levelThatIsKeptWhileOff_isNoConfirmation() async throws {
        let bench = try VanYard.bench(confirmationLimit: .milliseconds(300))
        Self.answers(bench, with: ("van/fan/state", "OFF"), ("van/fan/speed", "50"))
        try await bench.run { () async throws in
            try await bench.tell(("van/fan/state", "OFF"), ("van/fan/speed", "50"))
            #expect(
                try await bench.say("set the roof fan to half").text
                    == "I've told the roof fan, but it hasn't confirmed.")
            #expect(bench.sent == ["van/fan/set ON", "van/fan/speed/set 50"])
        }
    }

    @Test func levelBeforeThePower_isConfirmedByThePower() async throws {
        let bench = try VanYard.bench()
        Self.answers(bench, with: ("van/fan/speed", "50"), ("van/fan/state", "ON"))
        try await bench.run { () async throws in
            try await bench.tell(("van/fan/state", "OFF"), ("van/fan/speed", "20"))
            #expect(try await bench.say("set the roof fan to half").text == "The roof fan is at 50%.")
        }
    }
}
