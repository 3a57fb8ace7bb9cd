import CLinear
import IntegerMatrices

/// Owns a model of liblinear: trains it, and frees it.
final class LinearModel {
    private let model: UnsafeMutablePointer<model>
    /// Features without the bias.
    let featureCount: Int
    /// Classes that occurred in training.
    let classCount: Int

    /// Trains by L2-regularised logistic regression, each class against the rest. Blocks for seconds.
    /// - Parameters:
    ///   - rows: for each sentence its features, ascending and below `featureCount`; all of a sentence have the same
    ///     value, which makes its length 1.
    ///   - classes: for each sentence its class.
    ///   - cost: how much a wrong sentence costs against large weights; liblinear's `C`.
    ///   - tolerance: when to stop; liblinear's `eps`.
    /// - Throws: `LinearError` when liblinear refuses the parameters.
    convenience init(
        rows: [[Int32]], classes: [Int], featureCount: Int, cost: Double, tolerance: Double
    ) throws(LinearError) {
        try self.init(
            NodeTable(rows: rows, featureCount: featureCount), classes: classes, featureCount: featureCount,
            cost: cost, tolerance: tolerance)
    }

    /// Trains on vectors, one for each sentence.
    /// - Throws: `LinearError` when liblinear refuses the parameters.
    convenience init(vectors: IntegerMatrix, classes: [Int], cost: Double, tolerance: Double) throws(LinearError) {
        try self.init(
            NodeTable(vectors: vectors), classes: classes, featureCount: vectors.width, cost: cost,
            tolerance: tolerance)
    }

    private init(
        _ nodes: NodeTable, classes: [Int], featureCount: Int, cost: Double, tolerance: Double
    ) throws(LinearError) {
        _ = Self.silence
        var targets = classes.map(Double.init)
        var parameters = parameter()
        parameters.solver_type = Int32(L2R_LR)
        parameters.C = cost
        parameters.eps = tolerance
        // Also checked for solvers that do not use it.
        parameters.p = 0.1
        let outcome = targets.withUnsafeMutableBufferPointer {
            targets -> Result<UnsafeMutablePointer<model>, LinearError> in
            var task = problem()
            task.l = Int32(nodes.rows.count)
            task.n = Int32(featureCount + 1)
            task.bias = 1
            task.y = targets.baseAddress
            task.x = nodes.rows.baseAddress
            if let complaint = check_parameter(&task, &parameters) {
                return .failure(LinearError(call: "check_parameter", message: String(cString: complaint)))
            }
            guard let model = train(&task, &parameters) else {
                return .failure(LinearError(call: "train", message: "it returned no model"))
            }
            return .success(model)
        }
        model = try outcome.get()
        self.featureCount = Int(get_nr_feature(model))
        classCount = Int(get_nr_class(model))
    }

    deinit {
        var model: UnsafeMutablePointer<model>? = model
        free_and_destroy_model(&model)
    }

    /// The classes in the order in which the model holds them.
    var classes: [Int] {
        var labels = [Int32](repeating: 0, count: classCount)
        get_labels(model, &labels)
        return labels.map(Int.init)
    }

    /// The weight of a feature for the class at `column`. For two classes the library keeps one set of weights, for the
    /// first; those of the second are its negatives.
    func weight(feature: Int, column: Int) -> Double {
        get_decfun_coef(model, Int32(feature + 1), Int32(column))
    }

    /// The bias of the class at `column`.
    func bias(column: Int) -> Double { get_decfun_bias(model, Int32(column)) }

    /// The library's own prediction with the given weights in place of the trained ones: the probability of each class.
    func probabilities(_ row: [Int32], replacing weights: (_ feature: Int, _ column: Int) -> Double) -> [Double] {
        // The library keeps one row of weights a feature, and the bias as the last feature.
        let width = classCount == 2 ? 1 : classCount
        for feature in 0...featureCount {
            for column in 0..<width { model.pointee.w[feature * width + column] = weights(feature, column) }
        }
        let nodes = NodeTable(rows: [row], featureCount: featureCount)
        var probabilities = [Double](repeating: 0, count: classCount)
        predict_probability(model, nodes.rows[0], &probabilities)
        return probabilities
    }

    /// liblinear reports its progress on the standard output, once for the whole process.
    private static let silence: Void = set_print_string_function(discard)
}

private func discard(_: UnsafePointer<CChar>?) {}

/// Sentences in liblinear's form: for each an array of (index from 1, value), the bias, and an end mark of index -1.
private final class NodeTable {
    let rows: UnsafeMutableBufferPointer<UnsafeMutablePointer<feature_node>?>
    private let nodes: UnsafeMutableBufferPointer<feature_node>

    init(rows sentences: [[Int32]], featureCount: Int) {
        nodes = .allocate(capacity: sentences.reduce(0) { $0 + $1.count + 2 })
        rows = .allocate(capacity: sentences.count)
        var next = 0
        for (index, sentence) in sentences.enumerated() {
            rows.initializeElement(at: index, to: nodes.baseAddress.map { $0 + next })
            let value = 1 / Double(max(1, sentence.count)).squareRoot()
            for feature in sentence {
                nodes.initializeElement(at: next, to: feature_node(index: feature + 1, value: value))
                next += 1
            }
            nodes.initializeElement(at: next, to: feature_node(index: Int32(featureCount + 1), value: 1))
            nodes.initializeElement(at: next + 1, to: feature_node(index: -1, value: 0))
            next += 2
        }
    }

    /// All numbers of each vector.
    init(vectors: IntegerMatrix) {
        let width = vectors.width
        nodes = .allocate(capacity: vectors.count * (width + 2))
        rows = .allocate(capacity: vectors.count)
        var numbers = [Float](repeating: 0, count: width)
        var next = 0
        for index in 0..<vectors.count {
            vectors.read(row: index, into: &numbers)
            rows.initializeElement(at: index, to: nodes.baseAddress.map { $0 + next })
            for column in 0..<width {
                nodes.initializeElement(
                    at: next + column, to: feature_node(index: Int32(column + 1), value: Double(numbers[column])))
            }
            nodes.initializeElement(at: next + width, to: feature_node(index: Int32(width + 1), value: 1))
            nodes.initializeElement(at: next + width + 1, to: feature_node(index: -1, value: 0))
            next += width + 2
        }
    }

    deinit {
        rows.deallocate()
        nodes.deallocate()
    }
}
