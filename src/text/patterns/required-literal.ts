import type { PatternNode } from "./regex-parser.ts";

/**
 * The longest text that every match of a pattern contains, which a native search finds much faster
 * than the pattern: `foo\d+bar` needs `foo`. Empty if there is none. `isWhole` means that the
 * pattern matches exactly this text.
 */
export function requiredLiteral(pattern: PatternNode): { text: string; isWhole: boolean } {
  let longest = "";
  let run = "";
  let isWhole = true;
  const endRun = () => {
    if (run.length > longest.length) longest = run;
    run = "";
  };
  visit(pattern);
  endRun();
  return { text: longest, isWhole: isWhole && longest !== "" };

  function visit(node: PatternNode): void {
    switch (node.kind) {
      case "sequence":
        for (const item of node.items) visit(item);
        return;
      case "alternation":
        if (node.items.length > 1) break;
        for (const item of node.items) visit(item);
        return;
      case "char":
        if (node.literal === undefined) break;
        run += node.literal;
        return;
      case "assertion":
        // It has no width, so the text before and after it is contiguous.
        isWhole = false;
        return;
      case "repeat":
        if (node.min === 0) break;
        visit(node.item);
        break;
    }
    isWhole = false;
    endRun();
  }
}
