import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { twoProjects } from "../../../tests/fixtures/processes/two-projects.ts";
import type { Notice } from "../notices/notices.ts";

const agents = [
  { surface: "mcp", client: "claude" },
  { surface: "http", client: "curl" },
];

/** Writes of each shelf that an agent can propose, in an order in which they succeed. */
const writes: [string, object, string][] = [
  ["add_collection", { name: "notes", path: "notes" }, "Added collection 'notes'"],
  ["add_context", { path: "notes", text: "What we wrote" }, "Added context for notes"],
  ["remove_context", { path: "notes" }, "Removed context for notes"],
  ["rename_collection", { name: "notes", newName: "papers" }, "Renamed 'notes' to 'papers'"],
  ["remove_collection", { name: "papers" }, "Removed collection 'papers'"],
  [
    "generate_config",
    { ssg: "mkdocs", projectName: "Lamp", outputPath: "site" },
    "Configured MkDocs for Lamp",
  ],
  ["create_project", { path: "talks.qda" }, "Created the project 'talks'"],
  ["create_code", { name: "Hope", color: "#123456" }, "Created code"],
  ["export_project", { file: "talks.qdpx" }, "Exported the project 'talks'"],
];

test.each(agents)(
  "[core.changes.agents] every write of $client over $surface is announced with its change",
  async (agent) => {
    const projects = twoProjects({ "notes/a.md": "# A\n" });
    const { library, call, root } = projects.open("A");
    mkdirSync(join(root, "site"));
    const notices: Notice[] = [];
    library.subscribe((notice) => notices.push(notice));
    for (const [name, input, words] of writes) {
      notices.length = 0;
      await call(name, input, agent);
      const acted = notices.filter(({ topic }) => topic === "agent.acted");
      expect([name, acted.length]).toEqual([name, 1]);
      const about = JSON.parse(acted[0]?.about ?? "{}");
      expect(about).toMatchObject({ agent: agent.client, operation: name });
      expect(about.summary).toContain(words);
      const { changes } = await call("activity", { limit: 1 });
      expect(changes).toMatchObject([
        { id: about.change_id, summary: about.summary, actor: agent },
      ]);
    }

    notices.length = 0;
    await call("add_collection", { name: "mine", path: "notes" });
    expect(notices.map(({ topic }) => topic)).toContain("activity.changed");
    expect(notices.map(({ topic }) => topic)).not.toContain("agent.acted");
  },
);
