/// What the parser of a program does not know of it: sections in mdoc(7) of its own page, and of each of its
/// subcommands.
struct ManualProgram {
    let section: Int
    /// Pages to look at, such as `vanorbd 8`.
    let related: [String]
    /// Lines to type, for the program's own page.
    let examples: [String]
    private let everywhere: String, own: String

    /// The sections between description and examples.
    func sections(isRoot: Bool) -> [String] {
        (isRoot ? own + everywhere : everywhere).split(separator: "\n").map(String.init)
    }

    /// By the program's name.
    static let all = ["vanorb": vanorb, "vanorbd": vanorbd]

    private static let vanorb = ManualProgram(
        section: 1, related: ["vanorbd 8"],
        examples: [
            "vanorb status", "vanorb say log diesel for fifty pounds", "vanorb ledger add 12,50 EUR groceries",
            "vanorb undo", "vanorb watch", "vanorb export ledger ledger.csv", "vanorb doctor",
        ],
        everywhere: """
            .Sh EXIT STATUS
            .Bl -tag -width Ds
            .It 0
            It is done.
            .It 1
            It failed, was refused or was not understood; the error output says why.
            .It 2
            The daemon cannot be reached.
            .It 64
            The command was typed wrongly.
            .El

            """,
        own: """
            .Sh ENVIRONMENT
            .Bl -tag -width Ds
            .It Ev VANORB_SOCKET
            The daemon's socket, where
            .Fl -socket
            does not name one.
            .It Ev VANORB_DAEMON
            The daemon's program, which
            .Cm doctor
            and
            .Cm restore
            run where no daemon answers.
            .It Ev NO_COLOR
            Where it is set,
            .Cm watch
            draws without colours.
            .It Ev COLORTERM
            With
            .Ql truecolor
            or
            .Ql 24bit ,
            .Cm watch
            uses any colour; otherwise as many as
            .Ev TERM
            has.
            .It Ev TZ
            The time zone in which times are shown, instead of the owner's setting.
            .It Ev LC_TIME , LC_MONETARY , LC_ALL
            The country whose way of writing times and amounts is used, instead of the owner's setting.
            .Ev LANG
            changes nothing, as every SSH client sends it.
            .It Ev COLUMNS
            How wide tables may be, instead of the terminal's width.
            .El
            .Sh FILES
            .Bl -tag -width Ds
            .It Pa /run/vanorb/control.sock
            The daemon's socket.
            Members of the group
            .Ql vanorb
            may use it.
            .El

            """)

    private static let vanorbd = ManualProgram(
        section: 8, related: ["vanorb 1"],
        examples: ["vanorbd --check", "vanorbd --set log.level=debug", "vanorbd --restore-plan newest"],
        everywhere: """
            .Sh EXIT STATUS
            .Bl -tag -width Ds
            .It 0
            It ended as it was told to.
            .It 1
            It failed; with
            .Fl -check ,
            hardware that the board file names is missing.
            .It 64
            The command was typed wrongly.
            .It 78
            A setting, the board file, the devices or a phrasebook is wrong.
            The unit is not restarted then.
            .El

            """,
        own: """
            .Sh FILES
            .Bl -tag -width Ds
            .It Pa /usr/share/vanorb/defaults.yaml
            Every setting with its default and what it means.
            .It Pa /etc/vanorb/vanorb.yaml
            The owner's settings, which override them.
            .It Pa /etc/vanorb/devices.yaml
            The van's devices, scenes and modes.
            .It Pa /etc/vanorb/phrases.d/*.yaml
            Commands of the owner's.
            .It Pa /etc/vanorb-credentials/mqtt-password
            The broker's password, one line of 1 kB at most; only root may change it.
            .It Pa /usr/share/vanorb/board/*.yaml
            Board files.
            .It Pa /var/lib/vanorb/vanorb.sqlite
            The database.
            .It Pa /var/lib/vanorb/backups
            Its backups.
            .It Pa /run/vanorb/control.sock
            The socket of
            .Xr vanorb 1 .
            .El

            """)
}
