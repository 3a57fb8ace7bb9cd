import Domain
import Foundation

/// The volume controls of the board's outputs: read at the start, so that the doctor can explain silence, and set where
/// the board file has a volume.
///
/// What the owner asks for ("louder", the night's level) is done in software on top of it: a card's steps are coarse,
/// and many cards have a single control for everything that they play.
public struct OutputVolumes: Sendable {
    /// An output's control.
    public struct Output: Sendable, Equatable {
        /// Chimes or voice.
        public let output: SpeakerOutput
        /// Its control.
        public let control: MixerControl
        /// What it is set to at the start, 0…100 % of its range; nil leaves it as it is.
        public let percent: Int?

        /// An output's control.
        public init(output: SpeakerOutput, control: MixerControl, percent: Int?) {
            self.output = output
            self.control = control
            self.percent = percent
        }
    }

    private let outputs: [Output]
    private let mixer: any Mixer
    private let health: Health

    /// The controls of `outputs`, whose cards are looked up in `configuration`. `health` gets “media volume” and
    /// “speech volume”.
    public init(_ outputs: [Output], configuration: ALSAConfiguration, health: Health) {
        self.init(outputs, mixer: ALSAMixer(configuration: configuration), health: health)
    }

    init(_ outputs: [Output], mixer: any Mixer, health: Health) {
        self.outputs = outputs
        self.mixer = mixer
        self.health = health
    }

    /// Sets the volumes of the board file, and reports each control. Waits for the cards.
    public func setUp() {
        for output in outputs { setUp(output) }
    }

    private func setUp(_ output: Output) {
        let part = "\(output.output.rawValue) volume", control = output.control
        do {
            var element = try mixer.open(control)
            if let percent = output.percent {
                let span = Double(element.range.upperBound - element.range.lowerBound)
                let wanted = element.range.lowerBound + Int((span * Double(percent) / 100).rounded())
                try element.set(element.volumes.map { _ in wanted })
                element = try mixer.open(control)
            }
            let detail = "\(control) at \(element.percent) %"
            if !element.isOn {
                health.report(part, .warning, "\(detail), muted", advice: "unmute it, for example with alsamixer")
            } else if element.percent == 0 {
                health.report(part, .warning, detail, advice: "turn it up, for example with alsamixer")
            } else {
                health.report(part, .ok, detail)
            }
        } catch {
            health.report(
                part, .warning, "\(error)",
                advice: "“amixer -c CARD scontrols” lists a card's controls; correct the board file")
        }
    }
}
