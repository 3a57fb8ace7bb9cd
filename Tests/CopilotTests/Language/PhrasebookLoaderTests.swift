@testable import Configuration
@testable import Language
@testable import Handlers
import Foundation
import Testing

/// What is wrong in a phrasebook is told with file and line, and silences nothing else.
@Suite struct PhrasebookLoaderTests {
    private static let good = """
        language: en
        intents:
          ping: {phrases: ["ping the van"], reply: "Pong."}
        """

    @Test func aGoodFile_isUnderstood_besideTheBuiltIn() throws {
        let books = try english(with: Self.good)
        #expect(books.problems.isEmpty)
        let router = Router(index: PhraseIndex(books: books, names: books.sampleNames), classifier: nil)
        #expect(router.route("could you ping the van please").chosen?.intent == "ping")
        #expect(router.route("ping the van").chosen?.handler == "custom")
        #expect(router.route("turn on the fridge").chosen?.handler == "van")
    }

    /// A file and what is said of it: the line, and a part of the message.
    static let bad: [(text: String, line: Int, message: String)] = [
        ("language: en\nphrases: []", 2, "unknown key; expected one of: language, slots, rules, intents"),
        ("intents: {}", 1, "“language” is missing"),
        ("language: en", 1, "“intents” is missing"),
        ("- a\n- b", 1, "expected a mapping"),
        ("language: en\nintents:\n\tping: {}", 3, "not valid YAML"),
        ("language: en\nintents:\n  ping:\n    reply: hi", 4, "“phrases” is missing"),
        ("language: en\nintents:\n  ping: {phrases: [], reply: hi}", 3, "at least one phrase is needed"),
        (
            "language: en\nintents:\n  ping: {phrases: [\"go [there\"], reply: hi}", 3,
            "never closed with “]” at column 4"
        ),
        ("language: en\nintents:\n  ping: {phrases: [\"[please]\"], reply: hi}", 3, "the template can be empty"),
        (
            "language: en\nintents:\n  ping: {phrases: [\"go to {nowhere}\"], reply: hi}", 3,
            "there is no slot {nowhere}"
        ),
        ("language: en\nintents:\n  ping: {phrases: [\"<go> on\"], reply: hi}", 3, "there is no rule <go>"),
        (
            "language: en\nrules:\n  a: \"x <b>\"\n  b: \"y <a>\"\nintents:\n  ping: {phrases: [\"<a>\"], reply: hi}",
            0,
            "refers to itself"
        ),
        ("language: en\nintents:\n  ping: {phrases: [ping]}", 3, "the command does nothing"),
        (
            "language: en\nintents:\n  ping:\n    phrases: [ping]\n    publish: {topic: \"van/+/set\"}", 5,
            "is no topic to publish on: it is empty or has a wildcard"
        ),
        (
            "language: en\nintents:\n  ping:\n    phrases: [ping]\n    publish: {topic: \"van/#\"}", 5,
            "is no topic to publish on"
        ),
        ("language: en\nintents:\n  ping:\n    phrases: [ping]\n    publish: {payload: a}", 5, "“topic” is missing"),
        (
            "language: en\nintents:\n  ping:\n    phrases: [ping]\n    publish: {topic: \"a/{x}\"}", 5,
            "“{x}” is no slot of this intent"
        ),
        (
            "language: en\nintents:\n  ping:\n    phrases: [ping]\n    reply: \"Hello {name}\"", 5,
            "“{name}” is no slot of this intent"
        ),
        (
            "language: en\nintents:\n  ping:\n    phrases: [ping]\n    requires: [x]\n    reply: hi", 5,
            "no phrase has a slot {x}"
        ),
        ("language: en\nslots:\n  a: []\nintents:\n  p: {phrases: [\"{a}\"], reply: hi}", 3, "the list is empty"),
        ("language: en\nslots:\n  a: {kind: b}\nintents:\n  p: {phrases: [\"{a}\"], reply: hi}", 3, "unknown kind"),
        (
            "language: en\nslots:\n  a: [\"{number}\"]\nintents:\n  p: {phrases: [\"{a}\"], reply: hi}", 3,
            "a slot cannot hold another slot"
        ),
        ("language: en\nintents:\n  p: {phrases: [ping], reply: hi, colour: red}", 3, "unknown key; expected one of"),
        ("language: en\nintents:\n  p: {phrases: [ping], reply: hi}\n  p: {phrases: [pong], reply: ho}", 0, "twice"),
        ("language: en\nintents: [a, b]", 2, "expected a mapping"),
        ("language: en\nintents:\n  p: 3", 3, "expected a mapping"),
        ("language: en\nintents:\n  p: {phrases: [{say: a}], reply: hi}", 3, "expected text"),
    ]

    @Test(arguments: bad.indices)
    func aFileThatIsWrong_isLeftOut_andToldWithItsLine(number: Int) throws {
        let bad = Self.bad[number]
        let books = try english(with: bad.text, Self.good)
        let problem = try #require(books.problems.first, "accepted: \(bad.text)")
        #expect(books.problems.count == 1)
        #expect(problem.file.hasSuffix("custom1.yaml"))
        if bad.line > 0 { #expect(problem.line == bad.line, "\(problem)") }
        #expect(problem.message.contains(bad.message), "\(problem)")
        #expect(books.intent("custom", "ping") != nil, "the other file still counts")
    }

    @Test func anIntentOfTwoFiles_isToldOf() throws {
        let books = try english(with: Self.good, Self.good)
        #expect(books.problems.map(\.message).first?.contains("is defined in") == true)
        #expect(books.problems.first?.file.hasSuffix("custom2.yaml") == true)
    }

    @Test func aFileThatIsNotThere_orNoText_isToldOf() throws {
        try withFolderSync { folder in
            let file = folder + "/binary.yaml"
            try Data([0xFF, 0xFE, 0x00, 0xC3]).write(to: URL(filePath: file))
            let books = try Phrasebooks(
                folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot),
                customFiles: [folder + "/none.yaml", file])
            #expect(books.problems.map(\.message) == ["no such file", "cannot be read as UTF-8 text"])
        }
    }

    @Test func aFileInAnotherLanguage_waits() throws {
        let books = try english(with: Self.good.replacing("language: en", with: "language: de"))
        #expect(books.problems.isEmpty)
        #expect(books.intent("custom", "ping") == nil)
    }

    @Test func aBuiltInIntent_mayNotPublish() throws {
        let reader = PhrasebookReader(common: .none)
        let text = "language: en\nintents:\n  p: {phrases: [ping], publish: {topic: a}}"
        #expect(throws: ConfigurationError.self) {
            try reader.phrasebook(ConfigurationNode(parsing: text, file: "van.yaml"), handler: "van", isCustom: false)
        }
    }

    @Test func allThatHandlersActOn_hasItsPhrases_andNothingElseHas() {
        for handler in HandlerTable.all where handler.name != HandlerName.custom {
            let intents = English.books.books.first { $0.handler == handler.name }?.intents.map(\.name) ?? []
            #expect(Set(intents) == Set(handler.intents), "\(handler.name)")
        }
    }
}

/// A folder of its own for a body that does not wait.
func withFolderSync(_ body: (String) throws -> Void) throws {
    let folder = NSTemporaryDirectory() + "vo-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try body(folder)
}

/// The drink orders of the recordings, and an order of our own making.
@Suite struct OrderPhrasebookTests {
    private static let recordings = ProcessInfo.processInfo.environment["VANORB_RECORDINGS"]

    private func routing(_ books: Phrasebooks, _ text: String) -> Proposal? {
        Router(index: PhraseIndex(books: books, names: books.sampleNames), classifier: nil).route(text).chosen
    }

    @Test(.enabled(if: recordings != nil, "VANORB_RECORDINGS names no folder"))
    func theCoffeePhrasebook_loadsAsItStands() throws {
        let folder = try #require(Self.recordings)
        let places = [folder, folder + "/coffee", folder + "/.."].map { $0 + "/phrases.yaml" }
        let file = try #require(places.first { FileManager.default.fileExists(atPath: $0) })
        let books = try Phrasebooks(
            folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot), customFiles: [file])
        #expect(books.problems.isEmpty, "\(books.problems)")
        let order = try #require(
            routing(books, "can i get a large dark roast coffee with a little bit of soy milk and brown sugar"))
        #expect(order.handler == "custom")
        #expect(order.intent == "orderDrink")
        #expect(order.level == .exact)
        #expect(order.slots["size"]?.text == "large")
        #expect(order.slots["roast"]?.text == "dark roast")
        #expect(order.slots["drink"]?.text == "coffee")
        #expect(order.slots["milk"]?.text == "a little bit of soy milk")
        #expect(order.slots["sugar"]?.text == "brown sugar")
        #expect(order.slots["shots"] == nil)
        #expect(routing(books, "may i have an iced mocha")?.slots["drink"]?.text == "iced mocha")
        #expect(routing(books, "can i get a large dark roast elephant") == nil)
    }

    private static let bakery = """
        # Orders at the bakery's hatch.
        language: en
        slots:
          count: {kind: number}
          bake: [bread roll, sourdough loaf, cheese scone, scone, cinnamon bun, rye loaf]
          cut: [thin sliced, thick sliced, unsliced]
          spread: "[a dab of|a smear of|plenty of] (butter|salted butter|clotted cream)"
          jam: "[a dab of|a smear of|plenty of] (jam|damson jam|marmalade)"
        rules:
          please: "(bake|fetch|could we have|we'd like|hand me|box up) (a|an|{count})"
          topped: "topped with ({spread}|{jam}|{spread} and {jam}|{jam} and {spread})"
        intents:
          order_bake:
            phrases:
              - "<please> [{cut}] {bake} [<topped>]"
              - "<please> {bake} [{cut}] [<topped>]"
            publish: {topic: bakery/order, payload: "{slots}"}
            reply: "{bake}, right away."
        """

    @Test(arguments: [
        (
            "we'd like a thick sliced sourdough loaf topped with plenty of salted butter and damson jam",
            ["cut": "thick sliced", "bake": "sourdough loaf", "spread": "plenty of salted butter", "jam": "damson jam"]
        ),
        ("fetch twelve cheese scones", ["bake": "cheese scone", "count": "twelve"]),
        (
            "could we have a scone topped with marmalade and a dab of clotted cream",
            ["bake": "scone", "jam": "marmalade", "spread": "a dab of clotted cream"]
        ),
        ("hand me a rye loaf unsliced", ["bake": "rye loaf", "cut": "unsliced"]),
        ("Box up an [uh] cinnamon bun, please!", ["bake": "cinnamon bun"]),
    ])
    func anOrder_isUnderstood_withItsSlots(text: String, slots: [String: String]) throws {
        let books = try english(with: Self.bakery)
        try #require(books.problems.isEmpty, "\(books.problems)")
        let order = try #require(routing(books, text), "“\(text)” was not understood")
        #expect(order.intent == "order_bake")
        for (name, value) in slots { #expect(order.slots[name]?.text == value, "\(name)") }
    }
}
