import Control
import TerminalNCurses

/// What keys mean.
struct WatchKeys {
    let hand: WatchController
    private(set) var wantsToQuit = false

    /// The keys that begin a typed command, wherever one is.
    private static let typing: [Key] = [.enter, .character("/")]

    init(hand: WatchController) { self.hand = hand }

    /// Does what a key asks for.
    mutating func press(_ key: Key, _ model: inout WatchModel) {
        if model.typing != nil {
            type(key, &model)
            return
        }
        if model.asksToUndo {
            model.asksToUndo = false
            if key == .character("y") { hand.do { try await $0.call(UndoCall.self, UndoArguments()) } }
            // Typing dismisses the question; any other key means no.
            guard Self.typing.contains(key) else { return }
        }
        if model.showsHelp {
            model.showsHelp = false
            if key == .character("?") || key == .escape { return }
        }
        switch key {
        case .character(let character): press(character, &model)
        // On a tab as anywhere: letters that are meant to be typed must never become keys.
        case .enter: model.typing = ""
        case .tab: model.shelf.turn(by: 1)
        case .backTab: model.shelf.turn(by: -1)
        case .up: model.shelf.move(by: -1)
        case .down: model.shelf.move(by: 1)
        case .pageUp: model.shelf.move(by: -10)
        case .pageDown: model.shelf.move(by: 10)
        case .home: model.shelf.move(by: -100_000)
        case .end: model.shelf.move(by: 100_000)
        case .right: model.shelf.expand()
        case .left, .escape, .backspace: model.shelf.back()
        case .other: break
        }
    }

    private mutating func press(_ character: Character, _ model: inout WatchModel) {
        switch character {
        case " ": hand.press(.tap)
        case "h": model.isHolding = hand.toggleHold()
        case "d": hand.press(.double)
        case "c": hand.do { try await $0.call(CancelCall.self) }
        case "m":
            let isMuted = model.scene.look == .muted
            hand.do { try await isMuted ? $0.call(UnmuteCall.self) : $0.call(MuteCall.self) }
        case "u": model.asksToUndo = true
        case "y": hand.say("yes")
        case "n": hand.say("no")
        case "t", "/", ":": model.typing = ""
        case "j": model.shelf.move(by: 1)
        case "k": model.shelf.move(by: -1)
        case "l": model.shelf.expand()
        case "0"..."7":
            let number = character.wholeNumberValue ?? 0
            model.shelf.show(number == 0 ? nil : Tab.allCases[number - 1])
        case "?": model.showsHelp = true
        case "q": wantsToQuit = true
        default: break
        }
    }

    private func type(_ key: Key, _ model: inout WatchModel) {
        switch key {
        case .character(let character):
            if (model.typing?.count ?? 0) < ControlLimits.sayCharacters {
                model.typing?.append(character)
            }
        case .backspace: _ = model.typing?.popLast()
        case .enter:
            let text = model.typing ?? ""
            model.typing = nil
            if text.contains(where: { !$0.isWhitespace }) { hand.say(text) }
        case .escape: model.typing = nil
        default: break
        }
    }
}
