@testable import Devices
import CopilotTestKit
import Domain
import Testing

/// Colours of lamps, as the conventions write and report them.
@Suite struct ColourTests {
    private static let red = Colour(name: "red", red: 1, green: 0, blue: 0)

    private static func discovered(_ convention: any DeviceConvention, _ messages: (String, String)...) -> [Device] {
        var convention = convention, devices: [Device] = []
        for (topic, payload) in messages {
            let message = BusMessage(topic: topic, payload: Array(payload.utf8), isRetained: true)
            if let found = convention.read(message) { devices = found.devices }
        }
        return devices
    }

    private static func payload(_ device: Device?, _ colour: Colour = red) -> String? {
        guard let device else { return nil }
        return try? device.plan(for: .colour(colour), Self.known).messages.first?.payload
    }

    private static let known = DeviceReport(state: .on, isAvailable: true, isStale: false)

    private static func state(_ device: Device?, _ payload: String) -> DeviceReport.State? {
        device?.state(.colour, payload: BusMessage(topic: "", payload: Array(payload.utf8), isRetained: false))
    }

    @Test(arguments: [("ff0000", 0.0, 100.0), ("00ff00", 120, 100), ("0000ff", 240, 100), ("ffffff", 0, 0)])
    func colours_haveTheirHue(_ hex: String, _ hue: Double, _ saturation: Double) throws {
        let colour = try #require(Colour(name: "", hex: hex))
        #expect(colour.hueAndSaturation == [hue, saturation])
        let back = Colour(hue: hue, saturation: saturation)
        #expect(abs(back.red - colour.red) + abs(back.green - colour.green) + abs(back.blue - colour.blue) < 0.01)
    }

    @Test(arguments: ["ff0000", "00ff00", "0000ff", "ffa500", "ffffff"])
    func chromaticity_givesTheColourBack(_ hex: String) throws {
        let colour = try #require(Colour(name: "", hex: hex)), place = colour.chromaticity
        let back = Colour(x: place[0], y: place[1])
        #expect(abs(back.red - colour.red) + abs(back.green - colour.green) + abs(back.blue - colour.blue) < 0.1)
    }

    @Test func jsonSchema_setsAndReportsColours() throws {
        let device = Self.discovered(
            HomeAssistantDiscovery(),
            (
                "homeassistant/light/strip/config",
                """
                {"name":"Strip","schema":"json","cmd_t":"strip/set","stat_t":"strip/state","brightness":true,
                 "sup_clrm":["rgb","color_temp"]}
                """
            )
        ).first
        #expect(Self.payload(device) == #"{"state":"ON","color":{"r":255,"g":0,"b":0}}"#)
        let plan = try device?.plan(for: .colour(Self.red), Self.known)
        let reported = Self.state(device, #"{"state":"ON","color_mode":"rgb","color":{"r":250,"g":5,"b":0}}"#)
        #expect(plan?.confirms(reported ?? .unknown) == .done)
        let other = Self.state(device, #"{"state":"ON","color_mode":"rgb","color":{"r":0,"g":255,"b":0}}"#)
        #expect(plan?.confirms(other ?? .unknown) == .no)
        // While it is white by its temperature, the colour beside it is not the one it has.
        #expect(Self.state(device, #"{"color_mode":"color_temp","color":{"r":255,"g":0,"b":0}}"#) == nil)
    }

    @Test func plainSchema_writesNumbersWithCommas() {
        let device = Self.discovered(
            HomeAssistantDiscovery(),
            (
                "homeassistant/light/strip/config",
                #"{"name":"Strip","cmd_t":"s/set","stat_t":"s","rgb_cmd_t":"s/rgb/set","rgb_stat_t":"s/rgb"}"#
            )
        ).first
        #expect(Self.payload(device) == "255,0,0")
        #expect(device?.colour?.commandTopic == "s/rgb/set")
        #expect(Self.state(device, "255,0,0") == .value("255.0 0.0 0.0"))
        #expect(Self.state(device, "nonsense") == nil)
    }

    @Test func zigbee_isSetByChromaticity() throws {
        let device = Self.discovered(
            Zigbee2MQTTDiscovery(),
            (
                "zigbee2mqtt/bridge/devices",
                """
                [{"ieee_address":"0x01","type":"Router","friendly_name":"bed lamp","supported":true,"definition":
                 {"model":"A","vendor":"B","exposes":[{"type":"light","features":[
                 {"type":"binary","name":"state","property":"state","access":7,"value_on":"ON","value_off":"OFF"},
                 {"type":"composite","name":"color_xy","property":"color","access":7,"features":[]}]}]}}]
                """
            )
        ).first
        #expect(Self.payload(device) == #"{"color":{"x":0.6401,"y":0.3300}}"#)
        let plan = try device?.plan(for: .colour(Self.red), Self.known)
        let reported = Self.state(device, #"{"state":"ON","color_mode":"xy","color":{"x":0.66,"y":0.32,"hue":1}}"#)
        #expect(plan?.confirms(reported ?? .unknown) == .done)
    }

    @Test func tasmota_reportsTheHue() throws {
        let device = Self.discovered(
            TasmotaDiscovery(),
            (
                "tasmota/discovery/A0B1C2D3E4F5/config",
                """
                {"dn":"Strip","fn":["Strip",null],"hn":"strip","mac":"A0B1C2D3E4F5","md":"X","t":"strip",
                 "ft":"%prefix%/%topic%/","tp":["cmnd","stat","tele"],"rl":[2,0],"lt_st":4,"so":{}}
                """
            )
        ).first
        #expect(Self.payload(device) == "255,0,0")
        #expect(device?.colour?.commandTopic == "cmnd/strip/Color2")
        let plan = try device?.plan(for: .colour(Self.red), Self.known)
        let reported = Self.state(device, #"{"POWER":"ON","Dimmer":50,"Color":"7F0000","HSBColor":"0,100,50"}"#)
        #expect(plan?.confirms(reported ?? .unknown) == .done)
    }

    @Test func lampWithoutColours_refusesThem() {
        let device = VanBench.device("lamp", .light)
        #expect(throws: CommandRejection.self) { try device.plan(for: .colour(Self.red), Self.known) }
    }

    @Test func tiltAndSwing_areReadFromDiscovery() throws {
        let blind = Self.discovered(
            HomeAssistantDiscovery(),
            (
                "homeassistant/cover/blind/config",
                #"{"name":"Blind","cmd_t":"b/set","tilt_cmd_t":"b/tilt/set","tilt_status_t":"b/tilt"}"#
            )
        ).first
        #expect(try blind?.plan(for: .tilt(50), Self.known).messages.first?.payload == "50")
        let fan = Self.discovered(
            HomeAssistantDiscovery(),
            (
                "homeassistant/fan/fan/config",
                #"{"name":"Fan","cmd_t":"f/set","osc_cmd_t":"f/swing/set","osc_stat_t":"f/swing"}"#
            )
        ).first
        #expect(try fan?.plan(for: .oscillation(true), Self.known).messages.first?.payload == "oscillate_on")
    }
}
