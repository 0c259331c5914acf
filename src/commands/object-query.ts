import { invalid } from "../kernel/failure.ts";
import type { SqlPage, SqlValue } from "../kernel/sql/set.ts";
import { rowsOf, schemaOf } from "../shelves/objects/side-door.ts";
import type { CommandContext } from "../surfaces/cli/command.ts";
import { widthOf } from "../surfaces/cli/text-width.ts";
import { lookFrom } from "./object-workspaces.ts";

interface Question {
  workspace: string;
  sql: string;
  format: "table" | "json";
}

export async function query(asked: Question, context: CommandContext): Promise<number> {
  const { out } = context;
  if (/^\s*\.\w/.test(asked.sql)) {
    await out.write(dotCommand(asked.sql.trim()));
    return 0;
  }
  const page = await rowsOf(lookFrom(context, asked.workspace), asked.sql);
  await out.writeForeign(asked.format === "json" ? asJson(page) : asTable(page));
  return 0;
}

function dotCommand(typed: string): string {
  const [command, table] = typed.split(/\s+/);
  const schema = schemaOf();
  if (command === ".tables") return `${[...schema.keys()].join("\n")}\n`;
  if (command === ".help") {
    return ".tables          the tables\n.schema [table]  how they are made\n.help            this\n";
  }
  if (command !== ".schema") {
    throw invalid(`Unknown command '${command}'.`, ["Known are .tables, .schema [table], .help."]);
  }
  const wanted = table === undefined ? [...schema.values()] : [schema.get(table)];
  if (wanted.includes(undefined)) {
    throw invalid(`No table '${table}'.`, [`Tables: ${[...schema.keys()].join(", ")}.`]);
  }
  return `${wanted.join("\n")}\n`;
}

const asJson = ({ columns, rows }: SqlPage): string =>
  `${JSON.stringify({ columns, rows }, null, 2)}\n`;

function asTable({ columns, rows }: SqlPage): string {
  const lines = [columns, ...rows.map((row) => row.map(shown))];
  const widths = columns.map((_, place) =>
    lines.reduce((most, line) => Math.max(most, widthOf(line[place] ?? "")), 0),
  );
  const rule = widths.map((width) => "-".repeat(width));
  const [head = [], ...body] = lines;
  const printed = [head, rule, ...body].map((line) =>
    line
      .map((cell, place) => cell + " ".repeat(Math.max((widths[place] ?? 0) - widthOf(cell), 0)))
      .join("  ")
      .trimEnd(),
  );
  return `${printed.join("\n")}\n(${rows.length} ${rows.length === 1 ? "row" : "rows"})\n`;
}

const shown = (value: SqlValue): string =>
  value === null ? "NULL" : String(value).replaceAll(/\s+/g, " ");
