import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { twoProjects } from "../../../tests/fixtures/processes/two-projects.ts";
import type { Notice } from "./notices.ts";

const agent = { surface: "mcp", client: "claude" };

test("[core.force-root.silent] a process with a force root does not announce what agents do outside it", async () => {
  const projects = twoProjects({ "notes/a.md": "# A\n" });
  const inside = join(projects.folder, "B");
  const [free, fenced] = [projects.open("A"), projects.open("B", { forceRoot: inside })];
  const received: Notice[] = [];
  fenced.library.subscribe((notice) => received.push(notice));
  await fenced.call("status");

  const path = join(free.root, "notes");
  await free.call("add_collection", { name: "private", path }, agent);
  await free.call("create_project", { path: "Quicksilver.qda" }, agent);
  await free.call("create_code", { name: "Mercury", color: "#00AA00" }, agent);
  await fenced.call("create_project", { path: "Lamp.qda" }, agent);

  const acts = () => received.filter(({ topic }) => topic === "agent.acted");
  await vi.waitFor(() => expect(acts()).toHaveLength(1));
  expect(acts()[0]?.about).toContain("Lamp");
  expect(JSON.stringify(received)).not.toMatch(/private|Quicksilver|Mercury/);
});
