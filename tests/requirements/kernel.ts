/** What the kernel promises to every shelf. */
export const kernel = {
  "house.boundary.force-root": "under a force root, paths inside enter and all others are refused",
  "house.boundary.hard-links": "under a force root a file with a second name is refused",
  "house.boundary.holds": "a folder is held where every step of its path stays inside",
  "house.boundary.links": "a link that leads out of the collection is never read",
  "house.boundary.malformed": "an empty, over-long or NUL-holding path is invalid",
  "house.boundary.path-lists": "no path of the lists of traversal attempts gets out or crashes",
  "house.boundary.private-files":
    "a file of a private source is missing for every path-based operation, under each of its names",
  "house.boundary.projects":
    "what lies inside a QualCoder project is reached through the project's own operations alone",
  "house.boundary.resolved-root": "a root found above a file must lie inside the force root too",
  "house.boundary.silent": "nobody can tell what exists outside, neither by path nor by link",
  "house.boundary.special-files": "pipes, folders and devices are refused at once",
  "house.boundary.swap":
    "a file or folder that is swapped with a link all the time never gives what lies outside",
  "house.boundary.too-large": "a file over the limit is refused, one at the limit is read",
  "house.bounded.bad-cursor": "a cursor that no list gave is invalid, and the message names it",
  "house.bounded.cap": "a list of more than 200 is cut, and says how many remain",
  "house.bounded.cursor": "following the cursor shows every item once, in order",
  "house.catalogue.read-only": "--read-only leaves only what reads",
  "house.catalogue.shelves": "--shelves leaves only the shelves that it names",
  "house.catalogue.twins": "two operations of one name, route or command are refused at the start",
  "house.catalogue.unknown-shelf": "an unknown shelf is refused with the nearest name",
  "house.changes.agents":
    "every write of an agent to any shelf is in the log and announced with its change at once",
  "house.changes.approval":
    "the log says how each approval was given, by whom, and through which trusted client",
  "house.changes.record": "a change tells who did what, by which call and when",
  "house.changes.undo": "an undo takes a change back, and can be undone in turn",
  "house.changes.undo-twice":
    "the same change cannot be undone twice, one after the other or at once",
  "house.config.damaged": "a damaged configuration is told with its problem and the remedy",
  "house.config.gone":
    "a configuration that is removed meanwhile holds as it was, and is not written over",
  "house.config.killed": "a process killed while it writes leaves a whole file with all it told",
  "house.config.names": "names of collections that would break paths are refused",
  "house.config.repair": "repair keeps the damaged file and brings back the last good one",
  "house.config.together": "nothing is lost when six processes change the file at once",
  "house.config.update": "what is updated is read again, by this process and by another",
  "house.database.damaged": "a file that is no database is told apart from other trouble",
  "house.database.data-version": "another connection's commit is noticed, our own is not",
  "house.database.no-await": "a transaction refuses a promise and is rolled back",
  "house.database.old-sqlite": "an SQLite that can lose writes is refused by its version",
  "house.database.savepoint": "a transaction inside another is undone by itself",
  "house.database.snapshot": "reads of one moment do not see what is committed meanwhile",
  "house.database.together": "twelve processes on a cold file all write, and nobody sees it locked",
  "house.database.transaction": "a transaction that throws leaves nothing behind",
  "house.database.whole": "text that one of the drivers would cut is refused, never cut",
  "house.desk.activity": "activity tells what was done, and undo takes it back and forth",
  "house.desk.decide": "a number is taken as a path or a shell writes it",
  "house.desk.people-only": "nothing on the desk is a tool, and what decides says so",
  "house.desk.proposals": "what waits is listed, and what was decided is so by asking for it",
  "house.documents.clock":
    "whatever the clock shows, forward or back, what is in the files now is taken in",
  "house.documents.diff": "a scan hands over what was added, changed and removed, and no more",
  "house.documents.fresh":
    "whatever happens to the files, what is known of them is what a fresh look finds",
  "house.documents.hash": "a file that was only touched is no change",
  "house.documents.later": "what another process has seen since is neither dropped nor put back",
  "house.documents.meanwhile": "what is read of a root that was removed meanwhile is not kept",
  "house.documents.order":
    "of two processes that read a file at once, the one that records last keeps nothing older",
  "house.documents.restored": "a file that is put back as it was, time and all, is seen as it is",
  "house.documents.savepoint": "a shelf that throws is marked, and the others go on",
  "house.documents.skipped":
    "what is no document is named by every scan, though it is not read by each",
  "house.documents.times":
    "a file is compared by whether its times differ, in whatever year they lie",
  "house.documents.unread":
    "a root is unread until a scan has come to its end, and when it is defined anew",
  "house.documents.unreadable":
    "documents of a folder that cannot be read are kept until it can be told that they are gone",
  "house.fair-queue.cancelled": "who gives up leaves the queue at once",
  "house.fair-queue.lanes": "a client keeps one lane at most, and the others are free for the rest",
  "house.fair-queue.limit": "beyond its limit a client is refused, and others are not",
  "house.fair-queue.turns": "clients take turns, whoever asked for more before",
  "house.file-edits.all": "files are changed, made and taken away at once",
  "house.file-edits.inside": "nothing is made in a folder that leads outside",
  "house.file-edits.none":
    "where one file is not as it was read, or was made meanwhile, none is touched",
  "house.files.told":
    "files are written and told of, or neither, also where a process is stopped in between",
  "house.formats.bomb": "a file that unpacks to far more than its size is refused",
  "house.formats.crash": "when the child is killed, its file fails and the next one is read",
  "house.formats.damaged":
    "what is broken, cut or not what its name says is damaged, and costs one reason",
  "house.formats.deadline": "a file that takes too long fails, and the next one is read",
  "house.formats.entities": "entities that a file defines are never replaced",
  "house.formats.letters": "a page is decoded as it says, or as old pages were",
  "house.formats.locked": "a locked file says so",
  "house.formats.no-orphan": "the child ends with its process, even while a file keeps it busy",
  "house.formats.offline": "nothing that a file refers to is fetched",
  "house.formats.read":
    "Org, notebooks, pages, Word, OpenDocument, books and PDF are read as Markdown",
  "house.formats.silent":
    "a program that read a file ends by itself, and only its own words are out",
  "house.git.elsewhere":
    "a repository whose parts lie elsewhere is not pulled, and its history is not read",
  "house.git.ends": "git ends with its call, whatever it waits for",
  "house.git.fenced": "a repository outside of the force root is not looked at",
  "house.git.personal":
    "a person's own git configuration is used, and variables that name a repository are not",
  "house.git.protocols": "only https and ssh are spoken",
  "house.git.pull":
    "a pull moves the checked out branch forward in clones of every kind, and runs no hook",
  "house.git.settings":
    "no setting of a repository runs a program or has a file read, and a pull names the refused one",
  "house.home.own-lease": "the lease is a file of its owner alone",
  "house.home.tightened":
    "a home and its files that others could read are closed to them when it is opened",
  "house.host.blocked":
    "a call that blocks its host is ended, and what waited behind it is answered",
  "house.host.calls":
    "an operation in a host gets its call, and reports as it would without a host",
  "house.host.fatal": "a state that ended its host is not restored, and the next call is told",
  "house.host.heavy": "heavy calls run in a host where clients take turns, and the others here",
  "house.host.lends": "what a hosted shelf lends has its rows",
  "house.host.memory": "a host that takes too much memory is ended, and another takes its place",
  "house.host.orphans": "a host ends with its server, even while it is blocked",
  "house.host.restore": "a state whose restoring ends the host is given up",
  "house.host.silent": "a host that says nothing is ended, whatever time a call has",
  "house.indexer.elsewhere":
    "a server takes in large batches of documents in another process, and small ones itself",
  "house.indexer.fatal":
    "a document that ends the process that reads it is passed over, and the others are taken in",
  "house.lease.damaged": "a damaged file is emptied and serves again",
  "house.lease.killed": "when its holder is killed, one of the others takes the lease over",
  "house.lease.look": "who only looks learns whether the lease is held, and hinders nobody",
  "house.lease.one": "of two that ask, one holds; the other holds once it is given back",
  "house.lease.twenty": "among twenty processes there is never more than one holder",
  "house.log.controls": "no character of a log line or a trace is obeyed by a terminal",
  "house.log.debug": "DEBUG traces the topics that it names",
  "house.log.level": "lines below the level are not written",
  "house.notices.after-commit": "notices go out once for each batch, after it is recorded",
  "house.notices.commit": "what is rolled back is never told",
  "house.paths.abandoned":
    "what a killed process left unfinished in a folder is removed by the next write there",
  "house.paths.swapped":
    "files are written, listed and removed in the folder that was opened, whatever is swapped for a link",
  "house.viewers.counted": "how many pages are open is known in every process of a home",
  "house.notices.shared": "a notice reaches the listeners of every process, once",
  "house.perform.ask": "a question goes out with its memory, and the answers let the call end",
  "house.perform.clock": "the time limit is kept however often memory is swept",
  "house.perform.deadline": "work that heeds its signal ends at the time limit",
  "house.perform.deaf": "work that ignores its signal is answered without it",
  "house.perform.full": "a disk without room is told as that, with the remedy",
  "house.perform.internal": "a throw becomes an internal error that shows nothing of its cause",
  "house.perform.output": "an output that breaks its schema is an internal error",
  "house.perform.release": "a call that has its answer holds on to nothing of its caller",
  "house.home.own": "the store is its owner's alone, in a folder that others may look into",
  "house.home.trouble": "a home that cannot be used says why in a sentence, with the remedy",
  "house.perform.null":
    "null for what may be left out is as good as nothing, inside of objects too",
  "house.perform.schema":
    "input that breaks its schema is invalid, and the message names the field",
  "house.perform.stall": "a machine that stood still over the limit costs no partial answer",
  "house.perform.spelling": "a key may be written in either spelling, and never twice",
  "house.proposals.accept": "accepting performs the operation and keeps its result",
  "house.proposals.atomic": "what another process decided meanwhile rolls the operation back",
  "house.proposals.edited": "what a person changes before saying yes is told as theirs in the log",
  "house.proposals.failure": "a failure on accepting leaves the proposal pending and tells why",
  "house.proposals.pending": "what an agent proposes waits, and nothing is done",
  "house.proposals.project":
    "a proposal, a change and an undo belong to a project and are applied there or refused",
  "house.proposals.rejection-undone":
    "a rejection is in the log, and to undo it lets the proposal wait again",
  "house.proposals.twice": "nothing is decided twice",
  "house.proposals.undone":
    "an accepted proposal waits again once its change is undone, alone or with many others",
  "house.renames.apart": "a rename that is told in two batches keeps the id",
  "house.renames.chain": "a chain of renames in one batch keeps every id",
  "house.renames.copy":
    "a copy is a document of its own, and of equal files the one that is gone has moved",
  "house.renames.file": "a file that is renamed keeps its id",
  "house.renames.folder":
    "a folder of hundreds that is renamed keeps every id, also of equal files",
  "house.renames.root":
    "a file that goes to another collection keeps its id, and each side is told",
  "house.renames.swap": "two files that change names keep their ids",
  "house.reading.first":
    "whoever asks waits while the first reading of a folder goes on, and hears what is left of it",
  "house.revision.counts":
    "the revision grows by one with every change of the index, and with nothing else",
  "house.revision.limit": "a revision that never comes is waited for until the signal or the limit",
  "house.revision.shared":
    "every process of a home sees the same revision, and none that was rolled back",
  "house.revision.wait":
    "a wait ends when another process has come so far, and at once where it has already",
  "house.settings.deadline": "the time limit is a whole number of milliseconds",
  "house.settings.empty-force-root":
    "an empty force root is refused, and is not the current folder",
  "house.settings.force-root": "a force root that is not there is refused at once",
  "house.settings.home": "LECTERN_HOME isolates everything",
  "house.settings.log-level": "the flag wins over the environment, and an unknown level is refused",
  "house.store.aside": "what is put aside never takes the place of what was put aside before",
  "house.store.checksums":
    "damage inside rows is refused by a search, told by the doctor and repaired by update",
  "house.store.damaged-row":
    "one damaged proposal or change is read from its copy or left out, and the list is answered",
  "house.store.gone":
    "once the store is not where it was opened, writes are refused, and reads go on",
  "house.store.log": "a log that was damaged after its process stopped is seen, and no other",
  "house.store.salvage": "what exists nowhere else is carried over, from both sides of the damage",
  "house.store.slices":
    "each update verifies a slice of the store, and all of it once damage is met or on request",
  "house.store.unreadable":
    "a row whose JSON was damaged is found, and the others are carried over",
  "house.tables.authored": "authored tables keep what they hold and take only the new steps",
  "house.tables.derived": "derived tables are made anew when their version or text changes",
  "house.tables.newer": "tables that a newer Lectern made are refused, and say so",
  "house.walk.unreadable": "what cannot be read is named with its reason, and ends no walk",
  "house.walk.virtual": "the kernel's own file systems are not entered from above",
  "house.watcher.blind": "where the system cannot watch, everything is looked at again and again",
  "house.watcher.crash": "when the native watcher dies, listeners are told and can begin anew",
  "house.watcher.events": "creating, changing, removing, renaming and saving by rename are told",
  "house.watcher.flat":
    "of a folder that matters alone, what lies below its folders is not watched",
  "house.watcher.exit": "a watcher does not keep its process alive, however busy the folder is",
  "house.watcher.folder-returns":
    "a watched folder that is removed and made again is watched again",
  "house.watcher.new-folders":
    "files in folders that were filled at once are heard of from then on",
  "house.watcher.no-orphan": "the native watcher ends with its process, even one that is killed",
  "house.watcher.overflow": "more changes than are worth naming ask to look at everything",
  "house.watcher.settled": "changes that come together are told once",
  "house.write-lock.free-thread":
    "a call that waits for another process to finish writing leaves the thread to others",
  "house.write-lock.frozen":
    "behind a process that is stopped while it writes, a write is refused as store-busy and nothing is lost",
  "house.write-lock.patience":
    "a wait for the write lock ends after its patience, or when the caller gives up",
  "house.write-lock.progress":
    "a writer waits its turn while others end transactions, whether or not these change anything",
  "house.links.target":
    "a link inside follows its target: edited, gone, back, and told by the target's name alone",
  "house.renames.ending": "a file that gets another ending is read anew under its id",
};
