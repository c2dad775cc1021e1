import { SCHEMES, type Scheme } from '../../../workers/maps/schemes.ts';
import { Failure } from '../api.ts';
import { t } from '../language.ts';
import { MOST_CHARACTERS, MOST_ROWS } from './table.ts';

/** A map of figures: the table, what its rows mean, and how it is drawn. */
export interface Figures {
  /** The table as it was given. */
  readonly text: string;
  /** The id of the boundary of each row; '' for none. */
  readonly ids: readonly string[];
  /** The column of the figures. */
  readonly value: string;
  /** The decimal sign that was chosen where the table does not say it. */
  readonly decimal: '.' | ',' | '';
  readonly classes: string;
  readonly colors: Scheme;
  readonly reverse: boolean;
  readonly labels: 'names' | 'values' | 'none';
  readonly title: string;
  readonly unit: string;
  readonly source: string;
}

/** What is chosen of how a map is drawn, before anything is chosen. */
export const PLAIN: Omit<Figures, 'text' | 'ids' | 'value'> = {
  ...{
    decimal: '',
    classes: 'quantile:5',
    colors: 'ylgnbu',
    reverse: false,
    labels: 'names',
    title: '',
    unit: '',
    source: '',
  },
};

/** Most characters of an address; browsers and programs where people paste addresses limit them. */
const MOST_IN_ADDRESS = 30_000;
const NAME = 'figures=';
/** Most bytes of what an address is unpacked to. */
const MOST_UNPACKED = 3 * MOST_CHARACTERS;
const ID = /^(?:[rw]\d{1,19})?$/;

const text = (value: unknown, most: number): string => (typeof value === 'string' ? value.slice(0, most) : '');

/** Figures as an address or a file has them. @throws Failure for anything else */
export function readFigures(value: unknown): Figures {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  const { ids, labels } = given;
  if (typeof given.text !== 'string' || given.text.length > MOST_CHARACTERS || !Array.isArray(ids)) {
    throw new Failure(t('figures.notSaved'), { code: 'invalid_input' });
  }
  return {
    text: given.text,
    ids: ids.slice(0, MOST_ROWS).map((id) => (typeof id === 'string' && ID.test(id) ? id : '')),
    value: text(given.value, 200),
    decimal: given.decimal === '.' || given.decimal === ',' ? given.decimal : '',
    classes: text(given.classes, 400) || PLAIN.classes,
    colors: SCHEMES.find((one) => one === given.colors) ?? PLAIN.colors,
    reverse: given.reverse === true,
    labels: labels === 'values' || labels === 'none' ? labels : 'names',
    title: text(given.title, 200),
    unit: text(given.unit, 200),
    source: text(given.source, 300),
  };
}

const through = (bytes: Uint8Array<ArrayBuffer>, stream: TransformStream<BufferSource, Uint8Array>) =>
  new Blob([bytes]).stream().pipeThrough(stream).getReader();

async function bytesOf(reader: ReadableStreamDefaultReader<Uint8Array>, most: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    size += part.value.byteLength;
    if (size <= most) continue;
    await reader.cancel();
    throw new Failure(t('figures.unpacksTooLarge'), { code: 'too_large' });
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.byteLength;
  }
  return all;
}

/** The fragment for figures, compressed; null when it is too long for an address. */
export async function fragmentOf(figures: Figures): Promise<string | null> {
  const bytes = new TextEncoder().encode(JSON.stringify(figures));
  const packed = await bytesOf(through(bytes, new CompressionStream('deflate-raw')), Number.POSITIVE_INFINITY);
  if (packed.length * 1.4 > MOST_IN_ADDRESS) return null;
  const base64 = btoa(String.fromCharCode(...packed));
  return `#${NAME}${base64.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`;
}

/** The figures of a fragment; null where it has none. @throws Failure for what is damaged or too large */
export async function figuresIn(fragment: string): Promise<Figures | null> {
  if (!fragment.startsWith(NAME)) return null;
  const base64 = fragment.slice(NAME.length, NAME.length + MOST_IN_ADDRESS);
  try {
    const packed = atob(base64.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(packed, (letter) => letter.charCodeAt(0));
    const json = await bytesOf(through(bytes, new DecompressionStream('deflate-raw')), MOST_UNPACKED);
    return readFigures(JSON.parse(new TextDecoder().decode(json)));
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(t('figures.damaged'), { code: 'invalid_input' });
  }
}
