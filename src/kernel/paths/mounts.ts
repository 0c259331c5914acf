import { readFileSync } from "node:fs";

/** A mount point. */
export interface Mount {
  path: string;
  /** The type of the file system: `ext4`, `proc`, `nfs4`. */
  type: string;
}

/** The mounted file systems; empty if the system does not list them. */
export function listMounts(): Mount[] {
  if (process.platform !== "linux") return [];
  try {
    return parseMounts(readFileSync("/proc/self/mountinfo", "utf8"));
  } catch {
    return [];
  }
}

/**
 * Parses Linux's `mountinfo`: the fifth field is the mount point, the first after ` - ` the type.
 */
export const parseMounts = (text: string): Mount[] =>
  text.split("\n").flatMap((line) => {
    const [fields = "", more = ""] = line.split(" - ");
    const path = fields.split(" ")[4];
    const [type = ""] = more.split(" ");
    return path === undefined ? [] : [{ path: unescapeOctal(path), type }];
  });

/** Whitespace and backslashes are escaped as three octal digits. */
const unescapeOctal = (path: string): string =>
  path.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Whether a file system exposes kernel state and therefore contains no documents. */
export const isVirtualFileSystem = ({ type }: Mount): boolean => virtualTypes.has(type);

const virtualTypes = new Set([
  ...["autofs", "binder", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs"],
  ...["devpts", "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc"],
  ...["pstore", "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs"],
]);
