import { createHash } from "node:crypto";
import type { Node } from "@vscode/tree-sitter-wasm";
import { bashDeclarations } from "./bash.ts";
import { cSharpDeclarations } from "./c-sharp.ts";
import { cppDeclarations } from "./cpp.ts";
import { type Declaration, field, type Language, leftOut } from "./declaration.ts";
import { ecmaDeclarations } from "./ecma.ts";
import { goDeclarations } from "./go.ts";
import type { GrammarName } from "./grammars.ts";
import { javaDeclarations } from "./java.ts";
import { phpDeclarations } from "./php.ts";
import { pythonDeclarations } from "./python.ts";
import { rubyDeclarations } from "./ruby.ts";
import { rustDeclarations } from "./rust.ts";
import { type CodeSymbol, compact, isMember } from "./symbol.ts";

const languages: Readonly<Record<GrammarName, Language>> = {
  bash: bashDeclarations,
  "c-sharp": cSharpDeclarations,
  cpp: cppDeclarations,
  go: goDeclarations,
  java: javaDeclarations,
  javascript: ecmaDeclarations,
  php: phpDeclarations,
  python: pythonDeclarations,
  ruby: rubyDeclarations,
  rust: rustDeclarations,
  tsx: ecmaDeclarations,
  typescript: ecmaDeclarations,
};

/** More than any file offers that a person wrote. */
const mostSymbols = 5_000;

/**
 * The symbols of a parsed file in their order. Declarations of one name, such as overloads, are one
 * symbol; a constructor belongs to the signature of its class.
 */
export function symbolsIn(root: Node, grammar: GrammarName, text: string): CodeSymbol[] {
  const found = new Map<string, CodeSymbol>();
  for (const declaration of languages[grammar](root)) {
    if (declaration.path.some((step) => step === "")) continue;
    const name = nameIn(grammar, declaration);
    const known = found.get(name);
    if (known) add(known, declaration, text);
    else if (found.size < mostSymbols) found.set(name, symbolOf(name, declaration, text));
  }
  return [...found.values()];
}

function nameIn(grammar: GrammarName, { path, kind }: Declaration): string {
  if (grammar === "rust" || grammar === "cpp" || grammar === "php") return path.join("::");
  if (grammar !== "ruby") return path.join(".");
  const above = path.slice(0, -1).join("::");
  const own = path.at(-1) ?? "";
  return above === "" ? own : above + (isMember({ kind }) ? "#" : "::") + own;
}

function symbolOf(name: string, declaration: Declaration, text: string): CodeSymbol {
  const { path, kind, node, documented } = declaration;
  return {
    name,
    kind,
    signature: signatureOf(declaration, text),
    // What is written above the name, such as an annotation, is not where a reader looks.
    line: (field(node, "name") ?? node).startPosition.row + 1,
    documented,
    body: digestOf(cleaned(node, node.endIndex, text), path.at(-1) ?? ""),
  };
}

function add(known: CodeSymbol, declaration: Declaration, text: string): void {
  known.documented ||= declaration.documented;
  if (known.signature.length > longestSignature) return;
  const signature = signatureOf(declaration, text);
  if (!known.signature.split("\n").includes(signature)) known.signature += `\n${signature}`;
}

/** A longer one is cut, and told apart by a digest of the whole. */
const longestSignature = 2_000;

function signatureOf({ node, end }: Declaration, text: string): string {
  const whole = cleaned(node, end?.startIndex ?? node.endIndex, text);
  const shown = whole
    .slice(0, longestSignature * 2)
    .replace(/\s+/g, " ")
    .replace(/([([]) /g, "$1")
    .replace(/,? ([)\]])/g, "$1")
    .replace(/(?:=>|[\s{;:=])+$/, "")
    .trim();
  if (whole.length <= longestSignature * 2 && shown.length <= longestSignature) return shown;
  return `${shown.slice(0, longestSignature)}… (${digestOf(whole, "")})`;
}

/** The text of a node up to a place, without comments and ornaments. */
function cleaned(node: Node, end: number, text: string): string {
  let kept = "";
  let from = node.startIndex;
  for (const hole of node.descendantsOfType(leftOut)) {
    if (!hole || hole.startIndex < from || hole.startIndex >= end) continue;
    kept += `${text.slice(from, hole.startIndex)} `;
    from = hole.endIndex;
  }
  return kept + text.slice(from, Math.max(from, end));
}

const shortestBody = 40;

function digestOf(code: string, own: string): string {
  const rest = own === "" ? code : code.replaceAll(own, "_");
  const plain = compact(rest);
  if (plain.length < shortestBody) return "";
  return createHash("sha1").update(plain).digest("base64url").slice(0, 12);
}
