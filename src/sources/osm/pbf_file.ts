import type { FileHandle } from 'node:fs/promises';
import {
  decodeBlobHeader,
  decodeHeader,
  MAX_BLOB_HEADER,
  type PbfCounts,
  unpackBlobAsync,
} from '../../../workers/osm/blob.ts';
import type { Kept } from '../../../workers/osm/elements.ts';
import type { BlobsTask, NodesFound } from '../../../workers/osm/passes.ts';
import { countBlob } from '../../../workers/osm/pbf.ts';
import { defined } from '../../common/elements.ts';
import { type OnProgress, readExactly } from './bytes.ts';
import type { Decode } from './decode.ts';
import { Gathered } from './gathered.ts';
import { inParallel } from './parallel.ts';

/** A task reads consecutive blobs of up to TASK_BYTES bytes (or one larger blob), and at most TASK_BLOBS blobs. */
const TASK_BYTES = 512 * 1024;
const TASK_BLOBS = 4;

/** How to read a PBF file. */
export interface PbfReading {
  readonly decode: Decode;
  /** The most nodes to look up in one pass; each takes 16 bytes, and 8 more while they are sorted. */
  readonly mostNodes: number;
  readonly onProgress?: OnProgress | undefined;
  readonly kept: Kept;
}

/** The positions of the OSMData blobs: blob k is `size[k]` bytes at `position[k]`. */
interface Index {
  position: number[];
  size: number[];
  header: Uint8Array;
}

/**
 * Reads the boundaries of a PBF file in passes: relations, the ways they need, the nodes those need. Only a few blobs
 * are in memory at once; `reading.decode` reads, unpacks and searches them. If the header says that the file is sorted,
 * each pass visits only the blobs of its kind, found by bisection, so each blob is unpacked once. A file that turns out
 * not to be sorted is read again in full. If more than `reading.mostNodes` nodes are wanted, they are looked up in
 * several passes, each over the blobs that have its ids. The caller closes the result.
 */
export async function readPbf(file: FileHandle, bytes: number, reading: PbfReading): Promise<Gathered> {
  const index = await indexBlobs(file, bytes);
  const header = decodeHeader(index.header);
  for (const sorted of header.sorted ? [true, false] : [false]) {
    const gathered = await Gathered.open(reading.kept);
    let complete = false;
    try {
      gathered.timestamp = header.timestamp;
      gathered.bbox = header.bbox ?? null;
      gathered.read.bytes = bytes;
      complete = await readPasses(file, bytes, index, reading, gathered, sorted);
      if (complete) return gathered;
    } finally {
      if (!complete) await gathered.close();
    }
  }
  throw new Error('the file changed while it was read');
}

async function indexBlobs(file: FileHandle, bytes: number): Promise<Index> {
  const position: number[] = [];
  const size: number[] = [];
  let header: Uint8Array | null = null;
  for (let at = 0; at < bytes; ) {
    // Most headers have about 14 bytes, so one read gets the length and the header.
    const start = await readExactly(file, at, Math.min(64, bytes - at));
    if (start.length < 4) throw new Error('the file ends within a blob: it is truncated');
    const length = new DataView(start.buffer, start.byteOffset).getUint32(0);
    if (length > MAX_BLOB_HEADER) throw new Error(`a blob header of ${length} bytes exceeds ${MAX_BLOB_HEADER}`);
    const fits = 4 + length <= start.length;
    const blob = decodeBlobHeader(fits ? start.subarray(4, 4 + length) : await readExactly(file, at + 4, length));
    at += 4 + length;
    if (at + blob.size > bytes) throw new Error('the file ends within a blob: it is truncated');
    if (header === null) {
      if (blob.type !== 'OSMHeader') throw new Error('the file does not start with an OSMHeader blob');
      header = await readExactly(file, at, blob.size);
    } else if (blob.type === 'OSMHeader') {
      throw new Error('the file has a second header: several files in one (osmium merge makes one map of them)');
    } else if (blob.type === 'OSMData') {
      position.push(at);
      size.push(blob.size);
    }
    at += blob.size;
  }
  if (header === null) throw new Error('the file is empty');
  return { position, size, header };
}

/** The blobs of one task. */
interface BlobSpan extends BlobsTask {
  readonly blobs: readonly number[];
}

/** Runs all passes. Returns false if the file is not sorted although its header says so. */
async function readPasses(
  file: FileHandle,
  bytes: number,
  { position, size }: Index,
  { decode, mostNodes, onProgress, kept }: PbfReading,
  gathered: Gathered,
  sorted: boolean,
): Promise<boolean> {
  const blobs = position.length;
  const counted = async (k: number) =>
    countBlob(await unpackBlobAsync(await readExactly(file, defined(position[k]), defined(size[k]))));
  const firstWay = sorted ? await bisect(blobs, async (k) => after(await counted(k), 'nodes')) : 0;
  const firstRelation = sorted ? await bisect(blobs, async (k) => after(await counted(k), 'ways')) : 0;
  const seen = new Uint8Array(blobs);
  const holdsNodes = new Uint8Array(blobs);
  const holdsWays = new Uint8Array(blobs);
  let inOrder = true;

  function note(k: number, { nodes, ways, relations }: PbfCounts): void {
    if (sorted) {
      const ahead = (k < firstWay && ways + relations > 0) || (k < firstRelation && relations > 0);
      const behind = (k > firstWay && nodes > 0) || (k > firstRelation && nodes + ways > 0);
      if (ahead || behind) inOrder = false;
    }
    holdsNodes[k] = nodes > 0 ? 1 : 0;
    holdsWays[k] = ways > 0 ? 1 : 0;
    if (seen[k] === 1) return;
    seen[k] = 1;
    gathered.read.nodes += nodes;
    gathered.read.ways += ways;
    gathered.read.relations += relations;
  }

  function spansOf(from: number, to: number, only: Uint8Array | null): BlobSpan[] {
    const spans: number[][] = [];
    let held = Number.POSITIVE_INFINITY;
    for (let k = from; k < to; k++) {
      if (only !== null && only[k] === 0) continue;
      const last = spans.at(-1);
      if (last === undefined || held + defined(size[k]) > TASK_BYTES || last.length === TASK_BLOBS) {
        spans.push([k]);
        held = defined(size[k]);
      } else {
        last.push(k);
        held += defined(size[k]);
      }
    }
    return spans.map((blobs) => ({
      blobs,
      file: file.fd,
      position: Float64Array.from(blobs, (k) => defined(position[k])),
      size: Uint32Array.from(blobs, (k) => defined(size[k])),
    }));
  }

  async function pass<R extends { readonly counts: readonly PbfCounts[] }>(
    phase: string,
    spans: readonly BlobSpan[],
    work: (task: BlobsTask) => Promise<R>,
    use: (found: R, span: BlobSpan) => Promise<unknown>,
  ): Promise<void> {
    const task = ({ position, size, file }: BlobSpan) => work({ position, size, file, kept });
    await inParallel(decode.width, spans, task, async (found, span) => {
      span.blobs.forEach((k, n) => {
        note(k, defined(found.counts[n]));
      });
      const last = defined(span.blobs[span.blobs.length - 1]);
      onProgress?.(defined(position[last]) + defined(size[last]), bytes, phase);
      return inOrder && (await use(found, span)) !== false;
    });
  }

  await pass(
    'relations',
    spansOf(firstRelation, blobs, null),
    (task) => decode.relationsOf(task),
    (found) => gathered.addRelations(found),
  );
  onProgress?.(bytes, bytes, 'relations');
  if (!inOrder) return false;

  const wanted = await gathered.wantedWays();
  const lastWay = sorted ? Math.min(firstRelation + 1, blobs) : blobs;
  await pass(
    'ways',
    spansOf(firstWay, lastWay, sorted ? null : holdsWays),
    (task) => decode.waysOf({ ...task, wanted }),
    (found) => gathered.addWays(found),
  );
  onProgress?.(bytes, bytes, 'ways');
  if (!inOrder) return false;

  const lastNode = sorted ? Math.min(firstWay + 1, blobs) : blobs;
  const spans = spansOf(0, lastNode, sorted ? null : holdsNodes);
  const windows = new Windows(spans);
  await gathered.placeVertices(decode, mostNodes, async ({ low, high, ...nodes }) => {
    if (!inOrder) return;
    const divided = sorted && (low > Number.NEGATIVE_INFINITY || high < Number.POSITIVE_INFINITY);
    await pass(
      'nodes',
      divided ? spans.slice(windows.start) : spans,
      (task) => decode.nodesOf({ ...task, ...nodes }),
      async (found, span) => {
        await gathered.addNodes(found);
        if (!divided) return true;
        const next = windows.note(found, span, high);
        if (next === null) inOrder = false;
        return next === true;
      },
    );
  });
  onProgress?.(bytes, bytes, 'nodes');
  if (!inOrder) return false;
  await gathered.settle();
  return true;
}

/** For a sorted file, where windows of ids follow one another as the blobs do: finds where the next window starts. */
class Windows {
  start = 0;
  private readonly number: ReadonlyMap<BlobSpan, number>;
  /** Per span, the greatest id before it. */
  private readonly before: Float64Array;

  constructor(spans: readonly BlobSpan[]) {
    this.number = new Map(spans.map((span, n) => [span, n]));
    this.before = new Float64Array(spans.length + 1).fill(Number.NEGATIVE_INFINITY);
  }

  /** Whether the window, which ends at `high`, continues after this span; null if ids do not ascend. */
  note(found: NodesFound, span: BlobSpan, high: number): boolean | null {
    const n = this.number.get(span) as number;
    if (!found.ascending || found.least < defined(this.before[n])) return null;
    this.before[n + 1] = Math.max(defined(this.before[n]), found.greatest);
    if (found.greatest < high) return true;
    this.start = n;
    return false;
  }
}

function after(counts: PbfCounts, kind: 'nodes' | 'ways'): boolean {
  return counts.relations > 0 || (kind === 'nodes' && counts.ways > 0);
}

/** The first k below n for which the test holds, or n. The test must hold for all larger k, too. */
async function bisect(n: number, test: (k: number) => Promise<boolean>): Promise<number> {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (await test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
