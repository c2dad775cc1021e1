import type { Limits } from '../cancel.ts';
import type { Document, Polygons } from '../contract.ts';
import type { ByteWriter } from './bytes.ts';
import type { NameRules } from './column_names.ts';
import type { OpenedDocument, ReadOptions } from './reading/document.ts';
import type { About, Column, Feature, FileWriter } from './types.ts';

/** Writes a file of one area. The bytes start a buffer of their own, which may be moved to another thread. */
export type DocumentWriter = (polygons: Polygons, doc: Document, limits?: Limits) => Uint8Array<ArrayBuffer>;

/**
 * Writes a collection feature by feature: each is written independently, so different threads write parts of a
 * collection, and a part is sent while the next is made.
 */
export interface TextWriter {
  readonly head: (about: About) => string;
  /** Between two features. */
  readonly separator: string;
  readonly write: (out: ByteWriter, feature: Feature, about: About) => void;
  readonly tail: string;
}

/** Reads the text of a file, or its bytes; loaded when it is first used. */
export type Reader =
  | { readonly text: () => Promise<Read<string, OpenedDocument>>; readonly isXml?: true }
  | { readonly bytes: () => Promise<Read<Uint8Array, OpenedDocument | Promise<OpenedDocument>>> }
  /** Several files, by their extensions: `.shp`, `.dbf`. */
  | { readonly files: () => Promise<Read<Readonly<Record<string, Uint8Array>>, OpenedDocument>> };

type Read<Input, Output> = (input: Input, options?: ReadOptions) => Output;

/** What becomes of attributes in a format. */
export interface AttributeRules {
  /** The only columns that a file has; absent: all. */
  readonly kept?: readonly string[];
  /** The same, of a file of one area. */
  readonly keptOfOne?: readonly string[];
  /** Values keep their types, as JSON. */
  readonly isJson?: true;
  /** There are no types besides text. */
  readonly isTextOnly?: true;
  /** An empty text stands for a missing value. */
  readonly emptyIsNull?: true;
  /** A column without any value is not written. */
  readonly dropsNull?: true;
  /** Characters that XML cannot hold are replaced. */
  readonly isXml?: true;
}

/**
 * A file format: all that the program knows about it. Each has a folder with a `format.ts` that declares it, and a line
 * in registry.ts; lists, types, flags and documentation derive from that.
 */
export interface FormatDeclaration {
  readonly contentType: string;
  /** The file name extension of what is written, without the dot. */
  readonly extension: string;
  /** Further extensions that stand for the format. */
  readonly otherExtensions?: readonly string[];
  /** Extensions of files that are read, but are not written under that name. */
  readonly readExtensions?: readonly string[];
  /** Writes a file of one area. */
  readonly document?: DocumentWriter;
  /** Fewest bytes per vertex of such a file: an answer that must exceed a limit is refused before it is written. */
  readonly minVertexBytes?: number;
  /** Writes a collection as text, or, in a thread of its own, a file from polygons, or a topology from arcs. */
  readonly text?: TextWriter;
  readonly file?: () => Promise<FileWriter>;
  readonly topology?: true;
  readonly reader?: Reader;
  /** Whether a file begins as this format does: its first bytes as Latin-1, without byte order mark and white space. */
  readonly isStart?: (start: string) => boolean;
  /** Which part of a file its reader can be asked for. */
  readonly parts?: readonly ('layer' | 'geometry')[];
  /** Files of it in a zip are read, one area or more each. */
  readonly isReadInZip?: true;
  /** Tiles are drawn from its files. */
  readonly isDrawn?: true;
  /** Limits of column names; absent: none. */
  readonly columnNames?: NameRules;
  /** The columns of a file by their values, where they are not the given ones. */
  readonly columns?: (columns: readonly Column[], rows: readonly Feature['values'][]) => Column[];
  readonly attributes?: AttributeRules;
}
