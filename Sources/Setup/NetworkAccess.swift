import Foundation

/// The drop-in that lets the daemon's unit reach what its settings name beyond this board. Root installs what stands
/// here, so nothing of the settings gets into it but an address that was read and written anew.
package enum NetworkAccess {
    /// The networks that no provider routes: RFC 1918, RFC 4193, and link-local.
    static let ownNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "link-local"]

    /// The drop-in for these hosts; nil where all of them are this board.
    /// - Parameter hosts: addresses or names. A name may mean another address tomorrow, and asking for it needs the
    ///   network's name server: it opens the van's own networks, never the Internet.
    package static func dropIn(for hosts: [String]) -> String? {
        var allowed: [String] = []
        for host in hosts where !isThisBoard(host) {
            for entry in address(host).map({ [$0] }) ?? ownNetworks where !allowed.contains(entry) {
                allowed.append(entry)
            }
        }
        guard !allowed.isEmpty else { return nil }
        return """
            # Written by vanorb-network.service, from mqtt.host and position.host in VanOrb's settings.
            [Service]
            IPAddressAllow=\(allowed.joined(separator: " "))

            """
    }

    /// The address in its usual spelling; nil for a name.
    private static func address(_ host: String) -> String? {
        // An interface may follow: fe80::1%eth0.
        let plain = String(host.prefix { $0 != "%" })
        var bytes = in6_addr()
        for (family, length) in [(AF_INET, INET_ADDRSTRLEN), (AF_INET6, INET6_ADDRSTRLEN)] {
            guard inet_pton(family, plain, &bytes) == 1 else { continue }
            var text = [CChar](repeating: 0, count: Int(length))
            guard inet_ntop(family, &bytes, &text, socklen_t(length)) != nil else { return nil }
            return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        }
        return nil
    }

    private static func isThisBoard(_ host: String) -> Bool {
        guard let address = address(host) else { return host.lowercased() == "localhost" }
        return address == "::1" || address.hasPrefix("127.")
    }
}
