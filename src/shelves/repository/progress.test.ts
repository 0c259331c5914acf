import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { outcomeOf } from "../../../tests/fixtures/library/named-call.ts";
import { repositoryLibrary } from "../../../tests/fixtures/repository/repository-library.ts";

const files = {
  "README.md": "# Lamps\n\n[A](docs/a.md)\n",
  "docs/a.md": "# A\n\nCall `lightLamp()`.\n",
  "docs/b.md": "# B\n\n[A](a.md)\n",
  "docs/c.md": "# C\n",
  "src/lamp.ts": "export function lightLamp(): void {}\n",
};

/** Page and code ages are compared only if there is a git history. */
function commitAll(root: string): void {
  const author = ["-c", "user.name=A", "-c", "user.email=a@example.com"];
  for (const words of [["init"], ["add", "."], [...author, "commit", "-m", "All"]]) {
    execFileSync("git", ["-C", root, ...words], { stdio: "ignore" });
  }
}

const tools: [string, object][] = [
  ["analyze_repository", { path: ".", depth: "deep" }],
  ["check_documentation_links", { documentation_path: "." }],
  ["validate_content", { contentPath: "." }],
  ["validate_diataxis_content", { contentPath: "." }],
  ["analyze_readme", { project_path: "." }],
  ["detect_documentation_gaps", { repositoryPath: "." }],
  ["sync_code_to_docs", { projectPath: "." }],
  ["track_documentation_freshness", { docsPath: ".", projectPath: "." }],
];

for (const [name, input] of tools) {
  test(`[repository.protocol.progress] ${name} continues counting from one part of its work to the next`, async () => {
    const { library, root } = repositoryLibrary(files);
    commitAll(root);
    const counts: number[] = [];
    const wholes = new Set<number | undefined>();
    const outcome = await outcomeOf(library, name, input, {
      actor: { surface: "test" },
      onProgress(done, total) {
        counts.push(done);
        wholes.add(total);
      },
    });

    expect(outcome.ok).toBe(true);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    // If the total grew meanwhile, the percentage would fall.
    expect(wholes.size).toBe(1);
    expect(Math.max(...counts)).toBeLessThanOrEqual(Math.max(...[...wholes].map(Number)));
  });
}
