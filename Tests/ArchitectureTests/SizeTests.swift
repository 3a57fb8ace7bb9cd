import Testing

/// What is too large to be read at once, and what is too small to be a file of its own. An exception has its reason.
@Suite struct SizeTests {
    private static let files = SourceTree.files(under: "Sources")

    /// A declaration with the file in which it stands.
    private struct Place {
        let file: SourceTree.File
        let declaration: Declaration
        var description: String { "\(file.path):\(declaration.line): \(declaration.name)" }
        /// As exceptions name it: with its target.
        var key: String { "\(file.target)/\(declaration.name)" }
    }

    private static let places = files.flatMap { file in
        DeclarationScanner.declarations(of: file.lines.joined(separator: "\n")).map {
            Place(file: file, declaration: $0)
        }
    }

    /// Reports what breaks a limit without an exception. An exception that ends with a slash is for a whole folder.
    private static func check(_ found: [(key: String, problem: String)], _ exceptions: [String: String]) {
        let folders = exceptions.keys.filter { $0.hasSuffix("/") }
        for (key, problem) in found
        where exceptions[key] == nil && !folders.contains(where: { key.hasPrefix($0) }) {
            Issue.record("\(problem), or argue an exception in SizeTests.swift")
        }
    }

    // MARK: files

    private static let fileLimit = 450
    private static let longFiles: [String: String] = [:]

    @Test func noFileIsLong() {
        let long = Self.files.filter { $0.lineCount >= Self.fileLimit }
        Self.check(long.map { ($0.path, "\($0.path) has \($0.lineCount) lines: split it") }, Self.longFiles)
    }

    // MARK: types

    private static let typeLimit = 600
    /// By target and name, why a type may be larger over all its extensions.
    private static let largeTypes: [String: String] = [:]

    @Test func noTypeIsLarge() {
        var sizes: [String: Int] = [:]
        for place in Self.places where [.type, .fileExtension].contains(place.declaration.kind) {
            sizes[place.key, default: 0] += place.declaration.lineCount
        }
        let large = sizes.filter { $0.value >= Self.typeLimit }.sorted { $0.key < $1.key }
        Self.check(
            large.map { ($0.key, "\($0.key) has \($0.value) lines over all its extensions: split it") },
            Self.largeTypes)
    }

    // MARK: functions

    private static let functionLimit = 60
    private static let longFunctions: [String: String] = [:]

    @Test func noFunctionIsLong() {
        let long = Self.places.filter {
            [.function, .initialiser].contains($0.declaration.kind) && $0.declaration.lineCount >= Self.functionLimit
        }
        Self.check(
            long.map { ($0.key, "\($0.description) has \($0.declaration.lineCount) lines: split it") },
            Self.longFunctions)
    }

    // MARK: initialisers

    private static let parameterLimit = 7
    private static let manyParameters = [
        "Domain/LedgerEntry.init": "a row of the ledger: a parameter for each column",
        "Domain/Item.init": "a row of the manifest: a parameter for each column",
        "Domain/Reply.init": "each part of a reply has a default; calls name one or two",
        "Domain/Vocabulary.init": "VocabularyBuilder makes it; elsewhere calls name three parts",
        "Dialogue/ConversationParts.init": "the parts of the appliance, wired in one place",
    ]

    @Test func noInitialiserTakesManyParameters() {
        let many = Self.places.filter {
            $0.declaration.kind == .initialiser && $0.declaration.parameterCount >= Self.parameterLimit
        }
        Self.check(
            many.map {
                ($0.key, "\($0.description) takes \($0.declaration.parameterCount) parameters: group them by meaning")
            }, Self.manyParameters)
    }

    // MARK: small files

    private static let smallFileLimit = 40
    /// Why small files are files of their own, and which they are.
    private static let smallFiles: [(reason: String, files: [String])] = [
        ("one subcommand a file, found by its name", ["vanorb/Commands/", "vanorb-lab/MakeVocabulary"]),
        ("the root of a program's subcommands", ["vanorb/Vanorb", "vanorb-lab/VanorbLab"]),
        (
            "a protocol or value that is looked up by its name",
            [
                "Domain/Classifier", "Domain/Command", "Domain/EditDistance", "Domain/Money", "Domain/StarStore",
                "TableExchange/TableProblem",
            ]
        ),
        ("one store a file, named like its protocol", ["StoreSQLite/SQLiteKeptValues", "StoreSQLite/SQLiteStars"]),
        (
            "one fake or fixture a file, found by its name",
            [
                "CopilotTestKit/FakeDucking", "CopilotTestKit/SampleSound", "CopilotTestKit/TestLanguages",
                "SystemTestKit/Eventually", "SystemTestKit/TemporaryFolder",
            ]
        ),
        ("flite as a voice, for the study and the bench", ["vanorb-lab/Study/SyntheticVoice"]),
        (
            "a payload or a part of the protocol, apart from the others",
            ["Control/API/Payloads/Screens", "Control/API/Release"]
        ),
        (
            "one builder or mode of the daemon",
            ["vanorbd/Lifecycle/SafeState", "vanorbd/Lifecycle/Storage", "vanorbd/Lifecycle/SystemdNotify"]
        ),
        (
            "one rule or part of the session, found by its name",
            [
                "Dialogue/Output/NightHours", "Dialogue/Output/SentenceSplitter", "Dialogue/Health/BoardClock",
                "Dialogue/Typed/TypedDevices", "Dialogue/Typed/TypedNotes",
            ]
        ),
        (
            "one part of a handler, or its intents",
            [
                "Handlers/Finance/FinanceHandler", "Handlers/Finance/LedgerWords", "Handlers/HubFacts+Reading",
                "Handlers/Manifest/ManifestHandler", "Handlers/Modes/ModesIntent",
            ]
        ),
        (
            "one of a language's data files, or one step of the router",
            [
                "Language/LabelledFile", "Language/Languages", "Language/Matching/PhraseMatcher+Classifier",
                "Language/Phrasebook/Template+Expansions", "Language/Router+Commands", "Language/SpeakingRules",
                "Language/Steps",
            ]
        ),
        ("one rule of the settings, used by daemon and measuring tool", ["Setup/SettingEffect"]),
    ]

    private static func path(_ name: String) -> String { "Sources/\(name)" + (name.hasSuffix("/") ? "" : ".swift") }

    @Test func smallFiles_haveAReason() {
        let small = Self.files.filter { $0.lineCount < Self.smallFileLimit }
        let exceptions = Self.smallFiles.flatMap { entry in
            entry.files.map { (Self.path($0), entry.reason) }
        }
        Self.check(
            small.map { ($0.path, "\($0.path) has \($0.lineCount) lines: join it with what it belongs to") },
            Dictionary(exceptions) { first, _ in first })
    }

    @Test func everyExceptionForASmallFile_isOfAFileThatIsThere() {
        let paths = Set(Self.files.map(\.path))
        for name in Self.smallFiles.flatMap(\.files) where !name.hasSuffix("/") {
            #expect(paths.contains(Self.path(name)), "\(name) is gone: take its exception away, too")
        }
    }
}

/// The scanner, on which the limits depend.
@Suite struct DeclarationScannerTests {
    @Test func declarations_haveTheirNamesAndLines() {
        let found = DeclarationScanner.declarations(
            of: """
                struct Outer {
                    let text = "{ func a() \\(call("}")) "
                    // func no() {
                    enum Inner { case one }
                    init(_ a: Int, b: [Int: String] = [:], c: (Int, Int) -> Void) {
                        let regex = /[{"]/
                    }
                    func f() {
                        class func g() {}
                    }
                }

                extension Outer.Inner { var isOne: Bool { self == .one } }
                """)
        let names = found.map { "\($0.name) \($0.line) \($0.lineCount) \($0.parameterCount)" }
        #expect(
            names == [
                "Outer.Inner 4 1 0", "Outer.init 5 3 3", "Outer.g 9 1 0", "Outer.f 8 3 0", "Outer 1 11 0",
                "Outer.Inner 13 1 0",
            ])
    }

    @Test(arguments: [
        "protocol P { func f(a: Int)\n var b: Int { get } }", "let a = Type.init(1, 2, 3, 4, 5, 6, 7)",
        "func f<T: AnyObject>(_ a: T) where T: class {}", "/* struct A { */", "#\"struct A { \"#",
        "let a = b / c; let d = \"{\"",
    ])
    func whatDeclaresNoType_isNone(text: String) {
        let found = DeclarationScanner.declarations(of: text)
        #expect(found.allSatisfy { $0.name == "P" || $0.name == "f" || $0.name == "P.b" }, "\(found)")
    }
}
