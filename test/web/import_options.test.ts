import { expect, test } from 'vitest';
import { optionsOf } from '../../web/src/file/import_options.ts';

const PROPOSED = { source: 'zones', license: 'CC0', attribution: 'The agency', map: { id: 'code', name: 'nom' } };
function fields(values: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...PROPOSED, map: undefined, ...values }))
    if (value !== undefined) form.set(name, value);
  return form;
}
const MAP = { 'map.id': 'code', 'map.name': 'nom' };

test('what a field says counts, also where it is emptied after a look', () => {
  const looked = { ...PROPOSED, name: 'Zones', edition: '2024', country: 'FR', adminLevel: 8, replace: true };
  const given = fields({ ...MAP, name: 'Zones', edition: '2024', country: 'fr', adminLevel: '8', replace: 'on' });
  expect(optionsOf(given, looked)).toEqual(looked);
  // The box is not checked any more, and a form does not say so.
  expect(optionsOf(fields({ ...MAP, name: ' ', edition: '', country: '', adminLevel: '' }), looked)).toEqual(PROPOSED);
});

test('what a proposal says beside the fields stays', () => {
  const proposed = { ...PROPOSED, layer: 'communes', map: { ...PROPOSED.map, 'name:fr': 'nom_fr' } };
  expect(optionsOf(fields(MAP), proposed)).toEqual(proposed);
});
