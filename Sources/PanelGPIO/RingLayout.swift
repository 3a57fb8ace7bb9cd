/// Where the LEDs of a chain sit on the ring.
public struct RingLayout: Sendable, Equatable {
    /// The number in the chain, from 0, of the LED at the top.
    public var first: Int
    /// True when the chain runs clockwise, as one looks at the ring.
    public var isClockwise: Bool

    /// A chain of which the LED `first` is at the top.
    public init(first: Int = 0, isClockwise: Bool = true) {
        self.first = first
        self.isClockwise = isClockwise
    }

    /// The place in the chain of the LED that stands at `position`, counted clockwise from the top, of `count`.
    public func place(of position: Int, count: Int) -> Int {
        let place = (first + (isClockwise ? position : -position)) % count
        return place < 0 ? place + count : place
    }

    /// What was meant for the ring from the top clockwise, in the chain's order.
    func placed<Element>(_ elements: [Element]) -> [Element] {
        guard first != 0 || !isClockwise, !elements.isEmpty else { return elements }
        var placed = elements
        for (position, element) in elements.enumerated() {
            placed[place(of: position, count: elements.count)] = element
        }
        return placed
    }
}
