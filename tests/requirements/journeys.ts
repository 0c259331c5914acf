/** Requirements of the built program, the package, the page, and the code conventions. */
export const journeys = {
  "core.clock.commands":
    "after the clock jumps an hour back or forward, update indexes new changes",
  "core.clock.files": "files dated 2099 and 1970 are indexed with their current content",
  "core.clock.server": "a running server finds later changes after its clock jumps",
  "core.commands.add": "`collection add` uses the folder's name if no name is given",
  "core.commands.completion": "bash completes with the sourced script",
  "core.commands.few-shelves":
    "a command about documents loads only the search shelf, and knows every name and table",
  "core.commands.ctrl-c": "Ctrl+C ends the command promptly and leaves nothing behind",
  "core.commands.damaged-config":
    "a damaged configuration is reported, and repair restores the last valid one",
  "core.commands.damaged-store":
    "a damaged store is moved aside and rebuilt from the folders without another command",
  "core.commands.exit-codes":
    "an empty result exits with 0; a usage error and a missing item have their own exit codes",
  "core.commands.help":
    "without arguments lectern prints one screen, and with help or --help all commands",
  "core.commands.init": "init writes an entry that starts this program",
  "core.commands.warnings": "a warning is printed once, on stderr",
  "core.commands.json": "with --json, stdout is one JSON document, whatever the exit code",
  "core.commands.pipe": "a reader that closes the pipe early causes no error message",
  "core.commands.port-taken": "a port in use is reported with a remedy",
  "core.conformance.alive":
    "the conformance suite fails without the Origin guard and without the ttlMs hints",
  "core.conformance.fixture": "all scenarios of both requirement sets pass without a baseline",
  "core.conformance.product": "the program passes the scenarios that apply to it",
  "core.documentation.commands": "every command in the documentation works as written",
  "core.documentation.links": "the documentation has no broken links",
  "core.documentation.settings": "every configuration in the documentation starts a server",
  "core.force-root.foreign-collections": "an agent cannot see a collection outside the force root",
  "core.force-root.index":
    "a server with a force root keeps the whole index, and reports only what is inside",
  "core.force-root.paths":
    "under a force root, no path from the traversal lists escapes, on any surface",
  "core.force-root.silent": "every operation answers the same, whatever exists outside the root",
  "core.force-root.swapped-link":
    "a folder swapped with a link during calls gives no access outside",
  "core.forwarding.alone": "commands run locally while the server is suspended or gone",
  "core.forwarding.declined":
    "a request that is not a reading command of the same program is declined",
  "core.forwarding.fresh": "a forwarded command finds a file that was written just before it",
  "core.forwarding.interrupt":
    "Ctrl+C and a reader that closes the pipe end a forwarded command and nothing else",
  "core.forwarding.private": "only the owner of the home can connect to the command socket",
  "core.forwarding.reads": "only commands that read are forwarded",
  "core.forwarding.same":
    "a command forwarded to the server has the output and exit code of a local run",
  "core.forwarding.version": "--version prints the version without loading the program",
  "core.freshness.atomic-save": "a file saved by renaming over it is found with its new content",
  "core.freshness.config": "a manual edit of the configuration takes effect immediately",
  "core.freshness.files":
    "a file that is created, edited, renamed or deleted is found in its current state",
  "core.freshness.folder-returns":
    "a collection whose folder disappears and returns is found again",
  "core.freshness.folders":
    "a folder that is created with files, renamed or deleted is found in its current state",
  "core.freshness.ignore-file":
    "a new ignore file excludes documents, and removing it includes them again",
  "core.globs.folders": "a folder is entered if a path below it could match the pattern",
  "core.globs.linear": "hostile patterns are matched in linear time",
  "core.removed-home.config":
    "if the configuration is deleted under a server, health reports it, writes are refused and search works",
  "core.removed-home.server":
    "a server whose home is deleted reports it, refuses writes, and keeps searching",
  "core.removed-home.shared": "processes of a replaced home do not touch the new one",
  "core.hot-reload.storm":
    "after 10,000 file events, half of them in one burst, the index equals a freshly built one",
  "core.journey.clients":
    "SDK clients of both versions can search, read, list prompts and subscribe, over stdio and HTTP",
  "core.journey.inspector": "the inspector's command line works in both eras",
  "core.layers.enforced": "every import follows the dependency rule, without cycles",
  "core.steps.discarded":
    "steps on the store are run or passed on: a call without `yield*` is detected",
  "core.layers.detected": "a violation of any layer rule is detected",
  "core.literal.discovery": "GET / reports that the server is running",
  "core.literal.echo": "an echoed initialize with empty params is answered, and the server exits",
  "core.literal.plain-mcp":
    "curl lists and calls tools on /mcp, without a session and with its default Accept header",
  "core.literal.qmd": "each documented way to start qmd serves an agent on stdio",
  "core.literal.qmdc": "'qmdc mcp' answers initialize with its own name before its shelf is ready",
  "core.literal.rest": "search, status and health answer as documented",
  "core.literal.tools-route":
    "a tool is called on its own route, with its parameters in `arguments`",
  "core.conventions.architecture":
    "every file that docs/ARCHITECTURE.md names exists, and the page has at most 250 lines",
  "core.conventions.clocks":
    "the kernel and the shelves do not use AbortSignal.timeout, which can be garbage-collected",
  "core.conventions.depth": "folders are at most four levels below src",
  "core.conventions.file-writes":
    "only the listed files modify or list files by path; all others use an open folder handle",
  "core.conventions.folder-size":
    "under src, web, tests and scripts, a folder directly contains at most 25 files",
  "core.conventions.folders": "a shelf lists folders only through the boundary",
  "core.conventions.names": "files are named by domain nouns",
  "core.conventions.one-meaning":
    "within a layer, no exported name is declared in more than one file",
  "core.conventions.one-mechanism":
    "hashing, schema walking, key spelling, folder watching and starting a process are each in one place",
  "core.conventions.product": "the product has no special case for tests",
  "core.conventions.size": "a source file has at most 400 lines",
  "core.conventions.sql": "in a shelf, only storage, tables and SQL-table files contain SQL",
  "core.conventions.tables": "a shelf uses only its own tables, and reads the documents table",
  "core.conventions.vocabulary":
    "retired names are not declared anywhere in src, web, scripts or tests",
  "core.conventions.zod": "zod is imported as a namespace, so that the build can tree-shake it",
  "core.package.bins":
    "the three commands are installed in node_modules/.bin and run under their names",
  "core.package.container":
    "the image is built from the tarball alone, runs as another user, and writes only into its home",
  "core.package.contents":
    "the tarball contains only the program, the web app, the sample and the licenses",
  "core.package.manifest": "the manifest requires Node 20.19 and has no install scripts",
  "core.package.manual":
    "the manual and the completions of each name include every command of its help",
  "core.package.mcpb":
    "the desktop bundle passes its own validator, is packed, and serves an agent",
  "core.package.no-own-paths": "the package contains no path of the build machine",
  "core.package.page": "the page's entry script is at most 120 kB compressed",
  "core.package.registry": "server.json describes the package and how to start it",
  "core.package.sbom": "the bill of materials lists the bundled and the installed dependencies",
  "core.package.smoke": "a person adds a folder and finds a passage",
  "core.package.systemd": "systemd-analyze reports no problem in the unit",
  "core.requirements.known": "every id in a test name is a requirement",
  "core.requirements.tested": "every requirement has a test with its id",
  "core.shared-home.cold":
    "fifty servers started concurrently on an empty home all answer, with a writer among them",
  "core.shared-home.frozen":
    "while the indexing process is suspended, another one indexes and doctor names it",
  "core.shared-home.killed":
    "after a kill during indexing, the next start completes it without losses or duplicates",
  "core.shared-home.lease": "one process maintains the index; when it is killed another takes over",
  "core.shared-home.meanwhile":
    "a collection that is renamed or removed while it is indexed leaves no document under its old name",
  "core.shared-home.notices": "clients are notified of changes made by other processes",
  "core.start.source-map": "stack traces of the built program name the original files and lines",
  "core.start.uncaught": "an exception that nothing catches is printed without the bundled code",
  "core.start.compiled": "a damaged compile cache is rebuilt silently",
  "core.torture.losses":
    "after kills, damage, full disks, floods and attacks, no acknowledged write is lost",
  "core.torture.rows":
    "an altered or lost row is found by doctor and repaired by update, or harmless",
  "core.web.accessibility": "axe finds no issues on any screen, in both themes, wide and narrow",
  "core.web.character-keys": "single-key shortcuts can be turned off, and stay off",
  "core.web.first-step": "an empty library shows what to do, and fills afterwards",
  "core.web.keys": "all functions can be used with the keyboard",
  "core.web.live": "results and the open document follow the files on disk",
  "core.web.long": "a long text opens at its line, can be searched, and is printed completely",
  "core.web.lost": "the page reports a lost server and recovers with it",
  "core.web.reader": "a result opens beside the list at its line; reload and back keep it",
  "core.web.review": "a person decides proposals by keyboard while an agent makes new ones",
  "core.web.review-accessibility":
    "axe finds no issues in the queue, light or dark, wide or narrow",
  "core.web.search": "typing finds documents, highlights the words and filters by collection",
  "core.freshness.commands": "each command sees the current files",
  "core.freshness.commands-config":
    "documents of a collection removed from the configuration manually are no longer found",
  "core.freshness.links": "a link follows its target",
};
