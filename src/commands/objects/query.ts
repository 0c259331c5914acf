import { invalid } from "../../kernel/failure.ts";
import type { SqlPage, SqlValue } from "../../kernel/sql/dataset.ts";
import { objectTableSchema, queryWorkspace } from "../../shelves/objects/cli-api.ts";
import type { CommandContext } from "../../surfaces/cli/command.ts";
import { displayWidth } from "../../surfaces/cli/output/text-width.ts";
import { elementAt } from "../../text/arrays/element-at.ts";
import { workspaceQueryFor } from "./workspaces.ts";

interface QueryInput {
  workspace: string;
  sql: string;
  format: "table" | "json";
}

export async function runQuery(input: QueryInput, context: CommandContext): Promise<number> {
  const { out } = context;
  if (/^\s*\.\w/.test(input.sql)) {
    await out.write(runDotCommand(input.sql.trim()));
    return 0;
  }
  const page = await queryWorkspace(workspaceQueryFor(context, input.workspace), input.sql);
  await out.writeSanitized(input.format === "json" ? formatJson(page) : formatTable(page));
  return 0;
}

function runDotCommand(typed: string): string {
  const [command, table] = typed.split(/\s+/);
  const schema = objectTableSchema();
  if (command === ".tables") return `${[...schema.keys()].join("\n")}\n`;
  if (command === ".help") {
    return ".tables          list the tables\n.schema [table]  show their SQL definitions\n.help            show this help\n";
  }
  if (command !== ".schema") {
    throw invalid(`Unknown command '${command}'.`, ["Use .tables, .schema [table] or .help."]);
  }
  const statements = table === undefined ? [...schema.values()] : [schema.get(table)];
  if (statements.includes(undefined)) {
    throw invalid(`No table '${table}'.`, [`Tables: ${[...schema.keys()].join(", ")}.`]);
  }
  return `${statements.join("\n")}\n`;
}

const formatJson = ({ columns, rows }: SqlPage): string =>
  `${JSON.stringify({ columns, rows }, null, 2)}\n`;

function formatTable({ columns, rows }: SqlPage): string {
  const lines = [columns, ...rows.map((row) => row.map(formatCell))];
  const widths = columns.map((_, column) =>
    lines.reduce((width, line) => Math.max(width, displayWidth(elementAt(line, column))), 0),
  );
  const rule = widths.map((width) => "-".repeat(width));
  const [header = [], ...body] = lines;
  const printed = [header, rule, ...body].map((line) =>
    line
      .map((cell, column) => cell + " ".repeat(elementAt(widths, column) - displayWidth(cell)))
      .join("  ")
      .trimEnd(),
  );
  return `${printed.join("\n")}\n(${rows.length} ${rows.length === 1 ? "row" : "rows"})\n`;
}

const formatCell = (value: SqlValue): string =>
  value === null ? "NULL" : String(value).replaceAll(/\s+/g, " ");
