import Testing

/// Which target may import which. A violation fails with the reason for the rule.
@Suite struct ImportTests {
    /// What a target may import besides the standard library, Foundation, Dispatch and swift-log, and why no more.
    struct Rule: Sendable, CustomTestStringConvertible {
        let target: String
        let allowed: Set<String>
        let reason: String
        var testDescription: String { target }
    }

    private static let everywhere: Set<String> = ["Foundation", "Synchronization", "Logging", "Dispatch", "Glibc"]

    /// The core from the bottom up: a target imports only what stands before it, so that there is no circle.
    private static let core = [
        "Domain", "Configuration", "Language", "Devices", "AudioPipeline", "TableExchange", "Handlers", "Dialogue",
    ]

    private static let adapters: Set<String> = [
        "AudioALSA", "SoundFiles", "SignalProcessing", "SpeechPocketSphinx", "SpeechMoonshine",
        "VoiceActivitySilero", "VoiceESpeak",
        "IntentLinear", "IntentEncoder", "PanelGPIO", "PositionGPSD", "BusMosquitto", "StoreSQLite",
    ]

    private static func adapter(_ target: String, _ own: Set<String>) -> Rule {
        Rule(
            target: target, allowed: own.union(["Domain"]),
            reason: "an adapter wraps its own library behind the protocols of Domain; two of them meet in the programs")
    }

    static let rules: [Rule] = [
        Rule(target: "Domain", allowed: [], reason: "it holds values and protocols, and everybody imports it"),
        Rule(target: "Configuration", allowed: ["Domain", "Yams"], reason: "it reads YAML, whatever stands in it"),
        Rule(
            target: "Language", allowed: ["Domain", "Configuration"],
            reason: "it makes commands of words, and knows nothing of who carries them out"),
        Rule(
            target: "Devices", allowed: ["Domain", "Configuration"],
            reason: "it knows devices and the bus, and nothing of words"),
        Rule(
            target: "AudioPipeline", allowed: ["Domain", "Configuration"],
            reason: "it hands on what was heard, and does not understand it"),
        Rule(target: "TableExchange", allowed: ["Domain"], reason: "it makes rows of files and files of rows"),
        Rule(
            target: "Handlers", allowed: ["Domain", "Configuration", "Language", "Devices", "TableExchange"],
            reason: "a handler carries out a command; when and for whom, the dialogue decides"),
        Rule(
            target: "Dialogue", allowed: Set(core.dropLast()),
            reason: "it is the top of the core, which wraps no library: no C, no NIO, no GRDB, no adapter"),
        Rule(target: "Threads", allowed: [], reason: "it knows threads and nothing of the appliance"),
        Rule(
            target: "IntegerMatrices", allowed: ["CIntegerProducts"], reason: "it multiplies, whatever the numbers mean"
        ),
        Rule(target: "OnnxRuntime", allowed: ["COnnxRuntime"], reason: "it runs models, whatever they hear"),
        Rule(
            target: "RingRenderer", allowed: [], reason: "state, time and palette to pixels; a terminal draws it, too"),
        adapter("AudioALSA", ["Threads", "CALSA"]), adapter("SoundFiles", ["CSndFile"]),
        adapter("SignalProcessing", ["CSpeexDSP"]),
        // The exceptions: what a word sounds like, and what a phrasebook offers to learn from, is language.
        adapter("SpeechPocketSphinx", ["Language", "Threads", "CPocketSphinx"]),
        adapter("IntentLinear", ["Language", "IntegerMatrices", "CLinear"]),
        adapter("IntentEncoder", ["IntegerMatrices"]),
        adapter("SpeechMoonshine", ["Threads", "OnnxRuntime", "HeapModule"]),
        adapter("VoiceActivitySilero", ["OnnxRuntime"]),
        adapter("VoiceESpeak", ["Threads", "CESpeakNG"]),
        adapter("PanelGPIO", ["RingRenderer", "Threads", "CGPIOD"]),
        adapter("PositionGPSD", ["NIOCore", "NIOPosix"]), adapter("BusMosquitto", ["Threads", "CMosquitto"]),
        adapter("StoreSQLite", ["GRDB"]),
        Rule(
            target: "Control", allowed: ["NIOCore", "NIOPosix"],
            reason: "the command line speaks through it and must not carry the core with it"),
        Rule(
            target: "vanorb-motor", allowed: ["CGPIOD"],
            reason: "it runs next to the daemon for one GPIO line, and must be small"),
        Rule(
            target: "TerminalNCurses", allowed: ["RingRenderer", "CNCurses"],
            reason: "it draws what it is given; what that means is the command line's"),
        Rule(
            target: "vanorb", allowed: ["Control", "RingRenderer", "TerminalNCurses", "ArgumentParser"],
            reason: "it runs on anybody's terminal and reaches the appliance through the socket alone"),
        Rule(
            target: "Setup",
            allowed: Set(core).union([
                "AudioALSA", "SignalProcessing", "SoundFiles", "SpeechPocketSphinx", "SpeechMoonshine",
                "VoiceActivitySilero", "OnnxRuntime", "PanelGPIO", "BusMosquitto", "CMalloc",
            ]),
            reason: "it reads settings and board file and wires what hears; the rest is wired by the daemon"),
        Rule(
            target: "vanorbd",
            allowed: adapters.union(core).union([
                "Control", "Setup", "RingRenderer", "Threads", "ServiceLifecycle", "ArgumentParser", "Yams", "CTimex",
            ]),
            reason: "it wires the adapters; their libraries it leaves to them"),
        Rule(
            target: "vanorb-lab",
            allowed: adapters.union(core).union(["Control", "Setup", "RingRenderer", "Threads", "ArgumentParser"]),
            reason: "it measures the adapters; their libraries it leaves to them"),
        Rule(
            target: "CopilotTestKit", allowed: ["Domain"],
            reason: "a fake must not need a real library"),
        Rule(
            target: "SystemTestKit", allowed: [],
            reason: "it drives programs from outside and must not know what is in them"),
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
