import * as z from "zod";
import type { Isolation } from "../../kernel/shelf.ts";
import type { QualitativeState } from "./state.ts";

const Kept = z.object({ project: z.string(), screen: z.string().nullable() });

const Placed = z.object({ path: z.string() }).or(z.object({ project: z.string() }));

/**
 * Projects are databases that anybody may have written, so a server opens them in a host. The open
 * project outlives the host, unless the work on that very project was what ended it.
 */
export const isolation: Isolation<QualitativeState> = {
  keep({ currentPath, screen }): z.infer<typeof Kept> | undefined {
    return currentPath === undefined ? undefined : { project: currentPath, screen };
  },
  restore(state, kept, { wasFatal }) {
    const { project, screen } = Kept.parse(kept);
    if (wasFatal) return state.noteLost(project);
    state.open(project);
    state.screen = screen;
  },
  // A call that names a file or a project of its own says nothing about the one that is open.
  isAbout: (kept, _operation, input) => {
    const placed = Placed.safeParse(input).data;
    if (!placed) return true;
    return Object.values(placed).includes(Kept.parse(kept).project);
  },
};
