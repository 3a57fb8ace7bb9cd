@testable import Domain
import CopilotTestKit
import Foundation
import StoreSQLite
import SystemTestKit
import Testing

/// Emergencies while everything else is broken.
@Suite struct EmergencyDamageTests {
    private static let cries = [
        "emergency", "fire", "gas leak", "carbon monoxide", "ambulance", "what's the emergency number",
        "emergency location", "first aid",
    ]

    @Test(arguments: cries)
    func withTheStoreLost_andNoBroker_itStillAnswers(text: String) async throws {
        let bench = try VanBench(stores: LostStore(reason: "damaged").stores)
        bench.bus.reach(false)
        #expect(try await bench.ask(text, bench.context).wording.spoken.contains("9 9 9"))
    }

    private static func garbage(over path: String) throws {
        let handle = try FileHandle(forWritingTo: URL(filePath: path))
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(repeating: 0xA5, count: Int(size)))
        try handle.close()
    }

    @Test(arguments: cries)
    func withTheFileOverwrittenWhileOpen_itStillAnswers(text: String) async throws {
        try await withFolder { folder in
            let path = folder + "/vanorb.sqlite"
            let store = try SQLiteStore.open(path: path, logger: .silent)
            let bench = try VanBench(stores: store.stores)
            for number in 0..<200 { try await bench.item("thing \(number)", in: "cab") }
            for file in [path, path + "-wal", path + "-shm"] where FileManager.default.fileExists(atPath: file) {
                try Self.garbage(over: file)
            }
            #expect(try await bench.ask(text, bench.context).wording.spoken.contains("9 9 9"))
            try? store.close()
        }
    }

    @Test(arguments: cries)
    func withTheFileDamagedAtStart_itStillAnswers(text: String) async throws {
        try await withFolder { folder in
            let path = folder + "/vanorb.sqlite"
            try SQLiteStore.open(path: path, logger: .silent).close()
            try Self.garbage(over: path)
            var stores = LostStore(reason: "not tried").stores
            do {
                stores = try SQLiteStore.open(path: path, logger: .silent).stores
                Issue.record("garbage was opened")
            } catch { stores = LostStore(reason: "\(error)").stores }
            let bench = try VanBench(stores: stores)
            #expect(try await bench.ask(text, bench.context).wording.spoken.contains("9 9 9"))
        }
    }

    /// A broker that takes the message and never says so.
    private struct StalledBus: Bus {
        func events() -> AsyncStream<BusEvent> { AsyncStream { _ in } }
        let isConnected = true
        func subscribe(_ filters: [String]) {}
        func publish(topic: String, payload: String, retain: Bool) async throws {
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
        }
    }

    @Test func aBrokerThatHangs_doesNotHoldUpTheReply() async throws {
        let bench = try VanBench()
        let reply = try await bench.ask("gas leak", bench.with(bus: StalledBus()))
        #expect(reply.wording.spoken.hasPrefix("No flames, no switches."))
        #expect(reply.effects == ["mqtt: sent to vanorb/emergency, not confirmed"])
    }
}
