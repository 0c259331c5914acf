import { readFileSync } from "node:fs";

/** A place where another file system begins. */
export interface Mount {
  place: string;
  /** What the system calls its kind: `ext4`, `proc`, `nfs4`. */
  type: string;
}

/** The file systems that are mounted now; none where the system does not tell. */
export function mountsNow(): Mount[] {
  if (process.platform !== "linux") return [];
  try {
    return readMounts(readFileSync("/proc/self/mountinfo", "utf8"));
  } catch {
    return [];
  }
}

/** Reads the lines of Linux: the fifth field is the place, the first behind ` - ` the type. */
export const readMounts = (text: string): Mount[] =>
  text.split("\n").flatMap((line) => {
    const [fields = "", more = ""] = line.split(" - ");
    const place = fields.split(" ")[4];
    const [type = ""] = more.split(" ");
    return place === undefined ? [] : [{ place: unescaped(place), type }];
  });

/** Blanks and backslashes are written as three octal digits. */
const unescaped = (place: string): string =>
  place.replace(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));

/** Whether a file system shows the kernel's own state, in which nobody keeps documents. */
export const isVirtual = ({ type }: Mount): boolean => virtual.has(type);

const virtual = new Set([
  ...["autofs", "binder", "binfmt_misc", "bpf", "cgroup", "cgroup2", "configfs", "debugfs"],
  ...["devpts", "devtmpfs", "efivarfs", "fusectl", "hugetlbfs", "mqueue", "nsfs", "proc"],
  ...["pstore", "rpc_pipefs", "securityfs", "selinuxfs", "sysfs", "tracefs"],
]);
