/// Words to be put in, left out or changed to make one text another (V. Levenshtein, 1966).
public enum EditDistance {
    /// The number of changes.
    public static func between<Word: Equatable>(_ left: [Word], _ right: [Word]) -> Int {
        var row = Array(0...right.count)
        for (index, word) in left.enumerated() {
            var corner = row[0]
            row[0] = index + 1
            for (place, other) in right.enumerated() {
                let change = corner + (word == other ? 0 : 1)
                corner = row[place + 1]
                row[place + 1] = min(change, row[place] + 1, corner + 1)
            }
        }
        return row[right.count]
    }
}
