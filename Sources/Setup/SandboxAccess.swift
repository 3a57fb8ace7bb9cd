import Foundation

/// The drop-in that lets the daemon's unit reach what its settings name beyond this board and its own folders. Root
/// installs it, so nothing of the settings gets into it but an address that was parsed and formatted again, and a
/// folder that does not belong to the system.
package enum SandboxAccess {
    /// The networks that no provider routes: RFC 1918, RFC 4193, and link-local.
    static let ownNetworks = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "link-local"]

    /// The drop-in for what these settings name; nil where that is this board and the daemon's own folders alone.
    package static func dropIn(for settings: Settings) -> String? {
        dropIn(hosts: settings.networkHosts, folder: settings.backups.secondPath)
    }

    /// - Parameters:
    ///   - hosts: addresses or names. A name may mean another address tomorrow, and asking for it needs the network's
    ///     name server: it opens the van's own networks, never the Internet.
    ///   - folder: a folder to be written to, such as a USB stick's, which need not be there. Where it lies beneath one
    ///     that disks are mounted in, that one is granted (`mountRoot`).
    static func dropIn(hosts: [String], folder: String?) -> String? {
        var allowed: [String] = []
        for host in hosts where !isThisBoard(host) {
            for entry in address(host).map({ [$0] }) ?? ownNetworks where !allowed.contains(entry) {
                allowed.append(entry)
            }
        }
        var lines: [String] = []
        if !allowed.isEmpty { lines.append("IPAddressAllow=\(allowed.joined(separator: " "))") }
        if let folder, let path = grantable(folder) {
            lines.append("ReadWritePaths=\(quoted("-" + (mountRoot(of: path) ?? path)))")
        }
        guard !lines.isEmpty else { return nil }
        return """
            # Written by vanorb-access.service, from mqtt.host, position.host and backup.second_path in VanOrb's \
            settings.
            [Service]
            \(lines.joined(separator: "\n"))

            """
    }

    /// Where root writes the drop-in; a folder that only the package makes.
    package static let dropInFolder = "/etc/systemd/system/vanorb.service.d"

    /// Whether the unit allows what these settings name, and nothing else; true also where no package is installed, and
    /// nothing is forbidden.
    package static func isInForce(_ settings: Settings, folder: String = dropInFolder) -> Bool {
        guard FileManager.default.fileExists(atPath: folder) else { return true }
        let written = (try? String(contentsOfFile: folder + "/access.conf", encoding: .utf8)) ?? ""
        return written.trimmingCharacters(in: .newlines)
            == (dropIn(for: settings) ?? "").trimmingCharacters(in: .newlines)
    }

    // MARK: folders

    /// The system's own, the users' and what systemd gives the service for itself: nothing beneath them is granted.
    private static let systems = [
        "bin", "boot", "dev", "etc", "home", "lib", "lib32", "lib64", "libx32", "proc", "root", "sbin", "sys", "tmp",
        "usr",
        "var",
    ]

    /// The folder as it may be granted: from the root on, without `.`, `..` and doubled slashes; nil where it may not
    /// be.
    ///
    /// systemd follows links, and grants what they lead to: so that is what is looked at here, and what is granted.
    /// - Parameter look: what stands at a path; nil where there is nothing.
    package static func grantable(_ folder: String, look: (String) -> Entry? = look) -> String? {
        guard let path = allowed(folder), let real = resolved(path, look: look) else { return nil }
        return allowed(real)
    }

    /// What stands at a path.
    package enum Entry: Equatable {
        case link(to: String)
        /// A folder or a file; `isRoots` where nobody but root may put anything into it.
        case other(isRoots: Bool)
    }

    /// What the file system has at a path.
    package static func look(_ path: String) -> Entry? {
        var facts = stat()
        guard lstat(path, &facts) == 0 else { return nil }
        if facts.st_mode & S_IFMT == S_IFLNK {
            return (try? FileManager.default.destinationOfSymbolicLink(atPath: path)).map { .link(to: $0) }
        }
        return .other(isRoots: facts.st_uid == 0 && facts.st_mode & 0o022 == 0)
    }

    /// The path with its links followed; what is not there yet stays as it is written.
    /// - Returns: nil for links in a circle, and where a user other than root could put a link in the way of
    ///   what is granted.
    private static func resolved(_ folder: String, look: (String) -> Entry?) -> String? {
        var rest = Array(folder.split(separator: "/").map(String.init).reversed())
        var done: [String] = [], links = 0
        while let part = rest.popLast() {
            if part == "." { continue }
            if part == ".." {
                _ = done.popLast()
                continue
            }
            let path = "/" + (done + [part]).joined(separator: "/")
            switch look(path) {
            case .link(let target):
                links += 1
                // As many as the kernel follows (path_resolution(7)).
                guard links <= 40 else { return nil }
                if target.hasPrefix("/") { done = [] }
                rest += target.split(separator: "/").map(String.init).reversed()
            case .other(let isRoots):
                // Below a folder of disks nothing is granted but that folder.
                guard isRoots || rest.isEmpty || mountRoot(of: path) != nil else { return nil }
                done.append(part)
            case nil: done.append(part)
            }
        }
        return "/" + done.joined(separator: "/")
    }

    /// The folder as it may be granted by its name alone.
    private static func allowed(_ folder: String) -> String? {
        guard folder.hasPrefix("/"),
            folder.unicodeScalars.allSatisfy({ $0.properties.generalCategory != .control })
        else { return nil }
        let parts = folder.split(separator: "/").map(String.init)
        guard parts.count > 1 || ["mnt", "srv", "data", "backup"].contains(parts.first ?? ""), !parts.contains(".."),
            !parts.contains(".")
        else { return nil }
        if parts.starts(with: ["run", "media"]), parts.count > 3 { return "/" + parts.joined(separator: "/") }
        guard let top = parts.first, top != "run", !systems.contains(top) else { return nil }
        return "/" + parts.joined(separator: "/")
    }

    /// Where disks come and go: the folder above their mount points; nil where the path lies elsewhere.
    ///
    /// systemd grants a folder by mounting it onto itself for the service. A folder on a stick would hold the stick by
    /// that: unmounted, it would go on being mounted for the service, and put in again it would come up beneath. Of
    /// what is mounted below a granted folder, the service sees coming and going as everybody does
    /// (mount_namespaces(7), MS_SLAVE). Which files it may write is the file system's matter still.
    package static func mountRoot(of path: String) -> String? {
        ["/media", "/mnt", "/run/media"].first { path.hasPrefix($0 + "/") }
    }

    /// A path as systemd.syntax(7) and the specifiers of systemd.unit(5) want it.
    private static func quoted(_ path: String) -> String {
        let escaped = path.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("%", with: "%%")
        return "\"\(escaped)\""
    }

    // MARK: hosts

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
