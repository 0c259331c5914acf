import { createManifest, firstMatch, type Manifest, shortLines } from "./manifest.ts";

/** Indirect dependencies, marked `// indirect`, are left out. */
export function readGoMod(text: string): Manifest {
  const lines = shortLines(text);
  return createManifest({
    name: firstMatch(lines, /^module\s+"?([^\s"]+)/),
    dependencies: blockOf(lines, "require").flatMap((line) =>
      /\/\/\s*indirect/.test(line) ? [] : (/^"?([^\s"]+)"?\s+v/.exec(line)?.[1] ?? []),
    ),
    tools: blockOf(lines, "tool"),
  });
}

export function readGoWork(text: string): Manifest {
  const uses = blockOf(shortLines(text), "use").map((line) => line.replace(/\s*\/\/.*$/, ""));
  return createManifest({
    isPackage: false,
    members: uses.map((path) => path.replace(/^"(.*)"$/, "$1")),
  });
}

/** The lines of a `word ( … )` block, and of single `word …` lines. */
function blockOf(lines: readonly string[], word: string): string[] {
  const found: string[] = [];
  const opening = new RegExp(`^${word}\\s*\\(`);
  let isInside = false;
  for (const line of lines.map((given) => given.trim())) {
    if (isInside && line === ")") isInside = false;
    else if (isInside) found.push(line);
    else if (opening.test(line)) isInside = true;
    else if (line.startsWith(`${word} `)) found.push(line.slice(word.length).trim());
  }
  return found.filter((line) => line !== "" && !line.startsWith("//"));
}
