import { SaxesParser, type SaxesTagNS } from 'saxes';
import { defined } from '../../src/common/elements.ts';

export interface XmlElement {
  /** The local name. */
  readonly name: string;
  readonly uri: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  /** Its direct text content. */
  text: string;
}

/** Parses an XML 1.0 document with namespaces. @throws if it is not well-formed */
export function readXml(source: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true });
  const top: XmlElement = { name: '', uri: '', attributes: {}, children: [], text: '' };
  const open = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag: SaxesTagNS) => {
    const attributes = Object.fromEntries(Object.values(tag.attributes).map(({ name, value }) => [name, value]));
    const element = { name: tag.local, uri: tag.uri, attributes, children: [], text: '' };
    defined(open[open.length - 1]).children.push(element);
    open.push(element);
  });
  parser.on('closetag', () => {
    open.pop();
  });
  parser.on('text', (text) => {
    defined(open[open.length - 1]).text += text;
  });
  parser.on('cdata', () => {
    throw new Error('no writer makes CDATA sections');
  });
  parser.write(source).close();
  return defined(top.children[0]);
}

/** All descendants with a local name, in document order. */
export function all(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [...(child.name === name ? [child] : []), ...all(child, name)]);
}

/** The only descendant with a local name. @throws if there is not exactly one */
export function one(element: XmlElement, name: string): XmlElement {
  const found = all(element, name);
  if (found.length !== 1) throw new Error(`${found.length} elements ${name}`);
  return defined(found[0]);
}
