/// A volume of a sound card, as ALSA's simple mixer names it: `amixer -c 0 scontrols` lists them.
public struct MixerControl: Sendable, Hashable, Codable, CustomStringConvertible {
    /// The ALSA name of the card's controls, such as `hw:0` or `hw:CARD=Headphones`.
    public let card: String
    /// The control's name, such as `Music`.
    public let control: String
    /// Which of several of that name, from 0.
    public let index: Int

    /// A control of a card.
    public init(card: String, control: String, index: Int = 0) {
        self.card = card
        self.control = control
        self.index = index
    }

    /// Such as `“Music” of hw:0`.
    public var description: String { "“\(control)”" + (index == 0 ? "" : ",\(index)") + " of \(card)" }
}

/// What opens controls. The real one is `ALSAMixer`; decisions are tested on another.
protocol Mixer: Sendable {
    /// Opens a control and reads it.
    func open(_ control: MixerControl) throws(ALSAError) -> any MixerElement
}

/// An open control, as it was when it was opened. Used by one thread.
protocol MixerElement: AnyObject {
    /// The playback volume of each channel that it has, in the card's own steps.
    var volumes: [Int] { get }
    /// The steps there are.
    var range: ClosedRange<Int> { get }
    /// False where the control has a switch and it is off.
    var isOn: Bool { get }
    /// The volumes that are `decibels` below the present ones, or the lowest there are.
    func lowered(by decibels: Double) -> [Int]
    /// Sets the volume of each channel.
    func set(_ volumes: [Int]) throws(ALSAError)
}

extension MixerElement {
    /// The loudest channel's place in the range, 0…100.
    var percent: Int {
        let span = range.upperBound - range.lowerBound
        guard span > 0, let loudest = volumes.max() else { return 100 }
        return Int((100 * Double(loudest - range.lowerBound) / Double(span)).rounded())
    }
}
