import Foundation

/// A bounded queue from a thread to one asynchronous consumer.
///
/// The thread chooses what happens when the consumer is late: wait for it (a recording, which can be held up) or drop
/// the element and count (a sound card, which cannot).
public final class Handoff<Element: Sendable>: @unchecked Sendable {
    // Unchecked: everything below is guarded by `condition`.
    private let condition = NSCondition()
    private let capacity: Int
    private var elements: [Element] = []
    private var waiter: CheckedContinuation<Element?, any Error>?
    private var outcome: Result<Void, any Error>?
    private var dropCount = 0

    /// A queue of at most `capacity` elements.
    public init(capacity: Int) { self.capacity = max(1, capacity) }

    /// Elements dropped so far because the queue was full.
    public var dropped: Int { condition.withLock { dropCount } }

    /// True when nothing more fits until the consumer takes something.
    public var isFull: Bool { condition.withLock { elements.count >= capacity } }

    /// Adds an element; drops it when the queue is full.
    public func offer(_ element: Element) {
        condition.withLock {
            guard outcome == nil else { return }
            if let waiter = takeWaiter() {
                waiter.resume(returning: element)
            } else if elements.count < capacity {
                elements.append(element)
            } else {
                dropCount += 1
            }
        }
    }

    /// Adds an element; blocks the calling thread while the queue is full.
    /// - Returns: false when the queue has been finished meanwhile.
    public func put(_ element: Element) -> Bool {
        condition.withLock {
            while outcome == nil, elements.count >= capacity { condition.wait() }
            guard outcome == nil else { return false }
            if let waiter = takeWaiter() {
                waiter.resume(returning: element)
            } else {
                elements.append(element)
            }
            return true
        }
    }

    /// Ends the queue: the consumer gets what is still in it, then nil, or then `error`. Later calls do nothing.
    public func finish(throwing error: (any Error)? = nil) {
        condition.withLock {
            guard outcome == nil else { return }
            outcome = error.map { .failure($0) } ?? .success(())
            if let waiter = takeWaiter() {
                waiter.resume(with: outcome.map { $0.map { nil } } ?? .success(nil))
            }
            condition.broadcast()
        }
    }

    /// The next element, or nil at the end. One consumer at a time; it is woken by `finish`, not by cancellation.
    public func next() async throws -> Element? {
        try await withCheckedThrowingContinuation { continuation in
            condition.withLock {
                if !elements.isEmpty {
                    continuation.resume(returning: elements.removeFirst())
                    condition.signal()
                } else if let outcome {
                    continuation.resume(with: outcome.map { nil })
                } else {
                    waiter = continuation
                }
            }
        }
    }

    private func takeWaiter() -> CheckedContinuation<Element?, any Error>? {
        defer { waiter = nil }
        return waiter
    }
}
