/** The countries that official codes are of. */
const COUNTRIES: Readonly<Record<string, string>> = {
  ...{ fips: 'US', geoid: 'US', ine: 'ES', istat: 'IT', insee: 'FR', ags: 'DE' },
  ...{ gss: 'GB', ons: 'GB', cbs: 'NL', bfs: 'CH' },
};
const SCHEME =
  '(?<scheme>fips|geoid|iso(?:[\\s-]?3166(?:-[12])?)?|nuts(?:[\\s-]?[123])?|ine|istat|insee|ags|gss|cbs|bfs|ons)(?!\\p{L})';
/** Words for a code, and for what it is the code of, in five languages. */
const NOUN = 'códigos?|codigos?|codes?|codice|codici|número|numero|number|nummer|nr\\.?';
const KIND =
  'county|state|country|province|region|municipality|municipal|provincia|comunidad|municipio|país|pais|commune|département|departement|région|pays|comune|regione|gemeinde|kreis|gemeente|provincie';
const LINK = "(?:(?:of|the|de|du|del|della|di|do|der|des|la|le|von|van)\\s+|l['’])*";
/** German and Dutch words that are both, with the country that has such codes. */
const COMPOUNDS: Readonly<Record<string, string | null>> = {
  ...{ gemeindeschlüssel: 'DE', kreisschlüssel: 'DE', regionalschlüssel: 'DE', gemeindekennziffer: 'AT' },
  ...{ gemeentecode: 'NL', provinciecode: 'NL', landcode: null, ländercode: null, kommunenummer: null },
};
/** "FIPS", "code INSEE de la commune", "INE provincia". */
const BY_SCHEME = new RegExp(
  `^\\s*(?:(?:${NOUN}|${KIND})\\s+${LINK})*${SCHEME}(?:\\s+${LINK}(?:${NOUN}|${KIND})(?!\\p{L}))*\\s*[:#=]?\\s*`,
  'iu',
);
/** "code commune", "state code", "Gemeindeschlüssel". */
const BY_KIND = new RegExp(
  `^\\s*(?:(?:${NOUN})\\s+${LINK}(?:${KIND})|(?:${KIND})\\s+(?:${NOUN})|(?:amtlicher\\s+)?(?<compound>${Object.keys(COMPOUNDS).join('|')}))(?!\\p{L})\\s*[:#=]?\\s*`,
  'iu',
);
/** A code behind such words. */
const CODE = /^[A-Z0-9][A-Z0-9.\s-]*$/iu;

/**
 * Returns the code in a query that names its list or what it is the code of: "FIPS 48201", "code commune 35238". `country`
 * (ISO 3166-1 alpha-2) is that of the list, `isIso` whether two letters are those of a country or division. Null for other queries.
 */
export function codeIn(
  q: string,
): { readonly code: string; readonly country: string | null; readonly isIso: boolean } | null {
  const found = BY_SCHEME.exec(q) ?? BY_KIND.exec(q);
  const code = found === null ? '' : q.slice(found[0].length).trim();
  if (code === '' || !CODE.test(code)) return null;
  const scheme = found?.groups?.scheme?.toLowerCase();
  const compound = found?.groups?.compound?.toLowerCase() ?? '';
  const country = (scheme === undefined ? COMPOUNDS[compound] : COUNTRIES[scheme]) ?? null;
  return { code, country, isIso: scheme === undefined || scheme.startsWith('iso') };
}
