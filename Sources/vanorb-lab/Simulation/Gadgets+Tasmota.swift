/// A socket with two relays and a thermometer, as Tasmota describes itself. Its states are not retained: commands
/// without a payload ask for them.
extension Gadget {
    private static let address = "C8C9A3F0B1D2", base = "tasmota_F0B1D2"

    static let socket = Gadget(
        name: "socket",
        description: .own([
            GadgetMessage(
                "tasmota/discovery/\(address)/config",
                """
                {"ip":"192.168.15.10","dn":"Sockets","fn":["Kettle","Toaster",null,null,null,null,null,null],\
                "hn":"tasmota-F0B1D2-4562","mac":"\(address)","md":"Sonoff Dual R3","ty":0,"if":0,"ofln":"Offline",\
                "onln":"Online","state":["OFF","ON","TOGGLE","HOLD"],"sw":"13.4.0","t":"\(base)",\
                "ft":"%prefix%/%topic%/","tp":["cmnd","stat","tele"],"rl":[1,1,0,0,0,0,0,0],\
                "swc":[-1,-1,-1,-1,-1,-1,-1,-1],"swn":[null,null,null,null,null,null,null,null],"btn":[0,0,0,0,0,0,0,0],\
                "so":{"4":0,"11":0,"13":0,"17":0,"20":0,"30":0,"68":0,"73":0,"82":0,"114":0,"117":0},"lk":0,"lt_st":0,\
                "sho":[0,0,0,0],"sht":[[0,0,0],[0,0,0],[0,0,0],[0,0,0]],"ver":1}
                """, retained: true),
            GadgetMessage(
                "tasmota/discovery/\(address)/sensors",
                """
                {"sn":{"Time":"2026-05-04T10:11:12","DS18B20":{"Id":"0000063C5B4F","Temperature":20.6},"TempUnit":"C"},\
                "ver":1}
                """, retained: true),
        ]),
        presence: Presence(topic: "tele/\(base)/LWT", there: "Online", away: "Offline"),
        beginning: ["POWER1": "OFF", "POWER2": "OFF", "Temperature": "20.6"], commands: ["cmnd/\(base)/+"],
        effect: { message, values in
            guard let command = message.topic.split(separator: "/").last.map(String.init) else { return nil }
            guard values[command] != nil else { return command == "TelePeriod" ? [] : nil }
            return message.payload.isEmpty ? [] : [[command: message.payload]]
        },
        report: { values in
            let relays = ["POWER1", "POWER2"].flatMap { name in
                let state = values[name] ?? "OFF"
                return [
                    GadgetMessage("stat/\(base)/RESULT", "{\"\(name)\":\"\(state)\"}"),
                    GadgetMessage("stat/\(base)/\(name)", state),
                ]
            }
            let sensor = """
                {"Time":"2026-05-04T10:11:12","DS18B20":{"Id":"0000063C5B4F",\
                "Temperature":\(values["Temperature"] ?? "null")},"TempUnit":"C"}
                """
            return relays + [GadgetMessage("tele/\(base)/SENSOR", sensor)]
        })
}
