import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { expect, onTestFinished, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

test("[core.steps.discarded] steps are run or passed on: a call without `yield*` would do nothing", () => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const production = fileNames.filter((file) => relative(root, file).startsWith("src"));

  expect(discardedSteps(production, options)).toEqual([]);
});

test("[core.steps.discarded] a discarded call, an awaited one and one in a function without result are detected", () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "lectern-steps-")));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "planted.ts");
  writeFileSync(
    file,
    `type Steps<Result> = Generator<number, Result, unknown>;
function* save(): Steps<boolean> { yield 1; return true; }
export function* good(): Steps<boolean> { return (yield* save()) || (yield* save()); }
export const passed = (run: (steps: Steps<boolean>) => boolean) => run(save());
export function discarded() { save(); }
export async function awaited() { if (await save()) return; }
export const listener: () => void = () => save();
`,
  );
  const lines = discardedSteps([file], { strict: true, target: ts.ScriptTarget.ESNext });
  expect(lines.map((found) => readFileSync(file, "utf8").split("\n")[found.line - 1])).toEqual([
    expect.stringContaining("discarded"),
    expect.stringContaining("awaited"),
    expect.stringContaining("listener"),
  ]);
});

function discardedSteps(files: readonly string[], options: ts.CompilerOptions) {
  const program = ts.createProgram(files, { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const found: { file: string; line: number }[] = [];
  for (const file of files) {
    const source = program.getSourceFile(file);
    if (source) visit(source, source);
  }
  return found;

  function visit(node: ts.Node, source: ts.SourceFile): void {
    if (ts.isCallExpression(node) && isGenerator(checker.getTypeAtLocation(node))) {
      if (isDiscarded(checker, node.parent)) {
        const { line } = source.getLineAndCharacterOfPosition(node.getStart());
        found.push({ file: relative(root, source.fileName), line: line + 1 });
      }
    }
    ts.forEachChild(node, (child) => visit(child, source));
  }
}

const isGenerator = (type: ts.Type): boolean =>
  type.symbol?.name === "Generator" || (type.isUnion() && type.types.some(isGenerator));

function isDiscarded(checker: ts.TypeChecker, user: ts.Node): boolean {
  if (
    ts.isParenthesizedExpression(user) ||
    ts.isConditionalExpression(user) ||
    ts.isBinaryExpression(user)
  )
    return isDiscarded(checker, user.parent);
  if (ts.isArrowFunction(user)) {
    const [signature] = checker.getContextualType(user)?.getCallSignatures() ?? [];
    if (!signature) return false;
    return (checker.getReturnTypeOfSignature(signature).flags & ts.TypeFlags.Void) !== 0;
  }
  return [
    ts.SyntaxKind.ExpressionStatement,
    ts.SyntaxKind.AwaitExpression,
    ts.SyntaxKind.VoidExpression,
    ts.SyntaxKind.IfStatement,
    ts.SyntaxKind.PrefixUnaryExpression,
    ts.SyntaxKind.SpreadAssignment,
  ].includes(user.kind);
}
