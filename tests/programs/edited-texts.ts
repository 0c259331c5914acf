import { emptyTally, followThroughEdits } from "../fixtures/edited-texts.ts";

/**
 * Follows passages through random scripts of edits and counts what becomes of them:
 * `node scripts/run.mjs tests/programs/edited-texts.ts 100000 7` for so many scripts from seed 7,
 * half of them told, half guessed from the texts.
 */
const [count = "100000", seed = "1"] = process.argv.slice(2);
let isWell = true;
for (const isGuess of [false, true]) {
  const tally = emptyTally();
  for (let script = 0; script < Number(count) / 2; script++) {
    followThroughEdits(Number(seed) * 1_000_003 + script, isGuess, tally);
  }
  const { wrong, ...counts } = tally;
  const found = tally.carriedFound / tally.carried;
  process.stdout.write(
    `${isGuess ? "guessed" : "told"}: ${JSON.stringify(counts)}, ${(found * 100).toFixed(2)} % of the carried found, ${wrong.length} wrong\n`,
  );
  for (const complaint of wrong.slice(0, 10)) process.stdout.write(`  ${complaint}\n`);
  isWell &&= wrong.length === 0 && (isGuess || (tally.untouchedWaiting === 0 && found >= 0.98));
}
if (!isWell) process.exitCode = 1;
