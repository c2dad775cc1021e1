import type { Classes } from './classes.ts';
import type { Scheme } from './schemes.ts';

/** What a map shows and says. */
export interface MapSpec {
  readonly title: string;
  /** What the figures are, such as `inhabitants per km2`; empty: nothing. */
  readonly unit: string;
  readonly source: string;
  readonly attribution: string;
  /** Of the picture, in pixels. */
  readonly width: number;
  readonly classes: Classes;
  readonly colors: Scheme;
  readonly reverse: boolean;
  readonly labels: 'names' | 'values' | 'none';
  readonly insets: boolean;
  /** Whether labels without glyphs are left out: in pictures without fonts. */
  readonly outlined: boolean;
}

/** An area of the map. */
export interface MapArea {
  readonly name: string;
  /** Null: no figure. */
  readonly value: number | null;
}
