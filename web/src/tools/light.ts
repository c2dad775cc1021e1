/** Pictures and prints are in light colors, whatever the colors of the page: paper is white. */
import type { Atlas, Drawn } from '../atlas.ts';
import { COLORS } from '../map_style.ts';
import { currentTheme } from '../theme.ts';

/** A color that stands on the map, as the light map has it. */
export function lightColor(color: string | null): string | null {
  const { dark, light } = COLORS;
  for (const name of ['chosen', 'cut'] as const) if (color === dark[name]) return light[name];
  return color;
}

/** Draws the view in light colors onto a canvas, whose size becomes that of the map. A dark map is light meanwhile. */
export async function drawLight(atlas: Atlas, onto: HTMLCanvasElement): Promise<Drawn> {
  if (currentTheme() === 'light') return atlas.draw(onto);
  try {
    await atlas.setTheme('light');
    await atlas.settled();
    return atlas.draw(onto);
  } finally {
    await atlas.setTheme(currentTheme());
  }
}
