import BusMosquitto
import Configuration
import Devices
import Dialogue
import Domain
import Foundation
import Language
import Logging
import PanelGPIO

/// The daemon's settings, checked.
package struct Settings: Sendable {
    package enum Engine: String, CaseIterable {
        case auto, pocketsphinx, moonshine
    }

    /// Whether gpsd is asked: where it answers, for sure, or never.
    package enum Receiver: String, CaseIterable {
        case auto, required = "true", off = "false"
    }

    /// The unit of distances, or that of the country's road signs.
    package enum DistanceUnitChoice: String, CaseIterable {
        case auto, kilometres, miles

        /// Where road signs give miles: the United Kingdom and what belongs to its Crown, the United States, Liberia.
        private static let mileCountries: Set = ["GB", "GG", "IM", "JE", "LR", "US"]

        /// - Parameter country: ISO 3166.
        package func unit(in country: String) -> DistanceUnit {
            switch self {
            case .auto: Self.mileCountries.contains(country) ? .miles : .kilometres
            case .kilometres: .kilometres
            case .miles: .miles
            }
        }
    }

    package let language: String
    package let currency: String
    package let country: String
    package let distanceUnit: DistanceUnit
    package let calendar: Calendar
    package let receiver: Receiver
    package let receiverHost: String
    package let receiverPort: Int
    package let board: String, data: String, run: String, devices: String, phrases: String
    package let acousticModel: String, vocabulary: String, constrainedRecogniser: String, classifier: String,
        encoder: String, places: String
    /// Both recognisers where the second is there; the first alone; or not without the second.
    package let engine: Engine
    /// How long the constrained recogniser is waited for after the end of an utterance.
    package let constrainedRecogniserLimit: Duration
    package let broker: MosquittoConfiguration?
    /// How devices may describe themselves, the first before the others where several describe the same.
    package let conventions: [any DeviceConvention]
    /// Where VanOrb shows itself to Home Assistant, nil where it does not; and whether that may ask for something.
    package let presencePrefix: String?, takesInputs: Bool
    package let confirmation: Duration
    package let conversation: ConversationSettings
    /// Of the ring: the share of the board's brightness, the highest at night, and whether a closed session shows a
    /// dot.
    package let ringBrightness: Double, nightRing: Double, hasClosedDot: Bool
    /// In place of the board's, where the owner has set them.
    package let speechThreshold: Double?, minimumSilence: Duration?
    /// Whether the sound of the last utterance is written to disk.
    package let keepsLastUtterance: Bool
    package let logLevel: Logger.Level
    /// How many megabytes of turns' traces are kept on disk; nil for none.
    package let traceMegabytes: Int?
    package let backups: Backups
    /// Every setting as it is written.
    package let texts: [String: String]

    /// Which backups are kept and where.
    package struct Backups: Sendable {
        /// How many days, and weeks before them, keep their newest backup; and from how many days on the newest is old.
        package let days: Int, weeks: Int, warnDays: Int
        /// A folder on another disk; nil for none.
        package let secondPath: String?
    }

    package init(_ file: SettingsFile) throws {
        language = try Self.language(file)
        currency = try Self.code("currency", 3, "an ISO 4217 code such as GBP", file)
        // ISO 3166 keeps UK free for the United Kingdom, which many write so.
        let named = try Self.code("country", 2, "an ISO 3166 code such as GB", file)
        country = named == "UK" ? "GB" : named
        distanceUnit = try file.choice("distance_unit", DistanceUnitChoice.self).unit(in: country)
        receiver = try file.choice("position.enabled", Receiver.self)
        receiverHost = try file.name("position.host")
        receiverPort = try file.int("position.port", 1...65_535)
        calendar = try Self.calendar(file)

        board = try file.name("paths.board")
        data = try file.name("paths.data")
        run = try file.name("paths.run")
        devices = try file.name("paths.devices")
        phrases = try file.name("paths.phrases")
        acousticModel = try file.name("paths.acoustic_model")
        vocabulary = try file.name("paths.vocabulary")
        constrainedRecogniser = try file.name("paths.second_ear")
        classifier = try file.name("paths.classifier")
        encoder = try file.name("paths.encoder")
        places = try file.name("paths.places")
        broker = try Self.broker(file)
        conventions = try Self.conventions(file)
        takesInputs = try file.bool("mqtt.inputs")
        presencePrefix = try file.bool("mqtt.presence") ? file.optional("mqtt.home_assistant") : nil
        confirmation = try file.seconds("mqtt.confirmation", 0.1...30)
        conversation = try Self.conversation(file)
        ringBrightness = try file.double("ring.brightness", 0...1)
        hasClosedDot = try file.bool("ring.closed_dot")
        nightRing = try file.double("night.ring", 0...1)
        speechThreshold = try file.optionalDouble("endpointer.threshold", 0.05...0.95)
        minimumSilence = try file.optionalDouble("endpointer.minimum_silence", 0...0.5).map { .seconds($0) }
        keepsLastUtterance = try file.bool("keep_last_utterance")
        engine = try file.choice("recogniser.engine", Engine.self)
        constrainedRecogniserLimit = try file.seconds("recogniser.patience", 0.5...60)
        backups = try Self.backups(file)
        logLevel = try file.choice("log.level", Logger.Level.self)
        let megabytes = try file.int("trace.limit_mb", 1...1_000)
        traceMegabytes = try file.bool("trace.keep_on_disk") ? megabytes : nil
        texts = Dictionary(uniqueKeysWithValues: file.keys.map { ($0, file.text($0)) })
    }

    private static func language(_ file: SettingsFile) throws -> String {
        let language = try file.string("language")
        let installed = LanguageFolder.installed(root: LanguageFolder.shippedRoot).joined(separator: ", ")
        file.expect("language", "one of \(installed)")
        guard LanguageFolder.installed(root: LanguageFolder.shippedRoot).contains(language) else {
            throw try file.complaint("language", "no language “\(language)” is installed; choose one of \(installed)")
        }
        return language
    }

    private static func code(
        _ key: String, _ length: Int, _ expected: String, _ file: SettingsFile
    ) throws -> String {
        let code = try file.string(key)
        file.expect(key, expected)
        guard code.count == length, code.allSatisfy({ $0.isASCII && $0.isUppercase }) else {
            throw try file.complaint(key, "expected \(expected), found “\(code)”")
        }
        return code
    }

    private static func calendar(_ file: SettingsFile) throws -> Calendar {
        file.expect("time_zone", "a time zone such as Europe/London, or empty")
        var calendar = Calendar(identifier: .gregorian)
        if let zone = try file.optional("time_zone") {
            guard let timeZone = TimeZone(identifier: zone) else {
                throw try file.complaint("time_zone", "expected a time zone such as Europe/London, found “\(zone)”")
            }
            calendar.timeZone = timeZone
        }
        return calendar
    }

    private static func backups(_ file: SettingsFile) throws -> Backups {
        file.expect("backup.second_path", "an absolute path of a folder, or empty")
        let second = try file.optional("backup.second_path")
        if let second, !second.hasPrefix("/") {
            throw try file.complaint(
                "backup.second_path", "expected an absolute path such as /media/stick/vanorb")
        }
        return Backups(
            days: try file.int("backup.days", 1...366), weeks: try file.int("backup.weeks", 0...520),
            warnDays: try file.int("backup.warn_days", 1...366), secondPath: second)
    }

    private static func broker(_ file: SettingsFile) throws -> MosquittoConfiguration? {
        var password: String?, reader: MosquittoConfiguration.PasswordReader?
        let isEnabled = try file.bool("mqtt.enabled")
        if isEnabled, let path = try file.optional("mqtt.password_file") {
            do { password = try brokerPassword(path) } catch let error as ConfigurationError {
                throw try file.complaint("mqtt.password_file", "\(error)")
            }
            reader = .init(path) { try? brokerPassword(path) }
        }
        // Read also where it is turned off: a mistake must not go unnoticed until it is turned on.
        let configuration = MosquittoConfiguration(
            host: try file.name("mqtt.host"), port: try file.int("mqtt.port", 1...65_535),
            clientID: try file.name("mqtt.client_id"),
            credentials: .init(username: try file.optional("mqtt.username"), password: password, reader: reader),
            tls: try tls(file),
            session: .init(will: .init(topic: "vanorb/status", payload: "offline", retain: true)))
        return isEnabled ? configuration : nil
    }

    private static func tls(_ file: SettingsFile) throws -> MosquittoConfiguration.TLS? {
        let authority = try file.optional("mqtt.ca_file")
        let certificate = try file.optional("mqtt.certificate"), key = try file.optional("mqtt.key")
        guard authority != nil || certificate != nil || key != nil else { return nil }
        // The bus rejects a certificate without the authority's.
        return .init(caFile: authority ?? "", clientCertificate: certificate, clientKey: key)
    }

    /// The password as it is now: the file's own where it may be read and was changed after systemd had handed over its
    /// copy, which is as old as the service.
    private static func brokerPassword(_ path: String) throws -> String {
        if isNewerThanCredential(path), access(path, R_OK) == 0 { return try PasswordFile.password(at: path) }
        return try credential(path) ?? PasswordFile.password(at: path)
    }

    private static func isNewerThanCredential(_ path: String) -> Bool {
        guard let copy = credentialFile(path)?.path(percentEncoded: false) else { return false }
        func changed(_ path: String) -> Date? {
            (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        }
        guard let own = changed(path), let handed = changed(copy) else { return false }
        return own > handed
    }

    private static func credentialFile(_ path: String) -> URL? {
        ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"].map {
            URL(filePath: $0).appending(path: URL(filePath: path).lastPathComponent)
        }
    }

    /// What systemd hands to the service of a file that it may not read itself (`LoadCredential`, systemd.exec(5)),
    /// under the file's name; an empty one is none.
    private static func credential(_ path: String) throws -> String? {
        guard let file = credentialFile(path)?.path(percentEncoded: false), access(file, R_OK) == 0 else { return nil }
        let password = try PasswordFile.password(at: file)
        return password.isEmpty ? nil : password
    }

    private static func conventions(_ file: SettingsFile) throws -> [any DeviceConvention] {
        func place(_ key: String) throws -> String? {
            let place = try file.optional(key)
            if let place, place.contains("+") || place.contains("#") || place.hasSuffix("/") {
                throw try file.complaint(
                    key, "expected the start of a topic without wildcards or a / at the end, found “\(place)”")
            }
            return place
        }
        var conventions: [any DeviceConvention] = []
        if let prefix = try place("mqtt.home_assistant") { conventions.append(HomeAssistantDiscovery(prefix: prefix)) }
        if let base = try place("mqtt.zigbee2mqtt") { conventions.append(Zigbee2MQTTDiscovery(base: base)) }
        if let prefix = try place("mqtt.tasmota") { conventions.append(TasmotaDiscovery(prefix: prefix)) }
        if let portal = try place("mqtt.victron") {
            conventions.append(VictronDiscovery(portal: portal == "auto" ? nil : portal))
        }
        return conventions
    }

    private static func conversation(_ file: SettingsFile) throws -> ConversationSettings {
        var settings = ConversationSettings()
        settings.limits.noSpeech = try file.seconds("limits.no_speech", 1...60)
        settings.limits.question = try file.seconds("limits.question", 1...120)
        settings.limits.listening = try file.seconds("limits.listening", 2...120)
        settings.limits.holdToTalk = try file.seconds("limits.hold_to_talk", 2...600)
        settings.limits.thinking = try file.seconds("limits.thinking", 1...120)
        settings.limits.speaking = try file.seconds("limits.speaking", 1...600)
        settings.limits.idle = try file.seconds("limits.idle", 1...3_600)
        settings.buttonMode = try file.choice("button.mode", ConversationMachine.ButtonMode.self)
        settings.tapWhileListening = try file.choice(
            "button.tap_while_listening", ConversationMachine.TapWhileListening.self)
        settings.endpointer.closingSilence = try file.seconds("endpointer.closing_silence", 0.3...5)
        settings.rejection = try file.double("recogniser.rejection", 0...1)
        settings.certainty = try file.double("recogniser.certainty", 0...1)
        settings.partials = try file.bool("recogniser.partials")
        settings.autoSpeak = try file.bool("speech.auto_speak")
        settings.voice = VoiceSettings(
            voice: try file.optional("speech.voice"), rate: try file.double("speech.rate", 0...1),
            pitch: try file.double("speech.pitch", 0...2), volume: try file.double("speech.volume", 0...2))
        settings.night = try night(file)
        settings.nightSpeech = try file.double("night.speech", 0...1)
        settings.historyLength = try file.int("history.length", 1...100)
        return settings
    }

    private static func night(_ file: SettingsFile) throws -> NightHours? {
        let times = try ["night.from", "night.to"].map { key in
            file.expect(key, "a time such as 22:00, or empty")
            let time = try file.optional(key)
            // Each by itself, too: a mistake must not go unnoticed until the other is there.
            if let time, [("0:00"), ("0:01")].allSatisfy({ NightHours(from: time, to: $0) == nil }) {
                throw try file.complaint(key, "expected a time such as \"22:00\", found “\(time)”")
            }
            return time
        }
        guard let from = times[0], let to = times[1] else { return nil }
        guard let night = NightHours(from: from, to: to) else {
            throw try file.complaint("night.from", "expected two times such as \"22:00\" and \"07:00\"")
        }
        return night
    }

    /// What is reached over the network: the broker, and the receiver's gpsd.
    package var networkHosts: [String] { [broker?.host, receiver == .off ? nil : receiverHost].compactMap(\.self) }

    /// The board's ring as the owner wants it.
    package func ring(of board: Board) -> RingConfiguration? {
        var ring = board.ring
        ring?.profile.brightness *= ringBrightness
        ring?.profile.nightCap = nightRing
        ring?.profile.showsClosedDot = hasClosedDot
        return ring
    }
}

/// The broker's password as its file has it: one line.
///
/// What is in the file is sent to the broker, wherever the settings say that is. A file of more than a line, or a long
/// one, is another file, named by mistake or on purpose: a key, or the list of users.
package enum PasswordFile {
    /// The longest file, in bytes.
    package static let limit = 1_024

    /// Reads the password; white space around it does not count.
    /// - Throws: `ConfigurationError` that names the file, and nothing of what is in it.
    package static func password(at path: String) throws -> String {
        let text: String
        do { text = try ConfigurationNode.text(of: path, limit: limit) } catch let error as ConfigurationError {
            throw ConfigurationError(file: path, line: nil, message: "cannot be read: \(error.message)")
        }
        let password = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard !password.contains(where: \.isNewline) else {
            throw ConfigurationError(
                file: path, line: nil, message: "expected the password on one line, found several lines")
        }
        guard password.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control }) else {
            throw ConfigurationError(
                file: path, line: nil, message: "expected the password as text, found control characters")
        }
        return password
    }
}
