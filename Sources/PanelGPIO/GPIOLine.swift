import CGPIOD
import Foundation

/// A line of a GPIO chip and how it is wired.
public struct GPIOLine: Sendable, Equatable {
    /// How a line is found on its chip.
    public enum Place: Sendable, Equatable {
        /// By its number.
        case offset(UInt32)
        /// By the name that the kernel or the board gives it, such as `GPIO17`.
        case name(String)
    }

    /// The resistor inside the chip.
    public enum Bias: Int32, Sendable {
        /// As the kernel has it.
        case asIs = 0
        /// None.
        case none = 1
        /// To the supply.
        case pullUp = 2
        /// To ground.
        case pullDown = 3
    }

    /// Path, name, label or number of the chip; nil where the line's name is enough, on whichever chip it is.
    public var chip: String?
    /// Where on the chip.
    public var place: Place
    /// True when the line is active while its level is low, as for a button to ground.
    public var isActiveLow: Bool
    /// The resistor.
    public var bias: Bias

    /// A line.
    public init(chip: String? = nil, place: Place, isActiveLow: Bool = false, bias: Bias = .asIs) {
        self.chip = chip
        self.place = place
        self.isActiveLow = isActiveLow
        self.bias = bias
    }

    var lineDescription: String {
        switch place {
        case .offset(let offset): "\(offset)"
        case .name(let name): "“\(name)”"
        }
    }
}
