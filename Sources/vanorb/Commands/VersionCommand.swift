import ArgumentParser
import Control

/// `vanorb version`
struct VersionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Shows the versions of command line and daemon."
    )
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        if !global.json { try Output(json: false).line("vanorb   \(Release.version)") }
        try await global.run { client, output in
            let daemon = try await client.call(VersionCall.self).version
            try output.show(["vanorb": Release.version, "vanorbd": daemon]) { _ in ["vanorbd  \(daemon)"] }
        }
    }
}
