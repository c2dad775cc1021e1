import type { Map as MapLibre } from 'maplibre-gl';
import type { Box } from './api.ts';

/**
 * Lets the visitor draw a rectangle on a map with a pointer: a mouse, a finger or a pen. Null when they cancel, for
 * example with Escape. A drag that the browser takes away is started again.
 */
export function drawRectangle(map: MapLibre, container: HTMLElement, signal: AbortSignal): Promise<Box | null> {
  const canvas = map.getCanvas();
  map.dragPan.disable();
  map.touchZoomRotate.disable();
  // Otherwise the browser scrolls the page with a finger, and cancels the pointer.
  canvas.style.touchAction = 'none';
  canvas.style.cursor = 'crosshair';
  const frame = document.createElement('div');
  frame.className = 'rectangle';
  return new Promise((resolve) => {
    let from: { x: number; y: number } | null = null;
    const at = (event: PointerEvent): { x: number; y: number } => {
      const { left, top } = canvas.getBoundingClientRect();
      return { x: event.clientX - left, y: event.clientY - top };
    };
    const done = (box: Box | null): void => {
      listen.abort();
      frame.remove();
      map.dragPan.enable();
      map.touchZoomRotate.enable();
      map.touchZoomRotate.disableRotation();
      canvas.style.touchAction = '';
      canvas.style.cursor = '';
      resolve(box);
    };
    const listen = new AbortController();
    const how = { signal: listen.signal };
    signal.addEventListener('abort', () => done(null), how);
    canvas.addEventListener(
      'pointerdown',
      (event) => {
        if (!event.isPrimary) return;
        from = at(event);
        canvas.setPointerCapture(event.pointerId);
        container.append(frame);
      },
      how,
    );
    canvas.addEventListener(
      'pointermove',
      (event) => {
        if (!from || !event.isPrimary) return;
        const to = at(event);
        Object.assign(frame.style, {
          left: `${Math.min(from.x, to.x)}px`,
          top: `${Math.min(from.y, to.y)}px`,
          width: `${Math.abs(from.x - to.x)}px`,
          height: `${Math.abs(from.y - to.y)}px`,
        });
      },
      how,
    );
    canvas.addEventListener(
      'pointerup',
      (event) => {
        if (!from || !event.isPrimary) return;
        const to = at(event);
        if (Math.abs(from.x - to.x) < 4 || Math.abs(from.y - to.y) < 4) return done(null);
        const a = map.unproject([Math.min(from.x, to.x), Math.max(from.y, to.y)]).wrap();
        const b = map.unproject([Math.max(from.x, to.x), Math.min(from.y, to.y)]).wrap();
        done({ west: a.lng, south: a.lat, east: b.lng, north: b.lat });
      },
      how,
    );
    canvas.addEventListener(
      'pointercancel',
      (event) => {
        if (!event.isPrimary) return;
        from = null;
        frame.remove();
        frame.removeAttribute('style');
      },
      how,
    );
    addEventListener('keydown', (event) => event.key === 'Escape' && done(null), how);
  });
}
