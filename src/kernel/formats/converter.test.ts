import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { childSource } from "../../../tests/child-source.ts";
import { builtConverters } from "../../../tests/fixtures/files/converters.ts";
import { madePdf, swollenPdf } from "../../../tests/fixtures/files/made-pdf.ts";
import { childrenOf, hasEnded } from "../../../tests/programs/process.ts";
import { type DocumentReader, openDocumentReader } from "./document-reader.ts";

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
/** Takes minutes to convert: each element visits all of its descendants. */
const slow = new TextEncoder().encode(`${"<b>".repeat(100_000)}x`);

/** Runs with a separate reader, and returns its child processes. */
async function withReader(
  options: { deadlineMs?: number; idleMs?: number },
  work: (reader: DocumentReader, children: () => number[]) => Promise<void>,
): Promise<void> {
  const before = childrenOf(process.pid);
  const reader = openDocumentReader({ program: converters.program, ...options });
  const children = () => childrenOf(process.pid).filter((pid) => !before.includes(pid));
  try {
    await work(reader, children);
  } finally {
    await reader.close();
  }
  expect(children()).toEqual([]);
}

test("the first file starts one child process, which is reused and ends at close", async () => {
  await withReader({}, async (reader, children) => {
    reader.readSync(small, "a.md");
    expect(children()).toEqual([]);
    await reader.read(small, "a.html");
    const first = children();
    expect(first).toHaveLength(1);
    await reader.read(small, "b.html");
    expect(children()).toEqual(first);
  });
});

test("[core.formats.deadline] a file that exceeds the time limit fails, and the next one is read", async () => {
  await withReader({ deadlineMs: 4_000 }, async (reader) => {
    const both = [reader.read(slow, "slow.html"), reader.read(small, "a.html")] as const;
    await expect(both[0]).rejects.toThrow("it takes too long to read");
    expect(await both[1]).toBe("# Small\n");
  });
});

test("[core.formats.crash] when the child process is killed, its file fails and the next one is read", async () => {
  await withReader({}, async (reader, children) => {
    const waiting = reader.read(slow, "slow.html");
    const outcome = expect(waiting).rejects.toThrow("reading it crashed the converter");
    await expect.poll(children).toHaveLength(1);
    for (const pid of children()) process.kill(pid, "SIGKILL");
    await outcome;
    expect(await reader.read(small, "a.html")).toBe("# Small\n");
  });
});

test("[core.formats.crash] a child process killed between two files is replaced", async () => {
  await withReader({}, async (reader, children) => {
    await reader.read(small, "a.html");
    const [first = 0] = children();
    process.kill(first, "SIGKILL");
    await expect.poll(children).toEqual([]);
    expect(await reader.read(small, "b.html")).toBe("# Small\n");
  });
});

test("an idle child process exits", async () => {
  await withReader({ idleMs: 50 }, async (reader, children) => {
    await reader.read(small, "a.html");
    await expect.poll(children).toEqual([]);
    expect(await reader.read(small, "a.html")).toBe("# Small\n");
  });
});

test("a child process that has grown large is replaced", async () => {
  await withReader({}, async (reader, children) => {
    await reader.read(small, "a.html");
    const [first] = children();
    await expect(reader.read(swollenPdf(200_000_000), "large.pdf")).rejects.toThrow("no text");
    expect(await reader.read(small, "a.html")).toBe("# Small\n");
    expect(children()).not.toContain(first);
  });
});

test("files waiting when the reader is closed fail with a message", async () => {
  const reader = openDocumentReader({ program: converters.program });
  const waiting = [reader.read(slow, "slow.html"), reader.read(small, "a.html")];
  const outcomes = Promise.allSettled(waiting);
  await sleep(50);
  await reader.close();
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: "rejected", reason: { kind: "unavailable" } });
  }
});

test("a missing converter is not blamed on the file", async () => {
  const none = openDocumentReader({ program: join(folder, "missing.mjs") });
  const failure = { kind: "unavailable", message: "its converter is not installed" };
  await expect(none.read(small, "a.html")).rejects.toMatchObject(failure);

  const parts = join(folder, "half");
  cpSync(dirname(converters.program), parts, { recursive: true });
  for (const name of readdirSync(parts)) if (name.startsWith("pdf-")) rmSync(join(parts, name));
  const half = openDocumentReader({ program: join(parts, "convert.mjs") });
  expect(await half.read(small, "a.html")).toBe("# Small\n");
  const pdf = madePdf([[{ words: "words", y: 700 }]]);
  await expect(half.read(pdf, "a.pdf")).rejects.toMatchObject(failure);
  expect(await half.read(small, "a.html")).toBe("# Small\n");
  await half.close();
});

/** A program that reads one file and does not close the reader. */
const program = () =>
  childSource(`
    import { readFileSync } from "node:fs";
    import { openDocumentReader } from "./src/kernel/formats/document-reader.ts";
    const [converter, file] = process.argv.slice(2);
    const text = await openDocumentReader({ program: converter }).read(readFileSync(file), file);
    console.log(JSON.stringify(text));
  `);

test("[core.formats.silent] a program that read a file exits by itself and prints only its own output", async () => {
  const file = join(folder, "plan.pdf");
  writeFileSync(file, madePdf([[{ words: "words", y: 700 }]]));
  const child = spawn(process.execPath, [program(), converters.program, file]);
  let output = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, "close");
  expect([code, output]).toEqual([0, '"# plan\\n\\nwords\\n"\n']);
});

test("[core.formats.no-orphan] the child process ends with its parent, even while it is busy", async () => {
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

/** CPU time in hundredths of a second: more than the start needs, so the process is working. */
function processorTime(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return Number(fields[11]) + Number(fields[12]);
}
