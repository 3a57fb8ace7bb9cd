import Foundation

/// A command's JSON object without objects in it, as texts: what a device in a few kilobytes of memory makes of it.
struct FlatJSON {
    let values: Gadget.Values

    /// Nil for what is no JSON object.
    init?(_ text: String) {
        guard let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any] else {
            return nil
        }
        values = object.compactMapValues { value in
            (value as? String) ?? (value as? NSNumber)?.stringValue
        }
    }
}
