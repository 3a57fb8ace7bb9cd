/// Library and model at work, before anything depends on them. What is damaged, or made for another processor, may end
/// the process that loads it: so that is done in one of its own.
public enum MoonshineTrial {
    /// Loads library and model and lets them hear a second of silence. For a process that may end by it.
    /// - Throws: `MoonshineError`.
    public static func run(folder: String) throws {
        let model = try MoonshineModel(folder: folder, OnnxSettings())
        let silence = [Float](repeating: 0, count: 16_000)
        let decoding = try model.hear(silence, rows: 2, steps: 4, stop: OnnxStop(model.library))
        try decoding.begin(Tokeniser.start)
        try decoding.step([(0, 300), (0, 301)])
    }
}
