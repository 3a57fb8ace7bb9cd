import Domain
import CESpeakNG
import Foundation
import Threads

/// The library's one engine, which belongs to the whole process: its voice, its parameters and its callback are
/// globals.
///
/// Every call is made on `executor`; the actors that use the engine all run there, so no two calls ever meet.
final class ESpeakEngine: @unchecked Sendable {
    // Unchecked: touched on `executor` only.
    static let shared = ESpeakEngine()
    static let executor = QueueExecutor(label: "vanorb.espeak")

    /// What to do when the library's data or its voices are missing.
    private static let advice = "install Debian's package espeak-ng-data"

    private var openFolder: String??
    private(set) var sampleRate = 0
    private(set) var voices: [InstalledVoice] = []
    /// The identifier of the voice that is loaded.
    private(set) var loadedVoice: String?

    private init() {}

    /// Starts the engine with the data in `folder`, or in the library's own place for nil. Costs nothing when it runs.
    /// - Parameter trial: asked for the folder of the data before the library reads it; throws where it must not.
    func open(_ folder: String?, trial: ((String) throws -> Void)? = nil) throws {
        if let openFolder, openFolder == folder { return }
        close()
        if let folder, !Self.holdsData("\(folder)/espeak-ng-data") {
            // The library would silently take its own place instead.
            throw ESpeakError(call: "espeak_Initialize", detail: "no voice data in \(folder): \(Self.advice)")
        }
        if let trial {
            // Says where the data is, and reads nothing of it.
            espeak_ng_InitializePath(folder)
            var place: UnsafePointer<CChar>?
            _ = espeak_Info(&place)
            let data = place.map { String(cString: $0) } ?? ""
            do { try trial(data) } catch {
                throw ESpeakError(
                    call: "trial",
                    detail: "the voice data in \(data) cannot be used: \(error). Install Debian's package "
                        + "espeak-ng-data again (apt-get install --reinstall)")
            }
        }
        let rate = espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, folder, Int32(espeakINITIALIZE_DONT_EXIT))
        var path: UnsafePointer<CChar>?
        _ = espeak_Info(&path)
        let place = path.map { String(cString: $0) } ?? "?"
        // It returns a rate even where it found no data, and then crashes at the first text.
        guard rate > 0, Self.holdsData(place) else {
            espeak_Terminate()
            throw ESpeakError(
                call: "espeak_Initialize", code: rate, detail: "no voice data in \(place): \(Self.advice)")
        }
        sampleRate = Int(rate)
        espeak_SetSynthCallback(eSpeakDelivered)
        voices = Self.listVoices()
        openFolder = .some(folder)
    }

    /// Loads the first voice of `order` that is there and can be loaded.
    func loadVoice(_ order: [VoiceChoice]) throws -> InstalledVoice {
        var code: Int32 = 0
        for choice in order {
            for voice in voices where choice.matches(voice) && voice.isInstalled {
                code = load(voice.identifier)
                if code == 0 { return voice }
            }
        }
        throw ESpeakError(
            call: "espeak_SetVoiceByName", code: code, detail: "none of the voices \(order) is there: \(Self.advice)")
    }

    /// Loads a voice by its identifier unless it is loaded.
    func load(_ identifier: String) -> Int32 {
        guard loadedVoice != identifier else { return 0 }
        let code = espeak_SetVoiceByName(identifier).rawValue
        loadedVoice = code == 0 ? identifier : nil
        return code
    }

    /// Speaks `text` into `take`; with `phonemes`, what stands in [[ ]] is the library's own letters.
    func synthesise(
        _ text: String, rate: Int, pitch: Int, volume: Int, phonemes: Bool = false, into take: SynthesisTake
    ) throws {
        for (parameter, value) in [(espeakRATE, rate), (espeakPITCH, pitch), (espeakVOLUME, volume)] {
            try checkESpeak(
                "espeak_SetParameter", espeak_SetParameter(parameter, Int32(value), 0).rawValue,
                "parameter \(parameter.rawValue) = \(value)")
        }
        let code = withExtendedLifetime(take) {
            espeak_Synth(
                text, text.utf8.count + 1, 0, POS_CHARACTER, 0,
                UInt32(espeakCHARS_UTF8 | espeakENDPAUSE | (phonemes ? espeakPHONEMES : 0)), nil,
                Unmanaged.passUnretained(take).toOpaque())
        }
        try checkESpeak("espeak_Synth", code.rawValue, "cannot speak a sentence")
    }

    /// The phonemes of `text` in the library's own letters, `_` between them; blanks between words. Needs a voice:
    /// without one the library crashes.
    func phonemes(_ text: String) throws -> String {
        guard loadedVoice != nil else {
            throw ESpeakError(call: "espeak_TextToPhonemes", detail: "no voice is loaded")
        }
        let mode = Int32(UInt8(ascii: "_")) << 8
        return text.withCString { start in
            var position: UnsafeRawPointer? = UnsafeRawPointer(start)
            var result: [String] = []
            while position != nil {
                let before = position
                if let part = espeak_TextToPhonemes(&position, Int32(espeakCHARS_UTF8), mode) {
                    result.append(String(cString: part))
                }
                if position == before { break }
            }
            return result.joined(separator: " ")
        }
    }

    private func close() {
        guard openFolder != nil else { return }
        openFolder = nil
        loadedVoice = nil
        voices = []
        espeak_Terminate()
    }

    private static func holdsData(_ folder: String) -> Bool {
        FileManager.default.isReadableFile(atPath: "\(folder)/phontab")
    }

    private static func listVoices() -> [InstalledVoice] {
        var result: [InstalledVoice] = []
        guard var next = espeak_ListVoices(nil) else { return [] }
        while let voice = next.pointee?.pointee {
            if let name = voice.name, let identifier = voice.identifier {
                result.append(
                    InstalledVoice(
                        name: String(cString: name), identifier: String(cString: identifier),
                        languages: languages(voice.languages)))
            }
            next += 1
        }
        return result
    }

    /// The library's list: for each language a byte of priority and its name, ended by a byte of 0.
    private static func languages(_ list: UnsafePointer<CChar>?) -> [String] {
        guard var next = list else { return [] }
        var result: [String] = []
        while next.pointee != 0 {
            let name = String(cString: next + 1)
            result.append(name.lowercased())
            next += name.utf8.count + 2
        }
        return result
    }
}

/// A call of libespeak-ng, or a step towards one, that failed.
public struct ESpeakError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The library's function, or the step's name.
    public let call: String
    /// What it returned (`espeak_ERROR`, or an `errno`); 0 where the step is our own.
    public let code: Int32
    /// What was being done, and what to do about it.
    public let detail: String

    /// A failed call.
    public init(call: String, code: Int32 = 0, detail: String) {
        self.call = call
        self.code = code
        self.detail = detail
    }

    /// Call, code and detail on one line.
    public var description: String { code == 0 ? "\(call): \(detail)" : "\(call) returned \(code): \(detail)" }
}

/// Throws when a call returned anything but `EE_OK`.
func checkESpeak(_ call: String, _ code: Int32, _ detail: @autoclosure () -> String) throws {
    guard code == 0 else { throw ESpeakError(call: call, code: code, detail: detail()) }
}
