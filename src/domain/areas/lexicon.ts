import type { Kind } from '../../core/schemas.ts';
import { citiesNamed } from '../names/city_names.ts';
import { halvesOf } from '../names/exonyms.ts';
import { foldName } from '../names/fold.ts';
import type { ContainerHit } from '../read_model/names.ts';
import { cityBoundaries } from '../search/city_lookups.ts';
import type { Lookups } from '../search/lookups.ts';
import { possibleNominatives } from './declined.ts';
import { LOOKED_AT, lookupsOf, type NameServices } from './names.ts';
import { writtenOut } from './shorthand.ts';
import { type Lexicon, possibleContainments, possibleNames, type Relation } from './spans.ts';
import { MAX_TOKENS, tokensOf } from './tokens.ts';

/** Builds the lexicon of a description: which of its words are names, and which of those contain each other. */
export async function lexiconOf(services: NameServices, description: string): Promise<Lexicon> {
  const text = writtenOut(description);
  const lookups = lookupsOf(services, null);
  const asked = [...new Set([...possibleNames(text), ...possibleNominatives(tokensOf(text).slice(0, MAX_TOKENS))])];
  const rows = asked.length === 0 ? [] : await lookups.exact(asked, null, 1);
  // The first row of each name is the most important boundary.
  const known = new Map(
    rows.flatMap((row) =>
      row.type === 'administrative' && row.name_type !== 'word' ? [[row.folded, row] as const] : [],
    ),
  );
  const capitals = wordsInCapitals(text);
  const coded = capitals.length === 0 ? [] : await lookups.containers(capitals);
  // "LA" is Laos, Louisiana and Los Angeles: a code with several meanings does not name a place.
  const codes = new Set(capitals.filter((code) => coded.filter(({ folded }) => folded === code).length === 1));
  for (const code of await divisionCodesIn(services, text)) codes.add(code);
  const parts = await partsOfCities(
    lookups,
    // "the boroughs of New York" are those of New York City.
    asked.flatMap((folded) => (known.has(folded) ? [`${folded} city`] : [folded])),
  );
  const has = (folded: string): boolean => known.has(folded) || codes.has(folded) || parts.has(folded);
  const relations = new Map<string, Relation>();
  const pairs = possibleContainments(text, has);
  if (pairs.length > 0) {
    const containers = await withoutFormer(lookups, [...new Set(pairs.map(([, container]) => container))]);
    const inside = await lookups.exact([...new Set(pairs.map(([name]) => name))], containers, LOOKED_AT);
    const seats = await lookups.exact([...new Set(pairs.map(([, container]) => container))], containers, LOOKED_AT);
    for (const [name, container] of pairs) {
      const places = containers.filter(({ folded }) => folded === container);
      const within = inside.filter(
        (row) =>
          row.folded === name &&
          places.some(
            ({ id, country }) =>
              id !== row.id && (row.inside.includes(id) || (country !== null && row.countries.includes(country))),
          ),
      );
      const isInside = within.length > 0;
      const isBeside = seats.some(
        (seat) =>
          seat.folded === container &&
          places.some(({ id }) => seat.inside.includes(id)) &&
          within.some(({ id, kind }) => id !== seat.id && kind === seat.kind),
      );
      const [a, b] = [known.get(name), known.get(container)];
      const arePeers =
        a !== undefined &&
        b !== undefined &&
        peerKind(a.kind) === peerKind(b.kind) &&
        a.id !== b.id &&
        (a.kind === 'country' || a.countries.some((code) => b.countries.includes(code)));
      const relation = isInside ? (arePeers ? 'both' : isBeside ? 'beside' : 'inside') : arePeers ? 'peers' : null;
      if (relation) relations.set(`${name}|${container}`, relation);
    }
  }
  return {
    has,
    parts: (folded) => parts.get(folded) ?? [],
    relation: (name, container) => relations.get(`${name}|${container}`) ?? null,
  };
}

/**
 * The places of some names that contain others, without those that have the name only as another one of a place in them:
 * "Gijón, Oviedo y Avilés" are not in the province that was called Oviedo.
 */
async function withoutFormer(lookups: Lookups, names: readonly string[]): Promise<readonly ContainerHit[]> {
  const containers = await lookups.containers(names);
  const named = [
    ...(await lookups.exact(names, null, LOOKED_AT)),
    ...(await lookups.exact(names, containers, LOOKED_AT)),
  ];
  const own = named.filter(({ name_type }) => name_type === 'name');
  return containers.filter(
    ({ id, folded, name }) =>
      own.some((one) => one.id === id && one.folded === folded) ||
      // "València/Valencia"
      halvesOf(name).includes(folded) ||
      !own.some((one) => one.folded === folded && one.inside.includes(id)),
  );
}

/** The kind of the places that one of a kind is listed with: cities that are in no county beside counties. */
const peerKind = (kind: Kind): Kind => (kind === 'city' ? 'county' : kind);

/** The boundaries of cities that have several ("NYC" is five counties), by folded name; names of other cities are left out. */
async function partsOfCities(
  lookups: Lookups,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const parts = new Map<string, readonly string[]>();
  for (const folded of names) {
    const [city, ...others] = citiesNamed(folded);
    if (!city || city.codes.length < 2 || others.some(({ codes }) => codes.length > 0)) continue;
    const found = await cityBoundaries(lookups, folded);
    if (found.length === city.codes.length)
      parts.set(
        folded,
        found.map(({ boundary }) => boundary.id),
      );
  }
  return parts;
}

/** Codes of divisions that have a boundary ("ES-SE"), folded. In capitals: "in-la" is none. */
async function divisionCodesIn({ boundaries }: NameServices, text: string): Promise<string[]> {
  const written = [...new Set(text.match(DIVISION_CODE))].slice(0, MAX_TOKENS);
  const found = await boundaries.lookup(written.map((code) => `iso:${code}`));
  return written.flatMap((code, i) => (found[i] ? [foldName(code)] : []));
}

const DIVISION_CODE = /(?<![\p{L}\p{N}:-])[A-Z]{2}-[A-Z0-9]{1,3}(?![\p{L}\p{N}-])/gu;

/** Returns words of 2 or 3 capitals, which may be codes, folded: "US states". None in a text without lower case. */
function wordsInCapitals(text: string): string[] {
  if (text === text.toUpperCase()) return [];
  return [...new Set(text.match(/(?<![\p{L}\p{N}])\p{Lu}{2,3}(?![\p{L}\p{N}])/gu))].map(foldName);
}
