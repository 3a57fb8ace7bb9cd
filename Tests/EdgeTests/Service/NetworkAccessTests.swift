import Foundation
import Testing

@testable import Setup

@Suite struct NetworkAccessTests {
    private func allowed(_ hosts: String...) -> String? {
        NetworkAccess.dropIn(for: hosts)?.split(separator: "\n").last.map(String.init)
    }

    @Test(arguments: ["127.0.0.1", "127.0.1.1", "::1", "localhost", "LocalHost"])
    func thisBoard_needsNoDropIn(host: String) { #expect(NetworkAccess.dropIn(for: [host]) == nil) }

    @Test func address_isAllowedAlone() {
        #expect(allowed("127.0.0.1", "192.168.8.2") == "IPAddressAllow=192.168.8.2")
        #expect(allowed("FE80:0::1%eth0") == "IPAddressAllow=fe80::1")
        #expect(allowed("10.0.0.1", "10.0.0.1", "10.0.0.2") == "IPAddressAllow=10.0.0.1 10.0.0.2")
    }

    @Test func name_opensTheVansOwnNetworks_butNeverTheInternet() {
        let line = "IPAddressAllow=10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7 link-local"
        #expect(allowed("broker.local") == line)
        #expect(allowed("venus.local", "broker.local") == line)
    }

    @Test(arguments: ["any", "0.0.0.0/0", "1.2.3.4\n[Service]\nExecStartPre=/bin/sh", "1.2.3.4 any", "::/0"])
    func hostThatIsNeither_getsNothingOfItselfIntoTheUnit(host: String) {
        let text = NetworkAccess.dropIn(for: [host]) ?? ""
        #expect(text.contains("IPAddressAllow=10.0.0.0/8"))
        #expect(!text.contains("Exec") && !text.contains("any") && !text.contains("/0\n") && !text.contains("1.2.3.4"))
    }
}
