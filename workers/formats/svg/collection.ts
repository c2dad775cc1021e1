import type { Polygons } from '../../contract.ts';
import { defined } from '../../defined.ts';
import type { ByteWriter } from '../bytes.ts';
import type { TextWriter } from '../format.ts';
import { SEAM_LONGITUDE } from '../seam.ts';
import { type About, type Feature, textOf } from '../types.ts';
import { isXmlName, xmlText } from '../xml.ts';
import { svgNames } from './names.ts';
import { frameAround, inFrame } from './picture.ts';
import { svgHead, writeSvgArea } from './write.ts';

function pictureHead({ name, attribution, box, digits }: About): string {
  return svgHead(box ? frameAround(box, digits) : { width: 0, height: 0 }, { name, attribution });
}

/** Writes one group with the id, the attributes as data-…, and the name as its title. */
function writeGroup(out: ByteWriter, feature: Feature, about: About): void {
  const id = textOf(feature, about.columns, 'id') ?? '';
  out.ascii(`<g${isXmlName(id) && feature.key === undefined ? ` id="${id}"` : ''}`);
  const names = svgNames(about.columns.map(({ name }) => name));
  about.columns.forEach((column, i) => {
    const value = feature.values[i] ?? null;
    if (value === null || column.name === 'id') return;
    out.utf8(` data-${names[i]}="${xmlText(String(value))}"`);
  });
  out.utf8(`>\n<title>${xmlText(textOf(feature, about.columns, 'name') ?? '')}</title>\n`);
  const { polygons } = feature;
  if (polygons && about.box) {
    const frame = frameAround(about.box, about.digits);
    const grid = inFrame(polygons.coords, frame);
    writeSvgArea(out, { ...frame, grid, cut: reachesBothSides(polygons) }, polygons);
  }
  out.ascii('</g>\n');
}

function reachesBothSides({ coords }: Polygons): boolean {
  let west = false;
  let east = false;
  for (let i = 0; i < coords.length; i += 2) {
    if (defined(coords[i]) <= -SEAM_LONGITUDE) west = true;
    else if (defined(coords[i]) >= SEAM_LONGITUDE) east = true;
  }
  return west && east;
}

/** A picture with a group for each feature. */
export const SVG_COLLECTION: TextWriter = { head: pictureHead, separator: '', write: writeGroup, tail: '</svg>\n' };
