import Configuration
import Foundation

/// The broker's password as its file has it: one line.
///
/// What is in the file is sent to the broker, wherever the settings say that is. A file of more than a line, or a long
/// one, is something else that got there by mistake or by somebody's intention: a key, or the list of users.
package enum PasswordFile {
    /// The longest file, in bytes.
    package static let limit = 1_024

    /// Reads the password; white space around it does not count.
    /// - Throws: `ConfigurationError` that names the file, and nothing of what is in it.
    package static func password(at path: String) throws -> String {
        let text: String
        do { text = try ConfigurationNode.text(of: path, limit: limit) } catch let error as ConfigurationError {
            throw ConfigurationError(file: path, line: nil, message: "it cannot be read: \(error.message)")
        }
        let password = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !password.contains(where: \.isNewline) else {
            throw ConfigurationError(
                file: path, line: nil, message: "it has more than one line; a password is expected, alone")
        }
        guard password.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw ConfigurationError(
                file: path, line: nil, message: "it has control characters; a password is expected, as text")
        }
        return password
    }
}
