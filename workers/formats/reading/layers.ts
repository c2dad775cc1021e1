import { Unreadable } from './document.ts';

/** The most layers that an error lists. */
const MOST_LISTED = 50;

/**
 * The layer to read: the named one, or else the only one; null without any.
 * @throws Unreadable, with the layers there are, if there is no such layer, or if there are several and none is named
 */
export function chooseLayer(layers: readonly string[], named: string | undefined): string | null {
  const [only = null, ...others] = layers;
  if (named === undefined && others.length === 0) return only;
  if (named !== undefined && layers.includes(named)) return named;
  const shown = layers.slice(0, MOST_LISTED).join(', ');
  const listed = `${shown}${layers.length > MOST_LISTED ? ` and ${layers.length - MOST_LISTED} more` : ''}`;
  if (named === undefined) throw new Unreadable(`it has ${layers.length} layers; choose one with --layer: ${listed}`);
  throw new Unreadable(`it has no layer "${named}"; it has ${layers.length === 0 ? 'none' : listed}`);
}

/** The error for a layer of a file that has none. */
export const withoutLayers = (): Unreadable => new Unreadable('it has no layers: leave out --layer');

/** The error for a column of geometry of a file that has one geometry for each feature. */
export const withoutColumns = (): Unreadable => new Unreadable('it has no columns of geometry: leave out --geometry');
