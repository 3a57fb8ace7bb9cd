import ArgumentParser
import Control

/// The measuring tool.
@main
struct VanorbLab: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vanorb-lab", abstract: "Train VanOrb's classifier, prepare demonstrations, and measure.",
        version: Release.version,
        subcommands: [
            Train.self, MakeVocabulary.self, Seed.self, SimulateVan.self, SimulateDiscovered.self,
            Bench.self, BenchStore.self, BenchBackup.self, BenchBus.self, BenchCommands.self, BenchRecogniser.self,
            BenchEncoder.self,
            BenchRing.self, Evaluate.self, Study.self, PhrasesReport.self,
        ])
}
