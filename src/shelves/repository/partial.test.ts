import { expect, test } from "vitest";
import { outcomeOf } from "../../../tests/fixtures/library/named-call.ts";
import {
  type Data,
  repositoryLibrary,
} from "../../../tests/fixtures/repository/repository-library.ts";

const files = {
  "README.md": "# Lamps\n\n[gone](gone.md)\n",
  "docs/a.md": "# A\n\n[gone](gone.md)\n",
  "src/lamp.ts": "export function lightLamp(): void {}\n",
};

/** The text and data of an answer whose time limit has expired at the start. */
async function hurried(
  { library }: ReturnType<typeof repositoryLibrary>,
  name: string,
  input: object,
): Promise<{ text: string; data: Data }> {
  const signal = AbortSignal.abort(new DOMException("The time is over.", "TimeoutError"));
  const outcome = await outcomeOf(library, name, input, { actor: { surface: "test" }, signal });
  if (!outcome.ok) throw outcome.failure ?? new Error(`${name} asks for something.`);
  const { operation } = library.catalogue.find(name) ?? {};
  const [block] = operation?.present?.(outcome.value, outcome.input, "agent") ?? [];
  // Every tool of the shelf returns its data in the same envelope.
  return { text: block?.type === "text" ? block.text : "", data: outcome.value.data as Data };
}

const tools: [string, object][] = [
  ["analyze_repository", { path: "." }],
  ["analyze_readme", { project_path: "." }],
  ["check_documentation_links", { documentation_path: "." }],
  ["validate_content", { contentPath: "." }],
  ["validate_diataxis_content", { contentPath: "." }],
  ["track_documentation_freshness", { docsPath: "." }],
  ["detect_documentation_gaps", { repositoryPath: "." }],
  ["sync_code_to_docs", { projectPath: "." }],
];

for (const [name, input] of tools) {
  test(`${name} says first that it ran out of time, and where`, async () => {
    const made = repositoryLibrary(files);
    const { text, data } = await hurried(made, name, input);

    expect(data.partial).toBe(true);
    expect(text.split("\n")[0]).toBe(`Partial: stopped at ${data.stopped_at ?? "the top"}`);
    expect(await made.text(name, input)).not.toContain("Partial");
  });
}

test("a run without any page has no name for where it stopped", async () => {
  const made = repositoryLibrary({ "docs/a.md": "# A\n" });
  const { text, data } = await hurried(made, "check_documentation_links", {
    documentation_path: ".",
  });

  expect(data).toMatchObject({ partial: true, stopped_at: null });
  expect(text).toMatch(/^Partial: stopped at the top\n/);
});

for (const [name, input, work] of [
  ["detect_documentation_gaps", { repositoryPath: "." }, "Gap detection"],
  ["sync_code_to_docs", { projectPath: "." }, "Drift detection"],
] as const) {
  test(`the log calls ${name} completed only if it is`, async () => {
    const { library } = repositoryLibrary(files);
    const logged: string[] = [];
    const options = {
      actor: { surface: "test" },
      onLog: (_level: string, message: string) => logged.push(message),
    };
    await outcomeOf(library, name, input, options);
    await outcomeOf(library, name, input, { ...options, signal: AbortSignal.abort() });

    expect(logged).toEqual([`${work} completed`, `${work} stopped early`]);
  });
}

test("unchecked facts count neither for nor against a README", async () => {
  const made = repositoryLibrary(files);
  const input = { project_path: "." };
  const idsIn = ({ checks }: Data): string[] => checks.map(({ id }: Data) => id);
  const { data } = await hurried(made, "analyze_readme", input);

  expect(idsIn(data)).not.toContain("links");
  expect(idsIn(await made.data("analyze_readme", input))).toContain("links");
});

test("without checked pages there is no confidence value", async () => {
  const made = repositoryLibrary(files);
  const { text, data } = await hurried(made, "validate_diataxis_content", { contentPath: "." });

  expect(text).not.toContain("Confidence");
  expect(data.confidence).toEqual({
    overall: 0,
    breakdown: { accuracy: 0, completeness: 0, compliance: 0 },
    riskFactors: ["no page was checked"],
  });
});

test("links not reached in time make the check partial", async () => {
  const { library } = repositoryLibrary(files);
  const time = new AbortController();
  const outcome = await outcomeOf(
    library,
    "validate_content",
    { contentPath: "docs" },
    {
      actor: { surface: "test" },
      signal: time.signal,
      // The pages have been read once, and will be read again for their links.
      onProgress: (done, total = 0) => 2 * done === total && time.abort(),
    },
  );

  expect(outcome).toMatchObject({
    ok: true,
    value: { data: { filesChecked: 1, partial: true, stopped_at: "docs/a.md" } },
  });
});

test("no kind of page is reported missing unless every page was checked", async () => {
  const made = repositoryLibrary(files);
  const { text } = await hurried(made, "detect_documentation_gaps", { repositoryPath: "." });

  expect(text).not.toContain("missing");
});

test("pages are not reported to agree with code that was not read", async () => {
  const made = repositoryLibrary({ ...files, "docs/a.md": "# A\n\nCall `lightLamp()`.\n" });
  const first = await hurried(made, "sync_code_to_docs", { projectPath: "." });
  await made.data("sync_code_to_docs", { projectPath: "." });
  const second = await hurried(made, "sync_code_to_docs", { projectPath: "." });

  expect(first.text).not.toContain("createSnapshot");
  expect(second.text).toContain("No drift in what was read.");
  expect(second.text).not.toContain("agree");
});
