import type * as z from "zod";
import type { Catalogue, Entry } from "../../kernel/catalogue.ts";
import type { AnyOperation } from "../../kernel/operation.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";
import { wireSchema } from "../../kernel/wire-schema.ts";

export interface Page {
  /** Relative to `docs/reference/`. */
  file: string;
  text: string;
}

/** The answer of an operation's example, where it could be run. */
export type AnswerOf = (entry: Entry) => unknown;

const opening = "<!-- Written by `npm run reference` from the definitions; edit those. -->";

/** One page for each shelf and one that lists them. */
export function referencePages(catalogue: Catalogue, answerOf: AnswerOf): Page[] {
  const pages = catalogue.shelves.map((shelf) => {
    const entries = servedOn(shelf, catalogue);
    const parts = entries.map((entry) => operationPart(entry.operation, answerOf(entry)));
    const extras = [resourcePart(catalogue, shelf.name), promptPart(catalogue, shelf.name)];
    return {
      file: `${shelf.name}.md`,
      text: [opening, `# ${shelf.name}`, shelf.guide, ...parts, ...extras]
        .filter(Boolean)
        .join("\n\n")
        .concat("\n"),
    };
  });
  return [{ file: "README.md", text: overview(catalogue) }, ...pages];
}

/** What can be called; what only takes back another operation is nobody's to call. */
const servedOn = (shelf: AnyShelf, { entries }: Catalogue): Entry[] =>
  entries.filter(
    ({ shelf: own, operation }) => own === shelf && Object.keys(operation.expose).length > 0,
  );

function overview(catalogue: Catalogue): string {
  const rows = catalogue.shelves.flatMap((shelf) =>
    servedOn(shelf, catalogue).map(({ operation: { name, expose, effect } }) => {
      const places = [expose.mcp ? "yes" : "", expose.http ?? "", expose.cli ?? ""];
      const link = `[${name}](${shelf.name}.md#${name})`;
      return `| ${[link, effect, ...places.map(code)].join(" | ")} |`;
    }),
  );
  return [
    opening,
    "# Reference",
    "Every operation, and where it is served. `POST /tools/{name}` serves every tool as well.",
    ["| operation | effect | tool | route | command |", "|---|---|---|---|---|", ...rows].join(
      "\n",
    ),
    "",
  ].join("\n\n");
}

const code = (words: string): string => (words === "" || words === "yes" ? words : `\`${words}\``);

function operationPart(operation: AnyOperation, answer: unknown): string {
  const { name, summary, effect, expose, example } = operation;
  const places = [
    expose.mcp ? `tool \`${name}\`` : "",
    expose.http ? `route \`${expose.http}\`` : "",
    expose.cli ? `command \`lectern ${expose.cli}\`` : "",
  ].filter(Boolean);
  return [
    `## ${name}`,
    summary,
    `Effect: ${effect}. ${places.length > 0 ? `Served as ${places.join(", ")}` : "Served nowhere: it is how others are undone"}.`,
    fieldTable(operation.input),
    `Example:\n\n${json(example)}`,
    answer === undefined ? "" : `Answer:\n\n${json(answer)}`,
  ]
    .filter(Boolean)
    .join("\n\n");
}

interface FieldSchema {
  type?: string | string[];
  enum?: unknown[];
  items?: FieldSchema;
  default?: unknown;
  description?: string;
  says?: string;
}

function fieldTable(input: z.ZodObject): string {
  const schema = wireSchema(input, "input", ["says"]) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const required = schema.required?.includes(name) ? "required" : defaultOf(field);
    return `| \`${name}\` | ${typeOf(field)} | ${required} | ${field.description ?? field.says ?? ""} |`;
  });
  if (rows.length === 0) return "It takes no parameters.";
  return ["| parameter | type | default | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function typeOf({ type, enum: choices, items }: FieldSchema): string {
  if (choices) return choices.map((choice) => `\`${String(choice)}\``).join(" or ");
  if (type === "array" && items) return `list of ${typeOf(items)}`;
  return [type ?? "any"].flat().join(" or ");
}

const defaultOf = (field: FieldSchema): string =>
  field.default === undefined ? "" : `\`${JSON.stringify(field.default)}\``;

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;

function resourcePart({ resources }: Catalogue, shelf: string): string {
  const own = resources.filter((known) => known.shelf.name === shelf);
  if (own.length === 0) return "";
  const rows = own.map(({ family }) => `| \`${family.uri}\` | ${family.description} |`);
  return ["## Resources", ["| URI | content |", "|---|---|", ...rows].join("\n")].join("\n\n");
}

function promptPart({ prompts }: Catalogue, shelf: string): string {
  const has = prompts.some((known) => known.shelf.name === shelf);
  return has ? "## Prompts\n\nThis shelf has prompts; `prompts/list` shows them." : "";
}
