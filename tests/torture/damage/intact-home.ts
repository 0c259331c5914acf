import { cpSync, mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sample, startServer } from "../../journeys/program.ts";
import { filesBelow } from "../files-below.ts";
import { type HttpClient, httpClientAt, Refused } from "../http-client.ts";

/** A home with every kind of data that Lectern stores. */
export interface IntactHome extends FilledHome {
  /** The answers before any damage. */
  answers: Answers;
}

interface FilledHome {
  home: string;
  root: string;
  /** The id of an analysis of the library's code. */
  analysisId: string;
}

export type Answers = Record<string, unknown>;

/** Questions about every kind of file in a home. */
const questions: Record<string, (client: HttpClient, filled: FilledHome) => Promise<unknown>> = {
  search: ({ callTool }) => callTool("search", { query: "harbour", limit: 100 }),
  get: ({ callTool }) => callTool("get", { file: "sample/handbook/welcome.md" }),
  documents: ({ callAsPerson }) => callAsPerson("GET", "/documents"),
  contexts: ({ callAsPerson }) => callAsPerson("GET", "/contexts"),
  collections: ({ callAsPerson }) => callAsPerson("GET", "/collections"),
  proposals: ({ callAsPerson }) => callAsPerson("GET", "/proposals?status=all"),
  activity: ({ callAsPerson }) => callAsPerson("GET", "/activity"),
  project: ({ callTool }, { root }) =>
    callTool("open_project", { path: join(root, "interviews.qda") }),
  segments: ({ callTool }) => callTool("list_segments_for_source", { source_id: 1 }),
  source: ({ callTool }) => callTool("read_source_content", { source_id: 1 }),
  codes: ({ callTool }) => callTool("list_codes"),
  analysis: async ({ callTool }, { root, analysisId }) => {
    const recommended = () => callTool("recommend_ssg", { analysisId });
    return recommended().catch(async (error: unknown) => {
      // A missing analysis is repeated, as the error suggests.
      if (!(error instanceof Refused) || error.status !== 404) throw error;
      await callTool("analyze_repository", { path: join(root, "code") });
      return recommended();
    });
  },
  drift: ({ callTool }, { root }) =>
    callTool("sync_code_to_docs", { projectPath: join(root, "code") }),
};

export async function createIntactHome(folder: string): Promise<IntactHome> {
  const home = join(folder, "home");
  const root = join(folder, "library");
  cpSync(sample, root, { recursive: true });
  mkdirSync(join(root, "code"));
  writeFileSync(join(root, "code", "package.json"), '{"name":"code","main":"index.js"}\n');
  writeFileSync(join(root, "code", "index.js"), "export function light(lamp) {}\n");
  writeFileSync(join(root, "code", "README.md"), "# Code\n\nCall `light(lamp)`.\n");
  // A copied folder keeps times of whole seconds exactly.
  for (const path of filesBelow(root)) utimesSync(join(root, path), 1, 1);
  mkdirSync(home);
  await withServer(home, root, (client) => fillHome(client, root));
  const analysisId = await withServer(home, root, (client) => addToHome(client, root));
  const filled = { home, root, analysisId };
  return { ...filled, answers: await answersAfterStart(filled) };
}

async function withServer<Result>(
  home: string,
  root: string,
  callback: (client: HttpClient) => Promise<Result>,
): Promise<Result> {
  const server = await startServer(home, ["--root", root]);
  try {
    return await callback(httpClientAt(server.url));
  } finally {
    await server.stop();
  }
}

async function fillHome({ callTool, callAsPerson }: HttpClient, root: string): Promise<void> {
  await callAsPerson("POST", "/collections/add", { path: root, name: "sample" });
  await callAsPerson("POST", "/contexts/add", { path: "sample/notes", text: "Meetings" });
  await callTool("propose-decision", { kind: "new", title: "Keep the lamp lit" });
  await callTool("create_project", { path: join(root, "interviews.qda") });
  // Damage to a text that fills its own page could be undetectable.
  for (let number = 1; number <= 8; number++) {
    const content = `Somebody hopes, and says so ${number} times. `.repeat(60);
    await callTool("add_text_source", { name: `Interview ${number}`, content });
  }
  await callTool("create_code", { name: "Hope", color: "#00AA00" });
  for (let start = 0; start < 200; start += 10) {
    const passage = { code_id: 1, source_id: 1, start_position: start, end_position: start + 9 };
    await callTool("batch_apply_codes", { operations: [passage] });
  }
  await callAsPerson("POST", "/qualitative/projects/export", { file: join(root, "all.qdpx") });
}

/** The first write of another process leaves a backup of the project. */
async function addToHome({ callTool }: HttpClient, root: string): Promise<string> {
  await callTool("open_project", { path: join(root, "interviews.qda") });
  await callTool("create_code", { name: "Doubt", color: "#AA0000" });
  const code = join(root, "code");
  await callTool("sync_code_to_docs", { projectPath: code });
  return (await callTool<{ data: { id: string } }>("analyze_repository", { path: code })).data.id;
}

/** The answers of a new server, after it has compared the folders with its store. */
const answersAfterStart = (filled: FilledHome): Promise<Answers> =>
  withServer(filled.home, filled.root, async (client) => {
    await client.send("POST", "/update", {});
    const answers: Answers = {};
    for (const [question, ask] of Object.entries(questions)) {
      answers[question] = await ask(client, filled).then(
        withoutVolatileParts,
        (error: unknown) => error,
      );
    }
    return answers;
  });

/** The same; if the server cannot start, each answer is its error. */
export async function answersOrError(filled: FilledHome): Promise<Answers> {
  try {
    return await answersAfterStart(filled);
  } catch (error) {
    return Object.fromEntries(Object.keys(questions).map((question) => [question, error]));
  }
}

/** Without the parts that differ each time. */
const withoutVolatileParts = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/"executionTime":[\d.]+/g, '"executionTime":0')
      .replace(/"(timestamp|modified)":"[^"]*"/g, '"when":""'),
  );
