import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { builtConverters } from "../../../tests/fixtures/converters.ts";
import { madePdf, swollenPdf } from "../../../tests/fixtures/made-pdf.ts";
import { childrenOf, hasEnded } from "../../../tests/programs/process.ts";
import { openReader, type Reader } from "./reader.ts";

const folder = mkdtempSync(join(tmpdir(), "lectern-converter-"));
let converters: Awaited<ReturnType<typeof builtConverters>>;

beforeAll(async () => {
  converters = await builtConverters();
});

afterAll(() => {
  converters.remove();
  rmSync(folder, { recursive: true, force: true });
});

const small = new TextEncoder().encode("<h1>Small</h1>");
/** It takes minutes: each element looks through all that are within it. */
const slow = new TextEncoder().encode(`${"<b>".repeat(100_000)}x`);

/** Runs with a reader of its own, and tells the children that belong to it. */
async function withReader(
  options: { deadlineMs?: number; idleMs?: number },
  work: (reader: Reader, children: () => number[]) => Promise<void>,
): Promise<void> {
  const before = childrenOf(process.pid);
  const reader = openReader({ program: converters.program, ...options });
  const children = () => childrenOf(process.pid).filter((pid) => !before.includes(pid));
  try {
    await work(reader, children);
  } finally {
    await reader.close();
  }
  expect(children()).toEqual([]);
}

test("one child is started by the first file, kept for the next, and gone after close", async () => {
  await withReader({}, async (reader, children) => {
    reader.readNow(small, "a.md");
    expect(children()).toEqual([]);
    await reader.read(small, "a.html");
    const first = children();
    expect(first).toHaveLength(1);
    await reader.read(small, "b.html");
    expect(children()).toEqual(first);
  });
});

test("[house.formats.deadline] a file that takes too long fails, and the next one is read", async () => {
  await withReader({ deadlineMs: 4_000 }, async (reader) => {
    const both = [reader.read(slow, "slow.html"), reader.read(small, "a.html")] as const;
    await expect(both[0]).rejects.toThrow("it takes too long to read");
    expect(await both[1]).toBe("# Small\n");
  });
});

test("[house.formats.crash] when the child is killed, its file fails and the next one is read", async () => {
  await withReader({}, async (reader, children) => {
    const waiting = reader.read(slow, "slow.html");
    const outcome = expect(waiting).rejects.toThrow("reading it crashed the converter");
    await expect.poll(children).toHaveLength(1);
    for (const pid of children()) process.kill(pid, "SIGKILL");
    await outcome;
    expect(await reader.read(small, "a.html")).toBe("# Small\n");
  });
});

test("[house.formats.crash] a child that was killed between two files is replaced", async () => {
  await withReader({}, async (reader, children) => {
    await reader.read(small, "a.html");
    const [first = 0] = children();
    process.kill(first, "SIGKILL");
    await expect.poll(children).toEqual([]);
    expect(await reader.read(small, "b.html")).toBe("# Small\n");
  });
});

test("a child that has nothing to do ends", async () => {
  await withReader({ idleMs: 50 }, async (reader, children) => {
    await reader.read(small, "a.html");
    await expect.poll(children).toEqual([]);
    expect(await reader.read(small, "a.html")).toBe("# Small\n");
  });
});

test("a child that has grown large is replaced by a small one", async () => {
  await withReader({}, async (reader, children) => {
    await reader.read(small, "a.html");
    const [first] = children();
    await expect(reader.read(swollenPdf(200_000_000), "large.pdf")).rejects.toThrow("no text");
    expect(await reader.read(small, "a.html")).toBe("# Small\n");
    expect(children()).not.toContain(first);
  });
});

test("files that wait when the reader is closed are told so", async () => {
  const reader = openReader({ program: converters.program });
  const waiting = [reader.read(slow, "slow.html"), reader.read(small, "a.html")];
  const outcomes = Promise.allSettled(waiting);
  await sleep(50);
  await reader.close();
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
  }
});

test("a converter that is missing is no fault of the file", async () => {
  const none = openReader({ program: join(folder, "missing.mjs") });
  const failure = { kind: "unavailable", message: "its converter is not installed" };
  await expect(none.read(small, "a.html")).rejects.toMatchObject(failure);

  const parts = join(folder, "half");
  cpSync(dirname(converters.program), parts, { recursive: true });
  for (const name of readdirSync(parts)) if (name.startsWith("pdf-")) rmSync(join(parts, name));
  const half = openReader({ program: join(parts, "convert.mjs") });
  expect(await half.read(small, "a.html")).toBe("# Small\n");
  const pdf = madePdf([[{ words: "words", y: 700 }]]);
  await expect(half.read(pdf, "a.pdf")).rejects.toMatchObject(failure);
  expect(await half.read(small, "a.html")).toBe("# Small\n");
  await half.close();
});

/** A program that reads one file, as ours would, and does not close the reader. */
const program = () =>
  childSource(`
    import { readFileSync } from "node:fs";
    import { openReader } from "./src/kernel/formats/reader.ts";
    const [converter, file] = process.argv.slice(2);
    const text = await openReader({ program: converter }).read(readFileSync(file), file);
    console.log(JSON.stringify(text));
  `);

test("[house.formats.silent] a program that read a file ends by itself, and only its own words are out", async () => {
  const file = join(folder, "plan.pdf");
  writeFileSync(file, madePdf([[{ words: "words", y: 700 }]]));
  const child = spawn(process.execPath, [program(), converters.program, file]);
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const [code] = await once(child, "close");
  expect([code, said]).toEqual([0, '"# plan\\n\\nwords\\n"\n']);
});

test("[house.formats.no-orphan] the child ends with its process, even while a file keeps it busy", async () => {
  const file = join(folder, "slow.html");
  writeFileSync(file, slow);
  const child = spawn(process.execPath, [program(), converters.program, file], { stdio: "ignore" });
  const grandchildren = () => childrenOf(child.pid ?? 0);
  await expect.poll(grandchildren).toHaveLength(1);
  const [converter = 0] = grandchildren();
  await expect.poll(() => processorTime(converter)).toBeGreaterThan(100);

  child.kill("SIGKILL");

  await expect.poll(() => hasEnded(converter)).toBe(true);
});

/** In hundredths of a second: more than its start takes means that it is at work. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
