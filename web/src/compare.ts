import { type GeoJSONSource, Map as MapLibre } from 'maplibre-gl';
import { t } from './language.ts';
import { EMPTY, styleFor } from './map_style.ts';
import type { Theme } from './theme.ts';

/** A second map on the right of the first, with what a later date shows. */
export interface Comparison {
  /** Replaces the areas that are colored on it as on the first map. */
  show(data: GeoJSON.GeoJSON): void;
  /** Resolves once it is drawn, at the latest after eight seconds. */
  settled(): Promise<void>;
  /** Draws what is right of the divider, and the divider. */
  draw(pen: CanvasRenderingContext2D): void;
  remove(): void;
}

/** Resolves once a map has nothing more to draw, at the latest after eight seconds. */
export async function whenIdle(map: MapLibre): Promise<void> {
  await Promise.race([map.once('idle'), new Promise((done) => setTimeout(done, 8000))]);
}

/**
 * Shows a second date on a map, beside the first: it follows the first map, and a divider, which the pointer and the
 * arrow keys move, says where one ends and the other begins.
 */
export async function compare(
  map: MapLibre,
  container: HTMLElement,
  { theme, date, label }: { readonly theme: Theme; readonly date: string | null; readonly label: string },
): Promise<Comparison> {
  const { style } = await styleFor(theme, date);
  const box = document.createElement('div');
  box.className = 'second';
  const edge = document.createElement('div');
  edge.className = 'edge';
  const divider = document.createElement('input');
  Object.assign(divider, { type: 'range', min: '0', max: '100', step: '1', value: '50', className: 'divider' });
  divider.setAttribute('aria-label', label);
  container.append(box, edge, divider);
  const move = (): void => {
    container.style.setProperty('--divide', `${divider.value}%`);
    divider.setAttribute('aria-valuetext', t('time.percent', { n: Number(divider.value) }));
  };
  divider.addEventListener('input', move);
  move();
  const view = () => ({ center: map.getCenter(), zoom: map.getZoom() });
  const second = new MapLibre({
    ...{ container: box, style, interactive: false, attributionControl: false, fadeDuration: 0, ...view() },
  });
  second.getCanvas().setAttribute('aria-hidden', 'true');
  second.getCanvas().tabIndex = -1;
  second.on('error', () => undefined);
  const follow = (): void => {
    second.jumpTo(view());
  };
  map.on('move', follow);
  let data: GeoJSON.GeoJSON = EMPTY;
  const dress = (): void => {
    if (second.getSource('changed')) return;
    second.addSource('changed', { type: 'geojson', data });
    const names = second.getStyle().layers.find((layer) => layer.type === 'symbol')?.id;
    const paint = { 'fill-color': ['get', 'color'] as ['get', string], 'fill-opacity': 0.4 };
    second.addLayer({ id: 'changed', type: 'fill', source: 'changed', paint }, names);
  };
  second.on('style.load', dress);
  return {
    show(next) {
      data = next;
      (second.getSource('changed') as GeoJSONSource | undefined)?.setData(next);
    },
    settled: () => whenIdle(second),
    draw(pen) {
      second.redraw();
      const { width, height } = pen.canvas;
      const from = (width * Number(divider.value)) / 100;
      pen.save();
      pen.beginPath();
      pen.rect(from, 0, width - from, height);
      pen.clip();
      pen.drawImage(second.getCanvas(), 0, 0, width, height);
      pen.restore();
      pen.fillStyle = getComputedStyle(edge).backgroundColor;
      pen.fillRect(from, 0, edge.offsetWidth * (width / container.clientWidth), height);
    },
    remove() {
      map.off('move', follow);
      second.remove();
      box.remove();
      edge.remove();
      divider.remove();
    },
  };
}
