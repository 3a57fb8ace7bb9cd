// swift-tools-version: 6.1
import PackageDescription

/// A C library of the system: a module map and a header, nothing else.
func systemLibrary(_ name: String, pkgConfig: String?, apt: String) -> Target {
    .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig, providers: [.apt([apt])])
}

let argumentParser = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let yams = Target.Dependency.product(name: "Yams", package: "Yams")
let grdb = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let heap = Target.Dependency.product(name: "HeapModule", package: "swift-collections")
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")

/// What decides and wraps nothing, from the bottom up: each may import only what stands before it.
let core: [Target.Dependency] = [
    "Domain", "Configuration", "Language", "Devices", "AudioPipeline", "TableExchange", "Handlers", "Dialogue",
]

/// What wraps one library each, behind the protocols of `Domain`.
let adapters: [Target.Dependency] = [
    "AudioALSA", "SoundFiles", "SignalProcessing", "SpeechPocketSphinx", "SpeechMoonshine",
    "VoiceActivitySilero", "VoiceESpeak",
    "IntentLinear", "IntentEncoder", "PanelGPIO", "PositionGPSD", "BusMosquitto", "StoreSQLite",
]

/// Everything that the daemon and the measuring tool wire.
let appliance = core + adapters + ["Threads", "IntegerMatrices", "OnnxRuntime", "RingRenderer", "Control", "Setup"]

/// Arithmetic is optimised in every build: without that one sentence takes a second.
let arithmetic: [SwiftSetting] = [.unsafeFlags(["-O"], .when(configuration: .debug))]

/// Tests of optimised code are not optimised themselves: that would take more than half of the build, and speed up
/// little.
func tests(_ name: String, dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies,
        swiftSettings: [.unsafeFlags(["-Onone"], .when(configuration: .release))])
}

let package = Package(
    name: "VanOrb",
    products: [
        .executable(name: "vanorbd", targets: ["vanorbd"]),
        .executable(name: "vanorb", targets: ["vanorb"]),
        .executable(name: "vanorb-motor", targets: ["vanorb-motor"]),
        .executable(name: "vanorb-lab", targets: ["vanorb-lab"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.6.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.100.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.10.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.0"),
    ],
    targets: [
        systemLibrary("CALSA", pkgConfig: "alsa", apt: "libasound2-dev"),
        systemLibrary("CPocketSphinx", pkgConfig: "pocketsphinx", apt: "libpocketsphinx-dev"),
        systemLibrary("CESpeakNG", pkgConfig: "espeak-ng", apt: "libespeak-ng-dev"),
        systemLibrary("CGPIOD", pkgConfig: "libgpiod", apt: "libgpiod-dev"),
        systemLibrary("CMosquitto", pkgConfig: "libmosquitto", apt: "libmosquitto-dev"),
        systemLibrary("CLinear", pkgConfig: nil, apt: "liblinear-dev"),
        systemLibrary("CNCurses", pkgConfig: nil, apt: "libncurses-dev"),
        systemLibrary("CSndFile", pkgConfig: "sndfile", apt: "libsndfile1-dev"),
        systemLibrary("CMalloc", pkgConfig: nil, apt: "libc6-dev"),
        systemLibrary("CTimex", pkgConfig: nil, apt: "libc6-dev"),
        // Found when the program runs: Debian 12 has no package of it.
        systemLibrary("COnnxRuntime", pkgConfig: nil, apt: ""),
        systemLibrary("CSpeexDSP", pkgConfig: "speexdsp", apt: "libspeexdsp-dev"),
        systemLibrary("CIntegerProducts", pkgConfig: nil, apt: ""),

        .target(name: "Domain"),
        .target(name: "Configuration", dependencies: ["Domain", yams]),
        .target(name: "Language", dependencies: ["Domain", "Configuration"], resources: [.copy("Languages")]),
        .target(name: "Devices", dependencies: ["Domain", "Configuration", logging]),
        .target(name: "AudioPipeline", dependencies: ["Domain", "Configuration", logging]),
        .target(name: "TableExchange", dependencies: ["Domain"]),
        .target(
            name: "Handlers",
            dependencies: ["Domain", "Configuration", "Language", "Devices", "TableExchange", logging],
            resources: [.copy("Data")]),
        .target(name: "Dialogue", dependencies: core.dropLast() + [logging]),

        .target(name: "Threads"),
        .target(name: "IntegerMatrices", dependencies: ["CIntegerProducts"], swiftSettings: arithmetic),
        .target(name: "OnnxRuntime", dependencies: ["COnnxRuntime"]),
        .target(name: "AudioALSA", dependencies: ["Domain", "Threads", "CALSA", logging]),
        .target(name: "SoundFiles", dependencies: ["Domain", "CSndFile"]),
        .target(name: "SignalProcessing", dependencies: ["Domain", "CSpeexDSP"]),
        .target(
            name: "SpeechPocketSphinx", dependencies: ["Domain", "Language", "Threads", "CPocketSphinx", logging],
            exclude: ["README.md"]),
        .target(
            name: "SpeechMoonshine", dependencies: ["Domain", "Threads", "OnnxRuntime", heap, logging],
            exclude: ["README.md"]),
        .target(name: "VoiceActivitySilero", dependencies: ["Domain", "OnnxRuntime"]),
        .target(name: "VoiceESpeak", dependencies: ["Domain", "Threads", "CESpeakNG", logging]),
        .target(name: "IntentLinear", dependencies: ["Domain", "Language", "IntegerMatrices", "CLinear"]),
        .target(
            name: "IntentEncoder", dependencies: ["Domain", "IntegerMatrices"], exclude: ["README.md"],
            swiftSettings: arithmetic),
        .target(name: "RingRenderer"),
        .target(name: "TerminalNCurses", dependencies: ["RingRenderer", "CNCurses"]),
        .target(name: "PanelGPIO", dependencies: ["Domain", "RingRenderer", "Threads", "CGPIOD", logging]),
        .target(name: "PositionGPSD", dependencies: ["Domain", nioCore, nioPosix, logging]),
        .target(name: "BusMosquitto", dependencies: ["Domain", "Threads", "CMosquitto", logging]),
        .target(name: "StoreSQLite", dependencies: ["Domain", grdb, logging]),
        .target(name: "Control", dependencies: [nioCore, nioPosix, logging]),
        .target(
            name: "Setup",
            dependencies: core + [
                "AudioALSA", "SignalProcessing", "SoundFiles", "SpeechPocketSphinx", "SpeechMoonshine",
                "VoiceActivitySilero", "OnnxRuntime", "PanelGPIO", "BusMosquitto", "CMalloc", logging,
            ]),

        .executableTarget(
            name: "vanorbd", dependencies: appliance + ["CTimex", argumentParser, logging, lifecycle, yams]),
        .executableTarget(name: "vanorb-motor", dependencies: ["CGPIOD"]),
        .executableTarget(
            name: "vanorb", dependencies: ["Control", "RingRenderer", "TerminalNCurses", argumentParser]),
        .executableTarget(name: "vanorb-lab", dependencies: appliance + [argumentParser, logging]),
        .target(name: "CopilotTestKit", dependencies: ["Domain"], resources: [.copy("Languages")]),
        .target(name: "SystemTestKit"),

        tests(
            "CopilotTests",
            dependencies: core + ["CopilotTestKit", "SystemTestKit", "StoreSQLite", "IntentLinear", yams]),
        tests("EdgeTests", dependencies: appliance + ["CopilotTestKit", "SystemTestKit", "vanorb-motor"]),
        tests("WatchTests", dependencies: ["vanorb", "TerminalNCurses", "RingRenderer", "Control"]),
        tests("ControlTests", dependencies: ["Control", "SystemTestKit", nioCore, nioPosix, nioEmbedded]),
        tests(
            "ScenarioTests",
            dependencies: [
                "Control", "CopilotTestKit", "Domain", "SpeechPocketSphinx", "SystemTestKit", "vanorbd", "vanorb",
                "vanorb-motor", "vanorb-lab",
            ]),
        tests(
            "LabTests",
            dependencies: [
                "vanorb-lab", "vanorb", "vanorbd", "Configuration", "Control", "Devices", "Domain", "Language",
                "SoundFiles", argumentParser,
            ]),
        tests("FaultTests", dependencies: core + ["CopilotTestKit", "StoreSQLite", grdb, logging]),
        tests("ArchitectureTests"),
    ],
    swiftLanguageModes: [.v6]
)
