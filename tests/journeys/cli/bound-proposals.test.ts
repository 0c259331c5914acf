import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { record } from "../../fixtures/architecture/decision-library.ts";
import { freshHome, runProgram } from "../program.ts";
import { startAgent } from "../stdio-agent.ts";

const decision = "docs/adr/0002-b.md";
const objects = "things/lamp.qmd.md";

const files = {
  "docs/adr/0001-a.md": record("1. A"),
  [decision]: record("2. B", "Proposed"),
  [objects]: "# [[lamp: Thing]]\n\n- kind: old\n",
};

/** Proposals of an agent in project A: the file that would change, the tool and its input. */
const proposals: [file: string, tool: string, input: object][] = [
  [decision, "propose-decision", { kind: "status", id: "2", status: "accepted" }],
  [objects, "qmdc_rename_object", { path: ".", old_id: "lamp", new_id: "light", propose: true }],
];

test.each(proposals)(
  "[core.proposals.project] an agent's proposal to %s in one project is accepted and undone from another folder, and applied in its own",
  async (file, tool, input) => {
    const home = freshHome();
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const [a, b] = [join(home, "A"), join(home, "B")];
    for (const [path, text] of [a, b].flatMap((root) =>
      Object.entries(files).map(([path, text]) => [join(root, path), text] as const),
    )) {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
    }
    const before = files[file as keyof typeof files];
    const bothFiles = () => [a, b].map((root) => readFileSync(join(root, file), "utf8"));
    const runInB = (...args: string[]) => runProgram(args, { home, cwd: b });

    const agent = startAgent(home, ["--root", a]);
    onTestFinished(() => void agent.child.kill("SIGKILL"));
    await agent.initialize();
    expect(await agent.call(tool, input)).toMatchObject({ structuredContent: { proposal_id: 1 } });
    await agent.close();
    expect(bothFiles()).toEqual([before, before]);

    const printed = `Project: ${a}\n`;
    expect((await runInB("review")).stdout).toContain(printed);
    const accepted = await runInB("review", "accept", "1");
    expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining(printed) });
    const [inA, untouched] = bothFiles();
    expect(inA).not.toBe(before);
    expect(untouched).toBe(before);

    const activity = await runInB("activity", "--json");
    const [{ id }] = JSON.parse(activity.stdout).changes;
    expect((await runInB("activity")).stdout).toContain(`in ${a}`);
    const undone = await runInB("undo", String(id));
    expect(undone).toMatchObject({ code: 0, stdout: expect.stringContaining(`in ${a}`) });
    expect(bothFiles()).toEqual([before, before]);
  },
);
