import { expect, it } from 'vitest';
import { readGml } from '../../workers/formats/gml/read.ts';
import type { ReadFeature } from '../../workers/formats/reading/document.ts';

const POSITIONS = '0 0 0 1 1 1 0 0';
const LINE = `<gml:LineString><gml:posList>${POSITIONS}</gml:posList></gml:LineString>`;
const LINEAR = `<gml:exterior><gml:LinearRing><gml:posList>${POSITIONS}</gml:posList></gml:LinearRing></gml:exterior>`;
const TRIANGLE = [
  [0, 0],
  [1, 0],
  [1, 1],
  [0, 0],
];

/** The polygons of a file with this geometry; degrees with the latitude first. */
function polygonsOf(geometry: string) {
  const { features } = readGml(
    `<gml:FeatureCollection xmlns:gml="http://www.opengis.net/gml/3.2" xmlns:xlink="http://www.w3.org/1999/xlink">
      <gml:featureMember><area><place srsName="urn:ogc:def:crs:EPSG::4326">${geometry}</place></area></gml:featureMember>
    </gml:FeatureCollection>`,
  );
  return [...(features as Iterable<ReadFeature>)].map(({ polygons }) => polygons);
}
const ringOf = (members: string) =>
  `<gml:Polygon><gml:exterior><gml:Ring>${members}</gml:Ring></gml:exterior></gml:Polygon>`;
const curveOf = (segments: string) =>
  `<gml:curveMember><gml:Curve><gml:segments>${segments}</gml:segments></gml:Curve></gml:curveMember>`;
const patchOf = (name: string) =>
  `<gml:Surface><gml:patches><gml:${name}>${LINEAR}</gml:${name}></gml:patches></gml:Surface>`;

it('reads rings of curves of straight lines, and all plane patches of a surface', () => {
  const segment = `<gml:LineStringSegment><gml:posList>${POSITIONS}</gml:posList></gml:LineStringSegment>`;
  for (const geometry of [
    ringOf(`<gml:curveMember>${LINE}</gml:curveMember>`),
    ringOf(curveOf(segment)),
    ...['PolygonPatch', 'Triangle', 'Rectangle'].map(patchOf),
  ]) {
    expect(polygonsOf(geometry), geometry).toEqual([[[TRIANGLE]]]);
  }
});

it.each(['ArcByCenterPoint', 'CircleByCenterPoint', 'ArcByBulge', 'GeodesicSpline'])(
  'refuses a border with a segment of another kind: %s',
  (kind) => {
    const segment = `<gml:${kind}><gml:pos>0.5 0.5</gml:pos><gml:radius uom="km">3</gml:radius></gml:${kind}>`;
    const ring = ringOf(`<gml:curveMember>${LINE}</gml:curveMember>${curveOf(segment)}`);
    expect(() => polygonsOf(ring)).toThrow(`it has curves (${kind})`);
  },
);

it.each([
  ringOf(`<gml:curveMember>${LINE}</gml:curveMember><gml:curveMember xlink:href="#c2"/>`),
  `<gml:MultiSurface><gml:surfaceMember><gml:Polygon>${LINEAR}</gml:Polygon></gml:surfaceMember>
     <gml:surfaceMember xlink:href="#s2"/></gml:MultiSurface>`,
  `<gml:Polygon>${LINEAR}<gml:interior xlink:href="#r2"/></gml:Polygon>`,
])('refuses an area a part of which is a reference to another place of the file', (geometry) => {
  expect(() => polygonsOf(geometry)).toThrow('a reference (xlink:href)');
});

it('refuses a patch that is not plane', () => {
  expect(() => polygonsOf(patchOf('Cone'))).toThrow('it has curves (Cone)');
});
