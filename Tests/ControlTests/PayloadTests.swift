import Foundation
import Testing

@testable import Control

/// The groups by which payloads are made do not show on the wire.
@Suite struct PayloadTests {
    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try ControlJSON.encode(value), as: UTF8.self)
    }

    @Test func aTurn_isFlatOnTheWire() throws {
        let record = TraceRecord(
            .init(turn: 3, source: .voice, startedAt: Date(timeIntervalSince1970: 60)),
            heard: .init(
                "pump on", normalised: "pump on", recogniserConfidence: 0.5,
                alternatives: [.init(text: "bump on", confidence: 0.25)], hearing: ["streaming"]),
            interpretation: .init(
                handler: "van", intent: "turn_on", level: .exact, confidence: 1, slots: ["device": "pump"]),
            routing: .init(
                classifier: [.init(intent: "van.turn_on", probability: 0.75)],
                proposals: [.init(handler: "van", intent: "turn_on", level: .exact)],
                stages: [.init(name: "recognise", milliseconds: 2)]),
            result: .init(reply: "The pump is on.", outcome: .done, effects: ["pump: on"]))
        let wire = """
            {"alternatives":[{"confidence":0.25,"text":"bump on"}],"classifier":[{"intent":"van.turn_on",\
            "probability":0.75}],"confidence":1,"effects":["pump: on"],"handler":"van","hearing":["streaming"],\
            "intent":"turn_on","level":"exact","normalised":"pump on","outcome":"done","proposals":[{"handler":"van",\
            "intent":"turn_on","level":"exact"}],"recogniserConfidence":0.5,"reply":"The pump is on.",\
            "slots":{"device":"pump"},"source":"voice","stages":[{"milliseconds":2,"name":"recognise"}],\
            "startedAt":"1970-01-01T00:01:00Z","transcript":"pump on","turn":3}
            """
        #expect(try json(record) == wire)
        #expect(try ControlJSON.decode(TraceRecord.self, from: Data(wire.utf8)) == record)
    }

    @Test func aStatus_isFlatOnTheWire() throws {
        let status = StatusResult(
            process: .init(version: "1", uptimeSeconds: 2, residentBytes: 3, cpuSeconds: 4),
            activity: .init(state: .ready, muted: false, mode: "camp"), bus: BusStatus(connected: true, detail: "x"),
            parts: [], speech: .init(recogniser: "r", voice: "v"), counts: .init(devices: 5, items: 6, phrases: 7))
        let wire = """
            {"bus":{"connected":true,"detail":"x"},"cpuSeconds":4,"devices":5,"items":6,"mode":"camp","muted":false,\
            "parts":[],"phrases":7,"recogniser":"r","residentBytes":3,"state":"ready","uptimeSeconds":2,\
            "version":"1","voice":"v"}
            """
        #expect(try json(status) == wire)
    }
}
