import Language
import Foundation

/// A phrasebook of the owner's that stands by itself.
final class SmallPhrasebook {
    let file: String
    let books: Phrasebooks

    init() throws {
        file = NSTemporaryDirectory() + "/kitchen-\(UUID().uuidString).yaml"
        let text = """
            language: en
            slots:
              drink: [tea, coffee, hot chocolate]
              count: {kind: number}
            intents:
              brew:
                phrases: ["(make|brew) [me] [a] {drink}", "i'd like {count} {drink}"]
                publish: {topic: kitchen/brew, payload: "{slots}"}
              clean:
                phrases: ["clean the kitchen [floor]", "wash the dishes"]
                publish: {topic: kitchen/clean, payload: "now"}
            """
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        books = try Phrasebooks(
            folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot), customFiles: [file],
            replacingBuiltIn: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: file) }
}
