import { defined } from '../../defined.ts';
import { CODE_PAGES } from './code_pages.ts';
import { Unreadable } from './document.ts';

/** Decodes bytes; null for bytes that the encoding does not have. */
export type Decoder = (bytes: Uint8Array) => string | null;

/** The encodings of Windows code pages that are not named `windows-<number>`. */
const WINDOWS: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gbk',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  10007: 'x-mac-cyrillic',
  20866: 'koi8-r',
  20932: 'euc-jp',
  21866: 'koi8-u',
  51932: 'euc-jp',
  51949: 'euc-kr',
  54936: 'gb18030',
  65001: 'utf-8',
};

/** Code pages by the language byte of a dBase table (its byte 29), as dBase, FoxPro and ESRI write it. */
const LANGUAGES: Readonly<Record<number, number>> = {
  1: 437,
  2: 850,
  3: 1252,
  4: 10000,
  8: 865,
  9: 437,
  10: 850,
  11: 437,
  13: 437,
  14: 850,
  15: 437,
  16: 850,
  17: 437,
  18: 850,
  19: 932,
  20: 850,
  21: 437,
  22: 850,
  23: 865,
  24: 437,
  25: 437,
  26: 850,
  27: 437,
  28: 863,
  29: 850,
  31: 852,
  34: 852,
  35: 852,
  36: 860,
  37: 850,
  38: 866,
  55: 850,
  64: 852,
  77: 936,
  78: 949,
  79: 950,
  80: 874,
  87: 1252,
  88: 1252,
  89: 1252,
  100: 852,
  101: 866,
  102: 865,
  103: 861,
  106: 737,
  107: 857,
  108: 863,
  120: 950,
  121: 949,
  122: 936,
  123: 932,
  124: 874,
  134: 737,
  135: 852,
  136: 857,
  150: 10007,
  200: 1250,
  201: 1251,
  202: 1254,
  203: 1253,
  204: 1257,
};

/** Names of encodings that TextDecoder does not know, without punctuation. */
const ALIASES: Readonly<Record<string, string>> = {
  ms932: 'shift_jis',
  windows31j: 'shift_jis',
  sjis: 'shift_jis',
  shiftjis: 'shift_jis',
  big5: 'big5',
  eucjp: 'euc-jp',
  euckr: 'euc-kr',
  uhc: 'euc-kr',
  utf8: 'utf-8',
  latin1: 'iso-8859-1',
  koi8r: 'koi8-r',
  koi8u: 'koi8-u',
};

/**
 * The decoder of an encoding by any of the names that programs give it: `UTF-8`, `65001`, `CP932`, `932`, `ANSI 1252`,
 * `88591`, `ISO 8859-15`, `Big-5`, `OEM 850`.
 * @throws Unreadable for an unknown name
 */
export function decoderOf(name: string): Decoder {
  const bare = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  const number = /^(?:ansi|oem|cp|codepage|windows|win|ms|ibm|dos|ldid)?(\d{3,5})$/.exec(bare)?.[1];
  const iso = /^(?:iso|isolatin)?8859(\d{1,2})$/.exec(bare)?.[1];
  if (iso !== undefined) return standard(`iso-8859-${Number(iso)}`, name);
  if (number !== undefined) return pageDecoder(Number(number), name);
  return standard(ALIASES[bare] ?? name.trim(), name);
}

/** The decoder of the language byte of a dBase table; null for 0 and for languages that are not known. */
export function decoderOfLanguage(byte: number): Decoder | null {
  const page = LANGUAGES[byte];
  return page === undefined ? null : pageDecoder(page, String(page));
}

/** UTF-8, which no other text with letters beyond ASCII is by chance. */
export const utf8: Decoder = standard('utf-8', 'UTF-8');

function pageDecoder(page: number, name: string): Decoder {
  const upper = CODE_PAGES[page];
  if (upper !== undefined) return tableDecoder(upper);
  if (page > 28590 && page <= 28605) return standard(`iso-8859-${page - 28590}`, name);
  return standard(WINDOWS[page] ?? `windows-${page}`, name);
}

const tableDecoder =
  (upper: string): Decoder =>
  (bytes) => {
    let text = '';
    for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : upper[byte - 128];
    return text.includes('\ufffd') ? null : text;
  };

function standard(label: string, name: string): Decoder {
  let decoder: InstanceType<typeof TextDecoder>;
  try {
    decoder = new TextDecoder(label, { fatal: true });
  } catch {
    throw new Unreadable(
      `the encoding "${name.slice(0, 40)}" is not known: use utf-8, windows-1252, shift_jis, big5 …`,
    );
  }
  if (decoder.encoding === 'windows-1252') return tableDecoder(defined(CODE_PAGES[1252]));
  // The web's tables of Windows pages give bytes that have no letter to control characters, which no text has.
  const isWindows = decoder.encoding.startsWith('windows-');
  return (bytes) => {
    try {
      const text = decoder.decode(bytes);
      return isWindows && /[\u0080-\u009f]/.test(text) ? null : text;
    } catch {
      return null;
    }
  };
}
