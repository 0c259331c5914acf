import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { childSource } from "../../child-source.ts";
import { clientsOf } from "../../contract/surface-clients.ts";
import { projectLibrary, projectShelves } from "../../fixtures/qualitative/project-library.ts";
import { startProcess } from "../../programs/process.ts";
import { call, request } from "../../programs/wire.ts";

/** Calls a tool and returns its result envelope. */
type Ask = (name: string, input?: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** Opens a separate app for each surface. Relative paths start from `root`. */
const surfaces: Record<string, () => Promise<{ ask: Ask; root: string }>> = {
  "POST /tools/{name}": async () => {
    const { library, root } = projectLibrary();
    const { tool } = clientsOf(library, projectShelves);
    return { root, ask: async (name, input = {}) => (await tool(name, input)).body };
  },
  "POST /mcp": async () => {
    const { library, root } = projectLibrary();
    const { rpc } = clientsOf(library, projectShelves);
    const ask: Ask = async (name, input = {}) => {
      const { result } = await rpc("tools/call", { name, arguments: input });
      return envelopeIn(result);
    };
    return { root, ask };
  },
  stdio: async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-import-")));
    const root = join(folder, "work");
    mkdirSync(root);
    const command = [process.execPath, stdioServer, root];
    const { child, ended, answerTo } = startProcess(command, {
      LECTERN_HOME: join(folder, "home"),
    });
    onTestFinished(async () => {
      child.kill();
      await ended;
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    });
    const params = {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "t", version: "1" },
    };
    child.stdin.write(request(0, "initialize", params));
    await answerTo(0);
    let id = 0;
    const ask: Ask = async (name, input = {}) => {
      id++;
      child.stdin.write(call(id, name, input));
      return envelopeIn((await answerTo(id)).result);
    };
    return { root, ask };
  },
};

/** The envelope of a tool result. `isError` of the protocol must match its `success`. */
function envelopeIn(result: Record<string, unknown> | undefined): Record<string, unknown> {
  const envelope = result?.structuredContent as Record<string, unknown>;
  expect(envelope.success).toBe(result?.isError !== true);
  return envelope;
}

const stdioServer = childSource(`
  import { openApp } from "./src/kernel/runtime/app.ts";
  import { createLog } from "./src/kernel/runtime/log.ts";
  import { readSettings } from "./src/kernel/home/settings.ts";
  import { serveAgent } from "./src/commands/serving/mcp.ts";
  import { qualitative } from "./src/shelves/qualitative/shelf.ts";
  import { claimStdout } from "./src/surfaces/mcp/transport/stdio.ts";

  const output = claimStdout();
  const app = openApp({
    shelves: [qualitative],
    settings: readSettings({ root: process.argv[2] }, process.env, process.cwd()),
    identity: { name: "lectern", title: "Lectern", version: "0" },
    log: createLog({ level: "error", write: (line) => process.stderr.write(line) }),
  });
  await serveAgent(app, output);
  await app.close();
  process.exit(0);
`);

for (const [surface, open] of Object.entries(surfaces)) {
  async function createProject() {
    const { ask, root } = await open();
    await ask("create_project", { path: join(root, "talks.qda") });
    await ask("create_code", { name: "Hope", color: "#0A0" });
    const file = (name: string, content: string): string => {
      writeFileSync(join(root, name), content);
      return join(root, name);
    };
    return { ask, file, root };
  }

  test(`[qualitative.import.wire] ${surface}: a file is checked, imported and read`, async () => {
    const { ask, file } = await createProject();
    const file_path = file("talk.txt", "P01: I hoped 😀.\nP02: I did not.\nP01: Still.");

    expect(await ask("import_file_source", { file_path, dry_run: true })).toEqual({
      success: true,
      data: {
        dry_run: true,
        file_path,
        name: "talk.txt",
        source_type: "text",
        file_size: 46,
        text_length: 43,
        message: "File 'talk.txt' (text, 46 bytes) is valid and ready to import",
      },
    });
    expect(await ask("list_sources")).toMatchObject({ data: { count: 0 } });
    expect(await ask("import_file_source", { file_path, memo: "m", origin: "o" })).toMatchObject({
      success: true,
      data: { source_id: 1, name: "talk.txt", type: "text", status: "imported", file_size: 46 },
    });
    expect(
      await ask("read_source_content", { source_id: 1, start_pos: 13, end_pos: 15 }),
    ).toMatchObject({
      data: { content: "😀." },
    });
  });

  test(`[qualitative.import.wire] ${surface}: failures have the documented codes`, async () => {
    const { ask, file, root } = await createProject();
    const check = async (input: Record<string, unknown>, code: string) =>
      expect(await ask("import_file_source", input)).toMatchObject({
        success: false,
        error: expect.stringMatching(/\w/),
        error_code: `SOURCE_NOT_IMPORTED/${code}`,
      });
    await ask("import_file_source", { file_path: file("talk.txt", "x") });

    await check({ file_path: "talk.txt" }, "RELATIVE_PATH");
    await check({ file_path: join(root, "none.txt") }, "FILE_NOT_FOUND");
    await check({ file_path: file("a.exe", "x") }, "UNSUPPORTED_TYPE");
    await check({ file_path: join(root, "talk.txt"), name: "TALK.TXT" }, "DUPLICATE_NAME");
    await check({ file_path: file("empty.txt", "") }, "EMPTY_CONTENT");
    await ask("close_project");
    expect(await ask("import_file_source", { file_path: "/x" })).toMatchObject({
      error_code: "NO_PROJECT",
    });
  });

  test(`[qualitative.autocode.wire] ${surface}: patterns and speakers are previewed, then coded`, async () => {
    const { ask, file } = await createProject();
    await ask("import_file_source", {
      file_path: file("talk.txt", "P01: I hoped 😀.\nP02: Hope!\nP01: Still."),
    });

    for (const [name, input, words] of [
      ["auto_code_pattern", { pattern: "hope\\w*", match_type: "regex" }, ["hoped", "Hope"]],
      ["auto_code_speaker", { speaker: "P01" }, ["I hoped 😀.", "Still."]],
    ] as const) {
      const preview = await ask(name, { code_id: 1, ...input, dry_run: true });
      expect(preview).toMatchObject({
        success: true,
        data: {
          dry_run: true,
          matched: 2,
          coded: 0,
          matches: words.map((selected_text) => ({ selected_text })),
        },
      });
      const coded = await ask(name, { code_id: 1, source_id: "1", ...input });
      expect(coded).toMatchObject({
        success: true,
        data: { coded: 2, change_id: expect.any(Number) },
      });
      expect(await ask(name, { code_id: 1, ...input })).toMatchObject({
        data: { coded: 0, duplicates_skipped: 2 },
      });
    }
    const { data } = await ask("list_segments_for_source", { source_id: 1 });
    expect((data as { selected_text: string }[]).map((one) => one.selected_text)).toEqual([
      "I hoped 😀.",
      "hoped",
      "Hope",
      "Still.",
    ]);
    expect(
      await ask("auto_code_pattern", { code_id: 1, pattern: "(", match_type: "regex" }),
    ).toMatchObject({
      success: false,
      error_code: "AUTO_CODE_PATTERN/INVALID_PATTERN",
    });
    expect(await ask("auto_code_speaker", { code_id: 9, speaker: "x" })).toMatchObject({
      error_code: "CODE_NOT_FOUND",
    });
  });
}
