import Testing

/// Who may import whom. A breach fails with the reason why it is one.
@Suite struct ImportTests {
    /// What a target may import besides the standard library, Foundation, Dispatch and swift-log, and why no more.
    struct Rule: Sendable, CustomTestStringConvertible {
        let target: String
        let allowed: Set<String>
        let reason: String
        var testDescription: String { target }
    }

    private static let everywhere: Set<String> = ["Foundation", "Synchronization", "Logging", "Dispatch", "Glibc"]

    private static let edges: Set<String> = [
        "AudioALSA", "SoundFiles", "SignalProcessing", "SpeechPocketSphinx", "SpeechMoonshine", "VoiceESpeak",
        "IntentLinear", "PanelGPIO", "PositionGPSD", "BusMosquitto", "StoreSQLite",
    ]

    private static func edge(_ target: String, _ own: Set<String>) -> Rule {
        Rule(
            target: target, allowed: own.union(["Copilot"]),
            reason: "an edge wraps its own library behind the core's seams; two edges meet in the assembly only")
    }

    static let rules: [Rule] = [
        Rule(
            target: "Copilot", allowed: ["Yams"],
            reason: "the core decides and wraps nothing: no C, no NIO, no GRDB, no edge"),
        Rule(target: "Threads", allowed: [], reason: "it knows threads and nothing of the appliance"),
        Rule(
            target: "RingRenderer", allowed: [], reason: "state, time and palette to pixels; a terminal draws it, too"),
        edge("AudioALSA", ["Threads", "CALSA"]), edge("SoundFiles", ["CSndFile"]),
        edge("SignalProcessing", ["CSpeexDSP"]), edge("SpeechPocketSphinx", ["Threads", "CPocketSphinx"]),
        edge("SpeechMoonshine", ["Threads", "COnnxRuntime"]), edge("VoiceESpeak", ["Threads", "CESpeakNG"]),
        edge("IntentLinear", ["CLinear"]), edge("PanelGPIO", ["RingRenderer", "Threads", "CGPIOD"]),
        edge("PositionGPSD", ["NIOCore", "NIOPosix"]), edge("BusMosquitto", ["Threads", "CMosquitto"]),
        edge("StoreSQLite", ["GRDB"]),
        Rule(
            target: "Control", allowed: ["NIOCore", "NIOPosix"],
            reason: "the command line speaks through it and must not carry the core with it"),
        Rule(
            target: "vanorb-motor", allowed: ["CGPIOD"],
            reason: "it lives beside the daemon for the sake of one line, and shall be small"),
        Rule(
            target: "TerminalNCurses", allowed: ["RingRenderer", "CNCurses"],
            reason: "it draws what it is given; what that means is the command line's"),
        Rule(
            target: "vanorb", allowed: ["Control", "RingRenderer", "TerminalNCurses", "ArgumentParser"],
            reason: "it runs on anybody's terminal and reaches the appliance through the socket alone"),
        Rule(
            target: "Setup",
            allowed: [
                "Copilot", "AudioALSA", "SignalProcessing", "SoundFiles", "SpeechPocketSphinx",
                "SpeechMoonshine", "PanelGPIO", "BusMosquitto", "CMalloc",
            ],
            reason: "it reads settings and board file and wires what hears; the rest is wired by the daemon"),
        Rule(
            target: "vanorbd",
            allowed: edges.union([
                "Copilot", "Control", "Setup", "RingRenderer", "Threads", "ServiceLifecycle", "ArgumentParser", "Yams",
                "CTimex",
            ]),
            reason: "it wires the rooms; their libraries it leaves to them"),
        Rule(
            target: "vanorb-lab",
            allowed: edges.union(["Copilot", "Control", "Setup", "RingRenderer", "Threads", "ArgumentParser"]),
            reason: "it measures the rooms; their libraries it leaves to them"),
        Rule(
            target: "CopilotTestKit", allowed: ["Copilot"],
            reason: "a fake that needed a real library would be none"),
    ]

    @Test(arguments: rules)
    func target_importsOnlyWhatItMay(_ rule: Rule) {
        for file in SourceTree.files(under: "Sources/\(rule.target)") {
            for module in SourceTree.imports(of: file)
            where !Self.everywhere.contains(module) && !rule.allowed.contains(module) {
                Issue.record("\(file.path) imports \(module), and may not: \(rule.reason)")
            }
        }
    }

    @Test func everyTargetWithSwiftInIt_hasARule() {
        let ruled = Set(Self.rules.map(\.target))
        let targets = Set(SourceTree.files(under: "Sources").map(\.target))
        #expect(!targets.isEmpty)
        #expect(targets.subtracting(ruled).isEmpty, "say what these may import, and why")
    }
}
