/** Requirements of the kernel. */
export const kernel = {
  "core.boundary.force-root":
    "under a force root, paths inside it are accepted and all others are refused",
  "core.boundary.hard-links": "under a force root, a file with a second hard link is refused",
  "core.boundary.holds": "a folder is allowed only if every component of its path is inside",
  "core.boundary.home":
    "no path reaches Lectern's own home, not even through a link or a collection around it",
  "core.boundary.links": "a symbolic link that leaves the collection is never read",
  "core.boundary.malformed": "a path that is empty, too long or contains NUL is invalid",
  "core.boundary.path-lists": "no path from the path traversal lists escapes or crashes the server",
  "core.boundary.private-files":
    "path-based operations report a file of a private source as missing, under each of its names",
  "core.boundary.projects":
    "files inside a QualCoder project are accessible only through the project's own operations",
  "core.boundary.resolved-root": "a root found above a file must also be inside the force root",
  "core.boundary.silent": "no path or link reveals whether something exists outside the boundary",
  "core.boundary.special-files": "pipes, folders and devices are refused without blocking",
  "core.boundary.swap":
    "a file or folder that is repeatedly swapped with a link never exposes files outside",
  "core.boundary.too-large": "a file over the size limit is refused, a file at the limit is read",
  "core.bounded.bad-cursor": "a cursor that no list returned is invalid, and the message names it",
  "core.bounded.cap": "a list of more than 200 items is truncated and reports how many remain",
  "core.bounded.cursor": "following the cursor returns every item once, in order",
  "core.catalogue.read-only": "--read-only leaves only operations that read",
  "core.catalogue.shelves": "--shelves leaves only the shelves it names",
  "core.catalogue.duplicates":
    "two operations with the same name, route or command are refused at startup",
  "core.catalogue.unknown-shelf": "an unknown shelf is refused, and the closest name is suggested",
  "core.changes.agents":
    "every agent write to any shelf is logged and announced together with its change",
  "core.changes.approval":
    "the log records how each approval was given, by whom, and through which trusted client",
  "core.changes.record": "a change records who did what, in which call and when",
  "core.changes.undo": "an undo reverts a change, and can itself be undone",
  "core.changes.undo-twice":
    "a change cannot be undone twice, neither sequentially nor concurrently",
  "core.config.damaged": "a damaged configuration is reported with its problem and how to fix it",
  "core.config.gone":
    "if the configuration is deleted while in use, it stays in effect and is not overwritten",
  "core.config.killed":
    "a process killed while writing leaves a complete file with every acknowledged change",
  "core.config.names": "collection names that would break paths are refused",
  "core.config.repair": "repair keeps the damaged file and restores the last valid one",
  "core.config.together": "six processes that change the file concurrently lose no change",
  "core.config.update": "an update is visible to this process and to others",
  "core.database.damaged": "a file that is not a database is distinguished from other errors",
  "core.database.data-version": "a commit by another connection is detected, our own is not",
  "core.database.no-await": "a transaction that returns a promise is refused and rolled back",
  "core.database.old-sqlite": "SQLite versions that can lose writes are refused",
  "core.database.savepoint": "a nested transaction is rolled back on its own",
  "core.database.snapshot": "reads in one snapshot do not see later commits",
  "core.database.together":
    "twelve processes that open a new file concurrently all write, and none fails because it is locked",
  "core.database.transaction": "a transaction that throws is rolled back completely",
  "core.database.vacuum": "a database is compacted although a temporary view hides a table",
  "core.database.whole": "text that a driver would truncate is refused",
  "core.review.activity": "activity lists what was done, and undo reverts and restores it",
  "core.review.decide": "a proposal number is accepted as a path segment and as a shell argument",
  "core.review.people-only":
    "the review shelf has no tools, and its deciding operations are declared as such",
  "core.review.proposals": "pending proposals are listed, and decided ones on request",
  "core.documents.clock":
    "files are indexed as they are now, even after the clock jumps forward or back",
  "core.documents.comparison":
    "an unchanged root is compared without a walk, and no change of its files is missed",
  "core.documents.diff": "a scan reports exactly what was added, changed and removed",
  "core.documents.fresh":
    "after any sequence of file changes, the recorded documents equal a fresh scan",
  "core.documents.hash": "touching a file without changing its content is not a change",
  "core.documents.later": "a newer record by another process is neither dropped nor overwritten",
  "core.documents.meanwhile":
    "documents read from a root that was removed during the scan are not kept",
  "core.documents.order":
    "when two processes read a file concurrently, the later record never replaces newer content with older",
  "core.documents.restored": "a file restored with its old content and timestamp is detected",
  "core.documents.savepoint":
    "a shelf that throws is marked as failed, and the other shelves continue",
  "core.documents.skipped": "every scan names skipped files, without reading them each time",
  "core.documents.times": "a file is compared by whether its timestamps differ, in any year",
  "core.documents.unscanned":
    "a root counts as unscanned until a scan completes, and again when it is redefined",
  "core.documents.unreadable":
    "documents of an unreadable folder are kept until they are known to be deleted",
  "core.fair-queue.cancelled": "a cancelled call leaves the queue immediately",
  "core.fair-queue.lanes":
    "a client occupies at most one lane, the others stay free for other clients",
  "core.fair-queue.limit": "a client over its limit is refused, others are not",
  "core.fair-queue.long": "long jobs leave a lane free for short ones, and preempted jobs restart",
  "core.fair-queue.senders":
    "senders take turns regardless of their number of connections, then the connections of each sender",
  "core.fair-queue.turns": "clients take turns, regardless of how many calls each has queued",
  "core.file-edits.all": "files are changed, created and deleted in one step",
  "core.file-edits.inside": "nothing is created in a folder that resolves outside",
  "core.file-edits.none":
    "if one file was changed or created since it was read, no file is touched",
  "core.files.journaled":
    "files are written and logged, or neither, even if a process stops in between",
  "core.foreign.guard":
    "a foreign database that changes while it is open runs no code and reaches no other file",
  "core.foreign.rows":
    "a foreign database with too many rows is refused, and the message names the limit",
  "core.formats.bomb": "a file that unpacks to far more than its size is refused",
  "core.formats.crash": "when the child process is killed, its file fails and the next one is read",
  "core.formats.damaged":
    "a file that is broken, truncated or of another type is reported as damaged, with one reason",
  "core.formats.deadline": "a file that exceeds the time limit fails, and the next one is read",
  "core.formats.entities": "entities defined in a file are never expanded",
  "core.formats.letters":
    "an HTML page is decoded by its declared encoding, or by the legacy default",
  "core.formats.locked": "a password-protected file is reported as such",
  "core.formats.no-orphan": "the child process ends with its parent, even while it is busy",
  "core.formats.offline": "nothing that a file refers to is downloaded",
  "core.formats.read":
    "Org, notebooks, HTML, Word, OpenDocument, EPUB and PDF are converted to Markdown",
  "core.formats.silent":
    "a program that read a file exits by itself and prints only its own output",
  "core.git.elsewhere":
    "a repository with parts outside its folder is not pulled, and its history is not read",
  "core.git.ends": "a git process ends with its call, whatever it is waiting for",
  "core.git.force-root": "a repository outside the force root is ignored",
  "core.git.owner": "another user's repository is pulled only if safe.directory lists it",
  "core.git.personal":
    "the user's own git configuration applies, and variables that name a repository are ignored",
  "core.git.pipes": "a pipe among git's own files is refused without blocking",
  "core.git.protocols": "only https and ssh are allowed",
  "core.git.pull":
    "a pull fast-forwards the checked-out branch in every kind of clone, and runs no hook",
  "core.git.stalled":
    "a stalled repository does not block others from being pulled, and is reported as a timeout",
  "core.git.settings":
    "no repository setting runs a program or reads a file, and a pull names the refused setting",
  "core.home.own-lease": "only the owner can read or write the lease file",
  "core.home.tightened":
    "permissions of a home and its files that others could read are restricted when it is opened",
  "core.host.blocked":
    "a call that blocks its host process is stopped, and the queued calls are answered",
  "core.host.calls":
    "an operation in a host process receives its call context and reports as without a host",
  "core.host.fatal": "a state that crashed its host is not restored, and the next call is informed",
  "core.host.heavy":
    "heavy calls run in a host process where clients take turns, other calls run in the server",
  "core.host.tables": "tables of a hosted shelf contain its rows",
  "core.host.memory": "a host that exceeds its memory limit is stopped and replaced",
  "core.host.orphans": "a host ends with its server, even while it is blocked",
  "core.host.restore": "a state whose restore crashes the host is dropped",
  "core.host.silent": "an unresponsive host is stopped, regardless of the call's time limit",
  "core.indexer.elsewhere":
    "a server indexes large batches of documents in another process, and small ones itself",
  "core.indexer.fatal":
    "a document that crashes the indexing process is skipped, and the others are indexed",
  "core.lease.damaged": "a damaged lease file is truncated and reused",
  "core.lease.killed": "when the holder is killed, another process acquires the lease",
  "core.lease.check": "checking the lease reports whether it is held, and blocks no process",
  "core.lease.one": "of two processes only one holds the lease; the other gets it after release",
  "core.lease.twenty": "among twenty processes there is never more than one holder",
  "core.log.controls": "log lines and traces contain no characters that a terminal interprets",
  "core.log.debug": "DEBUG traces the topics it names",
  "core.log.level": "lines below the log level are not written",
  "core.notices.after-commit": "notices are sent once per batch, after the commit",
  "core.notices.commit": "nothing is announced for a transaction that was rolled back",
  "core.paths.abandoned":
    "temporary files of a killed process are removed by the next write to the folder",
  "core.paths.swapped":
    "files are written, listed and removed in the folder that was opened, even if a link replaces it",
  "core.viewers.counted": "every process of a home knows how many pages are open",
  "core.notices.shared": "a notice reaches the listeners of every process exactly once",
  "core.perform.ask": "a question is sent with its state, and the answers let the call finish",
  "core.perform.clock": "the time limit holds even if garbage collection runs often",
  "core.perform.deadline": "work that honors its abort signal ends at the time limit",
  "core.perform.unresponsive": "a call whose work ignores the abort signal is answered without it",
  "core.perform.short": "a message about thousands of invalid values names only the first ones",
  "core.perform.full": "a full disk is reported as such, with a remedy",
  "core.perform.internal":
    "an exception becomes an internal error that reveals nothing of its cause",
  "core.perform.output": "output that violates its schema is an internal error",
  "core.perform.release": "an answered call keeps no reference to its caller",
  "core.home.own": "only the owner can read the store, even in a folder that others can read",
  "core.home.unusable": "an unusable home is reported in one sentence, with a remedy",
  "core.perform.null": "null for an optional key is treated as absent, in nested objects too",
  "core.perform.schema":
    "input that violates its schema is invalid, and the message names the field",
  "core.perform.stall": "a machine suspended past the time limit does not cause a partial answer",
  "core.perform.spelling": "a key is accepted in camelCase and snake_case, but not in both at once",
  "core.proposals.accept": "accepting performs the operation and stores its result",
  "core.proposals.atomic":
    "if another process decided the proposal meanwhile, the operation is rolled back",
  "core.proposals.edited":
    "values that a person edits before accepting are logged as that person's",
  "core.proposals.failure":
    "if performing fails, the proposal stays pending and the reason is reported",
  "core.proposals.pending": "an agent's proposal is stored as pending, and nothing is changed",
  "core.proposals.project":
    "a proposal, a change and an undo belong to a project and are applied there or refused",
  "core.proposals.rejection-undone":
    "a rejection is logged, and undoing it makes the proposal pending again",
  "core.proposals.twice": "a proposal cannot be decided twice",
  "core.proposals.undone":
    "an accepted proposal is pending again when its change is undone, alone or with others",
  "core.renames.separate-batches": "a rename reported in two batches keeps the id",
  "core.renames.chain": "a chain of renames in one batch keeps every id",
  "core.renames.copy":
    "a copy is a new document; of identical files, the missing one is the one that moved",
  "core.renames.file": "a renamed file keeps its id",
  "core.renames.folder":
    "a renamed folder with hundreds of files keeps every id, even of identical files",
  "core.renames.root":
    "a file moved to another collection keeps its id, and both collections are notified",
  "core.renames.swap": "two files that swap names keep their ids",
  "core.indexing.initial-scan":
    "calls wait during the initial scan of a folder, and report how much remains",
  "core.revision.counts":
    "the revision increases by one with each change of the index, and only then",
  "core.revision.limit": "waiting for a revision ends at the abort signal or the time limit",
  "core.revision.shared":
    "all processes of a home see the same revision, and never one that was rolled back",
  "core.revision.wait":
    "a wait ends when another process reaches the revision, or immediately if it is already reached",
  "core.settings.deadline": "the time limit is an integer in milliseconds",
  "core.settings.empty-force-root":
    "an empty force root is refused, not read as the current folder",
  "core.settings.force-root": "a force root that does not exist is refused at startup",
  "core.settings.home": "LECTERN_HOME isolates all state",
  "core.settings.log-level": "the flag overrides the environment, and an unknown level is refused",
  "core.store.aside": "a store moved aside never overwrites an earlier one",
  "core.store.checksums":
    "damage inside rows is refused by search, reported by doctor and repaired by update",
  "core.store.damaged-row":
    "one damaged proposal or change is read from its copy or omitted, and the list is returned",
  "core.store.gone":
    "if the store is moved or deleted while open, writes are refused and reads continue",
  "core.store.lost-tables":
    "a store with missing tables, or without the record of them, is detected and repaired",
  "core.store.log": "damage to the log of a stopped process is detected, without false positives",
  "core.store.log-length": "a process that has written much leaves a short log for the next",
  "core.store.protecting-rows":
    "damaged policies, private-file rows and trusted clients are detected, and stay in effect until repaired",
  "core.store.salvage":
    "data that exists only in the store is recovered from both sides of the damage",
  "core.store.slices":
    "each update verifies one slice of the store, and all of it after damage or on request",
  "core.store.unreadable": "a row with damaged JSON is detected, and the other rows are recovered",
  "core.tables.authored": "authored tables keep their rows, and only new migrations run",
  "core.tables.derived": "derived tables are rebuilt when their version or definition changes",
  "core.tables.newer": "tables created by a newer Lectern are refused with a message",
  "core.walk.unreadable": "unreadable entries are reported with a reason, and the walk continues",
  "core.walk.virtual": "a walk does not enter virtual file systems such as /proc",
  "core.refresh.folders":
    "files in new, moved and removed folders are indexed on demand, and later changes in them",
  "core.refresh.links": "a change of a link's target is indexed on demand",
  "core.refresh.replaced": "a root that is removed and created again is indexed on demand",
  "core.refresh.rules": "changed ignore rules apply on demand to files that have not changed",
  "core.refresh.saved": "a file saved by renaming over it is indexed on demand",
  "core.refresh.together": "concurrent refreshes all wait until the changes are indexed",
  "core.refresh.written":
    "a file that was written, created, renamed or removed just before a refresh is indexed by it",
  "core.watcher.polling": "without file system events, the folders are polled",
  "core.watcher.below-virtual": "a folder in memory below the virtual file system /dev is watched",
  "core.watcher.crash":
    "when the native watcher crashes, listeners are notified and can restart it",
  "core.watcher.events": "create, change, delete, rename and atomic save are reported",
  "core.watcher.flat": "in flat mode, nothing inside subfolders is watched",
  "core.watcher.exit": "a watcher does not keep its process alive, even if the folder is busy",
  "core.watcher.folder-returns": "a watched folder that is deleted and recreated is watched again",
  "core.watcher.new-folders": "later changes of files in newly created folders are reported",
  "core.watcher.no-orphan":
    "the native watcher ends with its process, even if the process is killed",
  "core.watcher.overflow": "too many changes to list are reported as a request for a full scan",
  "core.watcher.settled": "changes close together are reported once",
  "core.write-lock.free-thread": "waiting for another process's write does not block the thread",
  "core.write-lock.frozen":
    "if a process is suspended while it writes, another write is refused as store-busy and nothing is lost",
  "core.write-lock.timeout":
    "waiting for the write lock ends at its timeout, or when the caller aborts",
  "core.write-lock.progress":
    "a writer keeps waiting while other transactions end, whether or not they change anything",
  "core.links.target":
    "a link inside the collection follows its target when it is edited, removed or restored, and is reported under the target's name",
  "core.renames.ending": "a file whose extension changes is read again and keeps its id",
};
