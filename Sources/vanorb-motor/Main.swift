import CGPIOD
import Glibc

/// Holds the vibration motor's line in a process of its own, so that a pulse ends although the daemon is killed in the
/// middle of it: a Raspberry Pi's kernel leaves a line as it was when its holder dies, and a dead process switches
/// nothing off.
///
///     vanorb-motor gpiochip0 GPIO27 0      chip (empty: any), line's name or offset, 1 where low is active
///     vanorb-motor --file PATH             a file that holds 1 or 0 instead: the stand-in of a virtual board
///
/// Standard input is a socket to the daemon. A line of numbers is a pattern, in milliseconds: on, off, on, …; each is
/// answered by `done`. The first line it says is `ready`, or `error CODE CALL`. The end of its input is the end of the
/// daemon: the motor is switched off, and this program ends.
@main
enum VanorbMotor {
    static func main() {
        // Nothing of the daemon's may live on in here: a broker would wait for a connection that nobody reads.
        closefrom(3)
        // The end comes with the end of the input. A signal that killed this program would leave the motor running.
        for ending in [SIGTERM, SIGINT, SIGHUP, SIGPIPE] { signal(ending, SIG_IGN) }
        do {
            let motor = try open(Array(CommandLine.arguments.dropFirst()))
            say("ready")
            follow(motor)
        } catch let failure as MotorFailure {
            say("error \(failure.code) \(failure.call)")
            exit(1)
        } catch {
            exit(70)
        }
    }

    private static func open(_ words: [String]) throws -> any Motor {
        if words.count == 2, words[0] == "--file" { return try FileMotor(path: words[1]) }
        guard words.count == 3 else {
            print("vanorb-motor CHIP LINE ACTIVE_LOW | vanorb-motor --file PATH: the daemon starts it")
            exit(64)
        }
        return try LineMotor(chip: words[0], line: words[1], isActiveLow: words[2] == "1")
    }

    private static func follow(_ motor: any Motor) {
        while let line = readLine() {
            if let pattern = Pattern(line) { pattern.run(on: motor) }
            say("done")
        }
        motor.set(false)
    }

    /// One write, whatever becomes of the daemon meanwhile.
    private static func say(_ line: String) { _ = (line + "\n").withCString { write(STDIN_FILENO, $0, strlen($0)) } }
}

/// Times to run and to rest, in turn.
struct Pattern {
    /// What no pulse and no pause may exceed, in milliseconds, and how many of both there may be.
    static let longest: UInt32 = 1_000, count = 1...16

    private let times: [UInt32]

    /// Reads `40` or `15 60 15`; nil where it is nothing of the kind.
    init?(_ line: String) {
        let words = line.split(separator: " ")
        times = words.compactMap { UInt32($0) }.filter { $0 <= Self.longest }
        guard times.count == words.count, Self.count.contains(times.count) else { return nil }
    }

    /// Runs it, and leaves the motor off.
    func run(on motor: any Motor) {
        for (place, time) in times.enumerated() {
            motor.set(place.isMultiple(of: 2))
            // No signal ends it early: those that could are ignored.
            var wanted = timespec(tv_sec: Int(time / 1_000), tv_nsec: Int(time % 1_000) * 1_000_000)
            nanosleep(&wanted, nil)
        }
        motor.set(false)
    }
}
