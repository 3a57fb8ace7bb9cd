/// What the model writes, as words: without capitals and marks, numbers and signs as they are.
enum Written {
    static func words(_ text: String) -> String {
        let characters = Array(text.lowercased())
        var result = ""
        for (place, character) in characters.enumerated() {
            let before = place > 0 ? characters[place - 1] : " "
            let after = place + 1 < characters.count ? characters[place + 1] : " "
            switch character {
            case ".", ",", ":":
                if before.isNumber, after.isNumber { result.append(character) }
            case "?", "!", ";", "\"": break
            case "-": result.append(" ")
            default: result.append(character)
            }
        }
        return result.split(separator: " ").joined(separator: " ")
    }
}
