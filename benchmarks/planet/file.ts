import { type FileHandle, open } from 'node:fs/promises';
import { defined } from '../../src/common/elements.ts';
import { leading } from '../../test/setup/elements.ts';
import { frame, header } from '../import/framed_blob.ts';
import { PbfBytes } from '../import/pbf_bytes.ts';
import { makeWorld, type WorldSink, type WorldSize } from './world.ts';

/** Numbers of objects in a generated world. */
export interface MadeWorld {
  readonly bytes: number;
  readonly nodes: number;
  readonly ways: number;
  readonly relations: number;
  /** Vertices of all borders, each border counted once. */
  readonly vertices: number;
}

const NODES_A_BLOB = 8_000;
const WAYS_A_BLOB = 2_000;
const RELATIONS_A_BLOB = 1_000;

type Tags = Readonly<Record<string, string>>;

/** Generates a world (world.ts) and writes it to `path` as a sorted .osm.pbf. */
export async function writeWorld(path: string, size: WorldSize): Promise<MadeWorld> {
  const file = await open(path, 'wx');
  try {
    const writer = new Writer(file);
    await writer.put('OSMHeader', header());
    await makeWorld(size, writer, () => writer.flushNodes());
    return await writer.end();
  } finally {
    await file.close();
  }
}

/** Collects the objects of a world. Writes nodes as they come, ways and relations after the last node. */
class Writer implements WorldSink {
  private readonly file: FileHandle;
  private bytes = 0;
  private vertices = 0;
  private nodes = 0;
  private readonly x: number[] = [];
  private readonly y: number[] = [];
  private readonly tags = new Map<number, Tags>();
  /** from, first, count, to. */
  private readonly ways: number[] = [];
  private readonly relations: { tags: Tags; ways: readonly number[]; center: number | null }[] = [];

  constructor(file: FileHandle) {
    this.file = file;
  }

  node(x: number, y: number, tags?: Tags): number {
    if (tags) this.tags.set(this.x.length, tags);
    this.x.push(x);
    this.y.push(y);
    return ++this.nodes;
  }

  way(from: number, first: number, count: number, to: number): number {
    this.vertices += count + 2;
    return this.ways.push(from, first, count, to) / 4;
  }

  relation(tags: Tags, ways: readonly number[], center: number | null): void {
    this.relations.push({ tags, ways, center });
  }

  async put(type: string, body: Uint8Array): Promise<void> {
    const framed = await frame(type, body);
    await this.file.writeFile(framed);
    this.bytes += framed.length;
  }

  /** Writes the nodes collected so far. */
  async flushNodes(): Promise<void> {
    const { x, y } = this;
    const before = this.nodes - x.length;
    const framed: Promise<Uint8Array>[] = [];
    for (let from = 0; from < x.length; from += NODES_A_BLOB) {
      const to = Math.min(from + NODES_A_BLOB, x.length);
      framed.push(frame('OSMData', this.nodeBlock(from, to, before)));
      if (framed.length >= 4 || to === x.length) {
        for (const bytes of await Promise.all(framed)) {
          await this.file.writeFile(bytes);
          this.bytes += bytes.length;
        }
        framed.length = 0;
      }
    }
    x.length = 0;
    y.length = 0;
    this.tags.clear();
  }

  private nodeBlock(from: number, to: number, before: number): Uint8Array {
    const strings = new Strings();
    const { x, y, tags } = this;
    const out = new PbfBytes(16 * NODES_A_BLOB);
    const deltas = (field: number, value: (k: number) => number) =>
      out.message(field, () => {
        for (let k = from; k < to; k++) out.zigzag(value(k) - (k === from ? 0 : value(k - 1)));
      });
    out.message(2, () => {
      out.message(2, () => {
        deltas(1, (k) => before + k + 1);
        out.message(5, () =>
          out.message(1, () => {
            for (let k = from; k < to; k++) out.varint(1);
          }),
        );
        deltas(8, (k) => defined(y[k]));
        deltas(9, (k) => defined(x[k]));
        out.message(10, () => {
          for (let k = from; k < to; k++) {
            for (const [key, value] of Object.entries(tags.get(k) ?? {})) {
              out.varint(strings.of(key));
              out.varint(strings.of(value));
            }
            out.varint(0);
          }
        });
      });
    });
    return strings.before(out.done());
  }

  /** Writes ways and relations. */
  async end(): Promise<MadeWorld> {
    const count = this.ways.length / 4;
    for (let from = 0; from < count; from += WAYS_A_BLOB) {
      await this.put('OSMData', this.wayBlock(from, Math.min(from + WAYS_A_BLOB, count)));
    }
    for (let from = 0; from < this.relations.length; from += RELATIONS_A_BLOB) {
      await this.put('OSMData', this.relationBlock(from, Math.min(from + RELATIONS_A_BLOB, this.relations.length)));
    }
    const { bytes, nodes, vertices, relations } = this;
    return { bytes, nodes, ways: count, relations: relations.length, vertices };
  }

  private wayBlock(from: number, to: number): Uint8Array {
    const strings = new Strings();
    const [key, value] = [strings.of('boundary'), strings.of('administrative')];
    const out = new PbfBytes(2 ** 20);
    out.message(2, () => {
      for (let way = from; way < to; way++) {
        const [start, first, count, end] = leading(this.ways.slice(4 * way, 4 * way + 4), 4);
        out.message(3, () => {
          out.uint(1, way + 1);
          out.message(2, () => out.varint(key));
          out.message(3, () => out.varint(value));
          out.message(4, () => out.uint(1, 1));
          out.message(8, () => {
            out.zigzag(start);
            if (count > 0) out.zigzag(first - start);
            for (let k = 1; k < count; k++) out.zigzag(1);
            out.zigzag(end - (count > 0 ? first + count - 1 : start));
          });
        });
      }
    });
    return strings.before(out.done());
  }

  private relationBlock(from: number, to: number): Uint8Array {
    const strings = new Strings();
    const out = new PbfBytes(2 ** 20);
    out.message(2, () => {
      for (let k = from; k < to; k++) {
        const { tags, ways, center } = defined(this.relations[k]);
        const members = [...ways.map((ref) => ({ ref, type: 1, role: 'outer' }))];
        if (center !== null) members.push({ ref: center, type: 0, role: 'admin_centre' });
        out.message(4, () => {
          out.uint(1, k + 1);
          out.message(2, () => {
            for (const key of Object.keys(tags)) out.varint(strings.of(key));
          });
          out.message(3, () => {
            for (const value of Object.values(tags)) out.varint(strings.of(value));
          });
          out.message(4, () => out.uint(1, 1));
          out.message(8, () => {
            for (const { role } of members) out.varint(strings.of(role));
          });
          out.message(9, () => {
            members.forEach(({ ref }, m) => {
              out.zigzag(ref - (m === 0 ? 0 : defined(members[m - 1]).ref));
            });
          });
          out.message(10, () => {
            for (const { type } of members) out.varint(type);
          });
        });
      }
    });
    return strings.before(out.done());
  }
}

/** The string table of a block. */
class Strings {
  private readonly numbers = new Map<string, number>([['', 0]]);

  of(text: string): number {
    const known = this.numbers.get(text);
    if (known !== undefined) return known;
    this.numbers.set(text, this.numbers.size);
    return this.numbers.size - 1;
  }

  /** A block: the string table, then its groups. */
  before(groups: Uint8Array): Uint8Array {
    const out = new PbfBytes(groups.length + 65_536);
    out.message(1, () => {
      for (const text of this.numbers.keys()) out.message(1, () => out.raw(Buffer.from(text)));
    });
    out.raw(groups);
    return out.done();
  }
}
