import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, at, type Box, type Failure, save } from './api.ts';
import { area, plural } from './format.ts';
import type { Atlas } from './map.ts';
import { go, href, now, type Route } from './route.ts';
import { useAccount } from './session.ts';
import { quoted, Share, type Ways } from './share.tsx';
import { asFailure, type Loaded, Problem, Show, SignIn, Skeleton, useLoad } from './ui.tsx';

const MOST_CHARACTERS = 2_000;
const FORMATS = ['geojson', 'kml', 'wkt', 'svg', 'gml'] as const;
const DETAILS = ['low', 'medium', 'high', 'full'] as const;
const EXAMPLES = [
  'Andalucía without the province of Sevilla',
  'the coastal provinces of Spain',
  'Portugal and its neighbors',
  'the northern half of Spain',
];

/** What a step does. */
const OPS: Readonly<Record<string, string>> = {
  place: 'Place',
  group: 'Group',
  capital: 'Capital',
  union: 'All of these',
  difference: 'The first without the second',
  intersection: 'In common',
  children: 'Subdivisions',
  containing: 'What contains it',
  neighbors: 'Neighbors',
  around: 'Within a distance',
  within: 'Within a distance',
  buffer: 'Every point within a distance',
  touching: 'On the border',
  coast: 'By the sea',
  side: 'On one side',
  clip: 'A part',
  rank: 'The first of a ranking',
  measured: 'By size',
  named: 'By name',
};

interface Named {
  readonly id: string;
  readonly name: string;
}

interface Candidate extends Named {
  readonly parents: readonly Named[];
}

/** A part of a description, by its characters. */
interface Words {
  readonly text: string;
  readonly from: number | null;
  readonly to: number | null;
}

interface Step {
  readonly op: string;
  readonly words?: Words;
  readonly found: {
    readonly members: number;
    readonly place?: Named;
    readonly rivals?: readonly Candidate[];
    readonly because?: string;
    readonly notes?: readonly string[];
  };
}

interface Plan {
  readonly reading: string;
  readonly planner: 'embedded' | 'model' | 'given';
  readonly choices: readonly string[];
  readonly steps: readonly Step[];
  readonly include: readonly Named[];
  readonly exclude: readonly Named[];
  readonly exact: boolean;
}

type Area = GeoJSON.Feature<GeoJSON.Polygon | GeoJSON.MultiPolygon, { area_km2: number; plan: Plan }>;

/** A part of a description that is not understood, with what may be meant. */
interface Unmapped extends Words {
  readonly reason: string;
  readonly candidates: readonly Candidate[];
}

/** The address of a description; what the map shows is kept when the same is asked for again. */
const addressOf = (words: string): string => href('/area', { words });

/** A description with an id in place of some of its words. */
function corrected(words: string, { from, to }: Words, id: string): string {
  return from === null || to === null ? words : `${words.slice(0, from)}${id}${words.slice(to)}`;
}

function waysToDescribe(description: string): Ways {
  const input = { description };
  return {
    curl: `curl -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(input))} ${quoted(at('v1/areas'))}`,
    command: `boundary create-area --description ${quoted(description)}`,
    tool: JSON.stringify({ name: 'create_area', arguments: input }),
  };
}

const parentsOf = ({ parents }: Candidate): string => parents.map(({ name }) => name).join(', ');

/** What else words may mean: to choose one is to put its id into the description. */
function Candidates({
  words,
  part,
  list,
}: {
  words: string;
  part: Words;
  list: readonly Candidate[];
}): JSX.Element | null {
  if (list.length === 0 || part.from === null) return null;
  return (
    <ul class="places">
      {list.map((one) => (
        <li key={one.id}>
          <a href={addressOf(corrected(words, part, one.id))}>
            <span>
              {one.name} <span class="soft">{one.id}</span>
            </span>
            <span class="soft">{parentsOf(one)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Why a description does not give an area: each part that could not be mapped, with what may be meant. */
function Refused({ words, failure, again }: { words: string; failure: Failure; again: () => void }): JSX.Element {
  const places = failure.places as readonly Unmapped[];
  if (failure.code !== 'could_not_map' || places.length === 0) return <Problem failure={failure} again={again} />;
  return (
    <section class="problem" role="alert" aria-label="Not understood">
      {places.map((place) => (
        <div key={`${place.from} ${place.text}`}>
          <p>{place.reason}</p>
          {place.candidates.length > 0 && <p class="soft small">Meant is:</p>}
          <Candidates words={words} part={place} list={place.candidates} />
        </div>
      ))}
    </section>
  );
}

function Steps({ words, plan }: { words: string; plan: Plan }): JSX.Element {
  return (
    <ol class="steps">
      {plan.steps.map((step, i) => {
        const { members, place, rivals, because, notes } = step.found;
        return (
          <li key={i}>
            <span class="line">
              <span>
                {OPS[step.op] ?? step.op}
                {step.words && (
                  <>
                    : <q>{step.words.text}</q>
                  </>
                )}
                {place && (
                  <>
                    {' '}
                    <a href={href('/', { id: place.id })}>{place.name}</a>
                  </>
                )}
              </span>
              {!place && <span class="soft">{plural(members, 'boundary', 'boundaries')}</span>}
            </span>
            {because && <p class="soft small">Taken because {because}.</p>}
            {notes?.map((note) => (
              <p key={note} class="soft small">
                {note}
              </p>
            ))}
            {step.words && rivals && rivals.length > 0 && (
              <details>
                <summary class="small">Something else is meant</summary>
                <Candidates words={words} part={step.words} list={rivals} />
              </details>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function boxOf(feature: Area): Box | null {
  const [west, south, east, north] = feature.bbox ?? [];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  return { west, south, east, north };
}

function Files({ words }: { words: string }): JSX.Element {
  const [format, setFormat] = useState<string>('geojson');
  const [detail, setDetail] = useState<string>('medium');
  const [busy, setBusy] = useState(false);
  const [saved, setSaved] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(null);
    setSaved(false);
    try {
      await work();
    } catch (error) {
      setFailure(asFailure(error));
    }
    setBusy(false);
  };
  const download = (): Promise<void> =>
    run(async () => {
      const body = { description: words, detail, format };
      if (format === 'geojson') return save('/areas', { method: 'POST', body }, 'area.geojson');
      const { url } = await ask<{ url: string }>('/areas', { method: 'POST', body });
      const link = document.createElement('a');
      // Below our own address, whatever the service is called elsewhere.
      link.href = new URL(`v1/exports/${url.split('/').at(-1)}`, document.baseURI).href;
      link.download = `area.${format}`;
      link.click();
    });
  const keep = (): Promise<void> =>
    run(async () => {
      await ask('/files', { method: 'POST', body: { area: { description: words }, format, detail } });
      setSaved(true);
    });
  return (
    <details class="fold">
      <summary>Download</summary>
      <div class="fields">
        <label>
          Format
          <select value={format} onChange={(event) => setFormat(event.currentTarget.value)}>
            {FORMATS.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
        <label>
          Detail
          <select value={detail} onChange={(event) => setDetail(event.currentTarget.value)}>
            {DETAILS.map((value) => (
              <option key={value}>{value}</option>
            ))}
          </select>
        </label>
        <button type="button" onClick={download} disabled={busy}>
          {busy ? 'Working…' : 'Download (5 units)'}
        </button>
        <button type="button" class="quiet" onClick={keep} disabled={busy}>
          Save to library
        </button>
      </div>
      {saved && (
        <p role="status">
          Saved. <a href={href('/library')}>Open the library</a>
        </p>
      )}
      {failure && <Problem failure={failure} />}
    </details>
  );
}

/** The area of a description that was understood: drawn when asked for, as it costs units. */
function Result({ words, plan, atlas }: { words: string; plan: Plan; atlas: Atlas | null }): JSX.Element {
  const usage = useLoad('usage', (signal) => ask<{ limit: number | null }>('/usage', { signal }));
  const [drawn, setDrawn] = useState<Loaded<Area> | null>(null);
  const running = useRef<AbortController | null>(null);
  const draw = async (): Promise<void> => {
    running.current?.abort();
    const stop = new AbortController();
    running.current = stop;
    setDrawn({ state: 'loading' });
    try {
      const body = { description: words, detail: 'medium' };
      const value = await ask<Area>('/areas', { method: 'POST', body, signal: stop.signal });
      if (!stop.signal.aborted) setDrawn({ state: 'done', value });
    } catch (error) {
      if (!stop.signal.aborted) setDrawn({ state: 'failed', failure: asFailure(error), again: () => void draw() });
    }
  };
  const free = usage.state === 'done' && usage.value.limit === null;
  useEffect(() => {
    if (free) void draw();
    return () => running.current?.abort();
  }, [words, free]);
  const feature = drawn?.state === 'done' ? drawn.value : null;
  useEffect(() => {
    if (!atlas || !feature) return;
    atlas.show('chosen', feature);
    const box = boxOf(feature);
    if (box) atlas.fit(box, true);
    return () => atlas.show('chosen', null);
  }, [atlas, feature]);
  return (
    <section aria-label="Result">
      <h2>Result</h2>
      <div aria-live="polite">
        {drawn ? (
          <Show of={drawn}>
            {({ properties }) => (
              <p>
                {area(properties.area_km2)}
                {properties.plan.exact ? '' : ', cut or widened on a grid of 1 cm'}
              </p>
            )}
          </Show>
        ) : usage.state === 'loading' || free ? (
          <Skeleton />
        ) : (
          <p class="row">
            <button type="button" onClick={draw}>
              Draw it (5 units)
            </button>
          </p>
        )}
      </div>
      <details class="fold">
        <summary>
          Made of {plural(plan.include.length, 'boundary', 'boundaries')}
          {plan.exclude.length > 0 && `, without ${plan.exclude.length}`}
        </summary>
        <ul class="places">
          {[
            ...plan.include.map((one) => ({ ...one, out: false })),
            ...plan.exclude.map((one) => ({ ...one, out: true })),
          ]
            .slice(0, 400)
            .map(({ id, name, out }) => (
              <li key={id}>
                <a href={href('/', { id })}>
                  <span>{name}</span>
                  {out && <span class="soft">cut out</span>}
                </a>
              </li>
            ))}
        </ul>
      </details>
      <Files key={words} words={words} />
      <Share ways={waysToDescribe(words)} />
    </section>
  );
}

function Understood({ words, atlas }: { words: string; atlas: Atlas | null }): JSX.Element {
  const planned = useLoad(`plan ${words}`, (signal) =>
    ask<{ plan: Plan }>('/areas', { method: 'POST', body: { description: words, dry_run: true }, signal }),
  );
  if (planned.state === 'loading') return <Skeleton lines={5} />;
  if (planned.state === 'failed') return <Refused words={words} failure={planned.failure} again={planned.again} />;
  const { plan } = planned.value;
  return (
    <>
      <section aria-label="Plan">
        <h2>Understood as</h2>
        <p role="status">{plan.reading}</p>
        {plan.planner === 'model' && <p class="flag">A model read this description. Look at the steps.</p>}
        {plan.choices.map((choice) => (
          <p key={choice} class="flag">
            {choice}.
          </p>
        ))}
        <Steps words={words} plan={plan} />
      </section>
      <Result key={words} words={words} plan={plan} atlas={atlas} />
    </>
  );
}

/** Panel of `/area`: an area described in words, what was understood, and the area on the map. */
export default function AreaPanel({ route, atlas }: { route: Route; atlas: Atlas | null }): JSX.Element {
  const account = useAccount();
  const words = (route.query.get('words') ?? '').trim().slice(0, MOST_CHARACTERS);
  const [text, setText] = useState(words);
  useEffect(() => setText(words), [words]);
  useEffect(() => {
    document.title = words ? `${words.slice(0, 60)} · Boundary Lookup` : 'Area in words · Boundary Lookup';
  }, [words]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const map = now().query.get('map') ?? undefined;
    if (text.trim() !== '') go(href('/area', { words: text.trim(), map }));
  };
  return (
    <div class="scroll">
      <h1>Area in words</h1>
      <form class="describe" onSubmit={submit}>
        <label class="wide">
          Description, in English, Spanish, German or French
          <textarea
            rows={3}
            maxLength={MOST_CHARACTERS}
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.shiftKey) submit(event);
            }}
          />
        </label>
        <p class="row">
          <button type="submit" disabled={text.trim() === ''}>
            Show
          </button>
        </p>
      </form>
      {words === '' ? (
        <p class="row">
          {EXAMPLES.map((example) => (
            <a key={example} class="chip" href={addressOf(example)}>
              {example}
            </a>
          ))}
        </p>
      ) : account === undefined ? (
        <Skeleton />
      ) : account === null ? (
        <SignIn>to see how it is understood, and to draw it.</SignIn>
      ) : (
        <Understood words={words} atlas={atlas} />
      )}
    </div>
  );
}
