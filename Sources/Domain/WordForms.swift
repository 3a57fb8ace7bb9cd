/// Singular and plural of regular nouns.
package enum WordForms {
    /// The regular plural of a singular noun; a word that is one already stays.
    package static func plural(_ word: String) -> String {
        guard stem(word) == word, let last = word.last else { return word }
        if ["s", "x", "z"].contains(last) || word.hasSuffix("ch") || word.hasSuffix("sh") { return word + "es" }
        let beforeY = word.dropLast().last
        if last == "y", let beforeY, !"aeiou".contains(beforeY) { return word.dropLast() + "ies" }
        return word + "s"
    }

    /// The singular of a regular plural, so that “first aid kits” finds the first aid kit.
    package static func stem(_ word: String) -> String {
        guard word.count > 3, word.hasSuffix("s"), !word.hasSuffix("ss"), !word.hasSuffix("us") else { return word }
        if word.hasSuffix("ies"), word.count > 4 { return String(word.dropLast(3)) + "y" }
        if ["xes", "ches", "shes", "sses"].contains(where: word.hasSuffix) { return String(word.dropLast(2)) }
        return String(word.dropLast())
    }
}
