import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sample, startServer } from "../journeys/program.ts";
import { type Visitor, visitorAt } from "./visitor.ts";

/** A home with something of everything that Lectern keeps. */
export interface SoundHome {
  home: string;
  root: string;
  /** What is answered while everything is as it was left. */
  answers: Answers;
}

export type Answers = Record<string, unknown>;

/** What is asked of a home: of every kind of file in it. */
const questions: Record<string, (visitor: Visitor, root: string) => Promise<unknown>> = {
  search: ({ tool }) => tool("search", { query: "harbour", limit: 100 }),
  get: ({ tool }) => tool("get", { file: "sample/handbook/welcome.md" }),
  documents: ({ asPerson }) => asPerson("GET", "/documents"),
  contexts: ({ asPerson }) => asPerson("GET", "/contexts"),
  collections: ({ asPerson }) => asPerson("GET", "/collections"),
  proposals: ({ asPerson }) => asPerson("GET", "/proposals?status=all"),
  activity: ({ asPerson }) => asPerson("GET", "/activity"),
  project: ({ tool }, root) => tool("open_project", { path: join(root, "interviews.qda") }),
  segments: ({ tool }) => tool("list_segments_for_source", { source_id: 1 }),
  source: ({ tool }) => tool("read_source_content", { source_id: 1 }),
  codes: ({ tool }) => tool("list_codes"),
  drift: ({ tool }, root) => tool("sync_code_to_docs", { projectPath: join(root, "code") }),
};

export async function makeSoundHome(place: string): Promise<SoundHome> {
  const home = join(place, "home");
  const root = join(place, "library");
  cpSync(sample, root, { recursive: true });
  mkdirSync(join(root, "code"));
  writeFileSync(join(root, "code", "package.json"), '{"name":"code","main":"index.js"}\n');
  writeFileSync(join(root, "code", "index.js"), "export function light(lamp) {}\n");
  writeFileSync(join(root, "code", "README.md"), "# Code\n\nCall `light(lamp)`.\n");
  mkdirSync(home);
  const server = await startServer(home, ["--root", root]);
  const visitor = visitorAt(server.url);
  const { tool, asPerson } = visitor;
  await asPerson("POST", "/collections/add", { path: root, name: "sample" });
  await asPerson("POST", "/contexts/add", { path: "sample/notes", text: "Meetings" });
  await tool("propose-decision", { kind: "new", title: "Keep the lamp lit" });
  await tool("create_project", { path: join(root, "interviews.qda") });
  // A text that fills a page of its own could be damaged so that nobody can tell it from another.
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
  await tool("sync_code_to_docs", { projectPath: join(root, "code") });
  await server.stop();
  return { home, root, answers: await answersAfterStart(home, root) };
}

/** What a new server answers, once it has compared the folders with its store. */
export async function answersAfterStart(home: string, root: string): Promise<Answers> {
  const server = await startServer(home, ["--root", root]);
  try {
    const visitor = visitorAt(server.url);
    await visitor.send("POST", "/update", {});
    return await answersOf(visitor, root);
  } finally {
    await server.stop();
  }
}

/** Each answer, or the error that came instead. */
async function answersOf(visitor: Visitor, root: string): Promise<Answers> {
  const answers: Answers = {};
  for (const [question, ask] of Object.entries(questions)) {
    answers[question] = await ask(visitor, root).then(comparable, (error: unknown) => error);
  }
  return answers;
}

/** Without what is another each time, whatever happened. */
const comparable = (answer: unknown): unknown =>
  JSON.parse(
    JSON.stringify(answer)
      .replace(/"executionTime":[\d.]+/g, '"executionTime":0')
      .replace(/"(timestamp|modified)":"[^"]*"/g, '"when":""'),
  );
