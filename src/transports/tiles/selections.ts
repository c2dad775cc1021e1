import type { Context } from 'koa';
import { defined } from '../../common/elements.ts';
import { ANONYMOUS, type Caller } from '../../core/op.ts';
import { DataMoved } from '../../domain/boundaries/model.ts';
import type { TileSelection } from '../../domain/boundaries/tile_selections.ts';
import { languagesOf } from '../../domain/names/languages.ts';
import { selectKept } from '../../ops/boundaries/select_tiles.ts';
import { type DrawnSelection, selectionMembers, selectionTile } from '../../tiles/selection_tiles.ts';
import { Exchange } from '../http/exchange.ts';
import { readableFile } from '../http/library.ts';
import { within } from '../within.ts';
import {
  answerTile,
  callerOf,
  countMembers,
  HEADERS,
  langOf,
  PRIVATE_HEADERS,
  placeOf,
  sendJson,
  type TileRequest,
} from './requests.ts';
import { selectionTileJson } from './tile_json.ts';

const TILE = /^selections\/([0-9a-f]{64})\/(\d{1,3})\/(\d{1,9})\/(\d{1,9})\.mvt$/;
const DESCRIPTION = /^selections\/([0-9a-f]{64})\.json$/;

export { selectTiles } from '../../ops/boundaries/select_tiles.ts';

/** Finds the handler of a path of a selection, below /tiles/; null for any other path. */
export type SelectionTilesRoute = (
  path: string,
) => ((ctx: Context, served: TileRequest, parameters: URLSearchParams) => Promise<void>) | null;

/**
 * GET /tiles/selections/{sha256}/{z}/{x}/{y}.mvt, and the TileJSON. A selection of public boundaries is open to
 * everyone who knows its name. A selection from a library file is open to those who may read the file, checked for
 * every tile.
 */
export function selectionTilesRoute(trusted: boolean): SelectionTilesRoute {
  return (path) => {
    const description = DESCRIPTION.exec(path);
    if (description) {
      return async (ctx, served, parameters) => {
        const { sha256, selection, caller } = await selectionFor(ctx, served, defined(description[1]), trusted);
        const { services } = served;
        const lang = langOf(parameters);
        const members = await within(ctx, services, (signal) =>
          selectionMembers(services, drawnOf(ctx, served, { sha256, selection, caller, lang }), signal),
        );
        sendJson(ctx, selectionTileJson(services.config.BASE_URL, { sha256, lang, members }));
      };
    }
    const tile = TILE.exec(path);
    if (!tile) return null;
    return async (ctx, served, parameters) => {
      const { headers, ...kept } = await selectionFor(ctx, served, defined(tile[1]), trusted);
      const place = placeOf(tile.slice(2));
      const lang = langOf(parameters);
      const drawn = await within(ctx, served.services, (signal) =>
        selectionTile(served.services, drawnOf(ctx, served, { ...kept, lang }), place, signal),
      );
      await answerTile(Exchange.of(ctx), served, drawn, headers);
    };
  };
}

interface AllowedSelection {
  readonly sha256: string;
  readonly selection: TileSelection;
  readonly caller: Caller;
}

/**
 * Gets the selection if the caller may see it.
 * @throws not_found; unauthorized for a selection from a file, without a credential
 */
async function selectionFor(ctx: Context, served: TileRequest, sha256: string, trusted: boolean) {
  const selection = await served.services.tileSelections.get(sha256);
  const { file_id: file } = selection;
  if (typeof file !== 'string') return { sha256, selection, caller: ANONYMOUS, headers: HEADERS };
  ctx.set(PRIVATE_HEADERS);
  const caller = await callerOf(ctx, served, trusted);
  await readableFile(served.services, caller, file);
  return { sha256, selection, caller, headers: PRIVATE_HEADERS };
}

/** A selection to draw. Its boundaries are resolved again for every revision of the data. */
function drawnOf(
  ctx: Context,
  served: TileRequest,
  { sha256, selection, caller, lang }: AllowedSelection & { readonly lang: string | null },
): DrawnSelection {
  const { services } = served;
  return {
    sha256,
    prefer: lang === null ? [] : languagesOf(lang),
    weigh: (members) => countMembers(served, members),
    async idsAt(revision, signal) {
      const context = {
        services,
        caller,
        signal,
        requestId: ctx.state.requestId as string,
        address: null,
        deadline: Date.now() + services.config.REQUEST_DEADLINE_MS,
        transport: 'http' as const,
        baseUrl: services.config.BASE_URL,
        headers: {},
      };
      const selected = await selectKept(context, selection);
      if (selected.revision !== revision) throw new DataMoved();
      return selected.members.map(({ id }) => id);
    },
  };
}
