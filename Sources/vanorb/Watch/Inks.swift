import Control
import RingRenderer
import TerminalNCurses

/// A part of the screen.
struct Frame: Sendable, Equatable {
    var row: Int, column: Int, rows: Int, columns: Int

    /// The first so many rows, and what is left below them.
    func split(top: Int) -> (top: Frame, rest: Frame) {
        let top = min(max(0, top), rows)
        return (
            Frame(row: row, column: column, rows: top, columns: columns),
            Frame(row: row + top, column: column, rows: rows - top, columns: columns)
        )
    }

    /// The same with so many columns free on each side.
    func inset(_ margin: Int) -> Frame {
        Frame(row: row, column: column + margin, rows: rows, columns: max(0, columns - 2 * margin))
    }
}

/// The view's colours.
enum Inks {
    static let background = RGB8(10, 10, 15)
    static let text = RGB8(236, 236, 242), dim = RGB8(150, 150, 165), faint = RGB8(95, 95, 110)
    static let rule = RGB8(55, 55, 68)
    static let spokenWord = RGB8(255, 170, 60)
    static let user = RGB8(26, 92, 214)
    static let good = RGB8(70, 210, 120), warning = RGB8(255, 190, 70), bad = RGB8(255, 90, 90)

    /// A sign and a colour for what the appliance is doing.
    static func state(_ model: WatchModel) -> (sign: String, colour: RGB8) {
        switch model.link {
        case .connected: break
        case .connecting, .lost: return ("✕", bad)
        }
        switch model.scene.look {
        case .muted: return ("⊘", bad)
        case .fault: return ("!", warning)
        default: break
        }
        if model.troubleInLabel != nil { return ("!", warning) }
        switch model.state {
        case .closed: return ("○", dim)
        case .ready: return ("◆", RGB8(178, 116, 255))
        case .listening: return ("●", RGB8(80, 160, 255))
        case .thinking: return ("◌", RGB8(255, 165, 50))
        case .speaking: return ("▶", RGB8(70, 215, 120))
        }
    }

    /// What is behind an answer: the palette's first colour, dark enough for white letters.
    static func bubble(_ palette: Palette) -> RGB8 {
        mixed(background, palette.colours.first ?? dim, 0.5)
    }

    /// The colour of a row.
    static func tone(_ tone: TabPage.Tone) -> RGB8 {
        switch tone {
        case .plain: text
        case .heading: RGB8(178, 150, 255)
        case .good: good
        case .warning: warning
        case .bad: bad
        case .faint: dim
        }
    }

    /// The colour `share` (0…1) of the way from one to the other.
    static func mixed(_ one: RGB8, _ other: RGB8, _ share: Double) -> RGB8 {
        func channel(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8(Double(a) + (Double(b) - Double(a)) * share) }
        return RGB8(
            channel(one.red, other.red), channel(one.green, other.green), channel(one.blue, other.blue))
    }
}
