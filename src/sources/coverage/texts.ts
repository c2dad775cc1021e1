import { quoted, textTrouble } from '../../../workers/formats/reading/document.ts';
import type { Properties } from './properties.ts';

/**
 * Checks the texts of a feature before any is stored.
 * @param named its id; `place`, its number in the file, stands for an id that cannot be shown
 * @throws Error that names the feature and the property, if a text has what PostgreSQL cannot store
 */
export function checkTexts(id: unknown, properties: Properties, named: string, place: number): void {
  const check = (text: unknown, where: string): void => {
    const trouble = typeof text === 'string' ? textTrouble(text) : null;
    if (trouble === null) {
      if (typeof text === 'object' && text !== null) inside(text, where);
      return;
    }
    const feature = textTrouble(named) === null ? named : place;
    throw new Error(`feature ${feature}: ${where} contains ${trouble}, which cannot be stored: remove it`);
  };
  const inside = (value: object, where: string): void => {
    for (const [name, one] of Object.entries(value)) {
      check(name, where);
      check(one, where);
    }
  };
  check(id, 'its id');
  for (const [name, value] of Object.entries(properties)) {
    check(name, `the name of its property ${quoted(name)}`);
    check(value, `its property ${quoted(name)}`);
  }
}
