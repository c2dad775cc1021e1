/**
 * A value as a cell of CSV, in quotes where it needs them. Text that begins like a formula gets an apostrophe in front,
 * as a spreadsheet would run it.
 */
export function csvCell(value: unknown): string {
  const text = value === undefined || value === null ? '' : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
