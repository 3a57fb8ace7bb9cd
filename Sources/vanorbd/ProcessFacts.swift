import CMalloc
import Foundation

/// What the kernel knows of this process.
enum ProcessFacts {
    /// Resident memory in bytes; 0 where it cannot be read.
    static var residentBytes: Int64 {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Returns freed memory to the system. Making a language model needs several times the memory of the finished one,
    /// and the allocator would keep it for ever.
    static func giveBackMemory() { _ = malloc_trim(0) }

    /// Processor time used so far, user and system, in seconds.
    static var cpuSeconds: Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
