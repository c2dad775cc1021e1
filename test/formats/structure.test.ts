import { describe, expect, it } from 'vitest';
import { writeGml } from '../../workers/formats/gml/write.ts';
import { writeKml } from '../../workers/formats/kml/write.ts';
import { gmlFaults, kmlFaults } from './structure.ts';
import { documentOf, HOSTILE, polygonsOf, square, text } from './support.ts';

const BOX = [5, 40, 15, 50] as const;
// Longitudes that are latitudes as well: only the box can tell an order of axes from the other.
const AREA = polygonsOf([[square(10, 45, 5), square(10, 45, 3, true)], [square(10, 45, 1)]]);
const DOCUMENT = documentOf({ id: 'r7', name: HOSTILE, bbox: [...BOX] });
const gml = text(writeGml(AREA, DOCUMENT));
const kml = text(writeKml(AREA, DOCUMENT));

/** The numbers of every position list the other way round. */
const swapGml = (list: string) => list.replace(/(\S+) (\S+)/g, '$2 $1');
const reversed = (list: string, separator: string) => list.split(separator).reverse().join(separator);
const pairs = (list: string) => list.replace(/(\S+) (\S+) ?/g, '$1_$2 ').trim();

const inGml = (name: string, edit: (list: string) => string, nth = 0) => {
  let at = 0;
  return gml.replace(new RegExp(`(?<=<gml:${name}>)[^<]+`, 'g'), (list) => (at++ === nth ? edit(list) : list));
};
const inKml = (edit: (list: string) => string, nth = 0) => {
  let at = 0;
  return kml.replace(/(?<=<coordinates>)[^<]+/g, (list) => (at++ === nth ? edit(list) : list));
};

describe('the structural check of GML', () => {
  it('finds nothing wrong with what the writer writes', () => {
    expect(gmlFaults(gml, BOX)).toEqual([]);
    expect(gmlFaults(text(writeGml(polygonsOf([]), DOCUMENT)), null)).toEqual([]);
  });

  const broken: [what: string, document: string, fault: RegExp][] = [
    ['longitude first', inGml('posList', swapGml), /posList: .* outside/],
    ['longitude first in the envelope', inGml('lowerCorner', swapGml), /lowerCorner: .* outside/],
    ['another order by its name', gml.replaceAll('urn:ogc:def:crs:EPSG::4326', 'EPSG:4326'), /srsName/],
    ['an id twice', gml.replace('r7.polygon.2', 'r7.polygon.1'), /r7.polygon.1 twice/],
    ['an object without id', gml.replace(' gml:id="r7.geometry"', ''), /MultiSurface without gml:id/],
    ['an open ring', inGml('posList', (list) => list.split(' ').slice(0, -2).join(' ')), /not closed/],
    ['a ring of three positions', inGml('posList', () => '40 5 40 15 40 5'), /3 positions/],
    ['a clockwise shell', inGml('posList', (list) => reversed(pairs(list), ' ').replaceAll('_', ' ')), /way round/],
    [
      'a counter-clockwise hole',
      inGml('posList', (list) => reversed(pairs(list), ' ').replaceAll('_', ' '), 1),
      /way round/,
    ],
    ['a hole for a shell', gml.replaceAll(/gml:exterior/g, 'gml:interior'), /a Polygon of interior/],
    ['a position repeated', inGml('posList', (list) => `${list.split(' ').slice(0, 2).join(' ')} ${list}`), /repeated/],
    ['a number with an exponent', inGml('posList', (list) => list.replace('40', '4e1')), /not a decimal/],
    ['half a position', inGml('posList', (list) => `${list} 1`), /odd number/],
    ['an end cut off', gml.slice(0, -20), /not well-formed/],
    ['a bare ampersand', gml.replace('</gml:name>', '&</gml:name>'), /not well-formed/],
    ['a control character', gml.replace('</gml:name>', '\u0007</gml:name>'), /not well-formed/],
    ['no namespace', gml.replace(/ xmlns:gml="[^"]+"/, ''), /not well-formed/],
  ];
  it.each(broken)('sees %s', (_, document, fault) => {
    expect(document).not.toBe(gml);
    expect(gmlFaults(document, BOX).join('\n')).toMatch(fault);
  });
});

describe('the structural check of KML', () => {
  it('finds nothing wrong with what the writer writes', () => {
    expect(kmlFaults(kml, BOX)).toEqual([]);
    expect(kmlFaults(text(writeKml(polygonsOf([]), DOCUMENT)), null)).toEqual([]);
  });

  const broken: [what: string, document: string, fault: RegExp][] = [
    ['latitude first', inKml((list) => list.replace(/([^ ,]+),([^ ,]+)/g, '$2,$1')), /outside/],
    ['an open ring', inKml((list) => list.split(' ').slice(0, -1).join(' ')), /not closed/],
    ['a clockwise shell', inKml((list) => reversed(list, ' ')), /way round/],
    ['a counter-clockwise hole', inKml((list) => reversed(list, ' '), 1), /way round/],
    ['a ring of three positions', inKml(() => '5,40 15,40 5,40'), /3 positions/],
    ['two outer boundaries', kml.replace(/innerBoundaryIs/g, 'outerBoundaryIs'), /a Polygon of outerBoundaryIs, outer/],
    ['a height', inKml((list) => list.replace(' ', ',0 ')), /not a pair/],
    ['another version', kml.replace('kml/2.2', 'kml/2.1'), /kml in/],
    ['an end cut off', kml.slice(0, -8), /not well-formed/],
    ['an element not closed', kml.replace('</Polygon>', ''), /not well-formed/],
  ];
  it.each(broken)('sees %s', (_, document, fault) => {
    expect(document).not.toBe(kml);
    expect(kmlFaults(document, BOX).join('\n')).toMatch(fault);
  });
});
