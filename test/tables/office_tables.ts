import type { Queryable } from '../../src/db/connect.ts';
import type { Draw } from '../search/made.ts';
import type { District, fillWithDistricts } from './districts.ts';
import { placesAt } from './fresh_tables.ts';
import type { HeldOutTable } from './held_out_tables.ts';

type Cells = Readonly<Record<string, string>>;
/** What a row says, what it means (null: several or none), and how it is written. */
interface OfficeRow {
  readonly cells: Cells;
  readonly id: string | null;
  readonly noise: string;
}
type Way<T> = readonly [noise: string, does: (place: T) => string];

function tableOf(name: string, rows: readonly OfficeRow[], separator = ','): HeldOutTable {
  const quoted = (cell: string): string =>
    cell.includes(separator) || cell.includes('"') ? `"${cell.replaceAll('"', '""')}"` : cell;
  const columns = Object.keys(rows[0]?.cells ?? {});
  const lines = rows.map(({ cells }) => columns.map((column) => quoted(cells[column] ?? '')).join(separator));
  return {
    name,
    csv: `${[columns.map(quoted).join(separator), ...lines].join('\n')}\n`,
    expect: rows.map(({ id }) => id),
    noise: rows.map(({ noise }) => noise),
  };
}

const plain = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '');
/** As a program for Windows reads UTF-8. */
const misread = (text: string): string => new TextDecoder('windows-1252').decode(Buffer.from(text, 'utf8'));
const cut = (text: string, length: number): string => text.slice(0, length);
/** The start of a text that has at most so many bytes, as a field of a DBF holds it. */
function cutBytes(text: string, bytes: number): string {
  let kept = text;
  while (Buffer.byteLength(kept) > bytes) kept = kept.slice(0, -1);
  return kept;
}

/** Those of some places whose names, cut, are the start of one name of their container only; others mean null. */
function cutIds<T extends { readonly id: string; readonly name: string }>(
  places: readonly T[],
  around: (place: T) => string,
  short: (name: string) => string,
): ReadonlyMap<string, string | null> {
  return new Map(
    places.map((one) => {
      const text = short(one.name).trim();
      const isCut = text !== one.name;
      const same = places.filter(
        (other) => around(other) === around(one) && (short(other.name).trim() === text || other.name === text),
      );
      return [one.id, same.length === 1 ? one.id : isCut || same.length > 1 ? null : one.id];
    }),
  );
}

/** Words for the sort of a place that English and Spanish names begin with, and how they are abbreviated. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  ...{ Saint: ['St.', 'St', 'S.'], 'St.': ['Saint', 'St'], 'Ste.': ['Sainte', 'Ste'], Fort: ['Ft.', 'Ft'] },
  ...{ Mount: ['Mt.', 'Mt'], North: ['N.', 'No.'], South: ['S.', 'So.'], West: ['W.'], East: ['E.'], Point: ['Pt.'] },
  ...{ Prince: ['Pr.'], Santa: ['Sta.', 'Sta'], San: ['S.'], Santo: ['Sto.'], Villa: ['Vª', 'V.'], Puerto: ['Pto.'] },
  ...{ Nuestra: ['Ntra.'], Grand: ['Gr.'], Valle: ['V.'], Little: ['Lit.'], Isle: ['I.'], Upper: ['Upp.'] },
  ...{ Castillo: ['Cast.'], Torre: ['T.'], Virgen: ['Vgn.'], Arroyo: ['Ayo.'] },
};

/**
 * Tables as offices, programs and people of several countries write them, of kinds that no table beside them has. What
 * each row means is known by construction.
 */
export async function officeTables(
  draw: Draw,
  db: Queryable,
  { kreise, departements, provinces, cantons }: Awaited<ReturnType<typeof fillWithDistricts>>,
): Promise<HeldOutTable[]> {
  const [counties, states, municipalities, provincias, first] = await Promise.all([
    placesAt(db, 'US', 6, 4),
    placesAt(db, 'US', 4, 2),
    placesAt(db, 'ES', 8, 6),
    placesAt(db, 'ES', 6, 4),
    placesAt(db, null, 4, 2),
  ]);
  const figure = () => String(1 + draw.below(999_999));
  const by = <T>(ways: readonly Way<T>[], place: T) => {
    const [noise, does] = draw.one(ways);
    return { written: does(place), noise };
  };
  const rowsOf = <T extends { readonly id: string }>(
    places: readonly T[],
    ways: readonly Way<T>[],
    cells: (place: T, written: string) => Cells,
  ): OfficeRow[] =>
    places.map((place) => {
      const { written, noise } = by(ways, place);
      return { cells: cells(place, written), id: place.id, noise };
    });
  /** A table in which each place is written in each way. */
  const each = <T extends { readonly id: string }>(
    name: string,
    places: readonly T[],
    ways: readonly Way<T>[],
    column: string,
    separator = ',',
  ) =>
    tableOf(
      name,
      ways.flatMap((way) => rowsOf(places, [way], (_, written) => ({ [column]: written, n: figure() }))),
      separator,
    );

  // Germany. A Kreis and a Stadt of one name are told apart by the word.
  const isWordless = ({ name }: District) => !/kreis|region|^Landkreis|verband/i.test(name);
  const land: readonly Way<District>[] = [
    ['Landkreis X', ({ name }) => `Landkreis ${name}`],
    ['X, Landkreis', ({ name }) => `${name}, Landkreis`],
    ['X (Kreis)', ({ name }) => `${name} (Kreis)`],
    ['LK X', ({ name }) => `LK ${name}`],
    ['Lkr. X', ({ name }) => `Lkr. ${name}`],
    ['X (LK)', ({ name }) => `${name} (LK)`],
    ['Kreis X', ({ name }) => `Kreis ${name}`],
  ];
  const stadt: readonly Way<District>[] = [
    ['X, Stadt', ({ name }) => `${name}, Stadt`],
    ['X (Stadt)', ({ name }) => `${name} (Stadt)`],
    ['SK X', ({ name }) => `SK ${name}`],
    ['X, kreisfreie Stadt', ({ name }) => `${name}, kreisfreie Stadt`],
    ['Kreisfreie Stadt X', ({ name }) => `Kreisfreie Stadt ${name}`],
    ['Stadt X', ({ name }) => `Stadt ${name}`],
  ];
  const worded = kreise.filter((one) => isWordless(one) && !['Berlin', 'Hamburg'].includes(one.name));
  const byWord = (place: District) => by(place.kind === 'city' ? stadt : land, place);
  const kreisTable = tableOf(
    'Kreise with words',
    worded.map((place) => {
      const { written, noise } = byWord(place);
      return { cells: { Kreis: written, Arbeitslose: figure() }, id: place.id, noise };
    }),
    ';',
  );
  const lost = ({ code }: District) => code.replace(/^0/, '');
  const agsTable = tableOf(
    'Kreise with AGS without zeros',
    rowsOf(worded, [['AGS without zero, name', ({ name }) => name]], (place, written) => ({
      AGS: lost(place),
      Name: written,
      Wert: figure(),
    })),
    ';',
  );
  const agsAlone = tableOf(
    'Kreise by AGS alone',
    rowsOf(kreise, [['AGS alone', lost]], (_, written) => ({ Kreisschlüssel: written, Wert: figure() })),
    ';',
  );
  // Switzerland.
  const inCanton = ({ names = {} }: District, language: string) =>
    (names[language] ?? '').replace(
      /^(?:kanton|canton|cantone|canton du|canton de)\s+(?:de la |de |du |d['’]|dei |del )?/i,
      '',
    );
  const cantonWays: readonly Way<District>[] = [
    ['ZH', ({ code }) => code],
    ['Kt. ZH', ({ code }) => `Kt. ${code}`],
    ['Kanton in German', (place) => `Kanton ${inCanton(place, 'de')}`],
    ['Kt. in German', (place) => `Kt. ${inCanton(place, 'de')}`],
    ['canton in French', (place) => `canton de ${inCanton(place, 'fr')}`],
    ['cantone in Italian', (place) => `Cantone ${inCanton(place, 'it')}`],
    ['KANTON in capitals', (place) => `KANTON ${plain(inCanton(place, 'de')).toUpperCase()}`],
  ];
  // Italy and France.
  const provinceWays: readonly Way<District>[] = [
    ['TO', ({ code }) => code],
    ['Torino (TO)', ({ name, code }) => `${name} (${code})`],
    ['prov. Torino', ({ name }) => `prov. ${name}`],
    ['TO - Torino', ({ name, code }) => `${code} - ${name}`],
    ['Provincia di Torino', ({ name }) => `Provincia di ${name}`],
  ];
  const numbered = departements.filter(({ code }) => /^\d\d$|^2[AB]$/.test(code));
  const departementWays: readonly Way<District>[] = [
    ['01', ({ code }) => code],
    ['1', ({ code }) => code.replace(/^0/, '')],
    ['01 - Ain', ({ name, code }) => `${code} - ${name}`],
    ['Ain (01)', ({ name, code }) => `${name} (${code})`],
    ['01 AIN', ({ name, code }) => `${code} ${plain(name).toUpperCase()}`],
    ['Dépt. Ain', ({ name }) => `Dépt. ${name}`],
  ];
  // The United States.
  const stateOf = new Map(states.map(({ name, iso }) => [name, (iso ?? '').slice(3)]));
  type Within = (typeof counties)[number];
  const codeOf = ({ within }: Within) => stateOf.get(within ?? '') ?? '';
  const fips = ({ codes: [one = ''] }: Within) => one;
  // Independent cities share names with counties, and have other words.
  const rural = counties.filter(
    (place) => fips(place).slice(2) < '510' && codeOf(place) !== '' && !/LA|AK/.test(codeOf(place)),
  );
  const countyWays: readonly Way<Within>[] = [
    ['X County, State', ({ name, within }) => `${name} County, ${within}`],
    ['AL X', (place) => `${codeOf(place)} ${place.name}`],
    ['AL - X', (place) => `${codeOf(place)} - ${place.name}`],
    ['X CO AL', (place) => `${plain(place.name).toUpperCase()} CO ${codeOf(place)}`],
    ['X Co., AL', (place) => `${place.name} Co., ${codeOf(place)}`],
    ['X (AL)', (place) => `${place.name} (${codeOf(place)})`],
    ['State: X', ({ name, within }) => `${within}: ${name}`],
  ];
  // Spain.
  const articleBehind = (name: string) =>
    name.replace(/^(?:(A|O|As|Os|El|La|Los|Las|Les|Els|Es|Sa) |(L'))(.+)$/, '$3, $1$2');
  const withArticle = municipalities.filter(({ name }) => articleBehind(name) !== name && !name.includes('/'));
  const provinciaWays: readonly Way<Within>[] = [
    ['X (provincia)', ({ name }) => `${name} (provincia)`],
    ['provincia de X', ({ name }) => `Prov. de ${name}`],
    ['X, Provincia de', ({ name }) => `${name}, Provincia de`],
    ['PROVINCIA DE X', ({ name }) => `PROVINCIA DE ${plain(name).toUpperCase()}`],
  ];
  const lone = <T extends Within>(places: readonly T[], among: readonly Within[] = places) => {
    const seen = new Map<string, number>();
    const key = ({ name, within }: Within) => `${plain(name).toLowerCase()}|${within}`;
    for (const one of among) seen.set(key(one), (seen.get(key(one)) ?? 0) + 1);
    return places.filter((one) => seen.get(key(one)) === 1);
  };
  // Norway, as of before 2020, with the counties of later that are not stored.
  const norway = first.filter(({ country, name }) => country === 'NO' && !/Bouvet|Svalbard|Jan Mayen/.test(name));
  const norwayWays: readonly Way<Within>[] = [
    ['X fylke', ({ name }) => `${name} fylke`],
    ['oe for ø', ({ name }) => name.replaceAll('ø', 'oe').replaceAll('Ø', 'Oe')],
    ['o for ø', ({ name }) => name.replaceAll('ø', 'o').replaceAll('Ø', 'O')],
    ['X County', ({ name }) => `${name} County`],
    ['X FYLKE', ({ name }) => `${name.toUpperCase()} FYLKE`],
    ['X fylkeskommune', ({ name }) => `${name} fylkeskommune`],
    ['Fylke: X', ({ name }) => `Fylke: ${name}`],
    [
      'N-X for Nord-',
      ({ name }) =>
        name
          .replace(/^Nord-/, 'N-')
          .replace(/^Sør-/, 'S-')
          .replace(/^(A|V)(?:ust|est)-/, '$1-'),
    ],
  ];
  const later = ['Viken', 'Innlandet', 'Vestland', 'Agder', 'Vestfold og Telemark', 'Troms og Finnmark'];
  const norwegian = norwayWays.flatMap((way) =>
    rowsOf(norway, [way], (_, text) => ({ Fylke: text, Antall: figure() })),
  );
  norwegian.push(...later.map((Fylke) => ({ cells: { Fylke, Antall: figure() }, id: null, noise: 'not stored' })));
  // Several languages in one column.
  const mixed = first.filter(({ country }) =>
    ['BE', 'CH', 'AT', 'DE', 'NL', 'PL', 'SE', 'PT', 'GR', 'CZ', 'HU', 'RO', 'BG'].includes(country),
  );
  const languages = ['en', 'de', 'fr', 'es', 'it', 'pl', 'nl', 'pt', 'sv'];
  const mixedRows = mixed.map((place) => {
    const language = draw.one(languages.filter((one) => place.names[one] !== undefined));
    const name = place.names[language] ?? place.name;
    return { cells: { Region: name, Country: place.country, Value: figure() }, id: place.id, noise: `in ${language}` };
  });
  // Cut, as fields of Shapefiles are: the names of the columns, too.
  const ofProvinces = municipalities.filter(({ within }) =>
    ['Salamanca', 'Girona', 'Cáceres', 'Asturias'].includes(within ?? ''),
  );
  const cutTable = (
    name: string,
    places: readonly Within[],
    short: (text: string) => string,
    columns: readonly [string, string],
  ) => {
    const ids = cutIds(places, ({ within }) => within ?? '', short);
    return tableOf(
      name,
      places.map((place) => ({
        cells: {
          [columns[0]]: short(place.name).trim(),
          [columns[1]]: short(place.within ?? '').trim(),
          area: figure(),
        },
        id: ids.get(place.id) ?? null,
        noise: short(place.name) === place.name ? 'whole' : 'cut',
      })),
      ';',
    );
  };
  const southern = counties.filter(({ within }) =>
    ['Texas', 'Georgia', 'North Carolina', 'Louisiana'].includes(within ?? ''),
  );
  // Abbreviated words.
  const abbreviated = (name: string): string | null => {
    const words = name.split(' ');
    const at = words.findIndex((word, i) => SHORT[word] !== undefined && i < words.length - 1);
    const short = SHORT[words[at] ?? ''];
    if (short === undefined) return null;
    return words.map((word, i) => (i === at ? draw.one(short) : word)).join(' ');
  };
  const abbreviatedRows = (
    places: readonly Within[],
    columns: readonly [string, string],
    around: (place: Within) => string,
  ) =>
    lone(places).flatMap((place): OfficeRow[] => {
      const text = abbreviated(place.name);
      if (text === null) return [];
      const noise = text.split(' ').find((word, i) => word !== place.name.split(' ')[i]) ?? '';
      return [{ cells: { [columns[0]]: text, [columns[1]]: around(place), n: figure() }, id: place.id, noise }];
    });
  const accented = lone(municipalities).filter(({ name }) => /[^\0-\x7f]/.test(name));

  return [
    kreisTable,
    agsTable,
    agsAlone,
    each('cantons in seven ways', cantons, cantonWays, 'Kanton', ';'),
    ...cantonWays.slice(0, 2).map(([noise, does]) => each(`cantons: ${noise}`, cantons, [[noise, does]], 'Kanton')),
    each('province in five ways', provinces, provinceWays, 'Provincia', ';'),
    each('province by their letters', provinces, provinceWays.slice(0, 1), 'Sigla', ';'),
    each('départements in six ways', numbered, departementWays, 'Département', ';'),
    each('départements by number', numbered, departementWays.slice(1, 2), 'dept', ';'),
    tableOf(
      'counties in seven ways',
      rowsOf(lone(draw.some(rural, 500), counties), countyWays, (_, place) => ({ place, n: figure() })),
    ),
    tableOf(
      'counties by FIPS as numbers',
      rowsOf(draw.some(counties, 200), [['FIPS as a number', (place) => String(Number(fips(place)))]], (_, FIPS) => ({
        FIPS,
        n: figure(),
      })),
    ),
    each(
      'provincias in four ways',
      provincias.filter(({ name }) => !name.includes('/')),
      provinciaWays,
      'Territorio',
      ';',
    ),
    tableOf(
      'municipios with their articles behind',
      rowsOf(
        lone(draw.some(withArticle, 250), municipalities),
        [['X, A', ({ name }) => articleBehind(name)]],
        ({ within }, Municipio) => ({
          Provincia: within ?? '',
          Municipio,
          Gasto: figure(),
        }),
      ),
      ';',
    ),
    tableOf('fylker in eight ways', norwegian, ';'),
    tableOf('regions in nine languages', mixedRows),
    tableOf(
      'municipios in capitals without accents',
      rowsOf(
        lone(draw.some(municipalities, 250), municipalities),
        [['capitals', ({ name }) => plain(name).toUpperCase()]],
        ({ within }, text) => ({
          PROVINCIA: plain(within ?? '').toUpperCase(),
          MUNICIPIO: text,
          N: figure(),
        }),
      ),
      ';',
    ),
    cutTable('municipios cut at 12 letters', ofProvinces, (text) => cut(text, 12), ['MUNICIPIO', 'PROVINCIA']),
    cutTable('municipios cut at 10 bytes', ofProvinces, (text) => cutBytes(text, 10), ['NMUN', 'NPROV']),
    cutTable('counties cut at 10 letters', southern, (text) => cut(text, 10), ['COUNTY_NAM', 'STATE_NAME']),
    tableOf(
      'a place, a state and a country in one cell',
      rowsOf(
        lone(draw.some(rural, 200), counties),
        [
          [
            'X, State, Country',
            ({ name, within }) => `${name}, ${within}, ${draw.one(['USA', 'United States', 'US'])}`,
          ],
        ],
        (_, location) => ({
          location,
          n: figure(),
        }),
      ),
    ),
    tableOf(
      'un lugar, su provincia y su país en una celda',
      rowsOf(
        lone(draw.some(municipalities, 200), municipalities).filter(({ name }) => !/[,/]/.test(name)),
        [['X, Provincia, País', ({ name, within }) => `${name}, ${within}, España`]],
        (_, lugar) => ({ lugar, n: figure() }),
      ),
      ';',
    ),
    tableOf('counties with abbreviated words', abbreviatedRows(counties, ['county', 'st'], codeOf)),
    tableOf(
      'municipios with abbreviated words',
      draw.some(
        abbreviatedRows(municipalities, ['Municipio', 'Provincia'], ({ within }) => within ?? ''),
        300,
      ),
      ';',
    ),
    tableOf(
      'municipios whose encoding is broken twice',
      rowsOf(
        draw.some(accented, 200),
        [['read twice', ({ name }) => misread(misread(name))]],
        ({ within }, Municipio) => ({
          Municipio,
          Provincia: misread(misread(within ?? '')),
          n: figure(),
        }),
      ),
      ';',
    ),
  ];
}
