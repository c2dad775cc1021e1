import { SaxesParser, type SaxesTagNS } from 'saxes';
import { MAX_DEPTH, Unreadable } from './model.ts';

/** What is told of an XML document as it is read. */
export interface XmlHandler {
  open?(tag: SaxesTagNS): void;
  /** All text of an element that has no element in it, when it ends; null for one that has. */
  close?(tag: SaxesTagNS, text: string | null): void;
}

/** Reads a well-formed XML document with its namespaces; entities of a document type are not known. Throws Unreadable. */
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
