/** How a file is imported, as the service takes it. */
export interface Options {
  readonly source: string;
  readonly name?: string;
  readonly url?: string;
  readonly license: string;
  readonly attribution: string;
  readonly edition?: string;
  readonly map?: Readonly<Record<string, string>>;
  readonly adminLevel?: number;
  readonly levels?: readonly unknown[];
  readonly country?: string;
  readonly type?: string;
  readonly replace?: boolean;
}

/** The meanings of columns that the form asks for; others of a proposal stay as they are. */
export const MEANINGS = ['id', 'name', 'code', 'admin_level', 'country', 'iso', 'population', 'wikidata'] as const;

/** The options that the fields of a form say; those of a proposal that have no field stay as they are. */
export function optionsOf(given: FormData, proposed: Partial<Options>): Options {
  const text = (field: string): string => String(given.get(field) ?? '').trim();
  const { map = {}, name: _name, edition: _edition, replace: _replace, ...more } = proposed;
  const { adminLevel: _level, country: _country, type: _type, ...kept } = more;
  const others = Object.entries(map).filter(([meaning]) => !(MEANINGS as readonly string[]).includes(meaning));
  const chosen = MEANINGS.flatMap((meaning) => {
    const column = text(`map.${meaning}`);
    return column === '' ? [] : [[meaning, column] as const];
  });
  const optional = (field: string): object => (text(field) === '' ? {} : { [field]: text(field) });
  return {
    ...kept,
    source: text('source'),
    license: text('license') || 'unknown',
    attribution: text('attribution') || text('source'),
    map: Object.fromEntries([...others, ...chosen]),
    ...optional('name'),
    ...optional('edition'),
    ...(text('country') === '' ? {} : { country: text('country').toUpperCase() }),
    ...(text('type') === 'postal_code' ? { type: 'postal_code' } : {}),
    ...(text('adminLevel') === '' ? {} : { adminLevel: Number(text('adminLevel')) }),
    ...(given.get('replace') === null ? {} : { replace: true }),
  };
}
