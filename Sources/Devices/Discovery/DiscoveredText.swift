/// Names, ids and topics as strangers wrote them, made fit for use.
enum DiscoveredText {
    private static let nameLimit = 80, idLimit = 120, topicLimit = 500

    /// Characters that belong to words.
    private static let spokenSigns: Set<Character> = ["'", "’", ".", "&", "+", "%", "°"]

    /// A name as people say it: lower case, words with single spaces between, no signs of machines. Empty for what has
    /// no letter and no digit.
    static func spoken(_ text: String) -> String {
        let words = text.prefix(2 * nameLimit).split { !$0.isLetter && !$0.isNumber && !spokenSigns.contains($0) }
        let name = words.joined(separator: " ").lowercased().prefix(nameLimit)
        guard name.contains(where: { $0.isLetter || $0.isNumber }) else { return "" }
        return name.last == " " ? String(name.dropLast()) : String(name)
    }

    /// The name of an entity of a device as people say it: “kitchen” and “light” are the kitchen light, “kitchen
    /// light” and “light” too, and an entity without a name of its own has the device's.
    static func name(of entity: String?, on device: String?) -> String {
        let own = spoken(entity ?? ""), owner = spoken(device ?? "")
        guard !own.isEmpty else { return owner }
        guard !owner.isEmpty else { return own }
        let first = owner.split(separator: " "), second = own.split(separator: " ")
        // What the one ends with and the other begins with is said once.
        for shared in stride(from: min(first.count, second.count), to: 0, by: -1)
        where first.suffix(shared).elementsEqual(second.prefix(shared)) {
            return (first + second.dropFirst(shared)).joined(separator: " ")
        }
        return (first + second).joined(separator: " ")
    }

    /// The name without the device's, where that is clear enough: “water pump” of the “van controller”. A single word,
    /// such as “temperature”, is not.
    static func aliases(of entity: String?, on device: String?) -> [String] {
        let own = spoken(entity ?? "")
        return own.contains(" ") && own != name(of: entity, on: device) ? [own] : []
    }

    /// An id of the convention's devices; nil for an empty one.
    static func id(_ convention: String, _ parts: String...) -> String? {
        let own = parts.joined(separator: "_")
        guard !own.isEmpty, own.utf8.count <= idLimit else { return nil }
        let fit = own.unicodeScalars.map { scalar -> String in
            let isFit = scalar.isASCII && (scalar.properties.isAlphabetic || scalar.properties.numericType != nil)
            return isFit || "_-.".unicodeScalars.contains(scalar) ? String(scalar) : "_"
        }
        return "\(convention):\(fit.joined())"
    }

    /// True for `[a-zA-Z0-9_-]`, at least one of them: the conventions' own ids.
    static func isPlain(_ id: some StringProtocol) -> Bool {
        !id.isEmpty && id.utf8.count <= idLimit
            && id.utf8.allSatisfy { byte in
                switch Unicode.Scalar(byte) {
                case "a"..."z", "A"..."Z", "0"..."9", "_", "-": true
                default: false
                }
            }
    }

    /// A topic that can be published and subscribed to as it is: of one device, without wildcards.
    static func topic(_ text: String) throws(DiscoveryError) -> String {
        guard !text.isEmpty, text.utf8.count <= topicLimit,
            !text.utf8.contains(where: { $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "#") || $0 == 0 })
        else { throw DiscoveryError(detail: "“\(text.prefix(80))” is not the topic of one device") }
        return text
    }
}
