import { computed, signal } from "@preact/signals";
import { address, type Filters, navigate, noFilters } from "../app/address.ts";
import { call, type Output } from "../server/client.ts";
import { createLiveQuery } from "../server/live-query.ts";

type Facets = Output<"facets">;
type Counted = Facets["types"][number];

/** Whether the filters are open; their values are fetched only then. */
const isOpen = signal(false);
const collection = computed(() => address.value.collection);

const facetValues = createLiveQuery((signal) =>
  isOpen.value
    ? call("facets", collection.value ? { collection: collection.value } : {}, signal)
    : undefined,
);

const change = (filters: Partial<Filters>): void =>
  navigate({ filters: { ...address.peek().filters, ...filters } }, "replace");

/** The search mode and the filters, with the values that occur in the documents. */
export function Facets() {
  const { query, filters } = address.value;
  const active = activeOf(filters);
  if (query.trim() === "" && active.length === 0) return null;
  return (
    <div class="facets">
      <SearchModes by={filters.by} />
      <details
        open={isOpen.value}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>Filters</summary>
        {facetValues.failure.value && <p class="notice">{facetValues.failure.value}</p>}
        {facetValues.answer.value && (
          <Choices facets={facetValues.answer.value} filters={filters} />
        )}
      </details>
      {active.length > 0 && (
        <ul class="active" aria-label="Active filters">
          {active.map(({ label, without }) => (
            <li key={label}>
              <button type="button" onClick={() => change(without)}>
                {label} <span aria-hidden="true">×</span>
                <span class="unseen">, remove</span>
              </button>
            </li>
          ))}
          {active.length > 1 && (
            <li>
              <button type="button" onClick={() => change({ ...noFilters, by: filters.by })}>
                Remove all
              </button>
            </li>
          )}
        </ul>
      )}
    </div>
  );
}

const searchModes = [
  ["", "Keywords"],
  ["meaning", "Meaning"],
  ["both", "Both"],
] as const;

function SearchModes({ by }: { by: string }) {
  return (
    <fieldset class="modes">
      <legend class="unseen">Search mode</legend>
      {searchModes.map(([value, label]) => (
        <label key={value}>
          <input
            class="unseen"
            type="radio"
            name="by"
            checked={by === value}
            onChange={() => change({ by: value })}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}

interface Active {
  label: string;
  /** The change that removes it. */
  without: Partial<Filters>;
}

function activeOf({ type, language, after, before, where }: Filters): Active[] {
  return [
    ...(type ? [{ label: `.${type}`, without: { type: "" } }] : []),
    ...(language ? [{ label: languageName(language), without: { language: "" } }] : []),
    ...(after ? [{ label: `from ${after}`, without: { after: "" } }] : []),
    ...(before ? [{ label: `before ${before}`, without: { before: "" } }] : []),
    ...where.map((condition) => ({
      label: condition.replace("=", ": "),
      without: { where: where.filter((other) => other !== condition) },
    })),
  ];
}

function Choices({ facets, filters }: { facets: Facets; filters: Filters }) {
  const { types, languages, dates, fields } = facets;
  return (
    <div class="choices">
      <Choice
        label="Type"
        value={filters.type}
        counts={types}
        nameOf={(type) => `.${type}`}
        choose={(type) => change({ type })}
      />
      <Choice
        label="Language"
        value={filters.language}
        counts={languages}
        nameOf={languageName}
        choose={(language) => change({ language })}
      />
      <Day label="From" value={filters.after} dates={dates} choose={(after) => change({ after })} />
      <Day
        label="Before"
        value={filters.before}
        dates={dates}
        choose={(before) => change({ before })}
      />
      {fields.map(({ key, values }) => (
        <Choice
          key={key}
          label={key}
          value={chosenFor(key, filters.where)}
          counts={values}
          nameOf={(value) => value}
          choose={(value) => change({ where: withCondition(key, value, filters.where) })}
        />
      ))}
    </div>
  );
}

const isForKey = (key: string, condition: string): boolean => condition.startsWith(`${key}=`);

const chosenFor = (key: string, where: readonly string[]): string =>
  where.find((condition) => isForKey(key, condition))?.slice(key.length + 1) ?? "";

const withCondition = (key: string, value: string, where: readonly string[]): string[] => [
  ...where.filter((condition) => !isForKey(key, condition)),
  ...(value ? [`${key}=${value}`] : []),
];

interface ChoiceProps {
  label: string;
  value: string;
  counts: readonly Counted[];
  nameOf(value: string): string;
  choose(value: string): void;
}

function Choice({ label, value, counts, nameOf, choose }: ChoiceProps) {
  // A value of the URL that no longer occurs stays in the list, so that it can be deselected.
  const isKnown = value === "" || counts.some((counted) => counted.value === value);
  if (counts.length === 0 && isKnown) return null;
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">Any</option>
        {counts.map((counted) => (
          <option key={counted.value} value={counted.value}>
            {nameOf(counted.value)} ({counted.documents})
          </option>
        ))}
        {!isKnown && <option value={value}>{nameOf(value)} (0)</option>}
      </select>
    </label>
  );
}

interface DayProps {
  label: string;
  value: string;
  dates: Facets["dates"];
  choose(day: string): void;
}

function Day({ label, value, dates, choose }: DayProps) {
  return (
    <label>
      <span>{label}</span>
      <input
        type="date"
        value={value}
        min={dates?.first}
        max={dates?.last}
        onChange={(event) => choose(event.currentTarget.value)}
      />
    </label>
  );
}

const names = new Intl.DisplayNames([], { type: "language" });

/** The name of a language in the browser's locale, or the code itself if it has no name. */
function languageName(code: string): string {
  try {
    return names.of(code) ?? code;
  } catch {
    return code;
  }
}
