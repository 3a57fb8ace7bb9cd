import Synchronization

/// What an attached screen shows.
public struct ScreenView: Sendable, Equatable {
    /// The open tab; nil where none is.
    public var tab: String?
    /// What is selected on it, as kind and identity, and its name; nil where nothing is.
    public var thing: String?, name: String?
    /// The selection's place in the list, from 0, and how many places there are; 0 where there is no list.
    public var place: Int, count: Int
    /// Whether there is something to go back to.
    public var canGoBack: Bool

    /// A view.
    public init(
        tab: String? = nil, thing: String? = nil, name: String? = nil, place: Int = 0, count: Int = 0,
        canGoBack: Bool = false
    ) {
        (self.tab, self.thing, self.name) = (tab, thing, name)
        (self.place, self.count, self.canGoBack) = (place, count, canGoBack)
    }
}

/// The screens that are attached, and what they show: what is said about them must be so.
public final class AttachedScreens: Sendable {
    private struct State {
        var next = 0
        var views: [Int: ScreenView] = [:]
    }
    private let state = Mutex(State())

    /// No screens.
    public init() {}

    /// What the screen that changed last shows; nil where none is attached.
    public var current: ScreenView? { state.withLock { state in state.views.max { $0.key < $1.key }?.value } }

    /// A screen shows `view` from now on until `detach` is called with the number that is returned.
    public func attach(_ view: ScreenView) -> Int {
        state.withLock { state in
            state.next += 1
            state.views[state.next] = view
            return state.next
        }
    }

    /// The view is shown no longer.
    public func detach(_ number: Int) { state.withLock { $0.views[number] = nil } }
}
