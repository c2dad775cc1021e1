/** The collection of borders: each is there once, and divided where it begins or ceases to be at sea. */
import { defined } from '../../common/elements.ts';
import { problem } from '../../core/errors.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { type BorderArc, borderArcs, lineBoundaries } from '../../domain/boundaries/line_pages.ts';
import { DataMoved, type Snapshot } from '../../domain/boundaries/reads.ts';
import { waterOf } from '../../domain/boundaries/sea.ts';
import { ArcsMoved } from '../../geometry/arc_leases.ts';
import { type BorderLine, borderLines, writeLine } from '../../geometry/border_lines.ts';
import { geometryOf } from '../../ops/boundaries/document.ts';
import type { Services } from '../../services.ts';
import { levelOfZoom, MAX_ZOOM } from '../../tiles/boundary_tiles.ts';
import { MERCATOR, type System } from './crs.ts';
import { type LinePlace, type LinesQuery, placeOfLine } from './lines_query.ts';

/** The id of the collection. */
export const LINES = 'lines';

/** Boundaries, and arcs of one, that are read at once. */
const BOUNDARIES_AT_ONCE = 20;
const ARCS_AT_ONCE = 100;
/** A page ends after as many arcs, whatever they are, where each reading counts as some; its `next` link leads on. */
const MOST_ARCS = 1_000;
const ARCS_OF_READ = 20;
/** A page ends once its lines have this many vertices. */
const MOST_VERTICES = 200_000;

/** A line with flat properties. */
export interface LineFeature {
  readonly id: string;
  readonly coords: Int32Array;
  readonly properties: Readonly<Record<string, string | number | boolean | null>>;
}

/** A page of lines; `next`: where the next one begins, null without one. */
export interface LinesPage {
  readonly features: readonly LineFeature[];
  readonly next: string | null;
}

const idOf = ({ boundary, arc, part }: LinePlace): string => `${boundary}.${arc}.${part}`;

type Needed = Pick<Services, 'db' | 'engine'>;

/**
 * The lines of a page. Those that a query leaves out are read, too: a page may have fewer lines than its limit, and a
 * next one all the same.
 * @throws DataMoved
 */
export async function linesPage(
  read: Needed,
  reading: Snapshot,
  query: LinesQuery,
  signal: AbortSignal,
): Promise<LinesPage> {
  const features: LineFeature[] = [];
  let vertices = 0;
  for await (const { place, feature } of linesFrom(read, reading, query, signal)) {
    const isFull = feature === null || features.length === query.limit || vertices >= MOST_VERTICES;
    if (isFull) return { features, next: idOf(place) };
    if (query.maritime !== null && feature.properties.maritime !== query.maritime) continue;
    features.push(feature);
    vertices += feature.coords.length / 2;
  }
  return { features, next: null };
}

/** One line. @throws not_found; DataMoved */
export async function oneLine(read: Needed, reading: Snapshot, id: string, signal: AbortSignal): Promise<LineFeature> {
  const place = placeOfLine(id);
  const [boundary] = place === null ? [] : await reading.byIds([place.boundary]);
  if (place !== null && boundary?.has_geometry === true) {
    const wanted = { first: place.arc, limit: 1 };
    const arcs = await borderArcs(read.db, reading.revision, { id: boundary.id, box: null }, wanted, signal);
    const lines = await featuresOf(read, reading, boundary, arcs, signal);
    const found = lines.find((line) => line.feature.id === id);
    if (found !== undefined) return found.feature;
  }
  throw problem('not_found', `There is no feature ${id.slice(0, 60)} in ${LINES}.`);
}

/** Lines in order, from that of the query on; `feature` is null where the page must end. */
async function* linesFrom(
  read: Needed,
  reading: Snapshot,
  query: LinesQuery,
  signal: AbortSignal,
): AsyncGenerator<{ readonly place: LinePlace; readonly feature: LineFeature | null }> {
  const start = query.start ?? { boundary: '', arc: 1, part: 0 };
  let scanned = 0;
  for (let first = start.boundary; ; ) {
    const wanted = { first, limit: BOUNDARIES_AT_ONCE };
    const ids = await lineBoundaries(read.db, reading.revision, query, wanted, signal);
    for (const boundary of await reading.byIds(ids)) {
      const { id } = boundary;
      for (let arc = id === start.boundary ? start.arc : 1; ; ) {
        if (scanned >= MOST_ARCS) yield { place: { boundary: id, arc, part: 0 }, feature: null };
        const next = { first: arc, limit: ARCS_AT_ONCE };
        const arcs = await borderArcs(read.db, reading.revision, { id, box: query.box }, next, signal);
        for (const line of await featuresOf(read, reading, boundary, arcs, signal)) {
          const { place } = line;
          const isBefore = id === start.boundary && place.arc === start.arc && place.part < start.part;
          if (!isBefore) yield line;
        }
        scanned += arcs.length + ARCS_OF_READ;
        if (arcs.length < ARCS_AT_ONCE) break;
        arc = defined(arcs.at(-1)).number + 1;
      }
    }
    const last = ids.at(-1);
    if (last === undefined || ids.length < BOUNDARIES_AT_ONCE) return;
    // Ids are in the order of code points: nothing is between an id and itself with a space.
    first = `${last} `;
  }
}

/** Those of the arcs of a boundary that are its own, as lines: a border belongs to the first boundary that it bounds. */
async function featuresOf(
  { engine }: Needed,
  reading: Snapshot,
  boundary: ResolvedBoundary,
  arcs: readonly BorderArc[],
  signal: AbortSignal,
): Promise<{ readonly place: LinePlace; readonly feature: LineFeature }[]> {
  const own = arcs.filter(({ beside }) => beside[0]?.id === boundary.id);
  if (own.length === 0) return [];
  const ids = [...new Set(own.flatMap(({ beside }) => beside.map(({ id }) => id)))];
  const index = new Map(ids.map((id, i) => [id, i]));
  const land = await reading.landOf(ids);
  const { west, south, east, north } = boundary;
  const marked = await reading.maritimeLines();
  const wanted = {
    boundary: geometryOf(boundary),
    arcs: own.map(({ number, arc }) => ({ place: number - 1, id: arc })),
    beside: own.map(({ beside }) =>
      beside.map(({ id, isBackward }) => (isBackward ? ~defined(index.get(id)) : defined(index.get(id)))),
    ),
    water: ids.map((id) => waterOf(land, id)),
    maritime: marked.within([west ?? 0, south ?? 0, east ?? 0, north ?? 0]),
  };
  const lines = await borderLines(engine, wanted, LEVEL, signal).catch((error) => {
    throw error instanceof ArcsMoved ? new DataMoved() : error;
  });
  return own.flatMap((arc, i) =>
    defined(lines[i]).map((line, part) => {
      const place = { boundary: boundary.id, arc: arc.number, part };
      const id = idOf(place);
      return { place, feature: { id, coords: line.coords, properties: { id, ...propertiesOf(arc, line, boundary) } } };
    }),
  );
}

/** The properties of a line. Sides are as one walks from its first position to its last. */
function propertiesOf(
  { beside, disputed }: BorderArc,
  { meters, maritime }: BorderLine,
  { source }: ResolvedBoundary,
): LineFeature['properties'] {
  const level = beside[0]?.level ?? null;
  const sideOf = (isBackward: boolean): string | null =>
    beside.find((one) => one.level === level && one.isBackward === isBackward)?.id ?? null;
  return {
    admin_level: level,
    maritime,
    disputed,
    length_km: meters / 1000,
    left_id: sideOf(false),
    right_id: sideOf(true),
    attribution: source.attribution,
  };
}

/** The detail of all lines, whatever they bound, so that they meet: that of the finest tiles. */
const LEVEL = levelOfZoom(MAX_ZOOM);

/** A line as a GeoJSON feature. `more` are further members of it. */
export function lineJson({ id, coords, properties }: LineFeature, crs: System, more: object = {}): Uint8Array {
  return writeLine(coords, { id, properties, ...more }, { mercator: crs === MERCATOR });
}
