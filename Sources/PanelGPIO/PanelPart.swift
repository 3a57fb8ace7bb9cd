/// A part of the panel.
public enum PanelPart: String, Sendable, CaseIterable {
    /// The button.
    case button
    /// The vibration motor.
    case motor
    /// The ring of LEDs.
    case ring
}

/// How a part of the panel is.
public enum PanelPartState: Sendable, Equatable {
    /// It works.
    case ok
    /// It works, but its line is looked at again and again, as it cannot report by itself.
    case polled
    /// It cannot be opened or was lost, and why; it is tried again once a second.
    case failed(String)
}
