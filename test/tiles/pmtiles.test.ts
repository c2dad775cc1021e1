import { gzipSync } from 'node:zlib';
import { PMTiles, type RangeResponse, type Source, tileIdToZxy, zxyToTileId } from 'pmtiles';
import { expect, it } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import { type Entry, frontOf, tileId } from '../../workers/formats/tile/pmtiles.ts';

/** An archive in memory, for the reader of the makers of the format. */
function inMemory(archive: Buffer): PMTiles {
  const source: Source = {
    getKey: () => 'memory',
    async getBytes(offset, length): Promise<RangeResponse> {
      return { data: new Uint8Array(archive.subarray(offset, offset + length)).buffer };
    },
  };
  return new PMTiles(source);
}

it('numbers tiles as its makers do', () => {
  for (let z = 0; z <= 5; z++) {
    for (let x = 0; x < 2 ** z; x++) {
      for (let y = 0; y < 2 ** z; y++) expect(tileId(z, x, y)).toBe(zxyToTileId(z, x, y));
    }
  }
  for (const [z, x, y] of [
    [14, 16_383, 0],
    [14, 9_000, 5_555],
    [20, 1_000_000, 3],
  ]) {
    expect(tileIdToZxy(tileId(defined(z), defined(x), defined(y)))).toEqual([z, x, y]);
  }
});

it.each([3, 20_000])('an archive of %i entries is read tile by tile', async (count) => {
  const tiles: Buffer[] = [];
  const entries: Entry[] = [];
  let offset = 0;
  for (let i = 0; i < count; i++) {
    // Every seventh is a run of two, and every fifth is what the first is.
    const again = i > 0 && i % 5 === 0;
    const bytes = gzipSync(`tile ${i}`);
    const at = again ? { offset: 0, length: defined(entries[0]).length } : { offset, length: bytes.length };
    entries.push({ id: 3 * i, run: i % 7 === 0 ? 2 : 1, ...at });
    if (again) continue;
    tiles.push(bytes);
    offset += bytes.length;
  }
  const about = { metadata: { name: 'made' }, maxZoom: 9, bounds: [-10, -20, 30, 40] as const };
  const front = frontOf(entries, { ...about, addressed: count, contents: tiles.length, tileBytes: offset });
  const archive = inMemory(Buffer.concat([front, ...tiles]));
  const header = await archive.getHeader();
  expect([header.maxZoom, header.minLon, header.minLat, header.maxLon, header.maxLat]).toEqual([9, -10, -20, 30, 40]);
  expect([header.numAddressedTiles, header.numTileEntries, header.numTileContents, header.clustered]).toEqual([
    count,
    entries.length,
    tiles.length,
    true,
  ]);
  expect(await archive.getMetadata()).toEqual({ name: 'made' });
  const read = async (id: number) => {
    const found = await archive.getZxy(...tileIdToZxy(id));
    return found ? Buffer.from(found.data).toString() : null;
  };
  for (const i of [0, 1, 2, 5, 7, count - 1].filter((i) => i < count)) {
    const wanted = `tile ${i % 5 === 0 ? 0 : i}`;
    expect(await read(3 * i)).toBe(wanted);
    expect(await read(3 * i + 1)).toBe(i % 7 === 0 ? wanted : null);
    expect(await read(3 * i + 2)).toBeNull();
  }
});
