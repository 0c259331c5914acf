import { expect, test } from "vitest";
import { connect, openEndpoint } from "../../../../tests/fixtures/mcp/mcp-client.ts";
import { objectTools } from "../../../../tests/fixtures/objects/object-tools.ts";

const files = {
  "readme.qmd.md": "# Home [[home: __Workspace]]\n",
  "a.qmd.md": "# Lamp [[lamp: Lamp]]\n\n- watts: 400\n\n# Ada [[ada: Person]]\n",
};

/** URIs of announced resources, and a way to wait for one. */
function createUpdateRecorder() {
  const received: string[] = [];
  let wake = () => {};
  return {
    received,
    record(uri: string) {
      received.push(uri);
      wake();
    },
    async until(uri: string) {
      while (!received.includes(uri)) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

test("[objects.resources.announced] subscribers are notified when their resource changes, and of no other", async () => {
  const { library, folder } = await objectTools(files);
  const uriOf = (noun: string) => `qmdc://${noun}?path=${encodeURIComponent(folder.root)}`;
  const client = await connect(openEndpoint(library), "legacy");
  const { received, record, until } = createUpdateRecorder();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
    record(params.uri),
  );
  library.startBackground();
  for (const noun of ["object/lamp", "object/Person:ada", "tree", "diagnostics"]) {
    await client.subscribeResource({ uri: uriOf(noun) });
  }

  folder.put("a.qmd.md", files["a.qmd.md"].replace("400", "500"));
  await until(uriOf("object/lamp"));
  expect(received).toEqual([uriOf("object/lamp")]);

  folder.put("b.qmd.md", "# Bo [[bo: Person]]\n\n- knows: [[#nobody]]\n");
  await until(uriOf("diagnostics"));
  expect(received).toEqual([uriOf("object/lamp"), uriOf("tree"), uriOf("diagnostics")]);

  await client.unsubscribeResource({ uri: uriOf("tree") });
  folder.remove("a.qmd.md");
  await until(uriOf("object/Person:ada"));
  expect(received.slice(3).sort()).toEqual(
    [uriOf("object/Person:ada"), uriOf("object/lamp")].sort(),
  );
});

test("[objects.resources.announced] concurrent reads by others do not suppress notifications, also in the 2026 era", async () => {
  const { library, folder, read } = await objectTools(files);
  const uri = `qmdc://object/lamp?path=${encodeURIComponent(folder.root)}`;
  const client = await connect(openEndpoint(library), "modern");
  const { record, until } = createUpdateRecorder();
  client.setNotificationHandler("notifications/resources/updated", ({ params }) =>
    record(params.uri),
  );
  library.startBackground();
  await client.readResource({ uri });
  const listening = await client.listen({ resourceSubscriptions: [uri] });

  folder.put("a.qmd.md", files["a.qmd.md"].replace("400", "500"));
  expect((await read("object/lamp")).body).toMatchObject({ fields: { watts: 500 } });
  await until(uri);
  await listening.close();
});
