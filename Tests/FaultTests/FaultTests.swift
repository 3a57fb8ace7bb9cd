import Foundation
import Synchronization
import Testing

/// Every call of every seam fails, is cancelled or never returns, once and for ever. After SQLite's own tests, which
/// let each allocation fail in turn (`test/malloc_common.tcl`).
@Suite(.serialized) struct FaultTests {
    /// All faults, where `VANORB_FAULTS` is `all`; else a sample.
    private static let isWhole = ProcessInfo.processInfo.environment["VANORB_FAULTS"] == "all"
    /// Repeats a sample, by the number that it has printed.
    private static let seed =
        ProcessInfo.processInfo.environment["VANORB_SEED"].flatMap(UInt64.init) ?? UInt64.random(in: 1...999_999)
    /// One scene only, for looking into it.
    private static let only = ProcessInfo.processInfo.environment["VANORB_FAULT_SCENE"]
    private static let scenes = FaultScene.all.filter { only == nil || $0.name == only }
    /// How long a sample takes, in seconds.
    private static let sampleTime = Duration.seconds(
        ProcessInfo.processInfo.environment["VANORB_FAULT_SECONDS"].flatMap(Int.init) ?? 40)

    /// What there is to do without a fault.
    private struct Plain: Sendable {
        let check: FaultCheck
        /// How many calls each seam gets.
        let counts: [Seam: Int]
    }

    @Test func withoutAFault_everyTurnDoesWhatItSays() async throws {
        for scene in Self.scenes {
            let run = try await SoundRuns.shared.run(of: scene)
            for turn in run.turns {
                let outcome = turn.trace?.outcome
                #expect(
                    outcome == .done || outcome == .asked || outcome == .cancelled,
                    "\(scene.name), \(turn.line): \(turn.trace?.reply ?? "no answer")")
            }
            let check = FaultCheck(scene: scene, sound: run)
            #expect(check.violations(of: run).isEmpty, "\(check.violations(of: run).map(\.what))")
        }
    }

    /// What handlers read for their replies once they have written, what they write in two steps, and the name that a
    /// change gets in the journal. An undo took back the change before the one whose name was lost.
    private static let behindACommit: [(scene: String, call: String)] = [
        ("ledger", "budgets.budgets"), ("ledger", "ledger.spent"), ("usual list", "checklist.tasks"),
        ("usual list", "checklist.lists"), ("checklist", "checklist.tasks"), ("trip with odometer", "trips.start"),
        ("trip with odometer", "trips.setEnd"), ("trip with odometer", "trips.driven"),
        ("trip with odometer", "trips.readings"), ("devices together", "kept.value"), ("modes", "kept.value"),
        ("checklist", "journal.seal"), ("usual list", "journal.seal"), ("ledger", "journal.seal"),
        ("trip", "journal.seal"),
    ]

    @Test(arguments: behindACommit)
    func whatFailsBehindACommit_doesNotMakeItAFailure(scene name: String, call: String) async throws {
        let scene = try #require(FaultScene.all.first { $0.name == name })
        let sound = try await SoundRuns.shared.run(of: scene), check = FaultCheck(scene: scene, sound: sound)
        for number in sound.calls.filter({ $0.name == call }).map(\.number) {
            let run = try await FaultRun.play(
                scene, Fault(seam: .store, number: number, kind: .fails, lasts: false))
            #expect(check.violations(of: run).isEmpty, "\(number): \(check.violations(of: run).map(\.what))")
        }
    }

    @Test func everyFault_isReportedAsItIs_andPasses() async throws {
        var plains: [Plain] = []
        for scene in Self.scenes {
            let run = try await SoundRuns.shared.run(of: scene)
            let counts = Dictionary(run.calls.map { ($0.seam, 1) }, uniquingKeysWith: +)
            plains.append(Plain(check: FaultCheck(scene: scene, sound: run), counts: counts))
        }
        let warm = Resources.now
        let tally = Self.isWhole ? try await whole(plains) : try await sample(plains)
        tally.report(seed: Self.isWhole ? nil : Self.seed, scenes: plains.count)
        try await Resources.settled(from: warm)
    }

    /// A run with a fault and what is wrong with it. On a busy machine the clock may have been moved on while the core
    /// was at work: what is found is looked at again with more patience.
    private static func judged(_ fault: Fault, _ check: FaultCheck) async throws -> (FaultRun, [Violation]) {
        let run = try await FaultRun.play(check.scene, fault), violations = check.violations(of: run)
        guard !violations.isEmpty else { return (run, []) }
        let second = try await FaultRun.play(check.scene, fault, patience: .milliseconds(400))
        return (second, check.violations(of: second))
    }

    /// Faults in an order of chance, as many as there is time for.
    private func sample(_ plains: [Plain]) async throws -> Tally {
        var faults: [(Plain, Fault)] = []
        for plain in plains {
            for (seam, count) in plain.counts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
                for number in 1...count {
                    for kind in seam.kinds {
                        for lasts in Fault.persistences(of: seam) {
                            faults.append((plain, Fault(seam: seam, number: number, kind: kind, lasts: lasts)))
                        }
                    }
                }
            }
        }
        var chance = SeededChance(seed: Self.seed)
        faults.shuffle(using: &chance)
        var tally = Tally(of: faults.count)
        let end = ContinuousClock.now + Self.sampleTime
        for (plain, fault) in faults {
            guard ContinuousClock.now < end else { break }
            let (run, violations) = try await Self.judged(fault, plain.check)
            tally.add(run, violations)
        }
        return tally
    }

    /// All faults: the n-th call for n = 1, 2, … until none fires any more. As many at once as there are processors.
    private func whole(_ plains: [Plain]) async throws -> Tally {
        var series: [(Plain, Seam, Fault.Kind, Bool)] = []
        for plain in plains {
            for seam in plain.counts.keys {
                for kind in seam.kinds {
                    for lasts in Fault.persistences(of: seam) { series.append((plain, seam, kind, lasts)) }
                }
            }
        }
        return try await withThrowingTaskGroup(of: Tally.self) { group in
            var waiting = series[...], tally = Tally(of: nil)
            func next() {
                guard let (plain, seam, kind, lasts) = waiting.popFirst() else { return }
                group.addTask {
                    var tally = Tally(of: nil)
                    for number in 1... {
                        let fault = Fault(seam: seam, number: number, kind: kind, lasts: lasts)
                        let (run, violations) = try await Self.judged(fault, plain.check)
                        guard !run.fired.isEmpty else { break }
                        tally.add(run, violations)
                    }
                    return tally
                }
            }
            for _ in 0..<ProcessInfo.processInfo.activeProcessorCount { next() }
            while let part = try await group.next() {
                tally.merge(part)
                next()
            }
            return tally
        }
    }
}

/// Each scene without a fault, played once.
private actor SoundRuns {
    static let shared = SoundRuns()
    private var known: [String: FaultRun] = [:]

    func run(of scene: FaultScene) async throws -> FaultRun {
        if let run = known[scene.name] { return run }
        let run = try await FaultRun.play(scene, nil)
        known[scene.name] = run
        return run
    }
}

/// Counts faults, calls and violations.
private struct Tally: Sendable {
    /// How many faults there are to choose from; nil where all are tried.
    let all: Int?
    var runs = 0, fired = 0, calls = 0
    var violations: [Violation: (count: Int, example: String)] = [:]

    init(of all: Int?) { self.all = all }

    mutating func add(_ run: FaultRun, _ found: [Violation]) {
        runs += 1
        fired += run.fired.count
        calls += run.calls.count
        for violation in found {
            let example = violations[violation]?.example ?? run.fault?.description ?? ""
            violations[violation] = ((violations[violation]?.count ?? 0) + 1, example)
        }
    }

    mutating func merge(_ other: Tally) {
        runs += other.runs
        fired += other.fired
        calls += other.calls
        violations.merge(other.violations) { ($0.count + $1.count, $0.example) }
    }

    func report(seed: UInt64?, scenes: Int) {
        let extent = all.map { "\(runs) of \($0) faults, VANORB_SEED=\(seed ?? 0)" } ?? "all \(runs) faults"
        print("FaultTests: \(scenes) scenes, \(extent); \(fired) calls fared ill of \(calls)")
        for (violation, found) in violations.sorted(by: { ($0.key.scene, $0.key.call) < ($1.key.scene, $1.key.call) }) {
            Issue.record(
                """
                \(violation.scene): \(violation.call) \(violation.kind) (\(found.example); \(found.count) times): \
                \(violation.what)
                """)
        }
    }
}

/// Chance that repeats itself (SplitMix64, Steele, Lea and Flood 2014).
private struct SeededChance: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// What the process holds.
private struct Resources {
    let descriptors: Int, threads: Int
    /// Resident bytes.
    let memory: Int

    static var now: Resources {
        let files = FileManager.default
        let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
        return Resources(
            descriptors: (try? files.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0,
            threads: (try? files.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0,
            memory: (pages?.dropFirst().first.flatMap { Int($0) } ?? 0) * 4_096)
    }

    /// Threads that the pools of Swift and Dispatch may add while much goes on, and keep for a while: one a processor
    /// for each of their priorities.
    private static var poolThreads: Int { 4 * ProcessInfo.processInfo.activeProcessorCount }
    /// Memory that the allocator does not give back: fragments, and what the first of the faults made it take. A
    /// run takes some megabytes; were they kept, hundreds of runs would take more than this.
    private static let memory = 200_000_000

    /// Waits until what the runs took is back.
    static func settled(from warm: Resources) async throws {
        let deadline = ContinuousClock.now + .seconds(10)
        func isBack(_ now: Resources) -> Bool {
            now.descriptors <= warm.descriptors && now.threads <= warm.threads + poolThreads
                && now.memory <= warm.memory + memory
        }
        while !isBack(.now), ContinuousClock.now < deadline {
            try await ContinuousClock().sleep(for: .milliseconds(5))
        }
        let now = Resources.now
        print("FaultTests: before \(warm), after \(now)")
        #expect(isBack(now), "before \(warm), after \(now)")
    }
}
