import type { Call } from "../../../kernel/call.ts";
import type { Notice } from "../../../kernel/notices/notices.ts";
import type { QdaProject } from "../project/project.ts";
import { agentView } from "../project/project-view.ts";
import { isVisibleSource } from "../qda/storage-privacy.ts";

/** Notices reach every client, so a notice about a private source does not name the source. */
export function hidingPrivateSources(
  call: Call,
  currentProject: () => QdaProject | undefined,
): Call {
  const isHidden = ({ topic, about = "" }: Notice): boolean => {
    if (topic !== "source.changed" && topic !== "segments.changed") return false;
    const project = currentProject();
    return project !== undefined && !isVisibleSource(agentView(project).db, Number(about));
  };
  return {
    ...call,
    announce: (notice) => call.announce(isHidden(notice) ? { topic: notice.topic } : notice),
  };
}
