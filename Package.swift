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
let nioCore = Target.Dependency.product(name: "NIOCore", package: "swift-nio")
let nioPosix = Target.Dependency.product(name: "NIOPosix", package: "swift-nio")
let nioEmbedded = Target.Dependency.product(name: "NIOEmbedded", package: "swift-nio")

/// Every edge, and the settings that put them together; what the daemon and the measuring tool wire.
let edges: [Target.Dependency] = [
    "Copilot", "Threads", "AudioALSA", "SoundFiles", "SignalProcessing", "SpeechPocketSphinx", "SpeechMoonshine",
    "VoiceESpeak",
    "IntentLinear", "RingRenderer", "PanelGPIO", "PositionGPSD", "BusMosquitto", "StoreSQLite", "Control", "Setup",
]

/// `deploy/package` sets this variable: its programs look for the Swift run-time beside themselves, not in a toolchain.
let isPackaged = Context.environment["VANORB_PACKAGE"] != nil
let ownRuntime: [LinkerSetting] = isPackaged ? [.unsafeFlags(["-no-toolchain-stdlib-rpath"])] : []

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

        .target(name: "Copilot", dependencies: [yams, logging], resources: [.copy("Languages"), .copy("Data")]),
        .target(name: "Threads"),
        .target(name: "AudioALSA", dependencies: ["Copilot", "Threads", "CALSA", logging]),
        .target(name: "SoundFiles", dependencies: ["Copilot", "CSndFile"]),
        .target(name: "SignalProcessing", dependencies: ["Copilot", "CSpeexDSP"]),
        .target(
            name: "SpeechPocketSphinx", dependencies: ["Copilot", "Threads", "CPocketSphinx", logging],
            exclude: ["README.md"]),
        .target(
            name: "SpeechMoonshine", dependencies: ["Copilot", "Threads", "COnnxRuntime", logging],
            exclude: ["README.md"]),
        .target(name: "VoiceESpeak", dependencies: ["Copilot", "Threads", "CESpeakNG", logging]),
        .target(name: "IntentLinear", dependencies: ["Copilot", "CLinear"]),
        .target(name: "RingRenderer"),
        .target(name: "TerminalNCurses", dependencies: ["RingRenderer", "CNCurses"]),
        .target(name: "PanelGPIO", dependencies: ["Copilot", "RingRenderer", "Threads", "CGPIOD", logging]),
        .target(name: "PositionGPSD", dependencies: ["Copilot", nioCore, nioPosix, logging]),
        .target(name: "BusMosquitto", dependencies: ["Copilot", "Threads", "CMosquitto", logging]),
        .target(name: "StoreSQLite", dependencies: ["Copilot", grdb, logging]),
        .target(name: "Control", dependencies: [nioCore, nioPosix, logging]),

        .target(
            name: "Setup",
            dependencies: [
                "Copilot", "AudioALSA", "SignalProcessing", "SoundFiles", "SpeechPocketSphinx", "SpeechMoonshine",
                "PanelGPIO",
                "BusMosquitto",
                "CMalloc",
                logging,
            ]),

        .executableTarget(
            name: "vanorbd", dependencies: edges + ["CTimex", argumentParser, logging, lifecycle, yams],
            linkerSettings: ownRuntime),
        .executableTarget(name: "vanorb-motor", dependencies: ["CGPIOD"], linkerSettings: ownRuntime),
        .executableTarget(
            name: "vanorb", dependencies: ["Control", "RingRenderer", "TerminalNCurses", argumentParser],
            linkerSettings: ownRuntime),
        .executableTarget(name: "vanorb-lab", dependencies: edges + [argumentParser, logging]),
        .target(name: "CopilotTestKit", dependencies: ["Copilot"], resources: [.copy("Languages")]),

        .testTarget(
            name: "CopilotTests", dependencies: ["Copilot", "CopilotTestKit", "StoreSQLite", "IntentLinear", yams]),
        .testTarget(name: "EdgeTests", dependencies: edges + ["CopilotTestKit", "vanorb-motor"]),
        .testTarget(name: "WatchTests", dependencies: ["vanorb", "TerminalNCurses", "RingRenderer", "Control"]),
        .testTarget(name: "ControlTests", dependencies: ["Control", nioCore, nioPosix, nioEmbedded]),
        .testTarget(
            name: "ScenarioTests",
            dependencies: [
                "Control", "CopilotTestKit", "Copilot", "SpeechPocketSphinx", "vanorbd", "vanorb", "vanorb-motor",
                "vanorb-lab",
            ]),
        .testTarget(
            name: "LabTests",
            dependencies: ["vanorb-lab", "vanorb", "vanorbd", "Copilot", "SoundFiles", argumentParser]),
        .testTarget(name: "FaultTests", dependencies: ["Copilot", "CopilotTestKit", "StoreSQLite", grdb, logging]),
        .testTarget(name: "ArchitectureTests"),
    ],
    swiftLanguageModes: [.v6]
)
