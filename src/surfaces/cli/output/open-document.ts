import { spawn } from "node:child_process";
import { basename } from "node:path";
import { Failure } from "../../../kernel/failure.ts";

/** A program and its arguments. */
export type CommandWords = readonly [program: string, ...args: string[]];

/** Opens a document at a line and waits until the program ends. */
export async function openDocument(
  path: string,
  line: number,
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [program, ...args] = openingCommand(path, line, env, process.platform);
  const code = await new Promise<number | null>((resolve, reject) => {
    spawn(program, args, { stdio: "inherit" }).once("error", reject).once("exit", resolve);
  }).catch((cause: unknown) => {
    throw cannotOpen(program, cause);
  });
  if (code !== 0) throw cannotOpen(program);
}

/** `$VISUAL` or `$EDITOR`, which may have arguments, as in `code --wait`; else the desktop's opener. */
export function openingCommand(
  path: string,
  line: number,
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
): CommandWords {
  const [editor, ...args] = (env.VISUAL || env.EDITOR || "").split(/\s+/).filter(Boolean);
  if (editor !== undefined) return [editor, ...args, ...lineArguments(editor, path, line)];
  if (platform === "darwin") return ["open", path];
  if (platform === "win32") return ["explorer.exe", path];
  return ["xdg-open", path];
}

/** The arguments that open a file at a line. An unknown editor opens the file at its start. */
function lineArguments(editor: string, path: string, line: number): string[] {
  const name = basename(editor).replace(/\.(exe|cmd|bat)$/i, "");
  if (/^(vim?|nvim|gvim|nano|pico|emacs|emacsclient|kak|micro|joe|ne|mg|less)$/.test(name)) {
    return [`+${line}`, path];
  }
  if (/^(code|code-insiders|codium|cursor|windsurf)$/.test(name)) return ["-g", `${path}:${line}`];
  if (/^(subl|hx|helix|zed|zeditor)$/.test(name)) return [`${path}:${line}`];
  if (/^(idea|webstorm|pycharm|goland|kate|gedit)$/.test(name)) {
    return name === "gedit" ? [`+${line}`, path] : ["--line", String(line), path];
  }
  return [path];
}

const cannotOpen = (program: string, cause?: unknown): Failure =>
  new Failure("unavailable", "cannot-open", `Cannot open the document with '${program}'.`, {
    hints: ["Set VISUAL or EDITOR to your editor, such as 'nano' or 'code --wait'."],
    cause,
  });
