import { expect, test } from "vitest";
import { interviewLibrary } from "../../../../tests/fixtures/qualitative/project-library.ts";

const person = { surface: "cli" };
const agent = { surface: "mcp", client: "claude" };

test("[qualitative.privacy.own-codes] deleting or merging its own code exposes no private codings to an agent", async () => {
  const { call } = await interviewLibrary();
  const names = ["Used", "Unused", "Also used", "Also unused"];
  const ids = new Map<string, unknown>();
  for (const [at, name] of names.entries()) {
    const made = await call("create_code", { name, color: `#12345${at}` }, agent);
    ids.set(name, made.code_id ?? made.id);
  }
  await call("set_source_privacy", { source_id: 1 }, person);
  for (const name of ["Used", "Also used"]) {
    const operations = [{ code_id: ids.get(name), source_id: 1, quote: "doubted" }];
    await call("batch_apply_codes", { operations }, person);
  }
  /** Without the ids, names and colours, which differ between any two codes. */
  const answerTo = async (operation: string, name: string, confirm: boolean) => {
    const id = ids.get(name);
    const input =
      operation === "merge_codes" ? { source_code_id: id, target_code_id: 2 } : { code_id: id };
    const answer = await call(operation, { ...input, confirm }, agent);
    const { preview_token: _, proposal_id: __, ...rest } = answer;
    return JSON.stringify(rest)
      .replaceAll(name, "NAME")
      .replaceAll(`:${id},`, ":ID,")
      .replace(/#12345\d/g, "#COLOR");
  };
  for (const [operation, used, unused] of [
    ["delete_code", "Used", "Unused"],
    ["merge_codes", "Also used", "Also unused"],
  ] as const) {
    for (const confirm of [false, true]) {
      expect(await answerTo(operation, used, confirm)).toBe(
        await answerTo(operation, unused, confirm),
      );
    }
    expect(await answerTo(operation, used, true)).toContain("pending_approval");
  }
  // Without private sources, agents delete their own items directly.
  await call("set_source_privacy", { source_id: 1, public: true }, person);
  expect(
    await call("delete_code", { code_id: ids.get("Also unused"), confirm: true }, agent),
  ).not.toHaveProperty("proposal_id");
});
