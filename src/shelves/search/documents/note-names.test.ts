import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

const vault = {
  "vault/Ideas/Lamp oil.md":
    "---\naliases: [Kerosene, 'Paraffin: white']\n---\n# Oil\none\n## Use\ntwo",
  "vault/Home.md": "# Start\n[[Kerosene]] and [[lamp oil]]",
  "vault/Ideas/Home.md": "other home",
  "vault/a/Twin.md": "first twin",
  "vault/b/Twin.md": "second twin",
  "vault/Wick.md": "---\nalias: Home\n---\nwick",
  "work/Plan.md": "one\ntwo\nthree\nfour\nfive",
  "work/odd:6-3.md": "odd",
  "work/Page.mdx": "page",
  "work/id.md": "# Identifiers\nnames",
  "work/note.md": "---\ntitle: Заметка о лампе\n---\nнить",
  "work/plan-2.md": "# Plan",
  "work/plan-3.md": "# Plans",
  "work/plan-4.md": "# Plans",
};

async function reader() {
  const { call } = await searchLibrary(vault);
  return async (file: string) => {
    const answer = await call("get", { file });
    if ("document" in answer) return (answer.document as { name: string; text: string }).text;
    return String(answer.message);
  };
}

test("[search.get.note] a name without folder and ending is read as [[name]] would be", async () => {
  const read = await reader();

  for (const name of ["Plan", "plan", "[[Plan]]", "[[Plan|the plan]]", "work/Plan", "PLAN.md"]) {
    expect(await read(name), name).toMatch(/^one\n/);
  }
  expect(await read("Lamp oil#Use")).toBe("## Use\ntwo");
  expect(await read("[[Lamp oil#Use]]")).toBe("## Use\ntwo");
  expect(await read("Ideas/lamp oil:7:1")).toBe("two");
  expect(await read("page")).toBe("page");
  // A page in the top folder takes precedence, as it does for a link.
  expect(await read("Home")).toMatch(/^# Start/);
  expect(await read("Twin")).toMatch(/Several documents match Twin:/);
  expect(await read("Twi")).toMatch(/^Document not found: Twi\n/);
});

test("[search.aliases.get] an alias leads to its document, unless a file is called so", async () => {
  const read = await reader();

  expect(await read("kerosene")).toContain("# Oil");
  expect(await read("Paraffin: white")).toContain("# Oil");
  expect(await read("Kerosene#use")).toBe("## Use\ntwo");
  expect(await read("Home")).not.toContain("wick");
});

test("[search.aliases.links] wiki links and back-links follow aliases", async () => {
  const { call } = await searchLibrary(vault);

  expect(await call("wiki_links", { file: "vault/Home.md" })).toEqual({
    links: [
      { name: "Kerosene", line: 2, file: "vault/Ideas/Lamp oil.md" },
      { name: "lamp oil", line: 2, file: "vault/Ideas/Lamp oil.md" },
    ],
  });
  expect(await call("backlinks", { file: "Kerosene" })).toMatchObject({
    links: [{ file: "vault/Home.md", line: 2 }],
  });
});

test("[search.aliases.search] a search finds a document by its aliases as by its title", async () => {
  const { files, hits } = await searchLibrary({
    ...vault,
    "vault/mention.md": "# Other\nOne word about kerosene among many others.",
  });

  expect(await files("kerosene")).toMatchObject({ 0: "vault/Ideas/Lamp oil.md" });
  expect((await hits("kerosene"))[0]?.title).toBe("Oil");
});

test("[search.get.span] file:3-6 reads the lines 3 to 6", async () => {
  const read = await reader();

  expect(await read("work/Plan.md:2-4")).toBe("two\nthree\nfour");
  expect(await read("Plan:4-99")).toBe("four\nfive");
  expect(await read("Plan:3-3")).toBe("three");
  expect(await read("Plan:0-1")).toBe("one");
  expect(await read("Plan:3")).toBe("three\nfour\nfive");
  expect(await read("Plan:6-3")).toMatch("ends before it begins");
  expect(await read("Plan:9-12")).toMatch("has 5 lines; there is no line 9");
  expect(await read("odd:6-3.md")).toBe("odd");
});

test("[search.get.title] a title leads to its document, unless a file or an alias is called so", async () => {
  const read = await reader();

  expect(await read("Identifiers")).toContain("names");
  expect(await read("identifiers:2")).toBe("names");
  expect(await read("заметка О лампе")).toContain("нить");
  expect(await read("Plan")).toMatch(/^one\n/);
  expect(await read("plans")).toBe("Several documents match plans:");
});
