/** The part of opentype.js that we use; the package has no types. */
declare module 'opentype.js' {
  export interface Glyph {
    readonly unicodes?: readonly number[];
    readonly advanceWidth?: number;
    getPath(x: number, y: number, fontSize: number): { readonly commands: readonly object[] };
  }

  interface Font {
    readonly ascender: number;
    readonly unitsPerEm: number;
    readonly glyphs: { readonly length: number; get(index: number): Glyph };
  }

  const opentype: { parse(bytes: ArrayBufferLike): Font };
  export default opentype;
}
