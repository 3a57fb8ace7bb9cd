import Foundation

/// What stands between `{{` and `}}`: where a value comes from, and what is done to it.
struct TemplateExpression: Sendable, Equatable {
    package enum Source: Sendable, Equatable {
        /// The payload, or the command's value.
        case value
        /// What stands at a path in the payload's JSON.
        case json([String])
        case literal(TemplateValue)
    }

    enum Filter: Sendable, Equatable {
        /// A number with a fraction; the argument for anything else.
        case float(TemplateValue?)
        /// A whole number, rounded towards zero; the argument for anything else.
        case int(TemplateValue?)
        /// To so many places.
        case round(Int)
        case lower, upper
        /// For what the payload does not have.
        case `default`(TemplateValue)
    }

    let source: Source
    let filters: [Filter]

    /// Runs the filters; false where one of them cannot read the value.
    func filter(_ value: inout TemplateValue) -> Bool {
        for filter in filters {
            if case .default(let standard) = filter {
                if value == .undefined { value = standard }
                continue
            }
            // What is not there stays so, until a default stands for it.
            if value == .undefined {
                switch filter {
                case .float(let standard?), .int(let standard?): value = standard
                default: break
                }
                continue
            }
            guard let result = Self.apply(filter, to: value) else { return false }
            value = result
        }
        return true
    }

    private static func apply(_ filter: Filter, to value: TemplateValue) -> TemplateValue? {
        switch filter {
        case .float(let standard): return value.number.map { .number($0) } ?? standard
        case .int(let standard):
            return value.number.flatMap { Int64(exactly: $0.rounded(.towardZero)) }.map { .integer($0) } ?? standard
        case .round(let places):
            guard let number = value.number else { return nil }
            let factor = pow(10, Double(places))
            // As Python does: halves go to the even neighbour.
            let rounded = (number * factor).rounded(.toNearestOrEven) / factor
            return rounded.isFinite ? .number(rounded) : .number(number)
        case .lower: return value.rendered(asPython: true).map { .text($0.lowercased()) }
        case .upper: return value.rendered(asPython: true).map { .text($0.uppercased()) }
        case .default: return value
        }
    }
}

/// A value on its way through a template.
enum TemplateValue: Sendable, Equatable {
    case text(String)
    case integer(Int64)
    case number(Double)
    case truth(Bool)
    case none
    /// The payload does not have it.
    case undefined
    /// An object or a list.
    case compound

    init(_ json: JSONValue, at path: ArraySlice<String>) {
        guard let key = path.first else {
            self =
                switch json {
                case .text(let text): .text(text)
                case .integer(let number): .integer(number)
                case .number(let number): .number(number)
                case .truth(let isTrue): .truth(isTrue)
                case .null: .none
                case .object, .list: .compound
                }
            return
        }
        guard let next = json[key] else {
            self = .undefined
            return
        }
        self.init(next, at: path.dropFirst())
    }

    var number: Double? {
        switch self {
        case .integer(let number): return Double(number)
        case .number(let number): return number
        case .truth(let isTrue): return isTrue ? 1 : 0
        case .text(let text):
            guard let number = Double(text.trimmingCharacters(in: .whitespaces)), number.isFinite else { return nil }
            return number
        case .none, .undefined, .compound: return nil
        }
    }

    /// As text; nil for objects and lists.
    func rendered(asPython isPython: Bool) -> String? {
        switch self {
        case .text(let text): return text
        case .integer(let number): return "\(number)"
        case .number(let number):
            return isPython ? "\(number)" : JSONValue.number(number).text
        case .truth(let isTrue):
            if isPython { return isTrue ? "True" : "False" }
            return isTrue ? "true" : "false"
        case .none: return "None"
        case .undefined, .compound: return nil
        }
    }
}
