/** What sites show of a link to this service: a title, a sentence and a picture (Open Graph), of public boundaries. */
import type { Context } from 'koa';
import { invalidInput, ProblemError } from '../../core/errors.ts';
import type { ResolvedBoundary } from '../../domain/boundaries/boundary.ts';
import { DataMoved } from '../../domain/boundaries/reads.ts';
import { ArcsMoved } from '../../geometry/arc_leases.ts';
import { drawCardOf } from '../../geometry/maps.ts';
import { attributionOf, geometryOf } from '../../ops/boundaries/document.ts';
import type { Services } from '../../services.ts';
import type { Admit } from '../admit.ts';
import { within } from '../within.ts';
import { type Html, html } from './page.ts';

/** Boundaries of a picture. */
const MOST_IDS = 20;
/** Requests that a picture counts as. */
const REQUESTS = 5;
const ID = /^[\w:/.@-]{1,200}$/;
const SITE = 'Boundary Lookup';

type Handler = (ctx: Context) => Promise<void>;

/** GET /preview.png?ids=r1,r2: boundaries with their names, as a picture of 1200 x 630. */
export function previewRoute(services: Services, admit: Admit): [string, { GET: Handler }] {
  return [
    '/preview.png',
    {
      async GET(ctx) {
        const { count } = await admit(ctx);
        const ids = idsOf(new URLSearchParams(ctx.querystring).get('ids') ?? '');
        if (ids === null) {
          const message = `must be 1 to ${MOST_IDS} ids of boundaries, separated by commas`;
          throw invalidInput([{ path: 'ids', code: 'invalid_value', message }]);
        }
        await count(REQUESTS - 1);
        const { bytes, sha256 } = await within(ctx, services, (signal) =>
          services.boundaries.withSnapshot(async (reading) => {
            const found = await reading.resolve(ids);
            const text = { titles: titlesOf(found), about: aboutOf(found), attribution: attributionOf(found) };
            try {
              return await drawCardOf(services.engine, services.cache, found.map(geometryOf), text, signal);
            } catch (error) {
              throw error instanceof ArcsMoved ? new DataMoved() : error;
            }
          }),
        );
        ctx.set({
          'Content-Type': 'image/png',
          'Cache-Control': 'public, max-age=3600',
          'Cross-Origin-Resource-Policy': 'cross-origin',
          ETag: `"${sha256}"`,
        });
        ctx.body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      },
    },
  ];
}

/** What a link names: `id` of the map, or `include` of a union without `exclude`; null: no boundary, or too many. */
function idsOf(text: string): string[] | null {
  const ids = text.split(',', MOST_IDS + 1);
  return ids.length <= MOST_IDS && ids.every((id) => ID.test(id)) ? ids : null;
}

/**
 * The title and the meta tags of a page of the dashboard that shows boundaries; `missing` for the page of one that does not
 * exist; null for any other, and where boundaries cannot be read now: such a page is shown without.
 */
export async function previewTags(
  services: Services,
  ctx: Context,
  admit: Admit,
): Promise<{ readonly title: string; readonly tags: Html } | 'missing' | null> {
  const { path } = ctx;
  const query = new URLSearchParams(ctx.querystring);
  const isUnion = path === '/union' && (query.get('exclude') ?? '') === '';
  const id = path === '/' ? (query.get('id') ?? '') : '';
  const ids = idsOf(isUnion ? (query.get('include') ?? '') : id);
  if (ids === null) return id === '' ? null : 'missing';
  const found = await admit(ctx)
    .then(() => services.boundaries.withSnapshot((reading) => reading.resolve(ids)))
    .catch((error) => (id !== '' && namesNothing(error) ? 'missing' : null));
  const { BASE_URL, UPSTREAM_URL } = services.config;
  // The page asks for areas of sets, for those who may read them, and for what an upstream has.
  if (found === 'missing' && (id.startsWith('set:') || UPSTREAM_URL.length > 0)) return null;
  if (found === null || found === 'missing') return found;
  const [title = ''] = titlesOf(found);
  const about = aboutOf(found);
  const isDrawn = found.every(({ has_geometry }) => has_geometry);
  const image = `${BASE_URL}/preview.png?ids=${found.map(({ id }) => id).join(',')}`;
  const tags = html`<meta property="og:type" content="website">
<meta property="og:site_name" content="${SITE}">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${about}">
<meta property="og:url" content="${BASE_URL}${path}?${isUnion ? 'include' : 'id'}=${ids.join(',')}">
${
  isDrawn &&
  html`<meta property="og:image" content="${image}">
<meta property="og:image:type" content="image/png">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="Outline of ${title}">
<meta name="twitter:card" content="summary_large_image">`
}`;
  return { title: `${title} · ${SITE}`, tags };
}

const namesNothing = (error: unknown): boolean =>
  error instanceof ProblemError && (error.code === 'not_found' || error.code === 'invalid_id');

/** Titles, best first: local names, and ids for a picture whose fonts do not have the characters of names. */
function titlesOf(found: readonly ResolvedBoundary[]): string[] {
  const titleBy = (shown: (one: ResolvedBoundary) => string): string => {
    const names = found.slice(0, 3).map(shown);
    return found.length > 3 ? `${names.join(' + ')} + ${found.length - 3} more` : names.join(' + ');
  };
  return [titleBy(({ name }) => name), titleBy(({ id }) => id)];
}

/** Of one boundary its kind, what it lies in, population and area; of several their number and area. */
function aboutOf(found: readonly ResolvedBoundary[]): string {
  const [only] = found;
  const area = found.reduce((sum, { area_km2 }) => sum + (area_km2 ?? Number.NaN), 0);
  const size = Number.isFinite(area) ? [`${figure(area)} km²`] : [];
  if (only === undefined || found.length > 1) return [`${found.length} boundaries`, ...size].join(', ');
  const { kind, parents, population } = only.boundary;
  const inside = parents
    .toReversed()
    .slice(0, 2)
    .map(({ name }) => name);
  const place = inside.length > 0 ? ` in ${inside.join(', ')}` : '';
  const people = population === null ? [] : [`${figure(population)} people`];
  return [`${kind.replaceAll('_', ' ')}${place}`, ...people, ...size].join(', ');
}

const figure = (value: number): string =>
  value.toLocaleString('en-US', value < 100 ? { maximumSignificantDigits: 3 } : { maximumFractionDigits: 0 });
