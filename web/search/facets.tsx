import { computed, signal } from "@preact/signals";
import { address, type Filters, go, noFilters } from "../address.ts";
import { asking } from "../asking.ts";
import { call, type Output } from "../client.ts";

type Facets = Output<"facets">;
type Counted = Facets["types"][number];

/** Whether the filters are seen; what they offer is asked for then. */
const isOpen = signal(false);
const collection = computed(() => address.value.collection);

const asked = asking((signal) =>
  isOpen.value
    ? call("facets", collection.value ? { collection: collection.value } : {}, signal)
    : undefined,
);

const change = (filters: Partial<Filters>): void =>
  go({ filters: { ...address.peek().filters, ...filters } }, "replace");

/** What a search can be narrowed by, as the documents have it. */
export function Facets() {
  const { query, filters } = address.value;
  const active = activeOf(filters);
  if (query.trim() === "" && active.length === 0) return null;
  return (
    <div class="facets">
      <Ways by={filters.by} />
      <details
        open={isOpen.value}
        onToggle={(event) => {
          isOpen.value = event.currentTarget.open;
        }}
      >
        <summary>Filters</summary>
        {asked.failure.value && <p class="notice">{asked.failure.value}</p>}
        {asked.answer.value && <Choices facets={asked.answer.value} filters={filters} />}
      </details>
      {active.length > 0 && (
        <ul class="active" aria-label="Filters in force">
          {active.map(({ words, without }) => (
            <li key={words}>
              <button type="button" onClick={() => change(without)}>
                {words} <span aria-hidden="true">×</span>
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

const ways = [
  ["", "Keywords"],
  ["meaning", "Meaning"],
  ["both", "Both"],
] as const;

function Ways({ by }: { by: string }) {
  return (
    <fieldset class="ways">
      <legend class="unseen">How to look</legend>
      {ways.map(([value, label]) => (
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
  words: string;
  /** The change that takes it away. */
  without: Partial<Filters>;
}

function activeOf({ type, language, after, before, where }: Filters): Active[] {
  return [
    ...(type ? [{ words: `.${type}`, without: { type: "" } }] : []),
    ...(language ? [{ words: languageName(language), without: { language: "" } }] : []),
    ...(after ? [{ words: `from ${after}`, without: { after: "" } }] : []),
    ...(before ? [{ words: `before ${before}`, without: { before: "" } }] : []),
    ...where.map((condition) => ({
      words: condition.replace("=", ": "),
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

const isOn = (key: string, condition: string): boolean => condition.startsWith(`${key}=`);

const chosenFor = (key: string, where: readonly string[]): string =>
  where.find((condition) => isOn(key, condition))?.slice(key.length + 1) ?? "";

const withCondition = (key: string, value: string, where: readonly string[]): string[] => [
  ...where.filter((condition) => !isOn(key, condition)),
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
  // What the address names and the library has lost can still be left.
  const isKnown = value === "" || counts.some((one) => one.value === value);
  if (counts.length === 0 && isKnown) return null;
  return (
    <label>
      <span>{label}</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">Any</option>
        {counts.map((one) => (
          <option key={one.value} value={one.value}>
            {nameOf(one.value)} ({one.documents})
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

/** In the words of whoever reads; the letters themselves where nobody has a name for them. */
function languageName(letters: string): string {
  try {
    return names.of(letters) ?? letters;
  } catch {
    return letters;
  }
}
