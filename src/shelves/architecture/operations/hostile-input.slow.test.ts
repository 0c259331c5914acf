import { expect, test } from "vitest";
import {
  adrs,
  architectureLibrary,
  patterns,
  smallTree,
} from "../../../../tests/fixtures/architecture/architecture-library.ts";
import { naughtyStrings } from "../../../../tests/fixtures/inputs/naughty-strings.ts";

const { source, strings } = naughtyStrings();

test(`[architecture.hostile.values] no value crashes a resource, a prompt, a completion or a tool: ${source}`, async () => {
  const library = architectureLibrary(smallTree);
  const asked = strings.flatMap((words): [string, object][] => [
    ["resources/read", { uri: `architecture://patterns/${words}` }],
    [
      "prompts/get",
      { name: "guided-pattern-validation", arguments: { code: words, pattern_name: words } },
    ],
    ["prompts/get", { name: words, arguments: {} }],
    [
      "completion/complete",
      {
        ref: { type: "ref/prompt", name: "create-adr" },
        argument: { name: "adr_id", value: words },
      },
    ],
    ["tools/call", { name: "search-architecture", arguments: { query: words } }],
    ["tools/call", { name: "check-adr-alignment", arguments: { decision_description: words } }],
  ]);
  for (const [method, params] of asked) {
    const answer = await library.rpc(method, params);
    expect([params, answer.error?.code ?? -32602]).toEqual([params, -32602]);
    expect(JSON.stringify(answer)).not.toContain("Internal error");
  }
  expect(library.logged.filter((line) => line.includes(" ERROR "))).toEqual([]);
});

test(`[architecture.hostile.documents] a hostile document does not affect the others: ${source}`, async () => {
  const words = strings.filter((text) => !text.includes("\0"));
  const headings = words.map((text) => `## ${text.replace(/[\r\n]+/g, " ")}\n\nzircon ${text}\n`);
  const library = architectureLibrary({
    ...smallTree,
    [`${patterns}/naughty.md`]: `---\nrules:\n  - must: '((('\n  - ${words[3]}\n---\n# ${words.join(" ")}\n\n${headings.join("\n")}`,
    [`${adrs}/099-naughty.md`]: `# ${words.slice(0, 20).join(" ")}\n\n## Status\n\n${words.join(" ")}\n\n## Decision\n\n${words.join("\n")}\n`,
  });
  const { results } = (await library.tool("search-architecture", { query: "zircon" })) as {
    results: { uri: string }[];
  };
  for (const { uri } of results) {
    const { result } = await library.rpc("resources/read", { uri });
    expect(JSON.stringify(result)).toContain("zircon");
  }
  expect(results.length).toBeGreaterThan(0);
  for (const [name, input] of Object.entries({
    "validate-against-pattern": { code: "x", pattern_name: "naughty" },
    "check-adr-alignment": { decision_description: "Let services share one database." },
  })) {
    expect(await library.tool(name, input)).toEqual(expect.any(Object));
  }
  expect((await library.rpc("resources/list", {})).result?.resources).toHaveLength(7);
  expect(await library.prompt("suggest-patterns", { problem: "zircon" })).toContain("Unit of work");
});
