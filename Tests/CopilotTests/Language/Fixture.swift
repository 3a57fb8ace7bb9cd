@testable import Language
import Foundation

/// The shipped English, loaded once, with the sample names as the owner's.
enum English {
    static let books: Phrasebooks = {
        do { return try Phrasebooks(folder: LanguageFolder(language: "en", root: LanguageFolder.shippedRoot)) } catch {
            fatalError("\(error)")
        }
    }()
    static let index = PhraseIndex(books: books, names: books.sampleNames)
    static let router = Router(index: index, classifier: nil)
}

/// The folder of the tests' data.
let testsFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
