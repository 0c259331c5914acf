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
  search: ({ tool }) => tool("search", { query: "harbour", limit: 100 }),
  get: ({ tool }) => tool("get", { file: "sample/handbook/welcome.md" }),
  documents: ({ asPerson }) => asPerson("GET", "/documents"),
  contexts: ({ asPerson }) => asPerson("GET", "/contexts"),
  collections: ({ asPerson }) => asPerson("GET", "/collections"),
  proposals: ({ asPerson }) => asPerson("GET", "/proposals?status=all"),
  activity: ({ asPerson }) => asPerson("GET", "/activity"),
  project: ({ tool }, { root }) => tool("open_project", { path: join(root, "interviews.qda") }),
  segments: ({ tool }) => tool("list_segments_for_source", { source_id: 1 }),
  source: ({ tool }) => tool("read_source_content", { source_id: 1 }),
  codes: ({ tool }) => tool("list_codes"),
  analysis: async ({ tool }, { root, analysisId }) => {
    const recommended = () => tool("recommend_ssg", { analysisId });
    return recommended().catch(async (error: unknown) => {
      // A missing analysis is repeated, as the error suggests.
      if (!(error instanceof Refused) || error.status !== 404) throw error;
      await tool("analyze_repository", { path: join(root, "code") });
      return recommended();
    });
  },
  drift: ({ tool }, { root }) => tool("sync_code_to_docs", { projectPath: join(root, "code") }),
};

export async function createIntactHome(place: string): Promise<IntactHome> {
  const home = join(place, "home");
  const root = join(place, "library");
  cpSync(sample, root, { recursive: true });
  mkdirSync(join(root, "code"));
  writeFileSync(join(root, "code", "package.json"), '{"name":"code","main":"index.js"}\n');
  writeFileSync(join(root, "code", "index.js"), "export function light(lamp) {}\n");
  writeFileSync(join(root, "code", "README.md"), "# Code\n\nCall `light(lamp)`.\n");
  // A copied folder keeps times of whole seconds exactly.
  for (const path of filesBelow(root)) utimesSync(join(root, path), 1, 1);
  mkdirSync(home);
  await atServer(home, root, (client) => fillHome(client, root));
  const analysisId = await atServer(home, root, (client) => addToHome(client, root));
  const filled = { home, root, analysisId };
  return { ...filled, answers: await answersAfterStart(filled) };
}

async function atServer<Result>(
  home: string,
  root: string,
  work: (client: HttpClient) => Promise<Result>,
): Promise<Result> {
  const server = await startServer(home, ["--root", root]);
  try {
    return await work(httpClientAt(server.url));
  } finally {
    await server.stop();
  }
}

async function fillHome({ tool, asPerson }: HttpClient, root: string): Promise<void> {
  await asPerson("POST", "/collections/add", { path: root, name: "sample" });
  await asPerson("POST", "/contexts/add", { path: "sample/notes", text: "Meetings" });
  await tool("propose-decision", { kind: "new", title: "Keep the lamp lit" });
  await tool("create_project", { path: join(root, "interviews.qda") });
  // Damage to a text that fills its own page could be undetectable.
  for (let number = 1; number <= 8; number++) {
    const content = `Somebody hopes, and says so ${number} times. `.repeat(60);
    await tool("add_text_source", { name: `Interview ${number}`, content });
  }
  await tool("create_code", { name: "Hope", color: "#00AA00" });
  for (let start = 0; start < 200; start += 10) {
    const passage = { code_id: 1, source_id: 1, start_position: start, end_position: start + 9 };
    await tool("batch_apply_codes", { operations: [passage] });
  }
  await asPerson("POST", "/qualitative/projects/export", { file: join(root, "all.qdpx") });
}

/** The first write of another process leaves a backup of the project. */
async function addToHome({ tool }: HttpClient, root: string): Promise<string> {
  await tool("open_project", { path: join(root, "interviews.qda") });
  await tool("create_code", { name: "Doubt", color: "#AA0000" });
  const code = join(root, "code");
  await tool("sync_code_to_docs", { projectPath: code });
  return (await tool<{ data: { id: string } }>("analyze_repository", { path: code })).data.id;
}

/** The answers of a new server, after it has compared the folders with its store. */
const answersAfterStart = (filled: FilledHome): Promise<Answers> =>
  atServer(filled.home, filled.root, async (client) => {
    await client.send("POST", "/update", {});
    const answers: Answers = {};
    for (const [question, ask] of Object.entries(questions)) {
      answers[question] = await ask(client, filled).then(comparable, (error: unknown) => error);
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
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/"executionTime":[\d.]+/g, '"executionTime":0')
      .replace(/"(timestamp|modified)":"[^"]*"/g, '"when":""'),
  );
