import type { TruncatedAnalysis } from "../../src/shelves/repository/analysis/analysis-summary.ts";
import { pluralise } from "../../src/text/strings/pluralise.ts";
import type { Output } from "../server/client.ts";
import { CheckPanel } from "./check-panel.tsx";
import { repositoryPath } from "./repository-address.ts";
import { repositoryCheck } from "./repository-checks.ts";

export function Analysis() {
  return (
    <CheckPanel of={repositoryCheck("analysis", repositoryPath.value)} title="Analysis">
      {(answer) => <AnalysisReport answer={answer} />}
    </CheckPanel>
  );
}

function AnalysisReport({ answer }: { answer: Output<"analyze_repository"> }) {
  // The schema types only a part of the answer.
  const analysis = answer.data as unknown as TruncatedAnalysis;
  const { facts, structure, manifests, problems } = analysis;
  return (
    <>
      <p class="lead">
        {facts.kind}, {pluralise(facts.files, "file")} in{" "}
        {pluralise(structure.totalDirectories, "folder")}
      </p>
      <Languages bytes={facts.bytes_by_language} />
      <Facts analysis={analysis} />
      {manifests.length > 0 && <Packages manifests={manifests} />}
      {problems.length > 0 && (
        <details>
          <summary>{pluralise(problems.length, "file")} could not be read</summary>
          <ul class="plain">
            {problems.map(({ file, problem }) => (
              <li key={file}>
                <span class="file">{file || "(root)"}</span>: {problem}
              </li>
            ))}
          </ul>
        </details>
      )}
      <Recommendations answer={answer} />
    </>
  );
}

const maxLanguages = 8;

/** The share of each language, as a number and as a bar. */
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
        {all.slice(0, maxLanguages).map(([name, size]) => (
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

function Facts({ analysis: { facts, entryPoints, adrFolders } }: { analysis: TruncatedAnalysis }) {
  const rows: readonly (readonly [string, readonly string[] | string | null])[] = [
    ["Package managers", facts.package_managers],
    ["Frameworks", facts.frameworks],
    ["Build systems", facts.build_systems],
    ["Workspace", facts.monorepo ? [...facts.workspace_tool, ...facts.packages] : []],
    ["Tests", [...facts.test_frameworks, ...facts.test_paths]],
    ["Integration", facts.ci],
    ["Documentation", [...(facts.docs_system ? [facts.docs_system] : []), ...facts.docs_paths]],
    ["Decisions", adrFolders],
    ["Entry points", entryPoints.map(({ file }) => file)],
    ["Licence", facts.license ?? (facts.has_license_file ? "not recognized" : "none")],
  ];
  return (
    <dl class="facts">
      {rows.flatMap(([name, value]) => {
        const text = typeof value === "string" ? value : truncateList(value ?? []);
        return text === ""
          ? []
          : [
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>,
            ];
      })}
    </dl>
  );
}

const maxNames = 12;

function truncateList(names: readonly string[]): string {
  const shown = [...new Set(names)];
  const rest = shown.length - maxNames;
  return shown.slice(0, maxNames).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

function Packages({ manifests }: Pick<TruncatedAnalysis, "manifests">) {
  return (
    <table>
      <caption>Packages</caption>
      <thead>
        <tr>
          <th scope="col">Package</th>
          <th scope="col">Ecosystem</th>
          <th scope="col" class="number">
            Dependencies
          </th>
          <th scope="col">Manifest</th>
        </tr>
      </thead>
      <tbody>
        {manifests.map(({ file, name, version, ecosystem, dependencies }) => (
          <tr key={file}>
            <th scope="row">
              {name ?? "(unnamed)"} {version}
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

type Answer = Pick<Output<"analyze_repository">, "recommendations">;

/** The recommendations of an analysis. */
function Recommendations({ answer: { recommendations = [] } }: { answer: Answer }) {
  if (recommendations.length === 0) return null;
  return (
    <ul class="findings">
      {recommendations.map(({ type, title, description }) => (
        <li key={title} class={type === "critical" ? "error" : type}>
          <strong>{typeLabels[type]}</strong> {title}. {description}
        </li>
      ))}
    </ul>
  );
}

const typeLabels = { critical: "Error", warning: "Warning", info: "Note" };
