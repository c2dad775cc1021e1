import { invalidInput } from './errors.ts';

const CSV = 'text/csv';

/**
 * Whether an input asks for CSV without formulas.
 * @param intake the media type of a body that is answered in kind
 * @throws invalid_input for a format that is not CSV
 */
export function asksSafeCsv(input: Readonly<Record<string, unknown>>, intake = CSV): boolean {
  if (input.safe_csv !== true) return false;
  if (intake === CSV && (input.format === undefined || input.format === 'csv')) return true;
  throw invalidInput([{ path: 'safe_csv', code: 'conflict', message: 'is for csv only' }]);
}
