import type { Atlas } from './atlas.ts';
import type { Route } from './route.ts';

/** What each panel beside the map gets. */
export interface PanelProps {
  readonly route: Route;
  readonly atlas: Atlas | null;
  readonly click: { current: (place: { lat: number; lon: number }) => void };
}
