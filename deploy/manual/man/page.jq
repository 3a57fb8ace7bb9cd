# Writes one manual page in mdoc(7) from what a program prints with --experimental-dump-help: commands, options, values,
# defaults and examples come from its parser, so that a page cannot be out of step with its program.
#
#   jq -r -f page.jq --arg subcommand NAME --arg section 1 --arg date "May 1, 2026" --rawfile rest vanorb.mdoc DUMP
#
# An empty NAME writes the program's own page. The rest is what a parser does not know: the program's page ends with all
# of it, a subcommand's has its exit status.

# -- Text, so that nothing in it is taken for a macro or an escape

def escaped: gsub("\\\\"; "\\e") | gsub("~"; "\\(ti") | gsub("\\^"; "\\(ha") | gsub("`"; "\\(ga");
def guarded: if test("^[.']") then "\\&" + . else . end;
# Each sentence on a line of its own. One ends with its mark, before a capital letter, a quote or an option.
def prose:
    map(values | select(. != "")) | join(" ") | gsub("\\s+"; " ")
    | gsub("(?<last>[^ .]{2}[.?!]) (?<next>[\\p{Lu}“-])"; "\(.last)\n\(.next)")
    | select(. != "") | split("\n")[] | escaped | guarded;
# As it is typed, so that quotes and dashes can be copied from the page.
def literal: escaped | gsub("'"; "\\(aq") | gsub("-"; "\\-") | guarded;
# Arguments of a macro.
def words:
    split(" ") | map((escaped | gsub("\""; "\\(dq")) as $safe
        | if test("^([[:upper:]][[:alpha:]]{1,2}|[[:punct:]]+)$") then "\\&" + $safe else $safe end) | join(" ");
# The first sentence as NAME wants it: no full stop, and a small first letter unless the word is an abbreviation.
def summary:
    [prose][0] // "" | sub("[.]$"; "")
    | if test("^\\S+\\p{Lu}") then . else (.[:1] | ascii_downcase) + .[1:] end;
def listed($macro):
    length as $count | to_entries[] | "\($macro) \(.value)" + if .key + 1 < $count then " ," else " ." end;

# -- Commands. A discussion is prose; lines to type stand behind the line “Examples:”.

def lines: (.discussion // "") / "\n";
def discussion: lines | .[:(index("Examples:") // length)] | join(" ");
def examples: lines | .[(index("Examples:") // length):][1:][] | sub("^ +"; "");
def shown: . // [] | map(select(.shouldDisplay));
def subcommands: .subcommands | shown | map(select(.commandName != "help"));
def typed: (.superCommands // []) + [.commandName] | join(" ");
def all: ., (subcommands[] | all);
def leaves: if subcommands == [] then . else subcommands[] | leaves end;

# -- Arguments

def name: .preferredName.name // "";
# The macro writes the first dash.
def flag: "Fl " + ((if .kind == "long" then "-" else "" end) + .name | words);
def macro:
    if .kind == "positional" then "Ar \(.valueName | words)"
    elif .kind == "option" then "\(.preferredName | flag) Ar \(.valueName | words)"
    else .preferredName | flag end;
# What a command takes in addition to the options that are explained elsewhere.
def own($elsewhere): .arguments | shown[] | select(name | IN($elsewhere[]) | not);
def explained:
    name as $name
    | ".It " + ([.names[]? | select(.name != $name and .kind != "longWithSingleDash") | flag] + [macro] | join(" , ")),
      ([.abstract, .discussion] | prose),
      if .kind == "flag" then empty
      else ([.allValueStrings // [] | if . == [] then empty else "One of: \(join(", "))." end] | prose),
           ([.defaultValue | values | "Default: \(.)."] | prose) end;
def list(entries): [entries] | if . == [] then empty else ".Bl -tag -width Ds", .[], ".El" end;

# -- Sections

# The lines of one section of the rest.
def section($title): split(".Sh ") | map(select(startswith($title))) | .[0] // "" | split("\n")[1:-1][];
def head($name):
    ".\\\" Made by deploy/manuals from what the program's parser says.",
    ".Dd \($date)", ".Dt \($name | ascii_upcase) \($section)", ".Os VanOrb",
    ".Sh NAME", ".Nm \($name)", ".Nd \([.abstract] | summary)", ".Sh SYNOPSIS";
def synopsis($elsewhere):
    ".Nm \(typed)",
    (own($elsewhere) | (macro + if .isRepeating then " ..." else "" end) as $usage
        | if .isOptional then ".Op \($usage)" else ".\($usage)" end);
def description($elsewhere):
    ([.abstract] | prose),
    ([discussion] | [prose] | if . == [] then empty else ".Pp", .[] end),
    (.aliases // [] | if . == [] then empty else "Also called", listed(".Cm") end),
    list(own($elsewhere) | explained),
    (.defaultSubcommand | values | ".Pp", "The default subcommand is", ".Cm \(.) ."),
    (subcommands[] | ".Ss \(typed)", description($elsewhere));
def overview:
    .commandName as $program
    | ([.abstract] | prose), ([discussion] | [prose] | if . == [] then empty else ".Pp", .[] end),
      (subcommands | if . == [] then empty else
          ".Pp", "The commands are:",
          list(.[] | ".It Xr \($program)-\(.commandName) \($section)", ([.abstract] | prose),
              ([subcommands[].commandName] | if . == [] then empty else "(\(join(", ")))" end)),
          ".Pp", "All of them take these options:" end),
      list(.arguments | shown[] | explained);

.command
| ["help", "version"] as $everywhere
| if $subcommand == "" then
    head(.commandName),
    if subcommands == [] then synopsis($everywhere)
    else ".Nm \(.commandName)", ".Op Ar options", ".Ar command", ".Op Ar arguments" end,
    ".Sh DESCRIPTION", overview, ($rest | rtrimstr("\n"))
  else
    .commandName as $program
    | ($everywhere + [.arguments | shown[] | name]) as $elsewhere
    | .subcommands[] | select(.commandName == $subcommand)
    | head("\($program)-\($subcommand)"), (leaves | synopsis($elsewhere)),
      ".Sh DESCRIPTION", description($elsewhere),
      ".Pp", "The options that all commands take are in", ".Xr \($program) \($section) .",
      ".Sh EXIT STATUS", ($rest | section("EXIT STATUS")),
      ([all | examples] | if . == [] then empty
          else ".Sh EXAMPLES", ".Bd -literal -offset indent", (.[] | literal), ".Ed" end),
      ".Sh SEE ALSO", ".Xr \($program) \($section) ,", ($rest | section("SEE ALSO"))
  end
