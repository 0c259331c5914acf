import type * as z from "zod";
import type { AnyOperation } from "../../kernel/operation.ts";
import type { Catalogue, CatalogueEntry } from "../../kernel/operations/catalogue.ts";
import { toWireSchema } from "../../kernel/operations/wire-schema.ts";
import type { AnyShelf } from "../../kernel/shelf.ts";

export interface ReferencePage {
  /** Relative to `docs/reference/`. */
  file: string;
  text: string;
}

/** The output of an operation's example; undefined if it could not be run. */
export type ExampleAnswers = (entry: CatalogueEntry) => unknown;

const generatedNotice = "<!-- Written by `npm run reference` from the definitions; edit those. -->";

/** One page for each shelf and one that lists them. */
export function referencePages(catalogue: Catalogue, answerOf: ExampleAnswers): ReferencePage[] {
  const pages = catalogue.shelves.map((shelf) => {
    const entries = shelfEntries(shelf, catalogue);
    const parts = entries.map((entry) => operationPart(entry.operation, answerOf(entry)));
    const extras = [resourcePart(catalogue, shelf.name), promptPart(catalogue, shelf.name)];
    return {
      file: `${shelf.name}.md`,
      text: [generatedNotice, `# ${shelf.name}`, shelf.guide, ...parts, ...extras]
        .filter(Boolean)
        .join("\n\n")
        .concat("\n"),
    };
  });
  return [{ file: "README.md", text: overview(catalogue) }, ...pages];
}

/** The operations that can be called. Operations that only undo others are exposed nowhere. */
const shelfEntries = (shelf: AnyShelf, { entries }: Catalogue): CatalogueEntry[] =>
  entries.filter(
    ({ shelf: own, operation }) => own === shelf && Object.keys(operation.expose).length > 0,
  );

function overview(catalogue: Catalogue): string {
  const rows = catalogue.shelves.flatMap((shelf) =>
    shelfEntries(shelf, catalogue).map(({ operation: { name, expose, effect } }) => {
      const cells = [expose.mcp ? "yes" : "", expose.http ?? "", expose.cli ?? ""];
      const link = `[${name}](${shelf.name}.md#${name})`;
      return `| ${[link, effect, ...cells.map(code)].join(" | ")} |`;
    }),
  );
  return [
    generatedNotice,
    "# Reference",
    "All operations with their tools, routes and commands. `POST /tools/{name}` also serves every tool.",
    ["| operation | effect | tool | route | command |", "|---|---|---|---|---|", ...rows].join(
      "\n",
    ),
    "",
  ].join("\n\n");
}

const code = (cell: string): string => (cell === "" || cell === "yes" ? cell : `\`${cell}\``);

function operationPart(operation: AnyOperation, answer: unknown): string {
  const { name, summary, effect, expose, example } = operation;
  const exposures = [
    expose.mcp ? `tool \`${name}\`` : "",
    expose.http ? `route \`${expose.http}\`` : "",
    expose.cli ? `command \`lectern ${expose.cli}\`` : "",
  ].filter(Boolean);
  return [
    `## ${name}`,
    summary,
    `Effect: ${effect}. ${exposures.length > 0 ? `Exposed as ${exposures.join(", ")}` : "Not exposed: it undoes other operations"}.`,
    fieldTable(operation.input),
    `Example:\n\n${json(example)}`,
    answer === undefined ? "" : `Output:\n\n${json(answer)}`,
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
  help?: string;
}

function fieldTable(input: z.ZodObject): string {
  const schema = toWireSchema(input, "input", ["help"]) as {
    properties?: Record<string, FieldSchema>;
    required?: string[];
  };
  const rows = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const required = schema.required?.includes(name) ? "required" : defaultOf(field);
    return `| \`${name}\` | ${typeOf(field)} | ${required} | ${field.description ?? field.help ?? ""} |`;
  });
  if (rows.length === 0) return "No parameters.";
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
