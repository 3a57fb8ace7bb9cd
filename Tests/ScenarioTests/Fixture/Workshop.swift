import Foundation
import SystemTestKit
import Testing

/// What all scenarios share and is made once a run: a trained classifier, a seeded data folder with the recogniser's
/// language model in it, and speech.
actor Workshop {
    /// The workshop of the suite that runs.
    @TaskLocal static var current: Workshop?

    /// The sources' root.
    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path
    /// The folder of the built programs: the one that is named, or that of the running test bundle. Those that are
    /// built for release are what is shipped, and take less than half the time.
    static let products =
        ProcessInfo.processInfo.environment["VANORB_PROGRAMS"]
        ?? URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path

    static let items = "\(root)/deploy/demo-van/items.csv"
    static let devices = "\(root)/deploy/demo-van/devices.yaml"

    let folder: TemporaryFolder
    nonisolated let classifier: String
    /// Copied for each appliance.
    nonisolated let seededData: String

    init() async throws {
        folder = try TemporaryFolder()
        classifier = folder.file("intents.model")
        seededData = folder.file("data")
        async let training = run("\(Self.products)/vanorb-lab", ["train", "--output", classifier])
        try await run("\(Self.products)/vanorb-lab", ["seed", "--data", seededData, "--items", Self.items])
        _ = try await training
    }

    /// Lets one appliance start and end in the seeded folder, so that the language model made there serves all.
    func warmUp() async throws {
        let van = try await VanUnderTest(Setup(hasBroker: false, data: seededData))
        defer { van.end() }
        try await van.stop()
    }

    private var made: [String: Task<String, any Error>] = [:]

    /// What a voice of flite's says, as the path of a WAV file; each sentence is made once.
    func speech(_ text: String, voice: String) async throws -> String {
        let key = "\(voice) \(text)"
        if let making = made[key] { return try await making.value }
        let path = folder.file("speech-\(made.count).wav")
        let making = Task {
            try Flite.speak(text, voice: voice, to: path)
            return path
        }
        made[key] = making
        return try await making.value
    }
}

extension Workshop {
    /// The workshop of the suite that runs.
    static func shared() throws -> Workshop { try #require(current) }
}

/// Opens the workshop for a suite.
struct WorkshopTrait: SuiteTrait, TestScoping {
    func provideScope(
        for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
    ) async throws {
        let workshop = try await Workshop()
        defer { workshop.folder.remove() }
        try await Workshop.$current.withValue(workshop) {
            try await workshop.warmUp()
            try await body()
        }
    }
}

extension Trait where Self == WorkshopTrait {
    static var workshop: Self { WorkshopTrait() }
}

/// The built programs, driven as an owner drives them: sound files, the button, the command line, and plugs pulled.
@Suite(.serialized, .workshop) enum ScenarioTests {}
