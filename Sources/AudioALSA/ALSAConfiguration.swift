import CALSA

/// The system's ALSA configuration plus the board file's own text, in which a board can define its own devices.
///
/// Every opening gets a new private tree: a card plugged in later is found, and threads that open at the same time
/// share nothing that ALSA changes while it looks up names.
public struct ALSAConfiguration: Sendable, Equatable {
    /// What the board file adds, in the syntax of asound.conf; may be empty.
    public let text: String

    /// The system's configuration plus `text`.
    /// - Throws: `ALSAError`, with the line in its `words`, when `text` is not well formed.
    public init(text: String = "") throws(ALSAError) {
        self.text = text
        _ = try tree()
    }

    /// A new private tree.
    func tree() throws(ALSAError) -> ConfigurationTree { try ConfigurationTree(adding: text) }
}

/// Owns one ALSA configuration tree.
final class ConfigurationTree {
    let top: OpaquePointer

    /// The system's configuration with `text` added.
    init(adding text: String) throws(ALSAError) {
        top = try Self.copyOfSystem()
        guard !text.isEmpty else { return }
        var input: OpaquePointer?
        try ALSACall.check("snd_input_buffer_open") {
            text.withCString { snd_input_buffer_open(&input, $0, strlen($0)) }
        }
        defer { snd_input_close(input) }
        try ALSACall.check("snd_config_load") { snd_config_load(top, input) }
    }

    deinit { snd_config_delete(top) }

    private static func copyOfSystem() throws(ALSAError) -> OpaquePointer {
        var system: OpaquePointer?
        try ALSACall.check("snd_config_update_ref") { snd_config_update_ref(&system) }
        defer { snd_config_unref(system) }
        var copy: OpaquePointer?
        try ALSACall.check("snd_config_copy") { snd_config_copy(&copy, system) }
        guard let copy else { throw ALSAError(call: "snd_config_copy", code: -ENOMEM) }
        return copy
    }

    /// Adds a device of this tree that converts rate, channels and sample format to what `name` supports.
    /// - Returns: the name under which to open it.
    func addPlug(over name: String) throws(ALSAError) -> String {
        let plug = try compound("vanorb_plug", in: section("pcm"))
        try add("type", "plug", to: plug)
        try add("pcm", name, to: compound("slave", in: plug))
        return "vanorb_plug"
    }

    /// Adds a capture device of this tree that reads the raw file at `path`.
    /// - Returns: the name under which to open it.
    func addRecording(path: String) throws(ALSAError) -> String {
        let recording = try compound("vanorb_recording", in: section("pcm"))
        try add("type", "file", to: recording)
        try add("file", "/dev/null", to: recording)
        try add("infile", path, to: recording)
        try add("format", "raw", to: recording)
        let slave = try compound("slave", in: recording)
        try add("type", "null", to: compound("pcm", in: slave))
        return "vanorb_recording"
    }

    // Nodes are made by calls, not by text, so that no name or path needs quoting.

    private func section(_ name: String) throws(ALSAError) -> OpaquePointer {
        var found: OpaquePointer?
        try ALSACall.check("snd_config_search") { snd_config_search(top, name, &found) }
        guard let found else { throw ALSAError(call: "snd_config_search", code: -ENOENT, words: name) }
        return found
    }

    private func compound(_ name: String, in parent: OpaquePointer) throws(ALSAError) -> OpaquePointer {
        var node: OpaquePointer?
        try ALSACall.check("snd_config_make_compound") { snd_config_make_compound(&node, name, 0) }
        return try adopt(node, by: parent)
    }

    private func add(_ key: String, _ value: String, to parent: OpaquePointer) throws(ALSAError) {
        var node: OpaquePointer?
        try ALSACall.check("snd_config_imake_string") { snd_config_imake_string(&node, key, value) }
        _ = try adopt(node, by: parent)
    }

    private func adopt(_ node: OpaquePointer?, by parent: OpaquePointer) throws(ALSAError) -> OpaquePointer {
        guard let node else { throw ALSAError(call: "snd_config_make", code: -ENOMEM) }
        do {
            try ALSACall.check("snd_config_add") { snd_config_add(parent, node) }
        } catch {
            snd_config_delete(node)
            throw error
        }
        return node
    }
}
