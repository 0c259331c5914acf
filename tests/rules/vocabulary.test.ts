import { expect, test } from "vitest";
import { filesBelow } from "./source-files.ts";

/** Names that were replaced by standard terms, with the term to use. */
const retired: readonly [name: RegExp, instead: string][] = [
  [
    /^(?:most|longest|deepest|least)(?:Bytes|Chars|Files|Tokens|Turns|Lines|Rows|Depth)$/,
    "maxX, minX",
  ],
  [/^usual[A-Z]/, "defaultX"],
  [/^(?:open)?House$/, "Runtime, openRuntime"],
  [/^(?:open)?Library$/, "App, openApp"],
  [/^(?:Desk|IndexKeeper|sideDoor)$/, "ConnectionContext, IndexWorker, cliApi"],
  [/^(?:Rehearsal|onTrial)$/, "DryRun"],
  [/^(?:takeIn|intake|Intake|absorb)$/, "applyChanges, Indexer, onDocumentChanges"],
  [/^(?:firstReading|unread|wholeRoots)$/, "initialScan, scanState"],
  [/^(?:Patience|breathe|openTurn)$/, "WaitOptions, yieldToEventLoop, timeSlice"],
  [/^(?:troubleInWords|endpointTrouble)$/, "describeIoError, endpointErrors"],
  [/^(?:Departed|refuseTwins|leastFar)$/, "RecentlyRemovedIds, assertUnique, closestNames"],
  [/^(?:hearOut|deaf|tellBlind|tend)$/, "awaitReply, pollUnwatched, reconcile"],
  [/^(?:Fence|enclosure)$/, "PathSandbox, scopedConfig"],
  [/^(?:told|toldEdits|applyTold|toldChanges)$/i, "journaledEdits, activitySync"],
  [/^(?:unmade|unmadeIn|retractUnmade|mended)$/, "orphanedEntries, repaired"],
  [/^(?:deed|Deed|Hand|Pen)$/, "WriteRequest, WriteContext, RowWriter"],
  [/^(?:Trowel|Basket|Filling)$/, "ImportContext, ExportContext, ImportOptions"],
  [/^(?:Face|facing|inNameOf)$/, "ProjectView, asCoder"],
  [/^(?:Sight|Ground|Territory|Lending|lent)$/, "RepoModel, LinkContext, WorkspaceMap, sqlTables"],
  [/^(?:wordsOf|said|placeOf)$/, "textOf, message, locationOf"],
  [/^(?:visitors?|thief)$/, "client, attacker"],
  [/^(?:barriersOn|strikeIn)$/, "accessibilityIssues, pressKeysIn"],
  [/^(?:wrongs|breaches|harms)$/, "losses, violations, damages"],
  [/^(?:wordsFor|wordsFrom|toldBy|waysIn|whatIsThere)$/, "argsFor, contentsOf, transports"],
  [/^(?:atServer|atShell|atStore|inTurn|allAtOnce)$/, "withServer, runCommand, sequentially"],
  [/^(?:greets?|hello|hears|heard)$/, "initialize, onOutput"],
  [/^(?:dwell|monsters?|patiently|crowdedServer|crowdedBridge)$/, "debounce, generators, timeout"],
];

/** Words that file names must not contain. */
const retiredFiles =
  /(?:^|[/-])(?:house|desk|intake|told|unmade|trouble|territory|trowel|lending|whole-roots|first-reading|side-door|enclosure)(?:[/.-]|$)/;

const declared = /\b(?:const|let|function\*?|class|interface|type|enum|as) (\w+)/g;

/** A schema with the type inferred from it, and the overloads of a function, count as one. */
const exported =
  /^export (?:declare )?(?:async )?(?:function\*?|const|class|interface|type|enum) (\w+)/gm;

test("[core.conventions.vocabulary] no retired name is declared", () => {
  const found = filesBelow(["src", "web", "scripts", "tests"], /\.(ts|tsx|mjs)$/).flatMap(
    ({ path, text }) =>
      [...text.matchAll(declared)].flatMap(([, name = ""]) =>
        retired
          .filter(([pattern]) => pattern.test(name))
          .map(([, instead]) => `${path}: ${name} (use ${instead})`),
      ),
  );

  expect(found).toEqual([]);
});

test("[core.conventions.vocabulary] no file has a retired name", () => {
  const paths = filesBelow(["src", "web", "scripts", "tests"], /\.(ts|tsx|mjs)$/)
    .map(({ path }) => path)
    .filter((path) => retiredFiles.test(path));

  expect(paths).toEqual([]);
});

test("[core.conventions.one-meaning] no exported name has two meanings in one layer", () => {
  const pathsByName = new Map<string, Set<string>>();
  for (const { path, text } of filesBelow(["src", "web"], /(?<!\.test)\.tsx?$/)) {
    const layer =
      /^(?:src\/(?:text|kernel|shelves|surfaces|commands)|web)/.exec(path)?.[0] ?? "src";
    for (const [, name] of text.matchAll(exported)) {
      const key = `${name} in ${layer}`;
      pathsByName.set(key, (pathsByName.get(key) ?? new Set()).add(path));
    }
  }
  const shared = [...pathsByName].filter(([, paths]) => paths.size > 1);

  expect(shared.map(([name, paths]) => `${name}: ${[...paths].join(", ")}`)).toEqual([]);
});

test("[core.conventions.folder-size] a folder has at most 25 files", () => {
  const counts = new Map<string, number>();
  for (const { path } of filesBelow(["src", "web", "tests", "scripts"], /\.\w+$/)) {
    const folder = path.slice(0, path.lastIndexOf("/"));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const large = [...counts].filter(([, count]) => count > 25);

  expect(large).toEqual([]);
});
