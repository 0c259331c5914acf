import { expect, test } from "vitest";
import { makeBoundary } from "./boundary.ts";
import { Failure } from "./failure.ts";

test.runIf(process.platform === "linux")(
  "a file that opens and cannot be read is a failure by its name, and no fault of ours",
  () => {
    const boundary = makeBoundary({ base: "/proc/self" });
    // The memory of a process begins with a place where nothing is.
    const read = () => boundary.readFile("/proc/self/mem", "/proc/self");

    expect(read).toThrow(Failure);
    expect(read).toThrow("'mem' cannot be read (EIO).");
  },
);
