import AudioALSA
import Testing

@Suite struct ALSAConfigurationTests {
    @Test func textThatIsNotWellFormed_isRefused_withItsLine() throws {
        let error = #expect(throws: ALSAError.self) {
            try ALSAConfiguration(text: "pcm.good { type null }\npcm.bad { type null\n")
        }
        #expect(error?.call == "snd_config_load")
        #expect(try #require(error).words.contains(":3:"), "\(String(describing: error))")
    }

    @Test func emptyText_isTheSystemsConfiguration() throws {
        #expect(try ALSAConfiguration().text.isEmpty)
    }

    @Test func errors_nameCallMeaningAndCode() {
        let error = ALSAError(call: "snd_pcm_open_lconf", code: -16)
        #expect(error.description == "snd_pcm_open_lconf: Device or resource busy (-16)")
    }
}
