import Foundation
import Testing

@testable import IntentLinear

@Suite struct IntentModelFileTests {
    private static let model = Result {
        try IntentTrainer.train(
            sentences: SyntheticCorpus.sentences(perIntent: 10), options: TrainingOptions(bits: 12)
        )
    }

    private func withFile<Value>(_ body: (String) throws -> Value) rethrows -> Value {
        let path = "/tmp/vo-\(UUID().uuidString.prefix(8)).model"
        defer { unlink(path) }
        return try body(path)
    }

    private func bytes() throws -> [UInt8] {
        try withFile { path in
            try Self.model.get().save(to: path)
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        }
    }

    private func reason(_ bytes: [UInt8]) -> IntentModelFileError.Reason? {
        do {
            _ = try IntentModel(bytes: bytes, path: "test.model")
            return nil
        } catch {
            return (error as? IntentModelFileError)?.reason
        }
    }

    @Test func savedModel_comesBackTheSame() throws {
        let model = try Self.model.get()
        let loaded = try withFile { path in
            try model.save(to: path)
            return try IntentModel(contentsOf: path)
        }
        #expect(loaded == model)
        let text = "log coffee for £3"
        #expect(loaded.classify(text, count: 5) == model.classify(text, count: 5))
    }

    @Test func everyTruncation_isRefused() throws {
        let whole = try bytes()
        for length in Array(0..<400) + Array(stride(from: 400, to: whole.count, by: 997)) + [whole.count - 1] {
            #expect(reason(Array(whole[..<length])) != nil, "cut to \(length)")
        }
        #expect(reason(Array(whole[..<(whole.count / 2)])) == .truncated)
        #expect(reason(whole) == nil)
    }

    @Test func everyChangedByte_isRefused() throws {
        let whole = try bytes()
        for place in Array(0..<400) + Array(stride(from: 400, to: whole.count, by: 997)) + [whole.count - 1] {
            var changed = whole
            changed[place] ^= 0x5A
            #expect(reason(changed) != nil, "changed at \(place)")
        }
        #expect(reason(whole + [0]) == .damaged)
    }

    @Test func otherFiles_areToldApart() throws {
        #expect(reason([]) == .notAModel)
        #expect(reason(Array("#!/bin/sh\n".utf8)) == .notAModel)
        var newer = try bytes()
        newer[8] = 9
        #expect(reason(newer) == .wrongVersion(9))
    }

    @Test func missingFile_isNamed() {
        do {
            _ = try IntentModel(contentsOf: "/nowhere/intents.model")
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains("/nowhere/intents.model"))
            #expect((error as? IntentModelFileError)?.reason == .inaccessible)
        }
        #expect(throws: IntentModelFileError.self) { try Self.model.get().save(to: "/nowhere/intents.model") }
    }
}
