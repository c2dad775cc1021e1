import { useEffect, useRef } from 'preact/hooks';
import type { Atlas } from '../atlas.ts';
import { useMapLegend } from '../legend.ts';
import { currentRoute } from '../route.ts';
import { colorsOf } from '../union/groups.ts';
import { type Opened, ownersOf } from './area_set.ts';

/** Draws a version: its members in the colors of their territories, or its areas from the tiles. */
export function useShown(
  { set, version, areas, shapes, newest }: Opened,
  to: ReadonlyMap<string, string>,
  names: readonly string[],
  atlas: Atlas | null,
): void {
  const color = colorsOf(names);
  useMapLegend(
    set.name,
    names.map((name) => ({ color: color(name), label: name })),
  );
  const moved = useRef(currentRoute().query.get('map') !== null);
  useEffect(() => {
    if (!atlas) return;
    if (shapes) return atlas.showSet(null);
    const colorOf = colorsOf(names);
    const colors = new Map(areas.map(({ id, name }) => [id, colorOf(name)]));
    atlas.showSet({ name: set.name, asOf: version.valid_from, colors });
    return () => atlas.showSet(null);
  }, [atlas, newest, version.valid_from]);
  useEffect(() => {
    if (!atlas || !shapes) return;
    const owners = ownersOf(areas);
    const colorOf = colorsOf(names);
    const features = shapes.features.map((one) => {
      const { id, name } = one.properties;
      return { ...one, properties: { id, name, color: colorOf(to.get(id) ?? owners.get(id) ?? '') } };
    });
    atlas.show('groups', { type: 'FeatureCollection', features });
  }, [atlas, shapes, to, names.join('\n')]);
  useEffect(() => () => atlas?.show('groups', null), [atlas]);
  useEffect(() => {
    const boxes = areas.flatMap(({ bbox }) => bbox ?? []);
    const [first] = boxes;
    if (!atlas || !first || moved.current) return;
    moved.current = true;
    const crosses = boxes.some(({ west, east }) => west > east);
    atlas.fit(
      {
        west: crosses ? -180 : Math.min(...boxes.map(({ west }) => west)),
        south: Math.min(...boxes.map(({ south }) => south)),
        east: crosses ? 180 : Math.max(...boxes.map(({ east }) => east)),
        north: Math.max(...boxes.map(({ north }) => north)),
      },
      true,
    );
  }, [atlas, areas]);
}
