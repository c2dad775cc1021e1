import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useAction } from '../actions.tsx';
import { ask, type Hit } from '../api.ts';
import { kindName } from '../format.ts';
import { t } from '../language.ts';
import { Problem, useLoad } from '../ui.tsx';
import { type Candidate, describeCandidates, type Matching } from './matching.ts';
import type { Table } from './table.ts';

/** Most places that are listed at once. */
const MOST_LISTED = 20;

/** A place that rows of the table say, without one certain boundary. */
interface Open {
  readonly key: string;
  readonly name: string;
  /** The places around it, as its rows have them. */
  readonly within: readonly string[];
  readonly rows: readonly number[];
  readonly how: 'typo' | 'ambiguous' | 'not_found';
  readonly others: readonly string[];
}

const SAID = {
  typo: 'figures.isTypo',
  ambiguous: 'figures.isAmbiguous',
  not_found: 'figures.isNotFound',
} as const;

/** What a place is; one boundary alone that it may mean is written otherwise. */
const saidOf = ({ how, others }: Open) => (how === 'ambiguous' && others.length === 1 ? 'figures.isAlike' : SAID[how]);

/** The places that are not certain, each once, in the order of the table. */
function openPlaces({ columns, rows }: Table, { how, others, ids, columns: named }: Matching): Open[] {
  const at = columns.indexOf(named.name ?? named.code ?? '');
  const around = named.within.map((name) => columns.indexOf(name));
  const places = new Map<string, Open & { rows: number[] }>();
  rows.forEach(({ cells }, row) => {
    const is = how[row];
    if (is !== 'typo' && is !== 'ambiguous' && is !== 'not_found') return;
    const name = cells[at]?.trim() ?? '';
    const within = around.map((one) => cells[one]?.trim() ?? '').filter(Boolean);
    const key = JSON.stringify([name, within]);
    const known = places.get(key);
    if (known) {
      known.rows.push(row);
      return;
    }
    const own = ids[row] ? [ids[row]] : [];
    places.set(key, { key, name, within, rows: [row], how: is, others: [...own, ...(others[row] ?? [])] });
  });
  return [...places.values()];
}

const describe = ({ name, kind, admin_level: level, parents }: Candidate): string =>
  [
    name,
    kindName(kind),
    level === null ? '' : t('search.level', { level: String(level) }),
    parents.map((one) => one.name).join(' › '),
  ]
    .filter(Boolean)
    .join(', ');

/** The rows without a certain boundary: each is given one, or left out. What is chosen can be kept for later tables. */
export function Settle({
  table,
  matching,
  ids,
  onChoose,
}: {
  table: Table;
  matching: Matching;
  ids: readonly string[];
  onChoose: (rows: readonly number[], id: string) => void;
}): JSX.Element | null {
  const open = openPlaces(table, matching);
  /** What was chosen here, by the key of the place. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const left = open.filter(({ key }) => !chosen.has(key));
  const shown = open.slice(0, Math.max(MOST_LISTED, open.length - left.length + MOST_LISTED));
  const wanted = shown.flatMap(({ others }) => others);
  const known = useLoad(wanted.length > 0 ? `candidates ${wanted.join()}` : null, (signal) =>
    describeCandidates(wanted, signal),
  );
  const [saved, setSaved] = useState(0);
  const { busy, failure, run } = useAction(() => undefined);
  if (open.length === 0) return null;
  const candidates = known.state === 'done' ? known.value : new Map<string, Candidate>();
  const rows = open.flatMap(({ key, name, within }) => {
    const id = chosen.get(key);
    return id ? [{ name, within, id }] : [];
  });
  const keep = async (): Promise<void> => {
    await ask('/match/corrections', { method: 'PUT', body: { rows } });
    setSaved(rows.length);
  };
  return (
    <section aria-label={t('figures.rowsToSettle')}>
      <h2>
        {t('figures.settleRest')}{' '}
        <span class="soft" role="status">
          {left.length === 0 ? t('figures.allSettled') : t('figures.placesLeft', { n: left.length })}
        </span>
      </h2>
      {known.state === 'failed' && <Problem failure={known.failure} again={known.again} />}
      <ul class="members settle">
        {shown.map((one) => (
          <Place
            key={one.key}
            of={one}
            line={table.rows[one.rows[0] ?? 0]?.line ?? 0}
            id={ids[one.rows[0] ?? 0] ?? ''}
            isChosen={chosen.has(one.key)}
            candidates={one.others.flatMap((id) => candidates.get(id) ?? [])}
            onChoose={(id) => {
              setChosen((before) => new Map(before).set(one.key, id));
              setSaved(0);
              onChoose(one.rows, id);
            }}
          />
        ))}
      </ul>
      {open.length > shown.length && (
        <p class="soft small">{t('figures.moreListed', { n: open.length - shown.length })}</p>
      )}
      {rows.length > 0 && (
        <p class="row">
          <button type="button" class="quiet" aria-disabled={busy || saved > 0} onClick={() => saved > 0 || run(keep)}>
            {t('figures.remember', { n: rows.length })}
          </button>
          <span role="status">{saved > 0 && t('figures.remembered', { n: saved })}</span>
        </p>
      )}
      {failure && <Problem failure={failure} again={() => run(keep)} />}
    </section>
  );
}

function Place({
  of,
  line,
  id,
  isChosen,
  candidates,
  onChoose,
}: {
  of: Open;
  line: number;
  id: string;
  isChosen: boolean;
  candidates: readonly Candidate[];
  onChoose: (id: string) => void;
}): JSX.Element {
  const [found, setFound] = useState<readonly Candidate[]>([]);
  const [said, say] = useState('');
  const { busy, failure, run } = useAction(() => undefined);
  const all = [...new Map([...candidates, ...found].map((one) => [one.id, one])).values()];
  const search = (q: string): Promise<boolean> =>
    run(async () => {
      const { items } = await ask<{ items: Hit[] }>('/boundaries/search', { query: { q, limit: 8 } });
      setFound(items);
      say(items.length === 0 ? t('figures.noBoundaryHasThis') : t('figures.found', { n: items.length }));
    });
  const label = [of.name || t('figures.withoutAName'), ...of.within].join(', ');
  return (
    <li>
      <span class="full">
        <b>{label}</b>{' '}
        <span class="soft">
          {t('figures.line', { line })} {of.rows.length > 1 && `${t('figures.andOthers', { n: of.rows.length - 1 })} `}{' '}
          {t(isChosen ? (id ? 'figures.isSettled' : 'figures.isLeftOut') : saidOf(of))}
        </span>
      </span>
      <select
        class="grow"
        aria-label={t('figures.boundaryOf', { place: label })}
        value={isChosen || id ? id : '?'}
        onChange={(event) => onChoose(event.currentTarget.value)}
      >
        {!isChosen && !id && (
          <option value="?" disabled>
            {t('figures.choose')}
          </option>
        )}
        {all.map((one) => (
          <option key={one.id} value={one.id}>
            {describe(one)}
          </option>
        ))}
        {id && !all.some((one) => one.id === id) && <option value={id}>{id}</option>}
        <option value="">{t('figures.leaveOut')}</option>
      </select>
      {of.how === 'typo' && !isChosen && (
        <button type="button" class="quiet small" onClick={() => onChoose(id)}>
          {t('figures.right')} <span class="hidden">: {label}</span>
        </button>
      )}
      <details class="full">
        <summary class="small">
          {t('figures.searchForAnother')} <span class="hidden">: {label}</span>
        </summary>
        <form
          class="row"
          onSubmit={(event) => {
            event.preventDefault();
            const q = String(new FormData(event.currentTarget).get('q') ?? '').trim();
            if (q) void search(q.slice(0, 200));
          }}
        >
          <input name="q" aria-label={t('figures.nameOf', { place: label })} defaultValue={of.name} maxLength={200} />
          <button type="submit" class="quiet small" aria-disabled={busy}>
            {t('figures.search')}
          </button>
          <span role="status" class="soft small">
            {said}
          </span>
        </form>
        {failure && <Problem failure={failure} />}
      </details>
    </li>
  );
}
