import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defined } from '../../src/common/elements.ts';
import { answer, type World } from './overpass_server.ts';

/** Columns and rows of cells, each a boundary; one more boundary covers all. */
export const COLUMNS = 8;
export const ROWS = 5;
export const CELLS = Array.from({ length: COLUMNS * ROWS }, (_, i) => 2_000_001 + i);
export const WHOLE = 2_000_000;
/** A relation that is not a boundary, one with a way that the server lacks, and a closed way. */
export const NO_BOUNDARY = 2_000_100;
export const INCOMPLETE = 2_000_101;
export const CLOSED_WAY = 3_000_000;

const STEP = 0.1;
const [WEST, SOUTH] = [7, 51];

type Element = Record<string, unknown>;

const round = (value: number) => Math.round(value * 1e7) / 1e7;
const place = (i: number, j: number) => ({ lat: round(SOUTH + j * STEP), lon: round(WEST + i * STEP) });
const node = (i: number, j: number) => 1_000_000 + j * 100 + i;
const across = (i: number, j: number) => 1_100_000 + j * 100 + i;
const upward = (i: number, j: number) => 1_200_000 + j * 100 + i;

function relation(id: number, version: number, tags: Record<string, string>, ways: number[]): Element {
  const members = ways.map((ref) => ({ type: 'way', ref, role: 'outer' }));
  return { type: 'relation', id, version, members, tags: { type: 'boundary', boundary: 'administrative', ...tags } };
}

const tagsOfCell = (id: number) => ({
  admin_level: '8',
  name: `Cell ${id - WHOLE}`,
  wikidata: `Q${id}`,
  'ISO3166-2': `XA-${id - WHOLE}`,
});
const TAGS_OF_WHOLE = { admin_level: '6', name: 'All cells', wikidata: 'Q2000000' };

/**
 * A grid of boundaries with shared borders. `version` applies to all objects; `north` moves the corner between the
 * first four cells by that many degrees; `gone` are deleted relations.
 */
export function grid(options: { version?: number; north?: number; gone?: ReadonlySet<number> } = {}): World {
  const version = options.version ?? 3;
  const way = (id: number, ends: [number, number][], of: number): Element => ({
    type: 'way',
    id,
    version: of,
    nodes: ends.map(([i, j]) => node(i, j)),
    geometry: ends.map(([i, j]) => {
      const { lat, lon } = place(i, j);
      return { lat: i === 1 && j === 1 ? round(lat + (options.north ?? 0)) : lat, lon };
    }),
  });
  const ways = new Map<number, Element>();
  for (let j = 0; j <= ROWS; j++) {
    for (let i = 0; i <= COLUMNS; i++) {
      if (i < COLUMNS)
        ways.set(
          across(i, j),
          way(
            across(i, j),
            [
              [i, j],
              [i + 1, j],
            ],
            version,
          ),
        );
      if (j < ROWS)
        ways.set(
          upward(i, j),
          way(
            upward(i, j),
            [
              [i, j],
              [i, j + 1],
            ],
            version,
          ),
        );
    }
  }
  const relations = new Map<number, Element>();
  CELLS.forEach((id, n) => {
    const [i, j] = [n % COLUMNS, Math.floor(n / COLUMNS)];
    const around = [across(i, j), upward(i + 1, j), across(i, j + 1), upward(i, j)];
    relations.set(id, relation(id, version, tagsOfCell(id), around));
  });
  const outer = [
    ...Array.from({ length: COLUMNS }, (_, i) => [across(i, 0), across(i, ROWS)]).flat(),
    ...Array.from({ length: ROWS }, (_, j) => [upward(0, j), upward(COLUMNS, j)]).flat(),
  ];
  relations.set(WHOLE, relation(WHOLE, version, TAGS_OF_WHOLE, outer));
  relations.set(
    INCOMPLETE,
    relation(INCOMPLETE, version, { admin_level: '8', name: 'Gapped' }, [across(0, 0), 1_999_999]),
  );
  relations.set(NO_BOUNDARY, {
    type: 'relation',
    id: NO_BOUNDARY,
    version,
    members: [],
    tags: { type: 'route', name: 'A route' },
  });
  const corners: [number, number][] = [
    [0, 0],
    [1, 0],
    [1, 1],
    [0, 1],
    [0, 0],
  ];
  const closed = {
    ...way(CLOSED_WAY, corners, version),
    tags: { boundary: 'administrative', name: 'A way', admin_level: '9' },
  };
  for (const id of options.gone ?? []) relations.delete(id);

  const whole = (found: Element[]) => {
    const refs = new Set(found.flatMap(({ members }) => (members as { ref: number }[]).map(({ ref }) => ref)));
    return answer([...found, ...[...ways.values()].filter(({ id }) => refs.has(id as number))]);
  };
  const tagged = (found: Element[]) =>
    answer(found.map(({ type, id, tags }) => ({ type, id, bounds: boundsOf(id as number), tags })));
  const by = (key: string, value: string) =>
    [...relations.values()].filter(({ tags }) => (tags as Record<string, string>)[key] === value);

  return (query) => {
    const object = /;rel\((\d+)\)->\.r;/.exec(query);
    if (object) return whole([relations.get(Number(object[1]))].filter((one) => one !== undefined));
    const closedWay = /;way\((\d+)\);out/.exec(query);
    if (closedWay) return answer(Number(closedWay[1]) === CLOSED_WAY ? [closed] : []);
    const code = /\(rel\["([^"]+)"="([^"]+)"\]/.exec(query);
    if (code) return whole(by(defined(code[1]), defined(code[2])));
    const below = /;rel\((\d+)\)->\.p;.*admin_level"~"\^\(([\d|]+)\)/.exec(query);
    if (below) {
      const levels = defined(below[2]).split('|');
      const parent = Number(below[1]) === WHOLE;
      return tagged(
        parent ? levels.flatMap((level) => by('admin_level', level)).filter(({ id }) => id !== INCOMPLETE) : [],
      );
    }
    const point = /is_in\(([\d.-]+),([\d.-]+)\)/.exec(query);
    if (point)
      return tagged(
        [...relations.values()].filter(({ id }) => contains(id as number, Number(point[1]), Number(point[2]))),
      );
    return null;
  };
}

function boundsOf(id: number) {
  const n = id - defined(CELLS[0]);
  const cell = n >= 0 && n < CELLS.length;
  const [i, j] = cell ? [n % COLUMNS, Math.floor(n / COLUMNS)] : [0, 0];
  const [a, b] = [place(i, j), place(i + (cell ? 1 : COLUMNS), j + (cell ? 1 : ROWS))];
  return { minlat: a.lat, minlon: a.lon, maxlat: b.lat, maxlon: b.lon };
}

function contains(id: number, lat: number, lon: number): boolean {
  if (id > WHOLE + CELLS.length) return false;
  const { minlat, minlon, maxlat, maxlon } = boundsOf(id);
  return lat > minlat && lat < maxlat && lon > minlon && lon < maxlon;
}

/** A recorded response of a real server, by file name. */
export function recorded(name: string): string {
  return readFileSync(join(process.env.REAL_DATA_DIR as string, 'overpass/recorded', `${name}.body`), 'utf8');
}

/** The recorded responses to queries about Liechtenstein and Luxembourg. */
export const recordedWorld: World = (query) => {
  const answers: [RegExp, string][] = [
    [/;rel\(1155956\)->\.r/, 'vaduz-geometry'],
    [/;rel\(1155955\)->\.r/, 'liechtenstein-out-geom'],
    [/;rel\(7879368\)->\.r/, 'broken-relation'],
    [/\["(wikidata"="Q1844|ISO3166-2"="LI-11)"\]/, 'vaduz-geometry'],
    [/;rel\(1155955\)->\.p/, 'liechtenstein-children-subarea'],
    [/;rel\(2171347\)->\.p.*\^\(5\|6\)/, 'luxembourg-children-map-to-area'],
    [/is_in\(47\.141/, 'vaduz-is-in'],
  ];
  const found = answers.find(([pattern]) => pattern.test(query));
  return found ? recorded(found[1]) : recorded('missing-relation');
};
