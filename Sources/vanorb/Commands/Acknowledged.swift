import ArgumentParser
import Control

extension GlobalOptions {
    /// Makes a call that only says what it did. Exits 1 when there was nothing to do.
    func acknowledge<Call: ControlCall>(
        _ call: Call.Type, _ arguments: Call.Arguments
    ) async throws where Call.Result == Acknowledgement {
        try await run { client, output in
            let answer = try await client.call(call, arguments)
            try output.show(answer) { [$0.message] }
            guard answer.done else { throw ExitCode.failure }
        }
    }
}
