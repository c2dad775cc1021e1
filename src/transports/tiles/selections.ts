import type { Context } from 'koa';
import { today } from '../../common/dates.ts';
import { defined } from '../../common/elements.ts';
import { authorize, RULES } from '../../core/access.ts';
import { contextAsOf } from '../../core/dated.ts';
import { ANONYMOUS, type Context as CallContext, type Caller, contextWith } from '../../core/op.ts';
import { namesSets, withSets } from '../../core/with_sets.ts';
import { DataMoved } from '../../domain/boundaries/reads.ts';
import { MAX_SELECTED } from '../../domain/boundaries/selection.ts';
import { noSelection, type TileSelection } from '../../domain/boundaries/tile_selections.ts';
import { languagesOf } from '../../domain/names/languages.ts';
import { partOf, selectKept } from '../../ops/boundaries/select_tiles.ts';
import { type DrawnSelection, selectionMembers, selectionTile } from '../../tiles/selection_tiles.ts';
import { Exchange } from '../http/exchange.ts';
import { readableFile } from '../http/library.ts';
import { sendPage } from '../pages/page.ts';
import { wordsFor } from '../pages/words.ts';
import { readingContext } from '../reading.ts';
import { within } from '../within.ts';
import { selectionPreview } from './preview.ts';
import {
  answerTile,
  asOfDate,
  callerOf,
  countMembers,
  HEADERS,
  langOf,
  PRIVATE_HEADERS,
  placeOf,
  requirePart,
  sendJson,
  type TileServices,
} from './requests.ts';
import { selectionTileJson } from './tile_json.ts';

const TILE = /^(selections\/[0-9a-f]{64}|sets\/[a-z0-9-]{1,40})\/(\d{1,3})\/(\d{1,9})\/(\d{1,9})\.mvt$/;
const PREVIEW = /^(selections\/[0-9a-f]{64}|sets\/[a-z0-9-]{1,40})$/;
const DESCRIPTION = /^(selections\/[0-9a-f]{64}|sets\/[a-z0-9-]{1,40})\.json$/;

export { selectTiles } from '../../ops/boundaries/select_tiles.ts';

/** Finds the handler of a path of a selection or of an area set, below /tiles/; null for any other path. */
export type SelectionTilesRoute = (
  path: string,
) => ((ctx: Context, served: TileServices, parameters: URLSearchParams) => Promise<void>) | null;

/**
 * GET /tiles/selections/{sha256}/{z}/{x}/{y}.mvt and /tiles/sets/{name}/{z}/{x}/{y}.mvt, their TileJSON, and the page
 * that shows them. A selection of public boundaries is open to everyone who knows its name. Area sets, and selections with
 * areas of sets or from a library file, are open to those who may read them, checked for every tile.
 */
export function selectionTilesRoute(trusted: boolean): SelectionTilesRoute {
  return (path) => {
    const description = DESCRIPTION.exec(path);
    if (description) {
      return async (ctx, served, parameters) => {
        const name = defined(description[1]);
        const allowed = await selectionFor(ctx, served, { name, parameters, trusted });
        const part = partOf(allowed.selection);
        requirePart(parameters, part);
        const lang = langOf(parameters);
        const members = await within(ctx, served.services, (signal) =>
          selectionMembers(allowed.read.services, drawnOf(served, allowed, lang), signal),
        );
        const largest = allowed.largeSet === null ? null : MAX_SELECTED;
        const shown = { name, lang, asOf: allowed.asOf, part, members, largest };
        sendJson(ctx, selectionTileJson(served.services.config.BASE_URL, shown));
      };
    }
    const preview = PREVIEW.exec(path);
    if (preview) {
      return async (ctx, served, parameters) => {
        const name = defined(preview[1]);
        const { asOf } = await selectionFor(ctx, served, { name, parameters, trusted });
        const { BASE_URL } = served.services.config;
        const shown = { lang: langOf(parameters), asOf };
        sendPage(ctx, 200, selectionPreview(BASE_URL, name, shown, wordsFor(ctx, BASE_URL)));
      };
    }
    const tile = TILE.exec(path);
    if (!tile) return null;
    return async (ctx, served, parameters) => {
      const allowed = await selectionFor(ctx, served, { name: defined(tile[1]), parameters, trusted });
      const place = placeOf(tile.slice(2));
      requirePart(parameters, partOf(allowed.selection));
      const lang = langOf(parameters);
      const drawn = await within(ctx, served.services, (signal) =>
        selectionTile(allowed.read.services, drawnOf(served, allowed, lang), place, signal),
      );
      await answerTile(Exchange.of(ctx), served, drawn, allowed.headers);
    };
  };
}

interface AllowedSelection {
  readonly sha256: string;
  readonly selection: TileSelection;
  /** What the call reads: official boundaries, and area sets that its caller may read. */
  readonly read: CallContext;
  /** The date of a set; null: today. */
  readonly asOf: string | null;
  /** The source of a set with more areas than a selection may have; null: of anything else. */
  readonly largeSet: string | null;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Gets the selection if the caller may see it.
 * @throws not_found; unauthorized for a selection from a file or with areas of sets, without a credential
 */
async function selectionFor(
  ctx: Context,
  served: TileServices,
  asked: { readonly name: string; readonly parameters: URLSearchParams; readonly trusted: boolean },
): Promise<AllowedSelection> {
  const { services } = served;
  const [sort, name = ''] = asked.name.split('/');
  const selection = sort === 'sets' ? { set: name } : await services.tileSelections.get(name);
  const sha256 = sort === 'sets' ? asked.name : name;
  const asOf = sort === 'sets' ? asOfDate(asked.parameters) : null;
  const { file_id: file, org } = selection as TileSelection;
  const readAs = (caller: Caller) => readingContext(services, caller, ctx.state.requestId as string);
  if (typeof file !== 'string' && !namesSets(selection)) {
    return { sha256, selection, read: readAs(ANONYMOUS), asOf, largeSet: null, headers: HEADERS };
  }
  ctx.set(PRIVATE_HEADERS);
  const caller = await callerOf(ctx, served, asked.trusted);
  if (org !== undefined && org !== caller.org?.id) throw noSelection();
  if (typeof file === 'string') await readableFile(services, caller, file);
  else authorize(RULES.list_set_areas, 'read', caller);
  const own = await withSets(readAs(caller), selection);
  const read = asOf === null ? own : await contextAsOf(own, asOf);
  const areas = sort === 'sets' ? (read.services.sets?.areasOn(asOf ?? today()) ?? 0) : 0;
  const largeSet = areas > MAX_SELECTED ? `set:${name}` : null;
  return { sha256, selection, read, asOf, largeSet, headers: PRIVATE_HEADERS };
}

/** A selection to draw. Its boundaries are resolved again for every revision of the data. */
function drawnOf(
  served: TileServices,
  { sha256, selection, read, largeSet }: AllowedSelection,
  lang: string | null,
): DrawnSelection {
  return {
    sha256,
    prefer: lang === null ? [] : languagesOf(lang),
    part: partOf(selection),
    largeSet,
    weigh: (members) => countMembers(served, members),
    async idsAt(revision, signal) {
      const selected = await selectKept(contextWith(read, { signal }), selection);
      if (selected.revision !== revision) throw new DataMoved();
      return selected.members.map(({ id }) => id);
    },
  };
}
