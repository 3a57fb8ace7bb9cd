import Domain
import Handlers
import Control

/// What screens call that are attached.
struct ScreenCalls {
    private let context: HandlerContext

    init(_ context: HandlerContext) { self.context = context }

    func register(in table: inout CallTable) {
        table.register(ScreenShowCall.self) { [context] view in
            let number = context.screens.attach(
                ScreenView(
                    tab: view.tab, thing: view.thing, name: view.name, place: view.place, count: view.count,
                    canGoBack: view.canGoBack))
            defer { context.screens.detach(number) }
            // Until the caller hangs up.
            while !Task.isCancelled { try await Task.sleep(for: .seconds(3_600)) }
            return Acknowledgement(message: "The screen is detached.")
        }
        table.register(StarsCall.self) { [context] _ in
            StarsResult(stars: try await context.stores.stars.stars().sorted())
        }
    }
}
