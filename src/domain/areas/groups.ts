import { foldName } from '../names/fold.ts';

/** A group of countries or states with a common name. */
export interface AreaGroup {
  /** English name, as plans use it. */
  readonly name: string;
  /** ISO 3166-1 or 3166-2 codes of its members. */
  readonly members: readonly string[];
  /** Source and date of the list of members. */
  readonly source: string;
}

interface Row extends AreaGroup {
  /** Other names, in any supported language of descriptions. */
  readonly also: readonly string[];
}

const list = (text: string): string[] => text.split(/,\s*/);

const ROWS: readonly Row[] = [
  {
    name: 'Benelux',
    members: ['BE', 'NL', 'LU'],
    also: list(
      'Benelux countries, Benelux states, Benelux Union, Benelux-Staaten, Benelux-Länder, Beneluxstaaten, Beneluxländer, pays du Benelux, países del Benelux',
    ),
    source: 'Treaty revising the Benelux Economic Union (2008), article 1',
  },
  {
    name: 'Scandinavia',
    members: ['DK', 'NO', 'SE'],
    also: list(
      'Scandinavian countries, Escandinavia, países escandinavos, Skandinavien, skandinavische Länder, skandinavischen Länder, Scandinavie, pays scandinaves',
    ),
    source: 'the kingdoms of Denmark, Norway and Sweden, the narrow sense of the word',
  },
  {
    name: 'Nordic countries',
    members: ['DK', 'FI', 'IS', 'NO', 'SE'],
    also: list(
      'Nordics, Nordic states, países nórdicos, nordische Länder, nordische Staaten, nordischen Länder, nordischen Staaten, pays nordiques',
    ),
    source: 'Helsinki Treaty (1962), article 1; their territories are boundaries by themselves',
  },
  {
    name: 'Baltic states',
    members: ['EE', 'LV', 'LT'],
    also: list(
      'Baltics, Baltic countries, países bálticos, estados bálticos, Baltikum, baltische Staaten, baltische Länder, baltischen Staaten, baltischen Länder, pays baltes, États baltes',
    ),
    source: 'Baltic Assembly, member states',
  },
  {
    name: 'European Union',
    members: list(
      'AT, BE, BG, HR, CY, CZ, DK, EE, FI, FR, DE, GR, HU, IE, IT, LV, LT, LU, MT, NL, PL, PT, RO, SK, SI, ES, SE',
    ),
    also: list(
      'EU, E.U., European Union countries, EU-Länder, Unión Europea, UE, Europäische Union, Europäischen Union, Union européenne',
    ),
    source: 'europa.eu, list of the 27 countries (2020)',
  },
  {
    name: 'New England',
    members: ['US-CT', 'US-ME', 'US-MA', 'US-NH', 'US-RI', 'US-VT'],
    also: list('New England states, Nueva Inglaterra, Neuengland, Nouvelle-Angleterre'),
    source: 'US Census Bureau, division 1',
  },
  {
    name: 'Visegrád Group',
    members: ['CZ', 'HU', 'PL', 'SK'],
    also: list(
      'Visegrad Four, Visegrad countries, V4, Grupo de Visegrado, Visegrád-Gruppe, Visegrád-Staaten, groupe de Visegrád',
    ),
    source: 'visegradgroup.eu, member states',
  },
];

const BY_NAME: ReadonlyMap<string, AreaGroup> = new Map(
  ROWS.flatMap((row) => [row.name, ...row.also].map((text) => [foldName(text), row] as const)),
);

/** Returns the group with this name in any supported language, or null. */
export function groupOf(text: string): AreaGroup | null {
  // Require capitals for "EU" and "UE": Eu is also a commune in France.
  if (/^(eu|ue)$/i.test(text) && text !== text.toUpperCase()) return null;
  return BY_NAME.get(foldName(text)) ?? null;
}

/** Returns all groups, for documentation. */
export function areaGroups(): readonly AreaGroup[] {
  return ROWS;
}
