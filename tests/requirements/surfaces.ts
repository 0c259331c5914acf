/** Requirements of every surface. */
export const surfaces = {
  "core.bridge.framing": "framing and errors are the same as on stdio",
  "core.bridge.half-close": "requests sent before the client's end of input are answered",
  "core.bridge.http":
    "a connection that starts like HTTP or TLS is closed without running anything",
  "core.bridge.idle": "an idle connection is closed, and its process ends",
  "core.bridge.limit":
    "a connection over the limit is refused with a message, and accepted after another ends",
  "core.bridge.silent-client":
    "a silent client is disconnected if a new one would exceed the limit",
  "core.bridge.loopback": "only clients on this machine are served",
  "core.bridge.no-orphan": "broken connections leave no process behind",
  "core.bridge.other-user":
    "a connection from another user's process is closed, and no process is started for it",
  "core.bridge.process": "each connection is served by its own process",
  "core.bridge.process-ends":
    "when the process ends, its remaining output is delivered and the socket is closed",
  "core.bridge.program": "TCP clients are served, each by its own process, and no process remains",
  "core.cli.aliases": "commands and flags have aliases; help uses the first name",
  "core.cli.answer": "a person gets the presented text with a trailing newline",
  "core.cli.colour":
    "color is used only on terminals, unless the environment variables or the flag override it",
  "core.cli.completion": "completion for bash, zsh and fish is generated from the command table",
  "core.cli.dashed-words":
    "an argument that starts with a dash is refused, and the message suggests the intended command line",
  "core.cli.doctor": "doctor names each problem with its remedy, and repairs what it can",
  "core.cli.doctor-hidden": "doctor names the files that are hidden because of private sources",
  "core.cli.doctor-newer": "doctor reports a home written by a newer version",
  "core.cli.doctor-skipped": "doctor counts the files of a collection that are not indexed",
  "core.cli.documents": "document text is written to a pipe or file byte for byte",
  "core.cli.escapes": "messages show control characters as symbols, also in a pipe or file",
  "core.cli.exit-codes": "each kind of failure has its exit code",
  "core.cli.failed-check": "a check exits with 1 if and only if it finds problems",
  "core.cli.flag-words": "every flag and argument of every command has a description",
  "core.cli.flags": "schema keys become flags: switches, lists, short flags and positionals",
  "core.cli.formats": "an answer can be printed as CSV, files, Markdown, XML or JSON",
  "core.cli.global-flags":
    "global flags are accepted before, between and after the other arguments",
  "core.cli.help": "help is grouped, no summary is cut, and no line is wider than 100 columns",
  "core.cli.hits":
    "a terminal shows each hit with its location and passage, highlighted and within the terminal width",
  "core.cli.hostile": "no argument crashes the command line",
  "core.cli.init": "init merges its entry into .mcp.json and never overwrites another",
  "core.cli.init-draft": "init creates its temporary file exclusively, under an unpredictable name",
  "core.cli.init-index": "init offers to index the folder, and asks only a person at a terminal",
  "core.cli.init-shelves": "init chooses the shelves for which the folder has material",
  "core.cli.init-place":
    "the entry written by init starts this program with this home, from any working directory",
  "core.cli.internal": "an unexpected error shows no details and no stack trace",
  "core.cli.interrupt": "Ctrl+C cancels the call and exits with 130",
  "core.cli.json": "JSON is one line in a pipe and indented on a terminal",
  "core.cli.lean": "a search loads neither the MCP package nor the HTTP server",
  "core.cli.links": "on a colour terminal the location of a hit is a link to its file",
  "core.cli.lists":
    "a list flag can be repeated, and takes comma-separated values if its schema says so",
  "core.cli.man": "the manual page lists every command, flag and exit code",
  "core.cli.names": "started as qmd or qmdc, only its own shelf and the review shelf are available",
  "core.cli.narrowing":
    "commands excluded by --shelves or --read-only are refused with an explanation",
  "core.cli.pipe": "a reader that closes the pipe early ends the program with 0",
  "core.cli.program-name":
    "messages that suggest a qmd command suggest the lectern command when the program runs as lectern",
  "core.cli.progress": "progress is one line on a terminal and is erased at the end",
  "core.cli.server-mode":
    "a server receives absolute paths, and options that have no effect there are refused",
  "core.cli.start":
    "without arguments the program prints one screen: the first commands, and the names of all",
  "core.cli.unknown": "an unknown flag is refused, and the closest name is suggested",
  "core.cli.values": "an invalid value is refused under the flag name that was typed",
  "core.http.bad-input": "an invalid field is named in the spelling of the REST API",
  "core.http.casing":
    "declared keys are written in snake_case, and keys that are data are unchanged",
  "core.http.close":
    "close ends idle connections and streams immediately, and lets running calls finish",
  "core.http.content": "search routes return snake_case data and the presented text as `content`",
  "core.http.content-type":
    "a body without a JSON content type is refused on every route that takes a body",
  "core.http.cookies": "cookies are opaque, limited to this host, and secure behind TLS",
  "core.http.cross-site":
    "a request that a browser marks as cross-site is refused on every route, even without an Origin",
  "core.http.decides": "a person's decision is accepted only from the web app's own page",
  "core.http.keep-alive": "an idle connection stays open for longer than proxies reuse one",
  "core.http.page-calls": "only the page can call every operation by name",
  "core.http.events": "each notice reaches every open page, with its topic as the event name",
  "core.http.failures": "each kind of failure has its status, on a route and under /tools",
  "core.http.get-is-safe": "a definition that would let GET change data fails at startup",
  "core.http.guard": "a foreign Host or Origin is refused on every route",
  "core.http.guesses":
    "a client that guesses credentials is throttled, even with the right one; other clients are not",
  "core.http.headers": "every response has nosniff, no-store or no-cache, and denies other origins",
  "core.http.health":
    "/health reports status and model, and the reason for a failure only to identified callers",
  "core.http.hostile": "invalid JSON, naughty strings and hostile paths are answered in JSON",
  "core.http.hostile-json":
    "JSON that is deeply nested or has very many names is refused before it is parsed",
  "core.http.internal":
    "an unexpected error is one line for the caller and a log entry for the operator",
  "core.http.limits": "headers over 16 KB are refused, and the number of connections is limited",
  "core.http.connection-limit":
    "connections without a complete request are closed when the connection limit is reached",
  "core.http.login-code": "a login link works once, for fifteen minutes, and only for its home",
  "core.http.loopback": "any address other than loopback requires a token",
  "core.http.method": "a wrong method is 405 and lists the allowed ones",
  "core.http.not-found":
    "the error for a missing document has exactly the founding document's text",
  "core.http.openapi": "GET /openapi.json describes every route, in the spelling of the REST API",
  "core.http.own-origin":
    "only the origin that served the request is same-origin: other ports, schemes and names are foreign",
  "core.http.page-session":
    "a page session needs its cookie and its key, and an agent's credential cannot open one",
  "core.http.path": "a path segment is decoded once, and a greedy tail keeps its slashes",
  "core.http.ports": "several ports serve the same app",
  "core.http.slow": "slow headers and slow bodies time out, and other clients are served meanwhile",
  "core.http.static": "web app files have their content type, and hashed files are cached forever",
  "core.http.token": "with a token, every route requires it and reveals nothing without it",
  "core.http.too-large": "a body over 10 MB is refused by its Content-Length",
  "core.http.tools": "GET /tools lists the tools available to an agent, with schemas",
  "core.http.unknown-field": "an unknown field is refused, and the closest name is suggested",
  "core.http.welcome": "GET / returns the server's identity and links to programs",
  "core.http.tls-proxy": "behind a TLS proxy a person can open the page by a link and decide",
  "core.http.token-hidden":
    "a token is read from a file, and a token given as an argument is hidden from the process list",
  "core.loopback.allow-user": "another user of this machine is served if --allow-user names them",
  "core.loopback.busy-table":
    "our own user is identified even while many connections open and close",
  "core.loopback.doctor": "server startup and doctor report who is served over loopback",
  "core.loopback.open":
    "a flag opens the server or the bridge to other users, and startup reports it",
  "core.loopback.page-link": "a command prints a link that opens the page of a running server",
  "core.loopback.port-owner":
    "neither a page link nor the secret is given to a process of another user that took the port",
  "core.loopback.peer-user":
    "the user of a connection is determined from the system, or is unknown",
  "core.loopback.same-user": "our own user is served without a credential, any other user gets 401",
  "core.loopback.secret":
    "the home's secret, readable by its owner only, authenticates callers that cannot be identified",
  "core.loopback.socket": "the home has a Unix socket with mode 0600 that needs no credential",
  "core.loopback.unidentified":
    "if users cannot be identified, the secret is required unless loopback is opened explicitly",
  "core.mcp.annotations": "all four annotations are derived from the operation's effect",
  "core.mcp.bad-arguments": "invalid arguments are a tool error that names the field",
  "core.mcp.bad-body":
    "a body that is not UTF-8, is nested too deeply or has too many names is refused before it is parsed",
  "core.mcp.bad-cursor": "a cursor that the server did not issue is refused",
  "core.mcp.batch": "a batch is accepted only in the protocol version that defines it",
  "core.mcp.cache-hints": "lists that can change within two seconds have a shorter ttlMs",
  "core.mcp.can-ask": "an operation knows whether its client can be asked",
  "core.mcp.cancel": "a cancelled call stops and is not answered",
  "core.mcp.capabilities":
    "empty tool and resource lists are declared; other capabilities only if available",
  "core.mcp.completion": "at most 100 values are returned, with the total",
  "core.mcp.deadline": "at the time limit a call returns its partial result",
  "core.mcp.decides":
    "operations that decide for a person are not tools and cannot be found as tools",
  "core.mcp.disconnect":
    "a client that disconnects ends the call, in the 2026 era and for plain requests",
  "core.mcp.discover": "a client of the 2026 era can discover the server",
  "core.mcp.failure-table": "every kind of failure is a result in the dialect's wording",
  "core.mcp.initialized-alias": "the old name of the initialized notification is accepted",
  "core.mcp.instructions": "instructions stay under 2 KB for any set of shelves",
  "core.mcp.internal": "an unexpected error is an internal error without details",
  "core.mcp.isolation": "clients that use the same request ids never receive each other's answers",
  "core.mcp.json-arguments": "no arguments crash a call",
  "core.mcp.json-cases": "no body crashes the endpoint",
  "core.mcp.lean-schemas":
    "hints for other surfaces and redundant bounds are left out of tool schemas",
  "core.mcp.log-level": "a client of an older era receives log messages from the level it set",
  "core.mcp.malformed-call": "a malformed call is refused with details, in both eras",
  "core.mcp.names-on-the-wire": "embedded and read resources carry their names in every era",
  "core.mcp.no-batch": "in other versions a batch is refused",
  "core.mcp.no-reserved-codes": "no refusal uses a reserved error code",
  "core.mcp.no-shutdown": "shutdown is not available over HTTP",
  "core.mcp.not-found": "invalid, forbidden and missing resources return the same error",
  "core.mcp.notices-newer": "a client of the 2026 era receives the notifications it listens to",
  "core.mcp.notices-older":
    "a session receives list changes, and updates only of resources it subscribed to",
  "core.mcp.odd-answers": "a question is asked again if its answer has an unknown format",
  "core.mcp.older-content": "content of a type that a version does not define is sent as text",
  "core.mcp.answer-size":
    "every tool answer is within 20,000 tokens and explains how to get the rest",
  "core.mcp.outbound-limit":
    "an answer over the limit is not sent, and the error explains how to narrow it",
  "core.mcp.pagination": "following the cursors returns all pages of the list",
  "core.mcp.plain": "a plain POST is answered with plain JSON and no session",
  "core.mcp.plain-initialize": "a minimal initialize is answered for plain requests",
  "core.mcp.progress": "a client that sent a progress token receives progress",
  "core.mcp.progress-grows": "progress that does not increase is not sent",
  "core.mcp.progress-throttle": "frequent progress is throttled, and the last report is sent",
  "core.mcp.progress-token": "a client without a progress token receives no progress",
  "core.mcp.prompts": "prompts are listed and rendered, and invalid requests name the problem",
  "core.mcp.questions": "a call asks in rounds, and the client returns the earlier answers",
  "core.mcp.questions-older":
    "clients of both eras answer the same questions with their own mechanism",
  "core.mcp.read-only": "with --read-only, only tools that read are listed and found",
  "core.mcp.warnings": "a call's warnings are appended to its answer, for agents that see no log",
  "core.mcp.request-log-level":
    "a client of the 2026 era receives log messages only for requests that ask for them",
  "core.mcp.resource-names": "the name and title of a resource are sent beside its text",
  "core.mcp.resources": "resources are listed page by page and read by URI",
  "core.mcp.resource-errors":
    "with --resource-errors=data every resource error is returned as its contents",
  "core.mcp.rpc-codes": "other resource errors have the code of their kind",
  "core.mcp.schemas": "tool schemas are the operation's schemas, without redundant keywords",
  "core.mcp.sealed": "the request state cannot be modified or used for another call",
  "core.mcp.session-cap":
    "the session that was idle longest is closed when the session limit is reached",
  "core.mcp.session-kept":
    "an active session survives any number of handshakes by clients of the same name",
  "core.mcp.session-idle": "an idle session times out, a session with an open stream does not",
  "core.mcp.session-flood":
    "a client that opens too many sessions closes its own oldest, and nobody else's",
  "core.mcp.sessions": "a session starts with the handshake and ends with DELETE",
  "core.mcp.stream-without-session": "a client that accepts streams needs no session either",
  "core.mcp.structured": "an answer has text for the reader and structured data",
  "core.mcp.templates": "resource families with a URI template are listed as templates",
  "core.mcp.tools-list": "tools are the operations exposed to agents, in a fixed order",
  "core.mcp.trace": "DEBUG=mcp:protocol traces the messages",
  "core.mcp.unknown-session": "an unknown session is not found",
  "core.mcp.unknown-tool": "an unknown tool is refused, and the closest names are suggested",
  "core.mcp.unknown-version": "an unknown version is answered with the newest version of its era",
  "core.mcp.versions":
    "every protocol version from 2024-11-05 to 2026-07-28 is negotiated and served",
  "core.operations.budget": "the tools of all shelves fit into an agent's token budget",
  "core.operations.cli": "every operation works as the command it declares",
  "core.operations.mcp": "every operation works as the tool it declares, according to its schema",
  "core.operations.read-only":
    "with --read-only only operations that read are available, on every surface",
  "core.operations.rest": "every operation works on the route it declares",
  "core.operations.shelves": "an unknown shelf is refused, and the closest name is suggested",
  "core.operations.snapshot": "the tool list equals its snapshot, so that changes are deliberate",
  "core.operations.tools-route": "every tool works under /tools",
  "core.operations.worked-example": "an operation defined once is available on every surface",
  "core.stdio.batch": "a batch is answered once, with -32600",
  "core.stdio.broken-pipe": "a broken output pipe ends the connection silently",
  "core.stdio.clean-stdout": "output printed by a library goes to stderr",
  "core.stdio.drain": "calls still running at the end of input are answered",
  "core.stdio.hostile":
    "invalid JSON, naughty strings and random bytes are answered, and so is the next message",
  "core.stdio.initialize":
    "initialize with missing or invalid params is answered with the default version",
  "core.stdio.initialized":
    "a minimal initialized message is accepted, and answered only if it has an id",
  "core.stdio.invalid-request": "an invalid request is answered -32600, with its id if it has one",
  "core.stdio.limit":
    "a line at the limit is read, one byte more is refused, and the next line is read",
  "core.stdio.lines": "each line is a message; blank lines and carriage returns are skipped",
  "core.stdio.no-handshake": "requests before initialize are served",
  "core.stdio.no-listener": "no port is opened",
  "core.stdio.orphan": "a server whose parent was killed exits",
  "core.stdio.parse-error": "invalid JSON is answered -32700 with a null id",
  "core.stdio.concurrency": "many concurrent requests run a few at a time, and all are answered",
  "core.stdio.program": "each kind of line is answered as specified",
  "core.stdio.shutdown":
    "shutdown is answered, running calls finish, and the server ends although input is still open",
  "core.stdio.signals": "a signal cancels the running call and exits with 0",
  "core.stdio.multi-line": "a message may span several lines",
  "core.stdio.strict-ids": "an unreadable id can be left out of the error",
  "core.stdio.throw": "an exception in a tool fails only its own call",
  "core.stdio.trace": "every message is traced as sent, after the hook changed it",
  "core.stdio.unknown-method": "an unknown method is answered -32601",
};
