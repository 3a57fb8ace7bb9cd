import Foundation

/// The logarithm of the sum of exponentials, over a whole vocabulary at every step: the loop that costs.
enum LogSum {
    /// - Parameter count: a multiple of 8 is quickest.
    static func of(_ values: UnsafePointer<Float>, count: Int) -> Float {
        var most = SIMD8<Float>(repeating: -.infinity)
        let wide = count / 8 * 8
        for place in stride(from: 0, to: wide, by: 8) { most = pointwiseMax(most, load(values + place)) }
        var top = most.max()
        for place in wide..<count { top = max(top, values[place]) }
        guard top.isFinite else { return top }
        var sum = SIMD8<Float>(repeating: 0)
        let lift = SIMD8<Float>(repeating: top)
        for place in stride(from: 0, to: wide, by: 8) { sum += exponential(load(values + place) - lift) }
        var total = sum.sum()
        for place in wide..<count { total += exp(values[place] - top) }
        return top + log(total)
    }

    @inline(__always)
    private static func load(_ values: UnsafePointer<Float>) -> SIMD8<Float> {
        UnsafeRawPointer(values).loadUnaligned(as: SIMD8<Float>.self)
    }

    /// 1.5 · 2²³.
    private static let rounder: Float = 12_582_912

    /// e to the power of values of at most 0, to a relative error of 2·10⁻⁵: two to the whole part by the bits of the
    /// exponent, two to the rest, −½…½, by its Taylor polynomial of degree 5.
    @inline(__always)
    private static func exponential(_ values: SIMD8<Float>) -> SIMD8<Float> {
        let power = pointwiseMax(values * 1.442_695, SIMD8(repeating: -126))
        // Beside so large a number there is no room for a fraction: the sum is rounded, and its lowest bits are the
        // whole part. Converting eight numbers one by one costs more than all the rest.
        let shifted = power + Self.rounder
        let rest = power - (shifted - Self.rounder)
        var result = SIMD8<Float>(repeating: 0.001_333_356)
        result = result * rest + 0.009_618_129
        result = result * rest + 0.055_504_11
        result = result * rest + 0.240_226_51
        result = result * rest + 0.693_147_2
        result = result * rest + 1
        let bits =
            (unsafeBitCast(shifted, to: SIMD8<Int32>.self) &- Int32(bitPattern: Self.rounder.bitPattern) &+ 127) &<< 23
        return result * unsafeBitCast(bits, to: SIMD8<Float>.self)
    }
}
