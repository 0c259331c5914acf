import fc from "fast-check";
import { printJson, readJson } from "../../src/text/objects/json.ts";
import { inFormat, parseObjects } from "../../src/text/objects/parse.ts";
import { rebuildObjects } from "../../src/text/objects/rebuild.ts";
import { sameValue } from "../../src/text/objects/value.ts";
import { damagedDocument, objectDocument } from "../fixtures/object-documents.ts";

/**
 * Writes typed objects, reads them, writes them again and compares, as often as it is told:
 * `node scripts/run.mjs tests/programs/objects-fuzz.ts 100000 7` for so many documents from seed 7.
 */
const [count = "100000", seed = "1"] = process.argv.slice(2);
const seen = { documents: 0, bytes: 0, complained: 0, objects: 0, parsing: 0 };

const check = (text: string): boolean => {
  const begin = process.cpuUsage();
  const objects = parseObjects(text);
  const { user, system } = process.cpuUsage(begin);
  seen.parsing += (user + system) / 1_000;
  const standard = inFormat(objects, "standard");
  const rebuilt = rebuildObjects(standard);
  seen.documents++;
  seen.bytes += text.length;
  seen.objects += objects.length;
  if (!sameValue(readJson(printJson(standard)), standard)) return false;
  if (!rebuilt.endsWith("\n") || rebuilt.endsWith("\n\n")) return false;
  if (objects.some((object) => object.get("__kind") === "__ParsingError")) {
    seen.complained++;
    return true;
  }
  return sameValue(inFormat(parseObjects(rebuilt), "standard"), standard);
};

const outcome = fc.check(fc.property(fc.oneof(objectDocument, damagedDocument), check), {
  numRuns: Number(count),
  seed: Number(seed),
});
const { documents, bytes, complained, objects, parsing } = seen;
const perKilobyte = (parsing / (bytes / 1_000)).toFixed(2);
process.stdout.write(
  `seed ${seed}: ${documents} documents, ${bytes} letters, ${objects} objects, ${complained} with complaints; parsing took ${perKilobyte} ms of the processor per kB\n`,
);
if (outcome.failed) {
  process.stdout.write(`${fc.defaultReportMessage(outcome) ?? ""}\n`);
  process.exitCode = 1;
}
