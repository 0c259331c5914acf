import { expect, test } from "vitest";
import {
  type ArchitectureLibrary,
  architectureLibrary,
  guidelines,
  patterns,
  smallTree,
} from "../../../../tests/fixtures/architecture/architecture-library.ts";

interface Completed {
  completion: { values: string[]; total: number; hasMore: boolean };
  _meta?: { "lectern/completionItems": { value: string; label?: string; description?: string }[] };
}

async function complete(
  { rpc }: ArchitectureLibrary,
  name: string,
  value: string,
  prompt = "guided-pattern-validation",
): Promise<Completed> {
  const { result } = await rpc("completion/complete", {
    ref: { type: "ref/prompt", name: prompt },
    argument: { name, value },
  });
  // The tests of the surface check the whole shape.
  return result as unknown as Completed;
}

const valuesOf = async (...given: Parameters<typeof complete>): Promise<string[]> =>
  (await complete(...given)).completion.values;

test("[architecture.completions.arguments] patterns, guidelines, decisions and languages are completed", async () => {
  const library = architectureLibrary(smallTree);

  expect(await valuesOf(library, "pattern_name", "")).toEqual([
    "data/unit-of-work",
    "repository-pattern",
  ]);
  expect(await valuesOf(library, "guideline_name", "")).toEqual(["api-design"]);
  expect(await valuesOf(library, "adr_id", "")).toEqual([
    "001-microservices-architecture",
    "010-event-bus",
  ]);
  expect(await valuesOf(library, "language", "ty")).toEqual(["typescript"]);
  expect(await valuesOf(library, "code", "")).toEqual([]);
  expect(await valuesOf(library, "constructor", "")).toEqual([]);
});

test("[architecture.completions.prefix] completion matches by case-insensitive prefix", async () => {
  const library = architectureLibrary(smallTree);

  expect(await valuesOf(library, "pattern_name", "REPO")).toEqual(["repository-pattern"]);
  expect(await valuesOf(library, "pattern_name", "Repository P")).toEqual(["repository-pattern"]);
  expect(await valuesOf(library, "pattern_name", "pattern")).toEqual([]);
  for (const typed of ["001", "1", "ADR-1", "micro"]) {
    expect([typed, await valuesOf(library, "adr_id", typed)]).toEqual([
      typed,
      ["001-microservices-architecture"],
    ]);
  }
  expect(await valuesOf(library, "adr_id", "0")).toHaveLength(2);
});

test("[architecture.completions.usable] a completed value is accepted unchanged", async () => {
  const library = architectureLibrary({
    ...smallTree,
    [`${patterns}/tief/ä ö.md`]: "# Umlaute\n",
    [`${patterns}/c#-style.md`]: "# C sharp\n",
    [`${patterns}/[draft] 100% {a,b}?.md`]: "# Draft\n",
    [`${guidelines}/x.md`]: "# X\n",
  });
  for (const pattern_name of await valuesOf(library, "pattern_name", "")) {
    expect(
      await library.prompt("guided-pattern-validation", { code: "x", pattern_name }),
    ).toContain("Source:");
    expect(
      await library.tool("validate-against-pattern", { code: "x", pattern_name }),
    ).toMatchObject({ pattern: pattern_name });
  }
  for (const id of await valuesOf(library, "adr_id", "")) {
    expect(
      (await library.rpc("resources/read", { uri: `architecture://adr/${id}` })).error,
    ).toBeUndefined();
  }
});

test("[architecture.completions.items] labels and descriptions are returned beside the values", async () => {
  const { _meta, completion } = await complete(
    architectureLibrary(smallTree),
    "pattern_name",
    "rep",
  );

  expect(completion).toEqual({ values: ["repository-pattern"], total: 1, hasMore: false });
  expect(_meta?.["lectern/completionItems"]).toEqual([
    {
      value: "repository-pattern",
      label: "Repository pattern",
      description: "Pattern: Repository pattern",
    },
  ]);
});

test("[architecture.completions.bound] at most 100 values are returned, with the total", async () => {
  const many = Object.fromEntries(
    Array.from({ length: 130 }, (_, n) => [`${patterns}/p${n}.md`, `# P${n}\n`]),
  );
  const { completion } = await complete(architectureLibrary(many), "pattern_name", "p");

  expect(completion.values).toHaveLength(100);
  expect(completion).toMatchObject({ total: 130, hasMore: true });
});

test("[architecture.completions.templates] kind and name of the resource template are completed, each depending on the other", async () => {
  const library = architectureLibrary({ ...smallTree, [`${patterns}/c#-%.md`]: "# C sharp\n" });
  const template = async (name: string, value: string, context: Record<string, string> = {}) => {
    const { result } = await library.rpc("completion/complete", {
      ref: { type: "ref/resource", uri: "architecture://{category}/{+name}" },
      argument: { name, value },
      context: { arguments: context },
    });
    // The tests of the surface check the whole shape.
    return (result as unknown as Completed).completion.values;
  };
  const { result } = await library.rpc("resources/templates/list", {});

  expect(result?.resourceTemplates).toMatchObject([
    { uriTemplate: "architecture://{category}/{+name}" },
  ]);
  expect(await template("category", "P")).toEqual(["patterns"]);
  expect(await template("name", "", { category: "adr" })).toEqual([
    "001-microservices-architecture",
    "010-event-bus",
  ]);
  expect(await template("name", "", { category: "nowhere" })).toEqual([]);
  expect(await template("name", "rep")).toEqual(["repository-pattern"]);
  const [encoded] = await template("name", "c#");
  expect(
    (await library.rpc("resources/read", { uri: `architecture://patterns/${encoded}` })).error,
  ).toBeUndefined();
});

test("[architecture.completions.errors] an invalid request is refused with -32602 and the reason", async () => {
  const library = architectureLibrary(smallTree);
  const argument = { name: "pattern_name", value: "" };
  const wrong: [object, RegExp][] = [
    [{ ref: { type: "ref/nothing", name: "x" }, argument }, /ref/],
    [{ ref: { type: "ref/prompt" }, argument }, /ref\.name/],
    [{ ref: { type: "ref/prompt", name: "nowhere" }, argument }, /Prompt not found/],
    [
      { ref: { type: "ref/prompt", name: "create-adr" }, argument: { value: "" } },
      /argument\.name/,
    ],
  ];
  for (const [params, message] of wrong) {
    expect(await library.refusal("completion/complete", params)).toMatchObject({
      code: -32602,
      message: expect.stringMatching(message),
    });
  }
});
