import { headingsOf } from "../../text/headings.ts";
import { visible } from "../../text/visible.ts";
import type { ArchitectureDocument } from "./document.ts";

/** What the headings of a pattern advise, where it declares no rules. */
export interface HeadingAdvice {
  /** Titles under `## Best Practices`. */
  practices: string[];
  /** Titles under `## Common Pitfalls`. */
  pitfalls: string[];
  /** What the example of the pattern has, and code that follows it is likely to have. */
  hints: Hint[];
}

/** A sign in the code that a heading can be held against. It is no proof. */
export interface Hint {
  rule: string;
  description: string;
  /** Whether finding this is the trouble, or missing it. */
  isTrouble: boolean;
  sign: RegExp;
}

export function adviceOf({ lines }: ArchitectureDocument): HeadingAdvice {
  const headings = [...headingsOf(lines)];
  const below = (title: RegExp): string[] => {
    const at = headings.findIndex((heading) => heading.depth === 2 && title.test(heading.title));
    if (at < 0) return [];
    const rest = headings.slice(at + 1);
    const end = rest.findIndex(({ depth }) => depth <= 2);
    return rest
      .slice(0, end < 0 ? undefined : end)
      .filter(({ depth }) => depth === 3)
      .map((heading) => visible(heading.title.replace(/^\d+[.)]\s*/, "")));
  };
  const pitfalls = below(/^best practices to avoid$|^common pitfalls$|^pitfalls$/i);
  return {
    practices: below(/^best practices$/i),
    pitfalls,
    hints: [...exampleHints(lines, headings), ...pitfalls.flatMap(pitfallHints)],
  };
}

type Headings = readonly { depth: number; title: string; line: number }[];

function exampleHints(lines: readonly string[], headings: Headings): Hint[] {
  const at = headings.findIndex(
    ({ depth, title }) => depth === 2 && /^implementation$/i.test(title),
  );
  const heading = headings[at];
  if (!heading) return [];
  const next = headings.slice(at + 1).find(({ depth }) => depth <= 2);
  const text = lines.slice(heading.line, next ? next.line - 1 : undefined).join("\n");
  const hints: Hint[] = [];
  if (/\binterfaces?\b/i.test(text)) {
    hints.push({
      rule: "Interface Definition",
      description: "The pattern's implementation defines an interface, and the code has none.",
      isTrouble: false,
      sign: /\b(interface|protocol|trait|abstract|ABC|Protocol)\b/i,
    });
  }
  if (/\b(implementation|concrete)\b/i.test(text)) {
    hints.push({
      rule: "Concrete Implementation",
      description: "The pattern's implementation has a concrete type, and the code has none.",
      isTrouble: false,
      sign: /\b(struct|class|impl|implementation|object|record|module)\b/i,
    });
  }
  return hints;
}

/** The two pitfalls that leave a sign in the code. */
function pitfallHints(title: string): Hint[] {
  if (/leak/i.test(title)) {
    return [
      {
        rule: title,
        description: "The code reaches for a database by itself.",
        isTrouble: true,
        sign: /\b(sql\.|database\/sql|mongo\.|redis\.)/i,
      },
    ];
  }
  return [];
}
