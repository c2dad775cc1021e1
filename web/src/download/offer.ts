import { type Detail, extensionOf, isCollection, isSingle } from './formats.ts';

/** The operations that make files of areas. */
export type FileOp = 'export_boundary' | 'export_collection' | 'union_boundaries' | 'dissolve' | 'create_area';

/** One thing that can be downloaded. */
export interface Offer {
  readonly key: string;
  readonly label: string;
  /** The name of the file, without its detail and extension. */
  readonly name: string;
  readonly op: FileOp;
  /** What the input is made of, as text: while it is the same, so is the file of a choice. */
  readonly text: string;
  /** The input of the operation, without format and detail. */
  readonly input: () => Promise<Readonly<Record<string, unknown>>>;
  /** Number of boundaries that it is made of; null while it is not known. */
  readonly count: number | null;
  /** Units of a call, where units are limited. */
  readonly units: number;
}

/** The input of an offer that is known from the start, and its text. */
export const given = (input: Readonly<Record<string, unknown>>): Pick<Offer, 'input' | 'text'> => ({
  text: JSON.stringify(input),
  input: async () => input,
});

/** What is chosen of an offer. */
export interface Choice {
  readonly format: string;
  readonly detail: Detail;
  readonly area: 'all' | 'land' | 'water';
  /** A date, or '' for the present. */
  readonly asOf: string;
  /** Tags of languages, separated by commas. */
  readonly names: string;
  /** A file for each boundary, of the format. */
  readonly each: boolean;
}

/** Whether the land of what an offer is made of may be known: that of areas of sets is not. */
export const hasLand = ({ text }: Offer): boolean => !/(?:\\[nrt]|[^\p{L}\p{N}])set"?:/u.test(text);

/** What decides the file of an offer, as text: what was made for another text is another file. */
export const fileKey = (offer: Offer, choice: Choice): string =>
  JSON.stringify([offer.key, offer.op, offer.name, offer.count, offer.text, choice]);

/** A call of an operation by name. */
export interface FileCall {
  readonly op: FileOp;
  readonly input: Readonly<Record<string, unknown>>;
}

/** A call that saves a file in the library. */
export interface Saving {
  readonly path: '/files' | '/jobs';
  readonly body: Readonly<Record<string, unknown>>;
}

/** Whether an offer can be had in a format. `member`: the visitor has an account. */
export function takesFormat({ op }: Offer, format: string, member: boolean): boolean {
  if (format === 'zip') return false;
  if (op === 'create_area') return isSingle(format);
  if (op === 'export_boundary') return isCollection(format) || member;
  return op === 'union_boundaries' || isCollection(format);
}

/** The call that makes the file. One boundary in a format of collections, or without an account, is a collection of one. */
export function callOf(
  { op }: Offer,
  input: Readonly<Record<string, unknown>>,
  { format, detail, area, asOf, names, each }: Choice,
  member: boolean,
): FileCall {
  const file = { detail, ...(area === 'all' ? {} : { area }), ...(asOf ? { as_of: asOf } : {}) };
  if (op === 'export_boundary') {
    if (member && isSingle(format) && (names === '' || !isCollection(format)))
      return { op, input: { ...input, format, ...file } };
    const collection = { ids: [input.id], format, ...file, ...(names ? { names } : {}) };
    return { op: 'export_collection', input: collection };
  }
  const zipped = each && isSingle(format) && op !== 'union_boundaries' && op !== 'create_area';
  const kind = zipped ? { format: 'zip', zip_of: format } : { format };
  const named = op === 'export_collection' && names ? { names } : {};
  return { op, input: { ...input, ...kind, ...file, ...named } };
}

/** The name of the file, by its content. */
export function fileName({ name }: Offer, { format, detail, area, asOf, each }: Choice): string {
  const about = [detail, area === 'all' ? '' : area, asOf].filter(Boolean).join(', ');
  const plain = name
    .replace(/[^\p{L}\p{N} .,_-]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 100);
  return `${plain || 'boundaries'} (${about}).${each && isSingle(format) ? 'zip' : extensionOf(format)}`;
}

/**
 * The call that saves a file in the library: save_file, or for a file as of a date, which that does not make, a job. Null
 * where neither takes it.
 */
export function savingOf({ op, input }: FileCall): Saving | null {
  const { format, detail, ...rest } = input;
  if (op === 'dissolve' || (op === 'export_collection' && rest.as_of !== undefined)) {
    return { path: '/jobs', body: { op, input } };
  }
  if (rest.as_of !== undefined) return null;
  const file = { format, detail };
  if (op === 'export_collection') return { path: '/files', body: { ...file, collection: rest } };
  if (!isSingle(String(format))) return null;
  if (op === 'union_boundaries') return { path: '/files', body: { ...file, union: rest } };
  if (op === 'create_area') return { path: '/files', body: { ...file, area: rest } };
  const { id, ...part } = rest;
  return { path: '/files', body: { ...file, boundary_id: id, ...part } };
}
