import * as z from "zod";
import type { Isolation } from "../../kernel/shelf.ts";
import type { QualitativeState } from "./state.ts";

const RestorableProject = z.object({ project: z.string(), screen: z.string().nullable() });

const InputWithProject = z.object({ path: z.string() }).or(z.object({ project: z.string() }));

/**
 * Project files are untrusted databases, so a server opens them in a separate host process. If the
 * host stops, the open project is reopened, unless work on that project stopped it.
 */
export const isolation: Isolation<QualitativeState> = {
  save({ currentPath, screen }): z.infer<typeof RestorableProject> | undefined {
    return currentPath === undefined ? undefined : { project: currentPath, screen };
  },
  async restore(state, saved, { wasFatal }) {
    const { project, screen } = RestorableProject.parse(saved);
    if (wasFatal) return state.markLost(project);
    await state.open(project);
    state.screen = screen;
  },
  // A call that names its own file or project does not involve the open one.
  appliesTo: (saved, _operation, input) => {
    const placed = InputWithProject.safeParse(input).data;
    if (!placed) return true;
    return Object.values(placed).includes(RestorableProject.parse(saved).project);
  },
};
