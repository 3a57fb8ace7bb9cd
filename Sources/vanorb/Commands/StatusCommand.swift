import ArgumentParser
import Control

/// `vanorb status`
struct StatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "status", abstract: "Show status.")
    @OptionGroup var global: GlobalOptions

    func run() async throws {
        try await global.run { client, output in
            try output.show(try await client.call(StatusCall.self), Self.lines)
        }
    }

    static func lines(_ status: StatusResult) -> [String] {
        var facts = Table([("", .left), ("", .left)])
        facts.add(["state", status.state.rawValue + (status.muted ? ", muted" : "")])
        facts.add(["mode", status.mode ?? "none"])
        facts.add(["broker", (status.bus.connected ? "connected, " : "not connected: ") + status.bus.detail])
        facts.add(["recogniser", status.recogniser])
        facts.add(["voice", status.voice ?? "none"])
        facts.add(["knows", "\(status.devices) devices, \(status.items) items, \(status.phrases) phrases"])
        facts.add(["up", Text.duration(status.uptimeSeconds)])
        facts.add([
            "uses",
            "\(Text.megabytes(status.residentBytes)), \(Text.decimal(status.cpuSeconds, places: 1)) s CPU time",
        ])
        facts.add(["version", status.version])
        guard !status.parts.isEmpty else { return Array(facts.lines.dropFirst()) }
        var parts = Table([("part", .left), ("state", .left), ("detail", .left)])
        for part in status.parts {
            let advice = part.advice.map { " – \($0)" } ?? ""
            parts.add([part.name, part.state.rawValue, part.detail + advice])
        }
        return facts.lines.dropFirst() + [""] + parts.lines
    }
}

/// `vanorb version`
struct VersionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "version", abstract: "Show the versions of command line and daemon."
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
