/** The layers of the overlays, below the names of the map. */
import type { FilterSpecification, Map as MapLibre } from 'maplibre-gl';
import { areasOf, hatch } from './map_parts.ts';
import { drawSet, type ShownSet } from './map_set.ts';
import { COLORS } from './map_style.ts';
import type { Theme } from './theme.ts';

/** A color, or the property of a feature that holds it. */
type Color = string | ['get', string];

/** A filter that matches nothing. */
export const NONE: FilterSpecification = ['==', ['get', 'id'], ''];

/** Adds the layers of all overlays to a map that has their sources. */
export function addOverlays(
  map: MapLibre,
  theme: Theme,
  { highlighted, set }: { readonly highlighted: string; readonly set: ShownSet | null },
): void {
  const colors = COLORS[theme];
  // Keep names above the overlays.
  const names = map.getStyle().layers.find((layer) => layer.type === 'symbol')?.id;
  const fill = (id: string, source: string, color: Color, opacity: number): void => {
    map.addLayer({ id, type: 'fill', source, paint: { 'fill-color': color, 'fill-opacity': opacity } }, names);
  };
  const line = (id: string, source: string, color: Color, width: number, dash?: number[]): void => {
    const paint = { 'line-color': color, 'line-width': width, ...(dash ? { 'line-dasharray': dash } : {}) };
    map.addLayer({ id, type: 'line', source, layout: { 'line-join': 'round' }, paint }, names);
  };
  // Opaque, so that its colors are those of the legend; what has none is hatched.
  if (!map.hasImage('hatch')) map.addImage('hatch', hatch(colors.ink));
  if (set) drawSet(map, set, names);
  fill('figures-fill', 'figures', ['get', 'color'], 1);
  map.setFilter('figures-fill', ['has', 'color']);
  const none = { 'fill-pattern': 'hatch', 'fill-opacity': 0.5 };
  map.addLayer(
    { id: 'figures-none', type: 'fill', source: 'figures', filter: ['!', ['has', 'color']], paint: none },
    names,
  );
  line('figures-line', 'figures-lines', colors.land, 0.6);
  fill('chosen-fill', 'chosen', colors.chosen, 0.12);
  const areas = areasOf(map.getStyle());
  if (areas) {
    const of = { source: areas, 'source-layer': 'areas', filter: NONE };
    map.addLayer(
      { id: 'tiled-fill', type: 'fill', ...of, paint: { 'fill-color': colors.chosen, 'fill-opacity': 0.12 } },
      names,
    );
    // Invisible, but found by queries under a click.
    map.addLayer({ id: 'under', type: 'fill', ...of, filter: ['has', 'id'], paint: { 'fill-opacity': 0 } }, names);
  }
  fill('cut-fill', 'cut', colors.cut, 0.22);
  fill('groups-fill', 'groups', ['get', 'color'], 0.4);
  fill('children-fill', 'children', colors.chosen, 0);
  fill('highlight', 'children', colors.chosen, 0.28);
  map.setFilter('highlight', ['==', ['get', 'id'], highlighted]);
  line('children-line', 'children-lines', colors.chosen, 0.8);
  map.setPaintProperty('children-line', 'line-opacity', 0.55);
  line('groups-line', 'groups-lines', ['get', 'color'], 1.5);
  line('cut-line', 'cut-lines', colors.cut, 1.5, [2, 1.5]);
  line('chosen-line', 'chosen-lines', colors.chosen, 2.2);
  if (areas) {
    map.addLayer(
      {
        id: 'tiled-line',
        type: 'line',
        source: areas,
        'source-layer': 'areas',
        filter: NONE,
        layout: { 'line-join': 'round' },
        paint: { 'line-color': colors.chosen, 'line-width': 2.2 },
      },
      names,
    );
  }
  map.addLayer({
    id: 'point',
    type: 'circle',
    source: 'point',
    paint: {
      'circle-radius': 6,
      'circle-color': colors.chosen,
      'circle-stroke-color': colors.land,
      'circle-stroke-width': 2,
    },
  });
}
