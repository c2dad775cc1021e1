import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { ask, type Boundary, type Box, type Children, Failure, save, send } from './api.ts';
import { area, count, kindName, plural } from './format.ts';
import type { Atlas, Under } from './map.ts';
import { go, href, now, type Route } from './route.ts';
import { Search } from './search.tsx';
import { useAccount } from './session.ts';
import { Share, waysToMerge } from './share.tsx';
import { asFailure, type Loaded, Problem, Show, SignIn, Skeleton, useLoad } from './ui.tsx';

/** What one union may name. */
const MOST = 50;
const DETAILS = ['low', 'medium', 'high', 'full'] as const;
type Detail = (typeof DETAILS)[number];
const WAIT_MS = 350;

interface Sides {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
}

const ID = /^(?:[rw]\d{1,19}|(?:iso|wikidata):[\w-]{1,20})$/;
const readIds = (text: string | null): string[] => [...new Set((text ?? '').split(','))].filter((id) => ID.test(id));

function readSides(query: URLSearchParams): Sides {
  return { include: readIds(query.get('include')), exclude: readIds(query.get('exclude')) };
}

function write({ include, exclude }: Sides): void {
  const map = now().query.get('map') ?? undefined;
  go(href('/union', { include: include.join(','), exclude: exclude.join(','), map }));
}

/** A member with what is known of it at once. */
interface Member {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly area_km2: number;
}

type Members = GeoJSON.FeatureCollection<GeoJSON.Polygon | GeoJSON.MultiPolygon, Member>;

/** The rows of a CSV text (RFC 4180), by column. */
function readCsv(text: string): Record<string, string>[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    rows[rows.length - 1].push(quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'));
    if (end !== ',' && end !== '') rows.push([]);
    if (end === '') break;
  }
  const [head = [], ...rest] = rows.filter((row) => row.length > 1);
  return rest.map((row) => Object.fromEntries(head.map((name, i) => [name, row[i] ?? ''])));
}

/** Ids and names of what lies in a rectangle whole, of one level. */
async function within({ west, south, east, north }: Box, level: number): Promise<{ id: string; name: string }[]> {
  const body = {
    within: [west, south, east, north],
    admin_level: level,
    format: 'csv',
    geometry: 'none',
    detail: 'low',
  };
  const response = await send('/collections', { method: 'POST', body });
  return readCsv(await response.text()).map(({ id, name }) => ({ id, name }));
}

/** Points of a polygon. */
function pointsOf(geometry: GeoJSON.Geometry): number {
  if (geometry.type === 'Polygon') return geometry.coordinates.reduce((sum, ring) => sum + ring.length, 0);
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flat().reduce((sum, ring) => sum + ring.length, 0) : 0;
}

type Union = GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon, { area_km2: number }>;

/** The union of the sides at a detail; each costs units, so that only those that are asked for are made. */
function merge({ include, exclude }: Sides, detail: Detail, signal?: AbortSignal): Promise<Union> {
  return ask<Union>('/boundaries/union', { method: 'POST', body: { include, exclude, detail }, signal });
}

function Tiers({
  sides,
  busy,
  onMerged,
}: {
  sides: Sides;
  busy: boolean;
  onMerged: (union: Union | null) => void;
}): JSX.Element {
  const units = new Set([...sides.include, ...sides.exclude]).size;
  const key = JSON.stringify(sides);
  const usage = useLoad('usage', (signal) => ask<{ limit: number | null }>('/usage', { signal }));
  const free = usage.state === 'done' && usage.value.limit === null;
  const [results, setResults] = useState<ReadonlyMap<Detail, Loaded<Union>>>(new Map());
  const running = useRef<AbortController | null>(null);
  const run = async (details: readonly Detail[], fresh: boolean): Promise<void> => {
    if (fresh) running.current?.abort();
    const stop = fresh || !running.current ? new AbortController() : running.current;
    running.current = stop;
    const set = (detail: Detail, value: Loaded<Union>): void => {
      if (!stop.signal.aborted) setResults((before) => new Map(before).set(detail, value));
    };
    if (fresh) setResults(new Map());
    for (const detail of details) {
      set(detail, { state: 'loading' });
      try {
        const value = await merge(sides, detail, stop.signal);
        set(detail, { state: 'done', value });
      } catch (error) {
        set(detail, { state: 'failed', failure: asFailure(error), again: () => void run([detail], false) });
      }
    }
  };
  useEffect(() => {
    if (busy || usage.state === 'loading') return;
    const timer = setTimeout(() => void run(free ? ['medium', 'low', 'high', 'full'] : ['medium'], true), WAIT_MS);
    return () => {
      clearTimeout(timer);
      running.current?.abort();
    };
  }, [key, busy, free, usage.state]);
  const medium = results.get('medium');
  const merged = medium?.state === 'done' ? medium.value : null;
  useEffect(() => {
    onMerged(merged);
    return () => onMerged(null);
  }, [merged]);
  const failed = DETAILS.map((detail) => results.get(detail)).find((one) => one?.state === 'failed');
  return (
    <>
      <table class="figures">
        <caption class="hidden">The merged area at each detail</caption>
        <thead>
          <tr>
            <th scope="col">Detail</th>
            <th scope="col">Area</th>
            <th scope="col">Points</th>
          </tr>
        </thead>
        <tbody aria-live="polite">
          {DETAILS.map((detail) => {
            const result = results.get(detail);
            return (
              <tr key={detail}>
                <th scope="row">{detail}</th>
                {result?.state === 'done' ? (
                  <>
                    <td>{area(result.value.properties.area_km2)}</td>
                    <td>{count(pointsOf(result.value.geometry))}</td>
                  </>
                ) : result?.state === 'loading' || busy ? (
                  <td colSpan={2} class="soft">
                    …
                  </td>
                ) : (
                  <td colSpan={2}>
                    {result?.state !== 'failed' && (
                      <button type="button" class="quiet small" onClick={() => run([detail], false)}>
                        Merge ({plural(units, 'unit')})
                      </button>
                    )}
                  </td>
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
      {failed?.state === 'failed' && <Problem failure={failed.failure} again={failed.again} />}
    </>
  );
}

function Files({ sides }: { sides: Sides }): JSX.Element {
  const [format, setFormat] = useState('geojson');
  const [detail, setDetail] = useState<Detail>('medium');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const download = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const body = { ...sides, detail, format };
      if (format === 'geojson') await save('/boundaries/union', { method: 'POST', body }, 'union.geojson');
      else {
        const { url } = await ask<{ url: string }>('/boundaries/union', { method: 'POST', body });
        const link = document.createElement('a');
        // Below our own address, whatever the service is called elsewhere.
        link.href = new URL(`v1/exports/${url.split('/').at(-1)}`, document.baseURI).href;
        link.download = `union.${format}`;
        link.click();
      }
    } catch (error) {
      setFailure(asFailure(error));
    }
    setBusy(false);
  };
  return (
    <details class="fold">
      <summary>Download</summary>
      <div class="fields">
        <label>
          Format
          <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
            {['geojson', 'kml', 'wkt', 'svg', 'gml'].map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
        <label>
          Detail
          <select value={detail} onChange={(event) => setDetail(event.currentTarget.value as Detail)}>
            {DETAILS.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
        <button type="button" onClick={download} disabled={busy}>
          {busy ? 'Downloading…' : 'Download'}
        </button>
      </div>
      {failure && <Problem failure={failure} again={download} />}
    </details>
  );
}

interface Areas {
  readonly type: 'FeatureCollection';
  readonly features: readonly GeoJSON.Feature<
    GeoJSON.MultiPolygon | GeoJSON.Polygon,
    { group: string; members: number; area_km2: number; exact: boolean }
  >[];
  readonly assigned_twice: { readonly total: number };
}

function Dissolve({ sides, atlas }: { sides: Sides; atlas: Atlas | null }): JSX.Element {
  const [csv, setCsv] = useState('');
  const [areas, setAreas] = useState<Loaded<Areas> | null>(null);
  const [job, setJob] = useState<Loaded<{ id: string }> | null>(null);
  const table = (): string => (csv.includes('group') ? csv : `id,group\n${csv}`);
  const run = async (): Promise<void> => {
    setAreas({ state: 'loading' });
    try {
      const value = await ask<Areas>('/dissolve', { method: 'POST', body: { csv: table() } });
      setAreas({ state: 'done', value });
      const features = value.features.map((one) => ({
        ...one,
        properties: { ...one.properties, id: one.properties.group },
      }));
      atlas?.show('children', { type: 'FeatureCollection', features: features as unknown as GeoJSON.Feature[] });
      const boxes = value.features.flatMap(({ bbox }) => (bbox?.length === 4 ? [bbox] : []));
      // Areas on both sides of the antimeridian have no common box that is worth showing.
      if (boxes.length > 0 && boxes.every(([west, , east]) => west <= east)) {
        const [west, south] = [0, 1].map((k) => Math.min(...boxes.map((box) => box[k])));
        const [east, north] = [2, 3].map((k) => Math.max(...boxes.map((box) => box[k])));
        atlas?.fit({ west, south, east, north }, true);
      }
    } catch (error) {
      setAreas({ state: 'failed', failure: asFailure(error), again: run });
    }
  };
  const keep = async (): Promise<void> => {
    setJob({ state: 'loading' });
    try {
      const value = await ask<{ id: string }>('/jobs', {
        method: 'POST',
        body: { op: 'dissolve', input: { csv: table() } },
      });
      setJob({ state: 'done', value });
    } catch (error) {
      setJob({ state: 'failed', failure: asFailure(error), again: keep });
    }
  };
  return (
    <details class="fold">
      <summary>Dissolve by groups</summary>
      <p class="soft small">
        A line for each boundary: its id and its group. Each group becomes one area, and all of them fit each other.
      </p>
      <label class="wide">
        Members
        <textarea
          rows={6}
          spellcheck={false}
          value={csv}
          placeholder={'id,group\nr349044,south\nr349045,south'}
          onInput={(event) => setCsv(event.currentTarget.value)}
        />
      </label>
      <p class="row">
        <button type="button" onClick={run} disabled={csv.trim() === '' || areas?.state === 'loading'}>
          Dissolve
        </button>
        <button
          type="button"
          class="quiet"
          disabled={sides.include.length === 0}
          onClick={() => setCsv(`id,group\n${sides.include.map((id) => `${id},A`).join('\n')}`)}
        >
          Start from the list
        </button>
        <button type="button" class="quiet" onClick={keep} disabled={csv.trim() === '' || job?.state === 'loading'}>
          Save to library
        </button>
      </p>
      {job?.state === 'failed' && <Problem failure={job.failure} again={job.again} />}
      {job?.state === 'done' && (
        <p role="status">
          A job makes the file. <a href={href('/library')}>See how far it is</a>
        </p>
      )}
      {areas && (
        <Show of={areas}>
          {({ features, assigned_twice }) => (
            <>
              <ul class="places">
                {features.map(({ properties }) => (
                  <li
                    key={properties.group}
                    class="line"
                    onMouseEnter={() => atlas?.highlight(properties.group)}
                    onMouseLeave={() => atlas?.highlight(null)}
                  >
                    <span>
                      {properties.group} <span class="soft">{plural(properties.members, 'member')}</span>
                    </span>
                    <span class="soft">{area(properties.area_km2)}</span>
                  </li>
                ))}
              </ul>
              {assigned_twice.total > 0 && (
                <p class="flag">{plural(assigned_twice.total, 'member')} in more than one group.</p>
              )}
            </>
          )}
        </Show>
      )}
    </details>
  );
}

/** What is under a click, to choose from. */
interface Choice {
  readonly lat: number;
  readonly lon: number;
}

function Choose({
  choice,
  atlas,
  onAdd,
  onClose,
}: {
  choice: Choice;
  atlas: Atlas | null;
  onAdd: (id: string, side: keyof Sides) => void;
  onClose: () => void;
}): JSX.Element {
  const account = useAccount();
  const { lat, lon } = choice;
  const found = useLoad<readonly (Boundary | Under)[]>(`choose ${lat},${lon}`, async (signal) => {
    if (!account) return (await atlas?.under(lat, lon)) ?? [];
    return (await ask<{ items: Boundary[] }>('/boundaries/reverse', { query: { lat, lon }, signal })).items;
  });
  return (
    <section class="choose" aria-label="At this point">
      <h2>
        At this point
        <button type="button" class="quiet small" onClick={onClose}>
          Close
        </button>
      </h2>
      <Show of={found} lines={3}>
        {(items) => (
          <>
            {items.length === 0 && <p class="nothing">No boundary is drawn here.</p>}
            <ul class="members">
              {items.map((one) => (
                <li key={one.id}>
                  <span class="grow">
                    {one.name} <span class="soft">{kindName(one.kind)}</span>
                  </span>
                  <button type="button" class="quiet small" onClick={() => onAdd(one.id, 'include')}>
                    Add<span class="hidden"> {one.name}</span>
                  </button>
                  <button type="button" class="quiet small" onClick={() => onAdd(one.id, 'exclude')}>
                    Cut out<span class="hidden"> {one.name}</span>
                  </button>
                </li>
              ))}
            </ul>
          </>
        )}
      </Show>
    </section>
  );
}

/** Collects boundaries, merges them and shows what comes of it. */
export function UnionPanel({
  route,
  atlas,
  click,
}: {
  route: Route;
  atlas: Atlas | null;
  click: { current: (place: { lat: number; lon: number }) => void };
}): JSX.Element {
  const account = useAccount();
  const sides = useMemo(() => readSides(route.query), [route]);
  const all = [...sides.include, ...sides.exclude];
  const [choice, setChoice] = useState<Choice | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [level, setLevel] = useState(6);
  const [merged, setMerged] = useState<Union | null>(null);
  const [drawing, setDrawing] = useState<AbortController | null>(null);
  click.current = setChoice;

  const members = useLoad<Members | null>(all.length > 0 ? `members ${all}` : null, (signal) =>
    ask<Members>('/collections', { method: 'POST', body: { ids: all, detail: 'low' }, signal }),
  );
  const known = members.state === 'done' && members.value ? members.value.features : [];
  const byId = new Map(known.flatMap((one, i) => [[one.properties.id, one] as const, [all[i], one] as const]));

  useEffect(() => {
    document.title = 'Merge boundaries · Boundary Lookup';
  }, []);
  useEffect(() => {
    if (!atlas) return;
    const collect = (ids: readonly string[]): GeoJSON.FeatureCollection => ({
      type: 'FeatureCollection',
      features: ids.flatMap((id) => byId.get(id) ?? []),
    });
    if (members.state === 'done' || all.length === 0) {
      atlas.show('chosen', merged ?? collect(sides.include));
      atlas.show('cut', collect(sides.exclude));
    }
  }, [atlas, members.state, all.join(), merged]);
  useEffect(() => {
    if (atlas && members.state === 'done' && members.value?.bbox && !now().query.get('map')) {
      const [west, south, east, north] = members.value.bbox;
      atlas.fit({ west, south, east, north }, true);
    }
  }, [atlas, members.state, all.join()]);
  useEffect(
    () => () => {
      for (const overlay of ['chosen', 'cut', 'children'] as const) atlas?.show(overlay, null);
    },
    [atlas],
  );

  const add = (ids: readonly string[], side: keyof Sides, instead?: string): void => {
    setFailure(null);
    const rest = (list: readonly string[]): string[] => list.filter((id) => id !== instead && !ids.includes(id));
    const next = { include: rest(sides.include), exclude: rest(sides.exclude) };
    next[side].push(...ids);
    const named = next.include.length + next.exclude.length;
    if (named > MOST) {
      const message = `${count(named)} boundaries would be named; one union merges ${MOST}. Use larger ones, or dissolve groups.`;
      setFailure(new Failure(message, { code: 'too_many_boundaries' }));
      return;
    }
    write(next);
  };
  const remove = (id: string): void => {
    const rest = (list: readonly string[]): string[] => list.filter((one) => one !== id);
    write({ include: rest(sides.include), exclude: rest(sides.exclude) });
  };
  const divide = async (id: string, side: keyof Sides): Promise<void> => {
    setFailure(null);
    try {
      const query = { limit: MOST + 1 };
      const { items, total } = await ask<Children>(`/boundaries/${encodeURIComponent(id)}/children`, { query });
      if (total === 0) throw new Failure('It has no stored subdivisions.', { code: 'no_children' });
      if (total > MOST) {
        const message = `It has ${count(total)} subdivisions; one union merges ${MOST}.`;
        throw new Failure(message, { code: 'too_many_boundaries' });
      }
      add(
        items.map((one) => one.id),
        side,
        id,
      );
    } catch (error) {
      setFailure(asFailure(error));
    }
  };
  const rectangle = async (): Promise<void> => {
    if (!atlas) return;
    const stop = new AbortController();
    setDrawing(stop);
    const box = await atlas.rectangle(stop.signal);
    setDrawing(null);
    if (!box) return;
    try {
      const found = await within(box, level);
      if (found.length === 0) {
        throw new Failure(`No boundary of level ${level} lies in it whole.`, { code: 'nothing_there' });
      }
      add(
        found.map((one) => one.id),
        'include',
      );
    } catch (error) {
      setFailure(asFailure(error));
    }
  };

  const list = (side: keyof Sides, title: string): JSX.Element | null =>
    sides[side].length === 0 ? null : (
      <section aria-label={title}>
        <h2>
          {title} <span class="soft">{sides[side].length}</span>
        </h2>
        <ul class="members">
          {sides[side].map((id) => {
            const name = byId.get(id)?.properties.name ?? id;
            const kind = byId.get(id)?.properties.kind;
            const other = side === 'include' ? 'exclude' : 'include';
            return (
              <li key={id}>
                <span class="grow">
                  <a href={href('/', { id })}>{name}</a> {kind && <span class="soft">{kindName(kind)}</span>}
                </span>
                <button
                  type="button"
                  class="quiet small"
                  onClick={() => divide(id, side)}
                  title="All of its subdivisions instead"
                >
                  Split<span class="hidden"> {name} into its subdivisions</span>
                </button>
                <button type="button" class="quiet small" onClick={() => add([id], other)}>
                  {side === 'include' ? 'Cut out' : 'Include'}
                  <span class="hidden"> {name}</span>
                </button>
                <button type="button" class="quiet small" onClick={() => remove(id)} aria-label={`Remove ${name}`}>
                  ×
                </button>
              </li>
            );
          })}
        </ul>
      </section>
    );

  return (
    <>
      <Search label="Add a place" onPick={(hit) => add([hit.id], 'include')} />
      <div class="scroll">
        <h1>Merge boundaries</h1>
        {all.length === 0 && (
          <p>Search for places or click the map. Shared borders disappear exactly; no slivers are left.</p>
        )}
        <div class="fields">
          <label>
            Admin level
            <select value={level} onChange={(event) => setLevel(Number(event.currentTarget.value))}>
              {[2, 3, 4, 5, 6, 7, 8, 9, 10].map((value) => (
                <option key={value} value={value}>
                  {value}
                </option>
              ))}
            </select>
          </label>
          <button
            type="button"
            class="quiet"
            aria-pressed={drawing !== null}
            disabled={!atlas}
            onClick={() => (drawing ? drawing.abort() : rectangle())}
          >
            {drawing ? 'Draw on the map…' : 'Add all in a rectangle'}
          </button>
        </div>
        {failure && <Problem failure={failure} />}
        {choice && (
          <Choose choice={choice} atlas={atlas} onAdd={(id, side) => add([id], side)} onClose={() => setChoice(null)} />
        )}
        {members.state === 'failed' && all.length > 0 && <Problem failure={members.failure} again={members.again} />}
        {list('include', 'Merged')}
        {list('exclude', 'Cut out')}
        {sides.include.length > 0 && (
          <section aria-label="Result">
            <h2>Result</h2>
            {account === undefined ? (
              <Skeleton />
            ) : account === null ? (
              <SignIn>to merge them and to download the result.</SignIn>
            ) : (
              <>
                <Tiers sides={sides} busy={members.state === 'loading'} onMerged={setMerged} />
                <Files sides={sides} />
              </>
            )}
            <Share ways={waysToMerge(sides)} />
          </section>
        )}
        {account && <Dissolve sides={sides} atlas={atlas} />}
        {all.length > 0 && (
          <p class="row">
            <button type="button" class="quiet" onClick={() => write({ include: [], exclude: [] })}>
              Start again
            </button>
          </p>
        )}
      </div>
    </>
  );
}
