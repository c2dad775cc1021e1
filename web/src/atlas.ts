/** What the panels ask of the map. */
import type { Box, Shape } from './api.ts';
import type { PathAsked, PathDrawing } from './drawing/path.ts';
import type { ShownSet } from './map_set.ts';
import type { Theme } from './theme.ts';

/** A boundary as the tile under a point describes it. */
export interface TileBoundary {
  readonly id: string;
  readonly name: string;
  readonly kind: string;
  readonly level: number | null;
}

/** The map view. */
export interface View {
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

/** Overlays on the map, by layer. */
export const OVERLAYS = ['figures', 'chosen', 'children', 'cut', 'groups'] as const;
export type Overlay = (typeof OVERLAYS)[number];

export interface Atlas {
  /** Replaces the features of an overlay; null clears it. */
  show(overlay: Overlay, data: Shape | GeoJSON.FeatureCollection | null): void;
  /** Shows a version of an area set from its tiles; null: none. */
  showSet(set: ShownSet | null): void;
  /** Highlights one of the children. */
  highlight(id: string | null): void;
  /** Marks a point. */
  mark(point: { lat: number; lon: number } | null): void;
  fit(box: Box, animate: boolean): void;
  look(view: View): void;
  /**
   * The boundaries that the map shows at a point, outermost first; null when it has no tiles or shows another place.
   */
  under(lat: number, lon: number): Promise<readonly TileBoundary[] | null>;
  /** Lets the visitor draw a rectangle with the pointer; null when they cancel. */
  rectangle(signal: AbortSignal): Promise<Box | null>;
  /** Lets the visitor draw a line or an area by its corners, which stays until it is cleared. */
  path(asked: PathAsked): PathDrawing;
  clearPath(): void;
  /** Draws the view onto a canvas, whose size becomes that of the map. */
  draw(onto: HTMLCanvasElement): Drawn;
  setTheme(theme: Theme): Promise<void>;
  /** Resolves once all of the view is drawn, at the latest after eight seconds. */
  settled(): Promise<void>;
  /** Shows the boundaries as of a date; null: today. */
  setDate(date: string | null): Promise<void>;
  /** Shows a second date on the right of a divider with this label; undefined: no second one. */
  compare(date: string | null | undefined, label: string): Promise<void>;
  remove(): void;
}

/** How a view was drawn: pixels of the picture for each of the page, and the bar of its scale in pixels of the page. */
export interface Drawn {
  readonly scale: number;
  readonly bar: { readonly width: number; readonly text: string } | null;
}
