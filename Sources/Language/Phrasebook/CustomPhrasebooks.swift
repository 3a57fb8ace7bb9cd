import Configuration

/// The owner's phrasebooks: what is wrong with one is told with file and line, and leaves out that one alone.
struct CustomPhrasebooks {
    private(set) var books: [Phrasebook] = []
    private(set) var problems: [ConfigurationError] = []
    /// Where each intent is defined.
    private var intents: [String: String] = [:]

    /// Reads `files` in their order.
    init(_ files: [String], language: String, common: CommonPhrases) {
        let budget = PhrasebookBudget(), reader = PhrasebookReader(common: common, budget: budget)
        for file in files.prefix(PhrasebookBounds.files) {
            do {
                let text = try ConfigurationNode.text(of: file, limit: PhrasebookBounds.fileSize)
                do throws(PhrasebookBounds.Excess) { try budget.begin(bytes: text.utf8.count) } catch {
                    throw ConfigurationError(file: file, line: nil, message: error.message)
                }
                let book = try reader.phrasebook(
                    ConfigurationNode(parsing: text, file: file), handler: HandlerName.custom, isCustom: true)
                // A file in another language waits until that language is chosen.
                guard book.language == language else { continue }
                try add(book)
                budget.keep()
            } catch let error as ConfigurationError {
                problems.append(error)
            } catch {
                problems.append(ConfigurationError(file: file, line: nil, message: "\(error)"))
            }
        }
        if files.count > PhrasebookBounds.files {
            problems.append(
                ConfigurationError(
                    file: files[PhrasebookBounds.files], line: nil,
                    message: "there are \(PlainNumber.grouped(files.count)) phrasebooks, and \(PhrasebookBounds.files) "
                        + "are allowed; this one and those after it are left out"))
        }
    }

    private mutating func add(_ book: Phrasebook) throws {
        for intent in book.intents {
            if let other = intents[intent.name] {
                throw ConfigurationError(
                    file: book.file, line: intent.line,
                    message: "intents.\(intent.name): the intent is defined in \(other) already")
            }
        }
        for intent in book.intents { intents[intent.name] = book.file }
        books.append(book)
    }
}
