import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { usedMapCss } from '../../scripts/map_css.ts';

const whole = readFileSync('node_modules/maplibre-gl/dist/maplibre-gl.css', 'utf8');

describe('the style sheet of the map', () => {
  it('keeps each rule of what the dashboard has, with its pictures', () => {
    const used = usedMapCss(whole);
    for (const part of ['map', 'canvas', 'ctrl-top-right', 'ctrl-group', 'ctrl-zoom-in', 'ctrl-scale', 'boxzoom']) {
      expect(used).toContain(`.maplibregl-${part}`);
    }
    expect(used.match(/data:image/g)).toHaveLength(6);
    expect(used.match(/forced-colors/g)?.length).toBeGreaterThan(1);
  });

  it('has no rule of what the dashboard does not have, which is most of it', () => {
    const used = usedMapCss(whole);
    expect(used).not.toMatch(/logo|geolocate|globe|terrain|compass|popup|marker|attrib/);
    expect(used.length).toBeLessThan(whole.length / 8);
  });

  it('keeps a selector beside one that goes, and a block that has something left', () => {
    const sheet = '/* a { */ .maplibregl-popup,.maplibregl-map{color:red}@media print{.maplibregl-marker{top:0}}';
    expect(usedMapCss(sheet)).toBe('.maplibregl-map{color:red}');
    expect(usedMapCss('@media print{.a{b:"}"}}')).toBe('@media print{.a{b:"}"}}');
  });

  it('is refused where it is not made of rules', () => {
    for (const broken of ['.a{b:c', '@import "x";', '.a{b:c}}'])
      expect(() => usedMapCss(broken)).toThrow('not made of');
  });
});

describe('the style sheets of the dashboard', () => {
  it('have no class that means one thing here and another there', () => {
    const folder = 'web/src/styles';
    // That of narrow screens changes what the others say.
    const sheets = readdirSync(folder).filter((name) => name !== 'narrow.css');
    expect(sheets.length).toBeGreaterThan(5);
    const seen = new Map<string, Set<string>>();
    for (const sheet of sheets) {
      for (const [, name = ''] of readFileSync(`${folder}/${sheet}`, 'utf8').matchAll(/^ *\.([a-z-]+)(?: \{|,)/gm)) {
        seen.set(name, (seen.get(name) ?? new Set()).add(sheet));
      }
    }
    expect(seen.size).toBeGreaterThan(50);
    expect([...seen].filter(([, where]) => where.size > 1)).toEqual([]);
  });
});
