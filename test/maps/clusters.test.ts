import { readFileSync } from 'node:fs';
import type { MultiPolygon, Polygon } from 'geojson';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import { expect, it } from 'vitest';
import type { Polygons } from '../../workers/contract.ts';
import { clustersOf } from '../../workers/maps/clusters.ts';

function polygonsOf(geometry: Polygon | MultiPolygon): Polygons {
  const coords: number[] = [];
  const [ringEnd, polygonEnd]: [number[], number[]] = [[], []];
  for (const rings of geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates) {
    for (const ring of rings) {
      for (const [x = 0, y = 0] of ring) coords.push(Math.round(x * 1e7), Math.round(y * 1e7));
      ringEnd.push(coords.length / 2);
    }
    polygonEnd.push(ringEnd.length);
  }
  return {
    coords: Int32Array.from(coords),
    ringEnd: Uint32Array.from(ringEnd),
    polygonEnd: Uint32Array.from(polygonEnd),
  };
}

/** The names of the areas of each map: the main one, then the insets. */
function maps(file: string, object: string): string[][] {
  const topology = JSON.parse(readFileSync(`node_modules/${file}`, 'utf8')) as Topology;
  const { features } = feature(topology, topology.objects[object] as GeometryCollection<{ name: string }>);
  const areas = features.map(({ geometry }) => polygonsOf(geometry as Polygon | MultiPolygon));
  return clustersOf(areas, true).map(({ parts }) => [
    ...new Set(parts.map(({ area }) => String(features[area]?.properties.name))),
  ]);
}

it('gives far parts an inset, and leaves near islands in the map', () => {
  const [states, ...far] = maps('us-atlas/states-10m.json', 'states');
  expect(states).toHaveLength(49);
  expect(far.map((names) => names.sort().join()).sort()).toEqual([
    'Alaska',
    'American Samoa',
    'Commonwealth of the Northern Mariana Islands,Guam',
    'Hawaii',
    'Puerto Rico,United States Virgin Islands',
  ]);
  const [provinces, ...others] = maps('es-atlas/es/provinces.json', 'provinces');
  expect(provinces).toContain('Illes Balears');
  expect(others.map((names) => names.sort().join())).toEqual(['Las Palmas,Santa Cruz de Tenerife']);
});
