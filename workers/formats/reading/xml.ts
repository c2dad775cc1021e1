import { SaxesParser, type SaxesTagNS } from 'saxes';
import { MAX_DEPTH, Unreadable } from './document.ts';

/** Callbacks of readXml. */
export interface XmlHandler {
  open?(tag: SaxesTagNS): void;
  /** Called at the end of an element, with all its text, or null when it has child elements. */
  close?(tag: SaxesTagNS, text: string | null): void;
}

/**
 * Reads a well-formed XML document with namespaces. Entities of a document type are unknown.
 * @throws Unreadable
 */
export function readXml(source: string, handler: XmlHandler): void {
  const parser = new SaxesParser({ xmlns: true });
  const texts: (string[] | null)[] = [];
  parser.on('opentag', (tag) => {
    if (texts.length > 0) texts[texts.length - 1] = null;
    texts.push([]);
    if (texts.length > MAX_DEPTH) throw new Unreadable(`its elements are nested more than ${MAX_DEPTH} deep`);
    handler.open?.(tag);
  });
  const text = (piece: string): void => void texts.at(-1)?.push(piece);
  parser.on('text', text);
  parser.on('cdata', text);
  parser.on('closetag', (tag) => handler.close?.(tag, texts.pop()?.join('') ?? null));
  parser.on('error', (error) => {
    throw new Unreadable(`this is not well-formed XML: ${error.message}`);
  });
  parser.write(source).close();
}
