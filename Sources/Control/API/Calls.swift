// The daemon's whole interface on one screen: name, what goes in, what comes out. The fields are in `Payloads`.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation
// The comment above each call documents its one member, too; a second one would double the table's height.

/// How the appliance is.
public enum StatusCall: ControlCall { public static let wire = Wire<Empty, StatusResult>("status") }

/// The daemon's version.
public enum VersionCall: ControlCall { public static let wire = Wire<Empty, VersionResult>("version") }

/// Answers as soon as the daemon's parts do, whatever else is under way; who waits for long asks it now and then.
public enum PingCall: ControlCall { public static let wire = Wire<Empty, Empty>("ping") }

/// A typed command; answers when its turn has ended, without waiting for the voice.
public enum SayCall: ControlCall { public static let wire = Wire<SayArguments, TurnResult>("say") }

/// Announces a file that follows in pieces.
public enum UploadBeginCall: ControlCall {
    public static let wire = Wire<UploadBeginArguments, UploadBeginResult>("upload.begin")
}

/// The next piece of a file, at most 512 KiB of it.
public enum UploadDataCall: ControlCall {
    public static let wire = Wire<UploadDataArguments, UploadDataResult>("upload.data")
}

/// Recognises the recording; answers when its turn has ended.
public enum HearFinishCall: ControlCall {
    public static let wire = Wire<HearFinishArguments, TurnResult>("hear.finish")
}

/// Works the button.
public enum PressCall: ControlCall { public static let wire = Wire<PressArguments, Acknowledgement>("press") }

/// Drops the utterance and keeps the session.
public enum CancelCall: ControlCall { public static let wire = Wire<Empty, Acknowledgement>("cancel") }

/// Closes the session.
public enum CloseCall: ControlCall { public static let wire = Wire<Empty, Acknowledgement>("close") }

/// Mutes the appliance.
public enum MuteCall: ControlCall { public static let wire = Wire<Empty, Acknowledgement>("mute") }

/// Ends the muting.
public enum UnmuteCall: ControlCall { public static let wire = Wire<Empty, Acknowledgement>("unmute") }

/// Lets the introduction be spoken again.
public enum OnboardingResetCall: ControlCall {
    public static let wire = Wire<Empty, Acknowledgement>("onboarding.reset")
}

/// Reverts the last change.
public enum UndoCall: ControlCall { public static let wire = Wire<UndoArguments, Acknowledgement>("undo") }

/// The session's last turns, as bubbles.
public enum HistoryCall: ControlCall { public static let wire = Wire<Empty, HistoryResult>("history") }

/// The traces of the last turns, newest first.
public enum TraceCall: ControlCall { public static let wire = Wire<TraceArguments, TraceResult>("trace") }

/// The newest entries of the ledger.
public enum LedgerListCall: ControlCall {
    public static let wire = Wire<LedgerListArguments, LedgerListResult>("ledger.list")
}

/// What is aboard.
public enum ItemsListCall: ControlCall { public static let wire = Wire<Empty, ItemsListResult>("items.list") }

/// The van's devices.
public enum DevicesListCall: ControlCall { public static let wire = Wire<Empty, DevicesListResult>("devices.list") }

/// A device with its topics and what came on them last.
public enum DeviceShowCall: ControlCall {
    public static let wire = Wire<DeviceArguments, DeviceShowResult>("devices.show")
}

/// Tells a device something, and says whether it confirmed.
public enum DeviceSetCall: ControlCall {
    public static let wire = Wire<DeviceSetArguments, Acknowledgement>("devices.set")
}

/// Looks for what keeps devices from hearing or being heard.
public enum DevicesTestCall: ControlCall { public static let wire = Wire<Empty, DevicesTestResult>("devices.test") }

/// Removes a device's description from the broker.
public enum DeviceForgetCall: ControlCall {
    public static let wire = Wire<DeviceArguments, Acknowledgement>("devices.forget")
}

/// Finds, and removes, descriptions that nobody stands behind.
public enum DevicesPurgeCall: ControlCall {
    public static let wire = Wire<DevicesPurgeArguments, DevicesPurgeResult>("devices.purge")
}

/// The van's masses, tanks and occupants.
public enum VehicleCall: ControlCall { public static let wire = Wire<Empty, VehicleResult>("vehicle.show") }

/// Changes the van's masses, a tank or an occupant.
public enum VehicleSetCall: ControlCall {
    public static let wire = Wire<VehicleSetArguments, Acknowledgement>("vehicle.set")
}

/// The exchange rates.
public enum RatesCall: ControlCall { public static let wire = Wire<Empty, RatesResult>("rates.list") }

/// Keeps an exchange rate, or forgets it.
public enum RateSetCall: ControlCall { public static let wire = Wire<RateSetArguments, Acknowledgement>("rates.set") }

/// Writes an entry down, changes it, or removes it.
public enum LedgerChangeCall: ControlCall {
    public static let wire = Wire<LedgerChangeArguments, Acknowledgement>("ledger.change")
}

/// The accounts with their balances.
public enum AccountsCall: ControlCall { public static let wire = Wire<Empty, AccountsResult>("accounts.list") }

/// The budgets and what is left of them.
public enum BudgetsCall: ControlCall { public static let wire = Wire<Empty, BudgetsResult>("budgets.list") }

/// Sets a budget, or removes it.
public enum BudgetSetCall: ControlCall {
    public static let wire = Wire<BudgetSetArguments, Acknowledgement>("budgets.set")
}

/// Items of a place, or found by words.
public enum ItemsFindCall: ControlCall {
    public static let wire = Wire<ItemsFindArguments, ItemsListResult>("items.find")
}

/// One item.
public enum ItemShowCall: ControlCall { public static let wire = Wire<ItemArguments, ItemRow>("items.show") }

/// Stores an item, changes it, or removes it.
public enum ItemChangeCall: ControlCall {
    public static let wire = Wire<ItemChangeArguments, Acknowledgement>("items.change")
}

/// The van's modes.
public enum ModesCall: ControlCall { public static let wire = Wire<Empty, ModesResult>("modes.list") }

/// Switches to a mode, after its checks.
public enum ModeSetCall: ControlCall { public static let wire = Wire<ModeArguments, Acknowledgement>("modes.set") }

/// Says whether the van is ready for a mode.
public enum ModeCheckCall: ControlCall { public static let wire = Wire<ModeArguments, Acknowledgement>("modes.check") }

/// The medical notes.
public enum MedicalCall: ControlCall { public static let wire = Wire<Empty, MedicalNotes>("medical.show") }

/// Keeps medical notes, or forgets them.
public enum MedicalSetCall: ControlCall { public static let wire = Wire<MedicalNotes, Acknowledgement>("medical.set") }

/// Listens as after a press; answers when the turn has ended.
public enum ListenCall: ControlCall { public static let wire = Wire<Empty, TraceRecord>("listen") }

/// Speaks a reply of the history again; answers when it has been heard.
public enum HistorySpeakCall: ControlCall {
    public static let wire = Wire<HistorySpeakArguments, Acknowledgement>("history.speak")
}

/// The lists with their tasks.
public enum ListsCall: ControlCall { public static let wire = Wire<Empty, ListsResult>("lists.list") }

/// One list with its tasks.
public enum ListShowCall: ControlCall { public static let wire = Wire<ListShowArguments, ChecklistRow>("lists.show") }

/// Changes a list or a task.
public enum ListChangeCall: ControlCall {
    public static let wire = Wire<ListChangeArguments, Acknowledgement>("lists.change")
}

/// The trips.
public enum TripsCall: ControlCall { public static let wire = Wire<Empty, TripsResult>("trips.list") }

/// A trip in numbers.
public enum TripShowCall: ControlCall { public static let wire = Wire<TripShowArguments, TripShowResult>("trips.show") }

/// Starts, ends or removes a trip, or notes the odometer.
public enum TripChangeCall: ControlCall {
    public static let wire = Wire<TripChangeArguments, Acknowledgement>("trips.change")
}

/// How the recogniser expects words to be said.
public enum WordsCall: ControlCall { public static let wire = Wire<WordsArguments, WordsResult>("words.list") }

/// Speaks a word as the recogniser expects it, through the speaker or into the answer.
public enum WordSpeakCall: ControlCall {
    public static let wire = Wire<WordSpeakArguments, WordSpeakResult>("words.speak")
}

/// Keeps how the owner says a word, or forgets it.
public enum WordSetCall: ControlCall { public static let wire = Wire<WordSetArguments, Acknowledgement>("words.set") }

/// Stores a table that was sent, or says what would happen.
public enum ImportStream: ControlStream { public static let wire = Wire<ImportArguments, ImportEvent>("import.run") }

/// A table of the owner's data, in pieces.
public enum ExportStream: ControlStream { public static let wire = Wire<ExportArguments, ExportPiece>("export.run") }

/// Makes a backup of the database, verified, and forgets old ones.
public enum BackupMakeCall: ControlCall { public static let wire = Wire<Empty, BackupResult>("backup.make") }

/// The backups that there are.
public enum BackupListCall: ControlCall { public static let wire = Wire<Empty, BackupsResult>("backup.list") }

/// What restoring a backup would bring and take; reads the backup whole.
public enum RestorePlanCall: ControlCall {
    public static let wire = Wire<RestoreArguments, RestorePlan>("restore.plan")
}

/// Replaces the database by a backup; the daemon restarts.
public enum RestoreCall: ControlCall { public static let wire = Wire<RestoreArguments, Acknowledgement>("restore.run") }

/// All settings, and what of them waits for a restart.
public enum SettingsCall: ControlCall { public static let wire = Wire<Empty, SettingsResult>("settings.list") }

/// One setting.
public enum SettingShowCall: ControlCall {
    public static let wire = Wire<SettingArguments, SettingRow>("settings.show")
}

/// Sets a setting, or puts it back to its default.
public enum SettingChangeCall: ControlCall {
    public static let wire = Wire<SettingChangeArguments, SettingChangeResult>("settings.change")
}

/// The languages that are installed.
public enum LanguagesCall: ControlCall { public static let wire = Wire<Empty, LanguagesResult>("settings.languages") }

/// What an attached screen shows; lasts until the caller hangs up.
public enum ScreenShowCall: ControlCall {
    public static let wire = Wire<ScreenArguments, Acknowledgement>("screen.show")
}

/// What has a star.
public enum StarsCall: ControlCall { public static let wire = Wire<Empty, StarsResult>("stars.list") }

/// All that happens, as it happens.
public enum EventsWatch: ControlStream { public static let wire = Wire<Empty, WatchEvent>("events.watch") }
