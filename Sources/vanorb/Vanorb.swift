import ArgumentParser
import Control
import Foundation

/// The command line of the appliance.
@main struct Vanorb: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "vanorb",
        abstract: "Control VanOrb, the voice co-pilot of this van.",
        discussion: """
            Exit codes: 0 done, 1 failed, 2 daemon unreachable, 64 wrong usage.
            """,
        version: Release.version,
        subcommands: [
            StatusCommand.self, DoctorCommand.self, SayCommand.self, HearCommand.self, PressCommand.self,
            WatchCommand.self, LedgerCommand.self, ItemsCommand.self, DevicesCommand.self, TraceCommand.self,
            HistoryCommand.self, UndoCommand.self, CancelCommand.self, CloseCommand.self, MuteCommand.self,
            UnmuteCommand.self, VehicleCommand.self, RatesCommand.self, WordsCommand.self, BackupCommand.self,
            RestoreCommand.self, ExportCommand.self, ImportCommand.self,
            OnboardingCommand.self,
            AccountsCommand.self, BudgetCommand.self, ListsCommand.self, TripsCommand.self, ModesCommand.self,
            MedicalCommand.self, ListenCommand.self, SettingsCommand.self,
            VersionCommand.self,
        ]
    )

    // Here, too, so that the options may stand before the subcommand.
    @OptionGroup var global: GlobalOptions

    static func main() async {
        // Without this, a reader that goes away would kill the command; now the failed write ends it in order.
        signal(SIGPIPE, SIG_IGN)
        await main(nil)
    }
}
