import type { FixtureBoundary } from '../domain/fixture_boundaries.ts';

const US = 'r1';
const ES = 'r2';
const county = (id: string, name: string, state: string, code: string): FixtureBoundary => ({
  ...{ id, name, kind: 'county', adminLevel: 6, country: 'US', parents: [US, state], codes: [code] },
  names: { en: `${name} County` },
});
const province = (id: string, name: string): FixtureBoundary => ({
  ...{ id, name, kind: 'province', adminLevel: 6, country: 'ES', parents: [ES] },
});
const municipality = (id: string, name: string, parent: string): FixtureBoundary => ({
  ...{ id, name, kind: 'municipality', adminLevel: 8, country: 'ES', parents: [ES, parent] },
});

/** Two countries with names that occur several times: counties of two states, provinces and their capitals. */
export const TABLES_WORLD: readonly FixtureBoundary[] = [
  { id: US, name: 'United States', kind: 'country', adminLevel: 2, country: 'US', countryCode: 'US', iso: 'US' },
  { id: ES, name: 'España', kind: 'country', adminLevel: 2, country: 'ES', countryCode: 'ES', iso: 'ES' },
  {
    ...{ id: 'r3', name: 'Grenada', kind: 'country', adminLevel: 2, country: 'GD', countryCode: 'GD', iso: 'GD' },
    names: { es: 'Granada' },
  },
  { id: 'r10', name: 'Illinois', kind: 'state', adminLevel: 4, country: 'US', iso: 'US-IL', parents: [US] },
  { id: 'r11', name: 'Texas', kind: 'state', adminLevel: 4, country: 'US', iso: 'US-TX', parents: [US] },
  county('r100', 'Washington', 'r10', '17189'),
  county('r101', 'Washington', 'r11', '48477'),
  county('r102', 'Sangamon', 'r10', '17167'),
  county('r103', 'Champaign', 'r10', '17019'),
  county('r104', 'Macoupin', 'r10', '17117'),
  county('r105', 'Travis', 'r11', '48453'),
  county('r106', 'Clay', 'r10', '17025'),
  county('r107', 'Clay', 'r11', '48077'),
  province('r200', 'Sevilla'),
  province('r201', 'Córdoba'),
  province('r202', 'Granada'),
  province('r203', 'Jaén'),
  province('r204', 'Cádiz'),
  municipality('r210', 'Sevilla', 'r200'),
  municipality('r211', 'Córdoba', 'r201'),
  municipality('r212', 'Granada', 'r202'),
  municipality('r213', 'Jerez de la Frontera', 'r204'),
  municipality('r214', 'Dos Hermanas', 'r200'),
];
