import CMalloc
import Foundation

/// The kernel's facts about this process.
package enum ProcessFacts {
    /// Resident memory in bytes; 0 where it cannot be read.
    package static var residentBytes: Int64 {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let pages = text.split(separator: " ").dropFirst().first.flatMap { Int64($0) } ?? 0
        return pages * Int64(sysconf(Int32(_SC_PAGESIZE)))
    }

    /// Lets the allocator keep what is small together, and give back what is large as soon as it is free (mallopt(3)).
    /// Left to itself it takes blocks of up to 32 MB from its heaps once such a one was freed, and makes up to eight
    /// heaps for each core; what is kept for long then pins pages all over. To be called first.
    package static func keepMemoryTogether() {
        _ = mallopt(M_ARENA_MAX, 2)
        _ = mallopt(M_MMAP_THRESHOLD, 16 << 20)
    }

    /// Returns freed memory to the system. Making a language model needs several times the memory of the finished one,
    /// and the allocator would keep it for ever.
    package static func giveBackMemory() { _ = malloc_trim(0) }

    /// Processor time used so far, user and system, in seconds.
    package static var cpuSeconds: Double {
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else { return 0 }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    /// The most memory that was ever resident, in bytes, or since `forgetPeak`; 0 where it cannot be read.
    package static var peakBytes: Int64 {
        guard let text = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { $0.split(separator: " ").dropFirst().first }.flatMap { Int64($0) }.map { $0 * 1_024 } ?? 0
    }

    /// Resets the peak (proc(5), clear_refs: 5). Without the right to, the peak stays that of the whole run.
    package static func forgetPeak() {
        guard let file = FileHandle(forWritingAtPath: "/proc/self/clear_refs") else { return }
        try? file.write(contentsOf: Data("5".utf8))
        try? file.close()
    }
}
