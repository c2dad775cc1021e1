const DATE = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether a text is a date of the calendar, as `2015-01-31`, from the year 1 on. */
export function isDate(text: string): boolean {
  const [, year, month, day] = DATE.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined || year === '0000') return false;
  const last = new Date(`${year}-${month}-01T00:00:00Z`);
  if (Number.isNaN(last.getTime()) || Number(month) < 1) return false;
  last.setUTCMonth(last.getUTCMonth() + 1, 0);
  return Number(day) >= 1 && Number(day) <= last.getUTCDate();
}

/** An id and the date after its last `@`, as in `r123@2015-01-01`; null without a date. */
export function splitDated(text: string): { readonly id: string; readonly date: string | null } {
  const at = text.lastIndexOf('@');
  if (at <= 0) return { id: text, date: null };
  const date = text.slice(at + 1).trim();
  return isDate(date) ? { id: text.slice(0, at), date } : { id: text, date: null };
}

/**
 * The text, if it is a date of the calendar that has come.
 * @throws what `refuse` returns for anything else
 */
export function pastDate(text: string, refuse: (message: string) => Error): string {
  if (!isDate(text)) throw refuse('must be a date, such as 2015-01-31');
  if (text > today()) throw refuse('must not be in the future');
  return text;
}

/** The present date in UTC: `2026-11-25`. */
export function today(now: number = Date.now()): string {
  return new Date(now).toISOString().slice(0, 10);
}
