import type { Context } from 'koa';
import { defined } from '../../common/elements.ts';
import { drawnFormat, fileTile } from '../../tiles/file_tiles.ts';
import { archiveTile, isArchive, readArchiveInfo } from '../../tiles/saved_archive.ts';
import { Exchange } from '../http/exchange.ts';
import { readableFile } from '../http/library.ts';
import { within } from '../within.ts';
import { answerTile, callerOf, PRIVATE_HEADERS, placeOf, refuseArea, sendJson, type TileServices } from './requests.ts';
import { archiveTileJson, fileTileJson } from './tile_json.ts';

const TILE = /^files\/(\w{1,60})\/(\d{1,3})\/(\d{1,9})\/(\d{1,9})\.mvt$/;
const DESCRIPTION = /^files\/(\w{1,60})\.json$/;

/** Finds the handler of a path of a library file, below /tiles/; null for any other path. */
export type FileTilesRoute = (
  path: string,
) => ((ctx: Context, served: TileServices, parameters: URLSearchParams) => Promise<void>) | null;

/**
 * GET /tiles/files/{id}/{z}/{x}/{y}.mvt, and the TileJSON: tiles of a library file, for any credential that may read it
 * now. Access is checked for every tile, before anything else; shared caches must not store the responses.
 */
export function fileTilesRoute(trusted: boolean): FileTilesRoute {
  const entryFor = async (ctx: Context, served: TileServices, id: string) => {
    ctx.set(PRIVATE_HEADERS);
    return readableFile(served.services, await callerOf(ctx, served, trusted), id);
  };
  return (path) => {
    const description = DESCRIPTION.exec(path);
    if (description) {
      return async (ctx, served, parameters) => {
        const entry = await entryFor(ctx, served, defined(description[1]));
        refuseArea(parameters);
        const { services } = served;
        const { BASE_URL } = services.config;
        if (isArchive(entry)) {
          const about = await within(ctx, services, (signal) => readArchiveInfo(services, entry, signal));
          sendJson(ctx, archiveTileJson(BASE_URL, entry, about));
          return;
        }
        drawnFormat(entry);
        sendJson(ctx, fileTileJson(BASE_URL, entry));
      };
    }
    const place = TILE.exec(path);
    if (!place) return null;
    return async (ctx, served, parameters) => {
      const { services } = served;
      const entry = await entryFor(ctx, served, defined(place[1]));
      refuseArea(parameters);
      const at = placeOf(place.slice(2));
      const tile = await within(ctx, services, (signal) =>
        isArchive(entry) ? archiveTile(services, entry, at, signal) : fileTile(services, entry, at, signal),
      );
      await answerTile(Exchange.of(ctx), served, tile, PRIVATE_HEADERS);
    };
  };
}
