import { createHash } from "node:crypto";
import type { Node } from "@vscode/tree-sitter-wasm";
import { bashDeclarations } from "./bash.ts";
import { cSharpDeclarations } from "./c-sharp.ts";
import { type CodeSymbol, isMemberSymbol, normalizeCode } from "./code-symbol.ts";
import { cppDeclarations } from "./cpp.ts";
import {
  type Declaration,
  type DeclarationFinder,
  fieldNode,
  nonSignatureTypes,
} from "./declaration.ts";
import { ecmaDeclarations } from "./ecma.ts";
import { goDeclarations } from "./go.ts";
import type { GrammarName } from "./grammars.ts";
import { javaDeclarations } from "./java.ts";
import { phpDeclarations } from "./php.ts";
import { pythonDeclarations } from "./python.ts";
import { rubyDeclarations } from "./ruby.ts";
import { rustDeclarations } from "./rust.ts";

const declarationFinders: Readonly<Record<GrammarName, DeclarationFinder>> = {
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

/** No hand-written file has more. */
const maxSymbols = 5_000;

/**
 * The symbols of a parsed file in order. Declarations with the same name, such as overloads, are
 * merged; a constructor is merged into its class.
 */
export function extractSymbols(root: Node, grammar: GrammarName, text: string): CodeSymbol[] {
  const symbols = new Map<string, CodeSymbol>();
  for (const declaration of declarationFinders[grammar](root)) {
    if (declaration.path.some((step) => step === "")) continue;
    const name = qualifiedName(grammar, declaration);
    const existing = symbols.get(name);
    if (existing) addOverload(existing, declaration, text);
    else if (symbols.size < maxSymbols) symbols.set(name, toCodeSymbol(name, declaration, text));
  }
  return [...symbols.values()];
}

function qualifiedName(grammar: GrammarName, { path, kind }: Declaration): string {
  if (grammar === "rust" || grammar === "cpp" || grammar === "php") return path.join("::");
  if (grammar !== "ruby") return path.join(".");
  const owner = path.slice(0, -1).join("::");
  const name = path.at(-1) ?? "";
  return owner === "" ? name : owner + (isMemberSymbol({ kind }) ? "#" : "::") + name;
}

function toCodeSymbol(name: string, declaration: Declaration, text: string): CodeSymbol {
  const { path, kind, node, documented } = declaration;
  return {
    name,
    kind,
    signature: signatureOf(declaration, text),
    // The line of the name, below any annotations.
    line: (fieldNode(node, "name") ?? node).startPosition.row + 1,
    documented,
    body: digestOf(textWithoutAnnotations(node, node.endIndex, text), path.at(-1) ?? ""),
  };
}

function addOverload(existing: CodeSymbol, declaration: Declaration, text: string): void {
  existing.documented ||= declaration.documented;
  if (existing.signature.length > maxSignatureLength) return;
  const signature = signatureOf(declaration, text);
  if (!existing.signature.split("\n").includes(signature)) existing.signature += `\n${signature}`;
}

/** A longer signature is truncated, with a digest of the whole to distinguish it. */
const maxSignatureLength = 2_000;

function signatureOf({ node, end }: Declaration, text: string): string {
  const fullText = textWithoutAnnotations(node, end?.startIndex ?? node.endIndex, text);
  const compact = fullText
    .slice(0, maxSignatureLength * 2)
    .replace(/\s+/g, " ")
    .replace(/([([]) /g, "$1")
    .replace(/,? ([)\]])/g, "$1")
    .replace(/(?:=>|[\s{;:=])+$/, "")
    .trim();
  if (fullText.length <= maxSignatureLength * 2 && compact.length <= maxSignatureLength)
    return compact;
  return `${compact.slice(0, maxSignatureLength)}… (${digestOf(fullText, "")})`;
}

/** The text of a node up to a position, without comments and annotations. */
function textWithoutAnnotations(node: Node, end: number, text: string): string {
  let result = "";
  let position = node.startIndex;
  for (const skipped of node.descendantsOfType(nonSignatureTypes)) {
    if (!skipped || skipped.startIndex < position || skipped.startIndex >= end) continue;
    result += `${text.slice(position, skipped.startIndex)} `;
    position = skipped.endIndex;
  }
  return result + text.slice(position, Math.max(position, end));
}

const minBodyLength = 40;

function digestOf(code: string, own: string): string {
  const anonymous = own === "" ? code : code.replaceAll(own, "_");
  const normalized = normalizeCode(anonymous);
  if (normalized.length < minBodyLength) return "";
  return createHash("sha1").update(normalized).digest("base64url").slice(0, 12);
}
