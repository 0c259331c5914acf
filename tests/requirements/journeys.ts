/** What the whole promises: the built program, the package, the page, and the rules of the house. */
export const journeys = {
  "house.clock.commands":
    "after the clock has gone back an hour, or ahead, update takes in what is written",
  "house.clock.files": "files of 2099 and of 1970 are taken in as they are now",
  "house.clock.server": "a server whose clock jumps while it runs finds what is written afterwards",
  "house.commands.add": "a folder is taken in by its own name where none is given",
  "house.commands.completion": "bash completes from the script that it sources",
  "house.commands.few-shelves":
    "a command about documents loads the search shelf alone, and knows every name and table",
  "house.commands.ctrl-c": "Ctrl+C ends it promptly and leaves nothing behind",
  "house.commands.damaged-config":
    "a damaged configuration is told, and repair brings the last good one back",
  "house.commands.damaged-store":
    "a damaged store is put aside and filled anew from the folders, at once",
  "house.commands.exit-codes":
    "finding nothing is no failure; what was typed wrongly is told apart",
  "house.commands.help": "alone, and when asked, it says what it can do",
  "house.commands.init": "writes an entry that starts this very program",
  "house.commands.warnings": "what an answer lacks is told once, beside it",
  "house.commands.json": "with --json stdout is one JSON document, however the command ended",
  "house.commands.pipe": "a reader that leaves early costs no noise",
  "house.commands.port-taken": "a port that is taken is told, with a remedy",
  "house.conformance.alive":
    "the conformance suite turns red without the Origin guard, and without the ttlMs hints",
  "house.conformance.fixture":
    "everything that both requirement sets require is green, without a baseline",
  "house.conformance.product": "the program itself passes the rows that a product can pass",
  "house.documentation.commands": "every command of the documentation runs as it is written",
  "house.documentation.links": "no link of the documentation leads nowhere",
  "house.documentation.settings": "every configuration of the documentation starts a server",
  "house.force-root.foreign-collections": "an agent learns nothing of a collection outside",
  "house.force-root.index":
    "a server that is locked in keeps the whole index, and tells only of what is inside",
  "house.force-root.paths":
    "under a force root no path of the lists leads a caller out, on any surface",
  "house.force-root.silent": "every operation answers the same, whatever there is outside the root",
  "house.force-root.swapped-link": "a folder that turns into a link while calls run gains nothing",
  "house.freshness.atomic-save":
    "a file that an editor saves by renaming over it is found as it is",
  "house.freshness.config": "a configuration that somebody edits by hand holds at once",
  "house.freshness.files": "a file that is made, edited, renamed and removed is found as it is",
  "house.freshness.folder-returns": "a collection whose folder vanishes and returns is found again",
  "house.freshness.folders":
    "a folder that is filled at once, renamed and removed is found as it is",
  "house.freshness.ignore-file":
    "a new ignore file takes documents out, and its removal brings them back",
  "house.globs.folders": "a folder is entered where a path below it could fit the pattern",
  "house.globs.linear": "hostile patterns cost no time",
  "house.gone.config":
    "a configuration that is removed under a server is missed, and nothing is forgotten",
  "house.gone.server": "a server whose home is removed says so, refuses writes, and searches on",
  "house.gone.shared": "processes of a home that was replaced leave the new one alone",
  "house.hot-reload.storm":
    "after ten thousand events, half of them in one burst, the index is as if built afresh",
  "house.journey.clients":
    "the SDKs' clients of both lines search, read, ask and listen, over stdio and HTTP",
  "house.journey.inspector": "the inspector's command line is served in both eras",
  "house.layers.held": "every import follows the dependency rule, without a cycle",
  "house.layers.live": "breaking any rule of the layers is seen",
  "house.literal.discovery": "GET / says that the server runs",
  "house.literal.echo": "an echoed initialize with empty params is answered, and the server ends",
  "house.literal.plain-mcp":
    "curl lists and calls tools on /mcp, without a session and with its own Accept",
  "house.literal.qmd": "each way the founding document starts qmd serves an agent on stdio",
  "house.literal.qmdc": "'qmdc mcp' greets as itself before its shelf is there",
  "house.literal.rest": "search, status and health answer as documented",
  "house.literal.tools-route": "a tool is called by its own route, with its arguments in",
  "house.manner.clocks":
    "no work of a call waits for a clock that may be swept away before it strikes",
  "house.manner.depth": "folders are never more than three deep below src",
  "house.manner.file-writes":
    "only named files change or list files by a path; all others go through an open directory",
  "house.manner.folders": "a shelf lists folders through the boundary alone",
  "house.manner.names": "files are named by nouns of the domain",
  "house.manner.product": "the product has no special case for a test",
  "house.manner.size": "a file of logic has at most 400 lines",
  "house.manner.sql": "in a shelf only storage and tables hold SQL, and what is lent to others",
  "house.manner.tables": "a shelf names only its own tables, and reads documents",
  "house.manner.zod": "zod is imported whole, so that the build can leave most of it out",
  "house.package.bins": "the three commands stand in node_modules/.bin and know their names",
  "house.package.container":
    "the image is made of the tarball alone, runs as another user, and writes only into its home",
  "house.package.contents":
    "the tarball holds the program, its page, its sample and its licences, and no more",
  "house.package.manifest": "the manifest asks for Node 20.19 and runs nothing on install",
  "house.package.manual":
    "the manual and the completions of each name know every command of its help",
  "house.package.mcpb":
    "the bundle for desktop clients is valid by its own tool, packed, and serves an agent",
  "house.package.no-own-paths": "nothing in it names a folder of the machine that built it",
  "house.package.page": "the script that the page begins with is at most 120 kB, compressed",
  "house.package.registry": "server.json says to a registry what the package is and how it starts",
  "house.package.sbom":
    "the bill of materials lists what the bundle holds and what is installed beside it",
  "house.package.smoke": "a person takes a folder in and finds a passage",
  "house.package.systemd": "systemd finds nothing wrong with the unit",
  "house.requirements.known": "every id that a test carries is a requirement",
  "house.requirements.tested": "every requirement has a test that carries its id",
  "house.shared-home.cold":
    "fifty servers that start at once on a cold home all answer, with a writer among them",
  "house.shared-home.frozen":
    "while the process that indexes is stopped, another indexes in its place and doctor names it",
  "house.shared-home.killed":
    "killed in the middle of indexing, the next start finishes it: nothing is lost, nothing is there twice",
  "house.shared-home.lease": "one process keeps the index; when it is killed another takes over",
  "house.shared-home.meanwhile":
    "a collection that is $deed meanwhile leaves nothing of its old name",
  "house.shared-home.notices": "what one process changes, the clients of the others hear",
  "house.start.compiled": "compiled code that was damaged is compiled anew, and nobody notices",
  "house.torture.losses":
    "killed, damaged, full, flooded and attacked, it loses nothing that was acknowledged",
  "house.torture.rows":
    "a row that is altered or lost is found by the doctor and healed by update, or harmless",
  "house.web.barriers": "axe finds no barrier on any screen, in both themes, wide and narrow",
  "house.web.character-keys": "keys of one character can be turned off, and stay off",
  "house.web.first-step": "an empty library says what to do, and fills when it is done",
  "house.web.keys": "everything is reached by keyboard alone",
  "house.web.live": "results and the open document follow the files on disk",
  "house.web.long": "a long text opens at its line, is found in, and printed whole",
  "house.web.lost": "a page whose server is gone says so, and recovers with it",
  "house.web.reader": "a result opens beside the list at its line; reload and back hold",
  "house.web.review": "a person decides by keyboard alone what an agent proposes meanwhile",
  "house.web.review-barriers": "axe finds no barrier in the queue, light or dark, wide or narrow",
  "house.web.search": "typing finds documents, marks the words and narrows by collection",
  "house.freshness.commands": "each command sees the files as they are",
  "house.freshness.commands-config":
    "what is taken out of the configuration by hand is found no longer",
  "house.freshness.links": "a link follows what it leads to",
};
