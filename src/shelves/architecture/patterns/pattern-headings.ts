import { readHeadings } from "../../../text/markdown/headings.ts";
import { toPrintable } from "../../../text/strings/printable.ts";
import type { ArchitectureDocument } from "../knowledge/document.ts";

/** Advice taken from a pattern's headings, for patterns that declare no rules. */
export interface HeadingAdvice {
  /** Titles under `## Best Practices`. */
  practices: string[];
  /** Titles under `## Common Pitfalls`. */
  pitfalls: string[];
  /** Features of the pattern's example that conforming code is likely to have. */
  hints: PatternHint[];
}

/** A heuristic check derived from a heading. It proves nothing. */
export interface PatternHint {
  rule: string;
  description: string;
  /** Whether a match is the problem, or its absence. */
  isBadWhenFound: boolean;
  pattern: RegExp;
}

export function readHeadingAdvice({ lines }: ArchitectureDocument): HeadingAdvice {
  const headings = [...readHeadings(lines)];
  const titlesBelow = (title: RegExp): string[] => {
    const index = headings.findIndex((heading) => heading.depth === 2 && title.test(heading.title));
    if (index < 0) return [];
    const rest = headings.slice(index + 1);
    const end = rest.findIndex(({ depth }) => depth <= 2);
    return rest
      .slice(0, end < 0 ? undefined : end)
      .filter(({ depth }) => depth === 3)
      .map((heading) => toPrintable(heading.title.replace(/^\d+[.)]\s*/, "")));
  };
  const pitfalls = titlesBelow(/^best practices to avoid$|^common pitfalls$|^pitfalls$/i);
  return {
    practices: titlesBelow(/^best practices$/i),
    pitfalls,
    hints: [...exampleHints(lines, headings), ...pitfalls.flatMap(pitfallHints)],
  };
}

type Headings = readonly { depth: number; title: string; line: number }[];

function exampleHints(lines: readonly string[], headings: Headings): PatternHint[] {
  const index = headings.findIndex(
    ({ depth, title }) => depth === 2 && /^implementation$/i.test(title),
  );
  const heading = headings[index];
  if (!heading) return [];
  const next = headings.slice(index + 1).find(({ depth }) => depth <= 2);
  const text = lines.slice(heading.line, next ? next.line - 1 : undefined).join("\n");
  const hints: PatternHint[] = [];
  if (/\binterfaces?\b/i.test(text)) {
    hints.push({
      rule: "Interface Definition",
      description: "The pattern's implementation defines an interface, and the code has none.",
      isBadWhenFound: false,
      pattern: /\b(interface|protocol|trait|abstract|ABC|Protocol)\b/i,
    });
  }
  if (/\b(implementation|concrete)\b/i.test(text)) {
    hints.push({
      rule: "Concrete Implementation",
      description: "The pattern's implementation has a concrete type, and the code has none.",
      isBadWhenFound: false,
      pattern: /\b(struct|class|impl|implementation|object|record|module)\b/i,
    });
  }
  return hints;
}

/** Pitfalls that can be detected in code. */
function pitfallHints(title: string): PatternHint[] {
  if (/leak/i.test(title)) {
    return [
      {
        rule: title,
        description: "The code accesses a database directly.",
        isBadWhenFound: true,
        pattern: /\b(sql\.|database\/sql|mongo\.|redis\.)/i,
      },
    ];
  }
  return [];
}
