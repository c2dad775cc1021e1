import type { Draw } from '../search/made.ts';
import type { District } from './districts.ts';
import type { HeldOutTable } from './held_out_tables.ts';
import {
  capital,
  lone,
  plain,
  spelledOut,
  type TypedRow,
  typed,
  typedTable,
  type Way,
  type Within,
} from './typed_places.ts';
import type { TypedPlaces } from './typed_tables.ts';

/** A name with the words of a saint as people shorten them. */
const saintAs = (name: string, [male, female]: readonly [string, string], link = '-'): string =>
  name.replaceAll(/\bSaint-/g, male + link).replaceAll(/\bSainte-/g, female + link);

export function frenchTables(draw: Draw, { communes: all, districts }: TypedPlaces): HeldOutTable[] {
  const communes = all.filter(({ within }) => within !== null);
  const figure = () => String(1 + draw.below(9_999));
  const saints = lone(communes, communes).filter(({ name }) => /\bSainte?-/.test(name));
  const elided = lone(communes, communes).filter(({ name }) => /['’]/.test(name));
  const numberOf = new Map(districts.departements.map(({ name, code }) => [name, code]));
  const ways: readonly Way[] = [
    ['St-X', ({ name }) => saintAs(name, ['St', 'Ste'])],
    ['St X', ({ name }) => saintAs(name, ['St', 'Ste'], ' ').replaceAll('-', ' ')],
    [
      'ST X',
      ({ name }) =>
        plain(saintAs(name, ['St', 'Ste'], ' '))
          .toUpperCase()
          .replaceAll(/[-']/g, ' '),
    ],
    ['St. X', ({ name }) => saintAs(name, ['St.', 'Ste.'], ' ')],
    ['SAINT X', ({ name }) => plain(name).toUpperCase().replaceAll(/[-']/g, ' ')],
    ['Saint X', ({ name }) => name.replaceAll('-', ' ')],
    ['S/ between', ({ name }) => saintAs(name.replace('-sur-', '/').replace('-sous-', ' s/'), ['St', 'Ste'])],
  ];
  const apostrophes: readonly Way[] = [
    ['curly', ({ name }) => name.replaceAll("'", '’')],
    ['blank', ({ name }) => name.replaceAll("'", ' ')],
    ['apostrophe and a blank', ({ name }) => name.replaceAll("'", "' ")],
    ['acute accent', ({ name }) => name.replaceAll("'", '´')],
    ['CAPITALS', ({ name }) => plain(name).toUpperCase().replaceAll(/['-]/g, ' ')],
  ];
  const beside = ({ within }: Within) => ({ Dpt: numberOf.get(within ?? '') ?? '', Nb: figure() });
  return [
    typedTable('communes of saints', typed(draw, draw.some(saints, 90), ways, 'Ville', beside)),
    typedTable(
      'communes with apostrophes',
      typed(draw, draw.some(elided, 60), apostrophes, 'COMMUNE', ({ within }) => ({ DEPARTEMENT: within ?? '' })),
    ),
    typedTable(
      'communes with their département in brackets',
      typed(
        draw,
        draw.some(saints, 50),
        [
          ['X (17)', ({ name, within }) => `${name} (${numberOf.get(within ?? '')})`],
          ['X (Département)', ({ name, within }) => `${saintAs(name, ['St', 'Ste'])} (${within})`],
          ['17 - X', ({ name, within }) => `${numberOf.get(within ?? '')} - ${plain(name)}`],
        ],
        'Lieu de naissance',
      ),
    ),
  ];
}

const ARTICLE = /^(A|O|As|Os|El|La|Los|Las|Les|Els|Es|Sa) (.+)$|^(L')(.+)$/;

export function spanishTables(draw: Draw, { municipios, provincias }: TypedPlaces): HeldOutTable[] {
  const split = (name: string): readonly [article: string, rest: string] => {
    const [, article, rest, elided, other] = ARTICLE.exec(name) ?? [];
    return [article ?? elided ?? '', capital(rest ?? other ?? name)];
  };
  const withArticle = lone(municipios, municipios).filter(({ name }) => ARTICLE.test(name) && !name.includes('/'));
  const ways: readonly Way[] = [
    ['X (A)', ({ name }) => `${split(name)[1]} (${split(name)[0]})`],
    ['X (a)', ({ name }) => `${split(name)[1]} (${split(name)[0].toLowerCase()})`],
    ['X,A', ({ name }) => `${split(name)[1]},${split(name)[0]}`],
    ['X (A) in capitals', ({ name }) => plain(`${split(name)[1]} (${split(name)[0]})`).toUpperCase()],
    ['X without A', ({ name }) => split(name)[1]],
  ];
  const byName = new Map<string, Within[]>();
  for (const one of municipios) {
    for (const form of new Set([plain(one.name).toLowerCase(), plain(split(one.name)[1]).toLowerCase()])) {
      const key = `${form}|${one.within}`;
      byName.set(key, [...(byName.get(key) ?? []), one]);
    }
  }
  // "Robledo" beside "El Robledo" is the one, not the other.
  const alone = withArticle.filter(
    ({ name, within }) => byName.get(`${plain(split(name)[1]).toLowerCase()}|${within}`)?.length === 1,
  );
  const halves = lone(municipios, municipios).filter(({ name }) => name.split('/').length === 2);
  const halfOf = (name: string, at: number) => name.split('/')[at]?.trim() ?? '';
  const halfWays: readonly Way[] = [
    ['first half', ({ name }) => halfOf(name, 0)],
    ['second half', ({ name }) => halfOf(name, 1)],
    ['A - B', ({ name }) => name.replace('/', ' - ')],
    ['B / A', ({ name }) => `${halfOf(name, 1)} / ${halfOf(name, 0)}`],
    ['A (B)', ({ name }) => `${halfOf(name, 0)} (${halfOf(name, 1)})`],
    ['B-A', ({ name }) => `${halfOf(name, 1)}-${halfOf(name, 0)}`],
    ['A o B', ({ name }) => `${halfOf(name, 0)} o ${halfOf(name, 1)}`],
  ];
  const forms = new Map<string, number>();
  for (const { name, within } of municipios) {
    for (const half of new Set(name.split('/').map((one) => `${plain(one.trim()).toLowerCase()}|${within}`)))
      forms.set(half, (forms.get(half) ?? 0) + 1);
  }
  const single = halves.filter(({ name, within }) =>
    name.split('/').every((half) => forms.get(`${plain(half.trim()).toLowerCase()}|${within}`) === 1),
  );
  const provinceOf = ({ within }: Within) => ({ Provincia: (within ?? '').split('/')[0] ?? '' });
  const numbered = provincias.map((one, i): TypedRow => {
    const ways = ['#0 X', '(0) X', '0º X', '0.X', '0.- X', '0_X', 'No. 0 X', '0|X', '0) X', '* X'];
    const way = ways[i % ways.length] ?? '';
    return {
      cells: { Provincia: way.replace('0', String(1 + i)).replace('X', one.name), n: '1' },
      id: one.id,
      noise: way,
    };
  });
  return [
    typedTable(
      'municipios with their article in brackets',
      typed(draw, draw.some(alone, 80), ways, 'Localidad', provinceOf),
    ),
    typedTable('municipios by one of two names', typed(draw, draw.some(single, 90), halfWays, 'Municipio', provinceOf)),
    typedTable('provincias with numbers', numbered, '\t'),
  ];
}

/** Ways to write a German town with the river or land that tells it from others. */
function germanForms(name: string): string[] {
  const inBrackets = /^(.+) \((.+)\)$/.exec(name);
  if (inBrackets) {
    const [, town = '', at = ''] = inBrackets;
    return [
      `${town}/${at}`,
      `${town} / ${at}`,
      `${town}(${at})`,
      `${town} ${at}`,
      `${town}, ${at}`,
      `${town} / ${at.slice(0, 4)}.`,
    ];
  }
  const [, town = '', link = '', at = ''] =
    /^(.+?) ?(?: |(?<= ))((?:an der|am|im|in der|a\.d\.|a\.|i\.d\.|i\.) ?)(.+)$/.exec(name) ?? [];
  if (town === '') return [];
  const short = {
    'an der': 'a. d.',
    am: 'a.',
    im: 'i.',
    'in der': 'i. d.',
    'a.d.': 'an der',
    'a.': 'am',
    'i.d.': 'in der',
    'i.': 'im',
  };
  const other = short[link.trim() as keyof typeof short];
  return [
    `${town} ${other} ${at}`,
    `${town} ${other.replace('. d', '.d')}${other.endsWith('.') ? '' : ' '}${at}`,
    `${town}/${at}`,
    `${town} (${at})`,
    ...(other.endsWith('.') ? [`${town} ${other} ${at.slice(0, 1)}.`, `${town}/${at.slice(0, 1)}.`] : []),
  ];
}

export function germanTables(draw: Draw, { districts: { kreise }, divisions }: TypedPlaces): HeldOutTable[] {
  const figure = () => String(1 + draw.below(9_999));
  const rows = kreise.flatMap((one: District): TypedRow[] =>
    germanForms(one.name).map((text) => {
      const first = (name: string) => germanForms(name).includes(text);
      // "Neustadt a. d. W." may be at the Weinstraße and at the Waldnaab.
      const same = kreise.filter(({ name }) => first(name));
      return { cells: { 'Stadt/Landkreis': text, Fälle: figure() }, id: same.length > 1 ? null : one.id, noise: text };
    }),
  );
  const isAlone = ({ name }: District) => kreise.filter((one) => one.name === name).length === 1;
  const umlauts = draw.some(
    kreise.filter((one) => /[äöüß]/i.test(one.name) && isAlone(one) && !/[(.]/.test(one.name)),
    60,
  );
  const nordic = divisions.filter(
    ({ country, name }) => ['NO', 'SE', 'DK', 'FI'].includes(country) && !/Bouvet|Svalbard|Jan Mayen/.test(name),
  );
  const later = ['Viken', 'Innlandet', 'Vestland', 'Agder', 'Troms og Finnmark', 'Region Syd'];
  const ways: readonly Way[] = [
    ['Xs län', ({ name, country }) => (country === 'SE' ? `${name}${name.endsWith('s') ? '' : 's'} län` : name)],
    ['X fylke', ({ name, country }) => (country === 'NO' ? `${name} fylke` : name)],
    ['local', ({ name }) => name],
    ['Swedish', ({ names, name }) => names.sv ?? name],
    ['plain', ({ name }) => plain(name)],
    ['CAPITALS', ({ name }) => name.toUpperCase()],
  ];
  return [
    typedTable('German towns with their rivers', rows),
    typedTable(
      'Kreise in capitals without umlauts',
      typed(
        draw,
        umlauts as unknown as readonly Within[],
        [
          ['MUENCHEN', ({ name }) => spelledOut(name).toUpperCase()],
          ['MUNCHEN', ({ name }) => plain(name).toUpperCase()],
          ['Muenchen', ({ name }) => spelledOut(name)],
          ['MÜNCHEN', ({ name }) => name.toUpperCase()],
        ],
        'KREIS',
      ),
    ),
    typedTable('Nordic counties', [
      ...typed(draw, nordic, ways, 'fylke/län', ({ country }) => ({ land: country })),
      ...later.map((text) => ({ cells: { 'fylke/län': text, land: 'NO' }, id: null, noise: 'not stored' })),
    ]),
  ];
}

export function swissTables(draw: Draw, { gemeinden, divisions }: TypedPlaces): HeldOutTable[] {
  const lettered = gemeinden.filter(({ name }) => /^.+ \([A-Z]{2}\)$/.test(name));
  const parts = (name: string) => [name.slice(0, -5), name.slice(-3, -1)] as const;
  const ways: readonly Way[] = [
    ['X ZH', ({ name }) => parts(name).join(' ')],
    ['X/ZH', ({ name }) => parts(name).join('/')],
    ['X, ZH', ({ name }) => parts(name).join(', ')],
    ['X (Kt. ZH)', ({ name }) => `${parts(name)[0]} (Kt. ${parts(name)[1]})`],
    ['X - ZH', ({ name }) => parts(name).join(' - ')],
    ['X(ZH)', ({ name }) => name.replace(' (', '(')],
    ['ZH X', ({ name }) => [...parts(name)].reverse().join(' ')],
  ];
  const some = draw.some(
    lone(gemeinden, gemeinden, false).filter(({ name }) => !/[/(]/.test(name)),
    50,
  );
  const hundreds = (text: string, mark: string) => text.replaceAll(/(\d)(?=(?:\d{3})+$)/g, `$1${mark}`);
  const people = () => String(200 + draw.below(400_000));
  const counted: readonly Way[] = [
    ['X (421,878)', ({ name }) => `${name} (${hundreds(people(), ',')})`],
    ['X [133 883]', ({ name }) => `${name} [${hundreds(people(), ' ')}]`],
    ["X: 203'856", ({ name }) => `${name}: ${hundreds(people(), "'")}`],
    ['X - 688.592', ({ name }) => `${name} - ${hundreds(people(), '.')}`],
    ['X (421878 Einw.)', ({ name }) => `${name} (${people()} Einw.)`],
    ['X (pop. 12,000)', ({ name }) => `${name} (pop. ${hundreds(people(), ',')})`],
    ['X 12000', ({ name }) => `${name} ${people()}`],
  ];
  const asian = divisions.filter(({ country, names }) => ['JP', 'KR'].includes(country) && names.ja && names.ko);
  const short: readonly Way[] = [
    [
      'short',
      ({ names, country }) =>
        country === 'JP'
          ? (names.ja ?? '').replace(/(?<=..)[県府都]$/, '')
          : (names.ko ?? '').replace(/(특별자치도|특별자치시|특별시|광역시|도)$/, ''),
    ],
    ['whole', ({ names, country }) => (country === 'JP' ? (names.ja ?? '') : (names.ko ?? ''))],
  ];
  return [
    typedTable('Gemeinden with letters of their canton', typed(draw, draw.some(lettered, 70), ways, 'Gemeinde')),
    typedTable(
      'Gemeinden with their population behind',
      typed(draw, some, counted, 'Ort', () => ({ Rang: String(draw.below(900)) })),
    ),
    typedTable('prefectures and provinces in Japanese and Korean', typed(draw, asian, short, '地域')),
  ];
}

export function italianTables(draw: Draw, { comuni, districts: { provinces } }: TypedPlaces): HeldOutTable[] {
  const codeOf = new Map(provinces.map(({ name, code }) => [name, code]));
  const saints = lone(comuni, comuni).filter(
    ({ name }) => /^(?:San|Santa|Santo|Sant')\b/.test(name) && !name.includes('/'),
  );
  const ways: readonly Way[] = [
    ['S.X', ({ name }) => name.replace(/^(?:San|Santa|Santo) |^Sant'/, 'S.')],
    ['S. X', ({ name }) => name.replace(/^(?:San|Santa|Santo) |^Sant'/, 'S. ')],
    ["SANT' X", ({ name }) => name.replace(/^Sant'/, "Sant' ").toUpperCase()],
    ['Sant X', ({ name }) => name.replace(/^Sant'/, 'Sant ')],
    ['S.ta X', ({ name }) => name.replace(/^Santa /, 'S.ta ').replace(/^Santo /, 'S.to ')],
    ['STA X', ({ name }) => plain(name.replace(/^Santa /, 'Sta ').replace(/^Santo /, 'Sto ')).toUpperCase()],
  ];
  const cut = (text: string) => text.slice(0, 10).trim();
  const ofProvinces = comuni.filter(({ within }) => ['Cuneo', 'Salerno', 'Udine'].includes(within ?? ''));
  const cutRows = draw.some(ofProvinces, 150).map((one): TypedRow => {
    const same = ofProvinces.filter((other) => other.within === one.within && cut(other.name) === cut(one.name));
    return {
      cells: { COMUNE: cut(one.name).toUpperCase(), PROV: codeOf.get(one.within ?? '') ?? '', VAL: '1' },
      ...{ id: same.length > 1 ? null : one.id, noise: cut(one.name) === one.name ? 'whole' : 'cut' },
    };
  });
  return [
    typedTable(
      'comuni of saints',
      typed(draw, draw.some(saints, 70), ways, 'Comune', ({ within }) => ({ Prov: codeOf.get(within ?? '') ?? '' })),
    ),
    typedTable('comuni cut at 10 letters', cutRows),
  ];
}
