import { defined } from '../../src/common/elements.ts';
import type { Draw, Stored } from '../search/made.ts';

// Templates of descriptions that people write every day, in four languages, with what they cover.

/** A description, and the boundaries that it has and leaves out. */
export interface Composition {
  readonly text: string;
  readonly include: readonly Stored[];
  readonly exclude: readonly Stored[];
}

/** What a template draws from. */
export interface Pool {
  readonly draw: Draw;
  readonly states: readonly Stored[];
  readonly communities: readonly Stored[];
  /** The counties of a state, or the provinces of a community. */
  inside(id: string): readonly Stored[];
}
type Compose = (pool: Pool) => Composition;

const nameOf = ({ name }: Stored): string => defined(name.split('/')[0]);
const listOf = (items: readonly Stored[], and: string): string => {
  const names = items.map(nameOf);
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${and} ${names.at(-1)}`;
};

/** "A except c, plus B": `a` without a part of it, with another place. */
const addition =
  (kind: 'states' | 'communities', templates: (a: string, b: string, c: string) => readonly string[]): Compose =>
  ({ draw, inside, ...pool }) => {
    const [a, b] = draw.some(pool[kind], 2) as [Stored, Stored];
    const c = draw.one(inside(a.id));
    return { text: draw.one(templates(nameOf(a), nameOf(b), nameOf(c))), include: [a, b], exclude: [c] };
  };

/** Parts of one place, with what they are in front or behind. */
const apposition =
  (
    kind: 'states' | 'communities',
    and: string,
    templates: (list: string, place: string, names: readonly string[]) => readonly string[],
  ): Compose =>
  ({ draw, inside, ...pool }) => {
    const place = draw.one(pool[kind]);
    const parts = draw.some(inside(place.id), 2 + draw.below(2));
    const text = draw.one(templates(listOf(parts, and), nameOf(place), parts.map(nameOf)));
    return { text, include: parts, exclude: [] };
  };

/** Two places, each without a part of it. */
const both =
  (templates: (a: string, c: string, b: string, d: string) => readonly string[]): Compose =>
  ({ draw, inside, states }) => {
    const [a, b] = draw.some(states, 2) as [Stored, Stored];
    // A name that both have says of neither which one is meant.
    const names = new Set(inside(b.id).map(nameOf));
    const c = draw.one(inside(a.id).filter((one) => !names.has(nameOf(one))));
    const own = new Set(inside(a.id).map(nameOf));
    const d = draw.one(inside(b.id).filter((one) => !own.has(nameOf(one))));
    const text = draw.one(templates(nameOf(a), nameOf(c), nameOf(b), nameOf(d)));
    return { text, include: [a, b], exclude: [c, d] };
  };

/** A whole place, and parts of another one. */
const parts =
  (templates: (a: string, list: string, b: string, names: readonly string[]) => readonly string[]): Compose =>
  ({ draw, inside, states }) => {
    const [a, b] = draw.some(states, 2) as [Stored, Stored];
    const some = draw.some(inside(b.id), 2);
    const text = draw.one(templates(nameOf(a), listOf(some, 'and'), nameOf(b), some.map(nameOf)));
    return { text, include: [a, ...some], exclude: [] };
  };

export const PHRASES: readonly Compose[] = [
  addition('states', (a, b, c) => [
    `${a} except ${c} County, plus ${b}`,
    `${a} without ${c} County but with ${b}`,
    `${a} minus ${c} County plus ${b}`,
    `${a} (except ${c} County) and ${b}`,
    `${a} except for ${c} County, and also ${b}`,
    `${a}, except ${c} County, and ${b}`,
    `${b}, and ${a} except ${c} County, ${a}`,
  ]),
  addition('communities', (a, b, c) => [
    `${a} menos la provincia de ${c}, más ${b}`,
    `${a} sin la provincia de ${c} y además ${b}`,
    `${a} (excepto la provincia de ${c}) y ${b}`,
    `${a} salvo la provincia de ${c}, y ${b} entera`,
    `${a}, excepto la provincia de ${c}, y ${b}`,
  ]),
  addition('states', (a, b, c) => [
    `${a} ohne ${c} County, dazu ${b}`,
    `${a} ohne ${c} County und außerdem ${b}`,
    `${a} (ohne ${c} County) und ${b}`,
    `${a}, ausgenommen ${c} County, plus ${b}`,
    `${a} ohne ${c} County sowie ${b}`,
  ]),
  addition('communities', (a, b, c) => [
    `${a} sans la province de ${c}, plus ${b}`,
    `${a} (sauf la province de ${c}) et ${b}`,
    `${a} hormis la province de ${c}, avec en plus ${b}`,
    `${a} à l'exception de la province de ${c} et en outre ${b}`,
  ]),
  apposition('communities', 'y', (list, place) => [
    `${list}, provincias de ${place}`,
    `las provincias de ${list}, en ${place}`,
    `${list} (todas de ${place})`,
    `las provincias de ${list} (${place})`,
  ]),
  apposition('communities', 'and', (list, place, names) => [
    `${list}, provinces of ${place}`,
    `the provinces of ${list}, in ${place}`,
    `in ${place}: the provinces of ${list}`,
    `provinces: ${names.join(', ')} (${place})`,
  ]),
  apposition('communities', 'und', (list, place) => [
    `${list}, Provinzen in ${place}`,
    `die Provinzen ${list} in ${place}`,
  ]),
  apposition('communities', 'et', (list, place) => [
    `${list}, provinces de ${place}`,
    `les provinces de ${list}, ${place}`,
  ]),
  apposition('states', 'and', (list, place, names) => [
    `${list}, counties of ${place}`,
    `the ${place} counties of ${list}`,
    `the ${place} counties ${list}`,
    `${list} - all counties in ${place}`,
    `${place}, only the counties ${list}`,
    `in ${place}, the counties of ${list}`,
    `${place}: ${names.join(', ')}`,
  ]),
  both((a, c, b, d) => [
    `${a} without ${c} County and ${b} without ${d} County`,
    `${a} (except ${c} County) and ${b} (except ${d} County)`,
    `${a} minus ${c} County; ${b} minus ${d} County`,
    `${a} ohne ${c} County und ${b} ohne ${d} County`,
  ]),
  parts((a, list, b, names) => [
    `all of ${a} and, in ${b}, ${list} counties`,
    `the whole of ${a}, but only ${list} counties of ${b}`,
    `${a}; ${b}: ${names.join(', ')}`,
    `${a}, plus ${names[0]} County and ${names[1]} County in ${b}`,
  ]),
];
