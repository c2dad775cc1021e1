/** What a picture is made of, before it is written as SVG, PDF or PNG. Lengths are pixels, y down. */

export type Mark =
  | {
      readonly kind: 'shape';
      /** SVG path data. Filled by the even-odd rule. */
      readonly path: string;
      /** #rrggbb; null: not filled. `hatched` fills it with lines in place of a color. */
      readonly fill: string | null;
      readonly hatched?: boolean;
      readonly stroke: string | null;
      readonly width: number;
      /** A tooltip in SVG. */
      readonly title?: string;
    }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly x: number;
      /** Of the baseline. */
      readonly y: number;
      readonly size: number;
      readonly bold: boolean;
      readonly fill: string;
      /** Color of a thin rim that keeps text readable on any color; null: none. */
      readonly rim: string | null;
    };

export interface Picture {
  readonly width: number;
  readonly height: number;
  /** For readers who do not see it. */
  readonly title: string;
  readonly description: string;
  readonly marks: readonly Mark[];
}

/** Distance between the lines of a hatched area, and their colors. */
export const HATCH = { step: 6, ground: '#f3f3f3', line: '#9a9a9a', width: 1 } as const;

/** A number of pixels as text. */
export const px = (value: number): string => String(Math.round(value * 100) / 100);

/** The path of a rectangle. */
export const rectangle = (x: number, y: number, width: number, height: number): string =>
  `M${px(x)} ${px(y)}H${px(x + width)}V${px(y + height)}H${px(x)}Z`;

export const MAP_FORMATS = ['svg', 'png', 'pdf'] as const;
export type MapFormat = (typeof MAP_FORMATS)[number];
