import { emptyTally, followThroughEdits } from "../fixtures/qualitative/edited-texts.ts";

/**
 * Follows passages through random scripts of edits and counts the results:
 * `node scripts/run.mjs tests/programs/edited-texts.ts 100000 7` for this many scripts from seed 7,
 * half of them with reported edits, half with edits computed from the texts.
 */
const [count = "100000", seed = "1"] = process.argv.slice(2);
let passed = true;
for (const isGuess of [false, true]) {
  const tally = emptyTally();
  for (let script = 0; script < Number(count) / 2; script++) {
    followThroughEdits(Number(seed) * 1_000_003 + script, isGuess, tally);
  }
  const { errors, ...counts } = tally;
  const found = tally.movedFound / tally.moved;
  process.stdout.write(
    `${isGuess ? "guessed" : "reported"}: ${JSON.stringify(counts)}, ${(found * 100).toFixed(2)} % of moved passages found, ${errors.length} wrong\n`,
  );
  for (const complaint of errors.slice(0, 10)) process.stdout.write(`  ${complaint}\n`);
  passed &&= errors.length === 0 && (isGuess || (tally.untouchedWaiting === 0 && found >= 0.98));
}
if (!passed) process.exitCode = 1;
