import { expect, test } from "vitest";
import { connect, openEndpoint } from "../../../tests/fixtures/mcp-client.ts";
import { objectTools } from "../../../tests/fixtures/object-tools.ts";

const files = {
  "readme.qmd.md": "# Home [[home: __Workspace]]\n",
  "a.qmd.md": "# Lamp [[lamp: Lamp]]\n\n- watts: 400\n\n# Ada [[ada: Person]]\n",
};

/** URIs of resources as they are told of, and a wait for one of them. */
function makeEar() {
  const heard: string[] = [];
  let wake = () => {};
  return {
    heard,
    hear(uri: string) {
      heard.push(uri);
      wake();
    },
    async until(uri: string) {
      while (!heard.includes(uri)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

test("[objects.resources.announced] who subscribed to a resource hears when it says something else, and of no other", async () => {
  const { library, folder } = await objectTools(files);
  const uriOf = (noun: string) => `qmdc://${noun}?path=${encodeURIComponent(folder.root)}`;
  const client = await connect(openEndpoint(library), "legacy");
  const { heard, hear, until } = makeEar();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
    hear(params.uri),
  );
  library.keep();
  for (const noun of ["object/lamp", "object/Person:ada", "tree", "diagnostics"]) {
    await client.subscribeResource({ uri: uriOf(noun) });
  }

  folder.put("a.qmd.md", files["a.qmd.md"].replace("400", "500"));
  await until(uriOf("object/lamp"));
  expect(heard).toEqual([uriOf("object/lamp")]);

  folder.put("b.qmd.md", "# Bo [[bo: Person]]\n\n- knows: [[#nobody]]\n");
  await until(uriOf("diagnostics"));
  expect(heard).toEqual([uriOf("object/lamp"), uriOf("tree"), uriOf("diagnostics")]);

  await client.unsubscribeResource({ uri: uriOf("tree") });
  folder.remove("a.qmd.md");
  await until(uriOf("object/Person:ada"));
  expect(heard.slice(3).sort()).toEqual([uriOf("object/Person:ada"), uriOf("object/lamp")].sort());
});

test("[objects.resources.announced] what another reads meanwhile is told all the same, in words of the 2026 era too", async () => {
  const { library, folder, read } = await objectTools(files);
  const uri = `qmdc://object/lamp?path=${encodeURIComponent(folder.root)}`;
  const client = await connect(openEndpoint(library), "modern");
  const { hear, until } = makeEar();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
    hear(params.uri),
  );
  library.keep();
  await client.readResource({ uri });
  const listening = await client.listen({ resourceSubscriptions: [uri] });

  folder.put("a.qmd.md", files["a.qmd.md"].replace("400", "500"));
  expect((await read("object/lamp")).body).toMatchObject({ fields: { watts: 500 } });
  await until(uri);
  await listening.close();
});
