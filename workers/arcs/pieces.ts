import { type ArcTable, FULL, type Piece, type Polygons } from '../contract.ts';
import type { Contracted } from './contracted_union.ts';
import type { Contraction } from './contraction.ts';
import { fillRing, layRings, wordsOf } from './layout.ts';

/** Limit of the vertices that are kept, of all levels together; a writer's text of one takes some 25 bytes. */
const MOST_VERTICES = 1 << 16;

/**
 * The vertices of the chains of a contraction at the levels that were asked for, so that they are picked, rounded and
 * written once for all unions.
 */
export class Pieces {
  private readonly table: ArcTable;
  private readonly contraction: Contraction;
  private readonly endClass: number;
  /** Per level, per chain and direction: the vertices before its least arc, and those from there on. */
  private readonly levels = new Map<number, (readonly [Piece, Piece] | undefined)[]>();
  private vertices = 0;
  /** Memory for the vertices of a union, used again for each: zeroing and collecting it takes longer than filling it. */
  private scratch = new Int32Array(0);

  /**
   * @param table the arcs, with their tiers
   * @param contraction chains of these arcs
   * @param endClass the class of levels of the boundaries
   */
  constructor(table: ArcTable, contraction: Contraction, endClass: number) {
    this.table = table;
    this.contraction = contraction;
    this.endClass = endClass;
  }

  /**
   * What materialize gives of a union of the contraction, valid until the next call; null at full detail, of which nothing
   * is kept.
   */
  layOut({ rings, chains, chainEnd }: Contracted, level: number): Polygons | null {
    if (level === FULL) return null;
    if (this.vertices > MOST_VERTICES) {
      this.levels.clear();
      this.vertices = 0;
    }
    const walked = Array.from(chains, (ref) => this.pieces(ref, level));
    let room = rings.ringEnd.length;
    for (const [before, after] of walked) room += (before.coords.length + after.coords.length) / 2;
    if (this.scratch.length < 2 * room) this.scratch = new Int32Array(3 * room);
    const coords = this.scratch;
    const list: Piece[] = [];
    const first: number[] = [];
    const { end, ...polygons } = layRings(this.table, rings, level, coords, (ring, start) => {
      let at = start;
      const put = (piece: Piece) => {
        if (piece.coords.length === 0) return;
        list.push(piece);
        first.push(at / 2);
        coords.set(piece.coords, at);
        at += piece.coords.length;
      };
      const from = ring === 0 ? 0 : chainEnd[ring - 1];
      // A ring starts at the least arc of its first chain, and what is before that comes last.
      for (let k = from; k < chainEnd[ring]; k++) {
        if (k > from) put(walked[k][0]);
        put(walked[k][1]);
      }
      put(walked[from][0]);
      return at;
    });
    return { coords: coords.subarray(0, end), ...polygons, pieces: { list, first: Uint32Array.from(first) } };
  }

  private pieces(ref: number, level: number): readonly [Piece, Piece] {
    const own = this.levels.get(level) ?? [];
    this.levels.set(level, own);
    const side = ref < 0 ? 2 * ~ref + 1 : 2 * ref;
    let made = own[side];
    if (made === undefined) {
      made = this.make(ref, side, level);
      own[side] = made;
      for (const { coords } of made) this.vertices += coords.length / 2;
    }
    return made;
  }

  private make(ref: number, side: number, level: number): readonly [Piece, Piece] {
    const { refs, end, least } = this.contraction;
    const chain = ref < 0 ? ~ref : ref;
    const own = refs.slice(chain === 0 ? 0 : end[chain - 1], end[chain]);
    const walked = ref < 0 ? own.reverse().map((one) => ~one) : own;
    const cut = ref < 0 ? own.length - 1 - least[side] : least[side];
    return [this.piece(walked, 0, cut, level), this.piece(walked, cut, walked.length, level)];
  }

  private piece(refs: Int32Array, from: number, to: number, level: number): Piece {
    const { table, endClass } = this;
    let room = 0;
    for (let k = from; k < to; k++) room += table.length[refs[k] < 0 ? ~refs[k] : refs[k]];
    const coords = new Int32Array(2 * room);
    const count = fillRing(table, wordsOf(table.weights), refs, from, to, level, endClass, coords, 0, undefined);
    return { coords: coords.slice(0, count), texts: new Map() };
  }
}
