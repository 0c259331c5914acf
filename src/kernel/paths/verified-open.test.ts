import { expect, test } from "vitest";
import { Failure } from "../failure.ts";
import { createBoundary } from "./boundary.ts";

test.runIf(process.platform === "linux")(
  "a file that opens and cannot be read is a failure by its name, and no fault of ours",
  () => {
    const boundary = createBoundary({ base: "/proc/self" });
    // The first address of a process's memory is unmapped.
    const read = () => boundary.readFile("/proc/self/mem", "/proc/self");

    expect(read).toThrow(Failure);
    expect(read).toThrow("'mem' cannot be read (EIO).");
  },
);
