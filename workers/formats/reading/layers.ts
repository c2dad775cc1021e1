import { Unreadable } from './document.ts';

/** The most layers that an error lists. */
const MOST_LISTED = 50;

/** A file has several layers, and none was named. */
export class SeveralLayers extends Unreadable {
  /** The first MOST_LISTED of them. */
  readonly layers: readonly string[];

  constructor(message: string, layers: readonly string[]) {
    super(message);
    this.layers = layers;
  }
}

/**
 * The layer to read: the named one, or else the only one; null without any.
 * @throws SeveralLayers if there are several and none is named; Unreadable, with the layers there are, if there is no such layer
 */
export function chooseLayer(layers: readonly string[], named: string | undefined): string | null {
  const [only = null, ...others] = layers;
  if (named === undefined && others.length === 0) return only;
  if (named !== undefined && layers.includes(named)) return named;
  const first = layers.slice(0, MOST_LISTED);
  const listed = `${first.join(', ')}${layers.length > MOST_LISTED ? ` and ${layers.length - MOST_LISTED} more` : ''}`;
  if (named === undefined)
    throw new SeveralLayers(`it has ${layers.length} layers; choose one with --layer: ${listed}`, first);
  throw new Unreadable(`it has no layer "${named}"; it has ${layers.length === 0 ? 'none' : listed}`);
}

/** The error for a layer of a file that has none. */
export const withoutLayers = (): Unreadable => new Unreadable('it has no layers: leave out --layer');

/** The error for a column of geometry of a file that has one geometry for each feature. */
export const withoutColumns = (): Unreadable => new Unreadable('it has no columns of geometry: leave out --geometry');
