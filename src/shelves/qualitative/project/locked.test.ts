import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  databaseOf,
  interviewLibrary,
} from "../../../../tests/fixtures/qualitative/project-library.ts";

const inUse = {
  kind: "conflict",
  code: "PROJECT_IN_USE",
  message: "Another program is writing to this project.",
};

/** Another program inside a write transaction; with `EXCLUSIVE` reading is blocked too. */
async function besideWriter(lock: "EXCLUSIVE" | "IMMEDIATE") {
  const { beside, root } = await interviewLibrary();
  const opened = beside();
  await opened.call("open_project", { path: "interviews.qda" });
  const writer = databaseOf(join(root, "interviews.qda", "data.qda"));
  writer.exec(`BEGIN ${lock}`);
  return { ...opened, writer };
}

test("[qualitative.project.locked] a project locked by another program is reported as in use when opened or read", async () => {
  const { call, refusal, writer } = await besideWriter("EXCLUSIVE");

  expect(await refusal("list_codes")).toMatchObject(inUse);
  expect(await refusal("open_project", { path: "interviews.qda" })).toMatchObject(inUse);
  writer.exec("COMMIT");
  expect(await call("list_codes")).toMatchObject({ codes: [{ id: 1 }, { id: 2 }] });
});

test("[qualitative.project.locked] a write that failed on a locked project can be repeated once it is unlocked", async () => {
  const { call, writer, root } = await besideWriter("EXCLUSIVE");
  const hide = () => call("save_coder", { name: "AI Agent", hidden: true }, { surface: "cli" });

  await expect(hide()).rejects.toMatchObject(inUse);
  expect(readdirSync(root)).toEqual(["interviews.qda", "notes"]);
  writer.exec("COMMIT");
  expect(await call("list_codes")).toMatchObject({ codes: [{ id: 1 }, { id: 2 }] });
  expect(await hide()).toMatchObject({ hidden: true });
});

test("[qualitative.project.locked] a project can be read while another program prepares a write", async () => {
  const { call, refusal } = await besideWriter("IMMEDIATE");

  expect(await call("list_codes")).toMatchObject({ codes: [{ id: 1 }, { id: 2 }] });
  expect(await refusal("create_code", { name: "Doubt", color: "#123456" })).toMatchObject(inUse);
});
