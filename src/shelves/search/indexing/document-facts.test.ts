import { expect, test } from "vitest";
import { searchLibrary } from "../../../../tests/fixtures/search/search-library.ts";

const vault = {
  "vault/one.md": "---\ntags: [area/topic, '#quoted']\n---\nlamp #Area/other #inline",
  "vault/two.md": "---\ntags: area, b c\n---\nlamp",
  "vault/three.md": "lamp #areal and `#area`",
  "vault/script.py": "lamp\n#comment",
};

async function library() {
  const { files, call } = await searchLibrary(vault);
  const having = async (...filter: unknown[]) => {
    const found = await files("lamp", { filter });
    return typeof found === "string" ? found : found.map((file) => file.slice(6)).toSorted();
  };
  return { call, having };
}

test("[search.tags.filter] inline tags count as tags of the front matter", async () => {
  const { having } = await library();

  expect(await having("tags=inline")).toEqual(["one.md"]);
  expect(await having("tags=#quoted")).toEqual(["one.md"]);
  expect(await having("tags=b c")).toEqual(["two.md"]);
  expect(await having("tags")).toEqual(["one.md", "three.md", "two.md"]);
});

test("[search.tags.nested] a filter by a tag includes the tags below it", async () => {
  const { having } = await library();

  expect(await having("tags=area")).toEqual(["one.md", "two.md"]);
  expect(await having("tags=area/topic")).toEqual(["one.md"]);
  expect(await having("tags in AREA/other,areal")).toEqual(["one.md", "three.md"]);
  expect(await having("tags!=area")).toEqual(["script.py", "three.md"]);
  expect(await having("tags not in area,areal")).toEqual(["script.py"]);
  expect(await having({ key: "tags", operator: "in", value: [] })).toEqual([]);
});

test("[search.tags.facets] facets list tags even where each is used once", async () => {
  const { call } = await library();
  const { fields } = (await call("facets", {})) as { fields: { key: string; values: unknown[] }[] };

  expect(fields.find(({ key }) => key === "tags")?.values).toEqual(
    expect.arrayContaining([
      { value: "area/topic", documents: 1 },
      { value: "Area/other", documents: 1 },
      { value: "areal", documents: 1 },
      { value: "inline", documents: 1 },
    ]),
  );
});

test("[search.tags.case] filters ignore case in every script", async () => {
  const { files } = await searchLibrary({
    "vault/a.md": "---\nautor: Émile\ntag: single\n---\nlamp #Über/Öl #Тест",
    "vault/b.md": "---\nautor: Zoë\n---\nlamp #über #überall #МОС/тест",
  });
  const having = async (...filter: string[]) => [await files("lamp", { filter })].flat().toSorted();

  expect(await having("tags=ÜBER")).toEqual(["vault/a.md", "vault/b.md"]);
  expect(await having("tags=über/öl")).toEqual(["vault/a.md"]);
  expect(await having("tags in #тест,мос")).toEqual(["vault/a.md", "vault/b.md"]);
  expect(await having("tags!=тест")).toEqual(["vault/b.md"]);
  expect(await having("tags=SINGLE")).toEqual(["vault/a.md"]);
  expect(await having("autor=émile")).toEqual(["vault/a.md"]);
  expect(await having("autor not in ÉMILE")).toEqual(["vault/b.md"]);
});
