import fc from "fast-check";
import { parseObjects, withDetail } from "../../src/text/objects/parse-objects.ts";
import { formatJson, parseJsonValue } from "../../src/text/objects/values/json.ts";
import { valuesEqual } from "../../src/text/objects/values/value.ts";
import { writeObjects } from "../../src/text/objects/writing/write-objects.ts";
import { damagedDocument, objectDocument } from "../fixtures/objects/object-documents.ts";

/**
 * Writes typed objects, reads them, writes them again and compares:
 * `node scripts/run.mjs tests/programs/objects-fuzz.ts 100000 7` for this many from seed 7.
 */
const [count = "100000", seed = "1"] = process.argv.slice(2);
const totals = { documents: 0, bytes: 0, invalid: 0, objects: 0, parsing: 0 };

const check = (text: string): boolean => {
  const begin = process.cpuUsage();
  const objects = parseObjects(text);
  const { user, system } = process.cpuUsage(begin);
  totals.parsing += (user + system) / 1_000;
  const standard = withDetail(objects, "standard");
  const rebuilt = writeObjects(standard);
  totals.documents++;
  totals.bytes += text.length;
  totals.objects += objects.length;
  if (!valuesEqual(parseJsonValue(formatJson(standard)), standard)) return false;
  if (!rebuilt.endsWith("\n") || rebuilt.endsWith("\n\n")) return false;
  if (objects.some((object) => object.get("__kind") === "__ParsingError")) {
    totals.invalid++;
    return true;
  }
  return valuesEqual(withDetail(parseObjects(rebuilt), "standard"), standard);
};

const outcome = fc.check(fc.property(fc.oneof(objectDocument, damagedDocument), check), {
  numRuns: Number(count),
  seed: Number(seed),
});
const { documents, bytes, invalid, objects, parsing } = totals;
const perKilobyte = (parsing / (bytes / 1_000)).toFixed(2);
process.stdout.write(
  `seed ${seed}: ${documents} documents, ${bytes} characters, ${objects} objects, ${invalid} with parsing errors; parsing took ${perKilobyte} ms of CPU time per kB\n`,
);
if (outcome.failed) {
  process.stdout.write(`${fc.defaultReportMessage(outcome) ?? ""}\n`);
  process.exitCode = 1;
}
