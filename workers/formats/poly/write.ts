import { defined } from '../../defined.ts';
import type { ByteWriter } from '../bytes.ts';
import type { TextWriter } from '../format.ts';
import { type About, COLLECTION_DIGITS, type Feature, textOf } from '../types.ts';

/** Text on one line, for the names of sections and files. */
const line = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim() || 'area';

/** Writes a section per ring, `r62422 1`. Sections of holes begin with an exclamation mark and follow their shell. */
function writeSections(out: ByteWriter, feature: Feature, about: About): void {
  const { polygons } = feature;
  if (!polygons) return;
  const { coords, ringEnd, polygonEnd } = polygons;
  const id = textOf(feature, about.columns, 'id') ?? textOf(feature, about.columns, 'name') ?? '';
  let ring = 0;
  let v = 0;
  for (const end of polygonEnd) {
    for (const shell = ring; ring < end; ring++) {
      out.utf8(`${ring === shell ? '' : '!'}${line(id)} ${ring + 1}\n`);
      for (; v < defined(ringEnd[ring]); v++) {
        out.ascii('\t');
        out.degrees(defined(coords[2 * v]), COLLECTION_DIGITS);
        out.ascii('\t');
        out.degrees(defined(coords[2 * v + 1]), COLLECTION_DIGITS);
        out.ascii('\n');
      }
      out.ascii('END\n');
    }
  }
}

/** An Osmosis polygon filter file: a name, then the sections of all features. */
export const POLY_COLLECTION: TextWriter = {
  head: ({ name }) => `${line(name)}\n`,
  separator: '',
  write: writeSections,
  tail: 'END\n',
};
