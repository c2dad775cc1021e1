import { defined } from '../../defined.ts';
import { type OpenedDocument, type Position, type ReadFeature, Unreadable } from '../reading/document.ts';
import { polygonsOfRings } from '../reading/nest.ts';

interface Section {
  readonly area: string;
  readonly isHole: boolean;
  readonly ring: readonly Position[];
}

/**
 * Reads Osmosis polygon filter files: a name, then sections of positions, longitude first; the names of holes begin
 * with an exclamation mark. In a file of several areas, sections are named by area and number (`r62422 1`): sections
 * with the same area name become one area. In other files all sections are one area.
 * @throws Unreadable
 */
export function readPoly(text: string): OpenedDocument {
  const lines = text.split('\n').map((line) => line.trim());
  const name = lines[0] || null;
  const sections: Section[] = [];
  let at = 1;
  for (; at < lines.length; at++) {
    if (lines[at] === '') continue;
    if (defined(lines[at]).toUpperCase() === 'END') break;
    const called = defined(lines[at]);
    const ring: Position[] = [];
    for (at++; ; at++) {
      if (at >= lines.length) throw new Unreadable(`the section "${called.slice(0, 60)}" has no END`);
      if (defined(lines[at]).toUpperCase() === 'END') break;
      if (lines[at] === '') continue;
      const [lon = Number.NaN, lat = Number.NaN] = defined(lines[at]).split(/\s+/).map(Number);
      if (!Number.isFinite(lon) || !Number.isFinite(lat)) throw new Unreadable(`line ${at + 1} is not a position`);
      ring.push([lon, lat]);
    }
    const isHole = called.startsWith('!');
    sections.push({ area: areaOf(isHole ? called.slice(1).trim() : called), isHole, ring });
  }
  if (at >= lines.length) throw new Unreadable('the file has no END');
  if (sections.length === 0) throw new Unreadable('it has no sections');
  const isOne =
    sections.some(({ area }) => area === '') || !sections.some(({ area }) => area !== defined(sections[0]).area);
  const groups = new Map<string, Section[]>();
  for (const section of sections) {
    const key = isOne ? '' : section.area;
    const group = groups.get(key);
    if (group) group.push(section);
    else groups.set(key, [section]);
  }
  const features = [...groups].map(([area, some]): ReadFeature => {
    const shells = some.filter(({ isHole }) => !isHole).map(({ ring }) => ring);
    const holes = some.filter(({ isHole }) => isHole).map(({ ring }) => ring);
    const called = isOne ? defined(sections[0]).area || name : area;
    const properties = called === null ? {} : isOne ? { name: called } : { id: called };
    return { id: isOne ? null : area, name: called, properties, polygons: polygonsOfRings(shells, holes) };
  });
  return { name, system: null, features, tally: { left: 0 } };
}

/** The name of a section without the number at its end; empty when the name is only a number. */
function areaOf(called: string): string {
  const space = called.lastIndexOf(' ');
  const isNumbered = /^\d+$/.test(called.slice(space + 1));
  return isNumbered ? called.slice(0, Math.max(0, space)).trim() : called;
}
