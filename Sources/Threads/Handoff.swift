import Foundation

/// A bounded queue from a thread to one asynchronous consumer.
///
/// The thread chooses what happens when the consumer is late: wait for it (a recording, which can be held up) or drop
/// the element and count (a sound card, which cannot).
///
/// The consumer is resumed outside the lock: to wake a task takes a lock of the task's own, which its cancellation
/// holds while it runs handlers that may want this one.
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
        let waiter = condition.withLock { () -> CheckedContinuation<Element?, any Error>? in
            guard outcome == nil else { return nil }
            if let waiter = takeWaiter() { return waiter }
            if elements.count < capacity { elements.append(element) } else { dropCount += 1 }
            return nil
        }
        waiter?.resume(returning: element)
    }

    /// Adds an element; blocks the calling thread while the queue is full.
    /// - Returns: false when the queue has been finished meanwhile.
    public func put(_ element: Element) -> Bool {
        let (isTaken, waiter) = condition.withLock { () -> (Bool, CheckedContinuation<Element?, any Error>?) in
            while outcome == nil, elements.count >= capacity { condition.wait() }
            guard outcome == nil else { return (false, nil) }
            if let waiter = takeWaiter() { return (true, waiter) }
            elements.append(element)
            return (true, nil)
        }
        waiter?.resume(returning: element)
        return isTaken
    }

    /// Ends the queue: the consumer gets what is still in it, then nil, or then `error`. Later calls do nothing.
    public func finish(throwing error: (any Error)? = nil) {
        let waiter = condition.withLock { () -> CheckedContinuation<Element?, any Error>? in
            guard outcome == nil else { return nil }
            outcome = error.map { .failure($0) } ?? .success(())
            condition.broadcast()
            return takeWaiter()
        }
        if let error { waiter?.resume(throwing: error) } else { waiter?.resume(returning: nil) }
    }

    /// The next element, or nil at the end. One consumer at a time; it is woken by `finish`, not by cancellation.
    public func next() async throws -> Element? {
        try await withCheckedThrowingContinuation { continuation in
            let next = condition.withLock { () -> Result<Element?, any Error>? in
                if !elements.isEmpty {
                    condition.signal()
                    return .success(elements.removeFirst())
                }
                if let outcome { return outcome.map { nil } }
                waiter = continuation
                return nil
            }
            if let next { continuation.resume(with: next) }
        }
    }

    private func takeWaiter() -> CheckedContinuation<Element?, any Error>? {
        defer { waiter = nil }
        return waiter
    }
}
