import type { ShownAnalysis } from "../../src/shelves/repository/analysis-shown.ts";
import { counted } from "../../src/text/counted.ts";
import type { Output } from "../client.ts";
import { Advice } from "./advice.tsx";
import { Look } from "./look.tsx";
import { lookAt } from "./looks.ts";
import { path } from "./place.ts";

export function Analysis() {
  return (
    <Look of={lookAt("analysis", path.value)} title="Analysis">
      {(answer) => <Found answer={answer} />}
    </Look>
  );
}

function Found({ answer }: { answer: Output<"analyze_repository"> }) {
  // The schema names a part of what the operation gives, and lets the rest pass as it is.
  const analysis = answer.data as unknown as ShownAnalysis;
  const { facts, structure, manifests, problems } = analysis;
  return (
    <>
      <p class="lead">
        {facts.kind}, {counted(facts.files, "file")} in{" "}
        {counted(structure.totalDirectories, "folder")}
      </p>
      <Languages bytes={facts.bytes_by_language} />
      <Facts analysis={analysis} />
      {manifests.length > 0 && <Packages manifests={manifests} />}
      {problems.length > 0 && (
        <details>
          <summary>{counted(problems.length, "file")} could not be read</summary>
          <ul class="plain">
            {problems.map(({ file, problem }) => (
              <li key={file}>
                <span class="file">{file || "The top"}</span>: {problem}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Advice said={answer} />
    </>
  );
}

const mostLanguages = 8;

/** A bar for the eye, beside the share in numbers. */
function Languages({ bytes }: { bytes: Record<string, number> }) {
  const all = Object.entries(bytes);
  const total = all.reduce((sum, [, size]) => sum + size, 0);
  if (total === 0) return null;
  return (
    <table class="languages">
      <caption>Languages</caption>
      <thead class="unseen">
        <tr>
          <th scope="col">Language</th>
          <th scope="col">Share</th>
          <th scope="col">Bar</th>
        </tr>
      </thead>
      <tbody>
        {all.slice(0, mostLanguages).map(([name, size]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="number">{shareOf(size, total)}</td>
            <td class="bar">
              <span style={{ width: `${Math.max(0.5, (size / total) * 100)}%` }} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const shareOf = (size: number, total: number): string => {
  const share = (size / total) * 100;
  return share < 1 ? "< 1 %" : `${Math.round(share)} %`;
};

function Facts({ analysis: { facts, entryPoints, adrFolders } }: { analysis: ShownAnalysis }) {
  const rows: readonly (readonly [string, readonly string[] | string | null])[] = [
    ["Packages by", facts.package_managers],
    ["Frameworks", facts.frameworks],
    ["Made with", facts.build_systems],
    ["Workspace", facts.monorepo ? [...facts.workspace_tool, ...facts.packages] : []],
    ["Tests", [...facts.test_frameworks, ...facts.test_paths]],
    ["Integration", facts.ci],
    ["Documentation", [...(facts.docs_system ? [facts.docs_system] : []), ...facts.docs_paths]],
    ["Decisions", adrFolders],
    ["Begin reading at", entryPoints.map(({ file }) => file)],
    ["Licence", facts.license ?? (facts.has_license_file ? "a text that is not known" : "none")],
  ];
  return (
    <dl class="facts">
      {rows.flatMap(([name, said]) => {
        const words = typeof said === "string" ? said : shortened(said ?? []);
        return words === ""
          ? []
          : [
              <div key={name}>
                <dt>{name}</dt>
                <dd>{words}</dd>
              </div>,
            ];
      })}
    </dl>
  );
}

const mostNames = 12;

function shortened(names: readonly string[]): string {
  const shown = [...new Set(names)];
  const rest = shown.length - mostNames;
  return shown.slice(0, mostNames).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function Packages({ manifests }: Pick<ShownAnalysis, "manifests">) {
  return (
    <table>
      <caption>Packages</caption>
      <thead>
        <tr>
          <th scope="col">Package</th>
          <th scope="col">Ecosystem</th>
          <th scope="col" class="number">
            Needs
          </th>
          <th scope="col">Manifest</th>
        </tr>
      </thead>
      <tbody>
        {manifests.map(({ file, name, version, ecosystem, dependencies }) => (
          <tr key={file}>
            <th scope="row">
              {name ?? "without a name"} {version}
            </th>
            <td>{ecosystem}</td>
            <td class="number">{dependencies}</td>
            <td class="file">{file}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
