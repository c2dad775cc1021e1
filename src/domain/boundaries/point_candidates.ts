import type { Kind } from '../../core/schemas.ts';
import type { ResolvedBoundary } from './boundary.ts';
import type { Boxes } from './box_index.ts';
import type { GroundOf } from './land.ts';

/** A boundary whose box contains a point, with what the answer for the point needs of it. */
export interface PointCandidate extends Pick<ResolvedBoundary, 'id' | 'type' | 'admin_level' | 'area_km2'> {
  /** Hexadecimal. */
  readonly ringHash: string;
  readonly kind: Kind;
  readonly countries: readonly string[];
  /** Absent until it was asked for. */
  ground?: GroundOf;
}

/** Candidates that one revision keeps at about 300 bytes each; then the list starts over. */
const MOST_CANDIDATES = 50_000;

/** The candidates of one revision by the number of their box; null: the boundary has no polygon. */
export class PointCandidates {
  private readonly boxes: Boxes;
  private readonly known = new Map<number, PointCandidate | null>();

  /** Creates an empty list over these boxes. */
  constructor(boxes: Boxes) {
    this.boxes = boxes;
  }

  /** The candidates with a polygon at a point (1e-7 degrees); null if `read` does not have one of them. */
  at(x: number, y: number, read: (id: string) => ResolvedBoundary | null): PointCandidate[] | null {
    const found: PointCandidate[] = [];
    for (const box of this.boxes.numbersAt(x, y)) {
      let one = this.known.get(box);
      if (one === undefined) {
        const id = this.boxes.idOf(box);
        const boundary = read(id);
        if (boundary?.id !== id) return null;
        one = candidateOf(boundary);
        if (this.known.size >= MOST_CANDIDATES) this.known.clear();
        this.known.set(box, one);
      }
      if (one !== null) found.push(one);
    }
    return found;
  }
}

function candidateOf({ id, type, admin_level, area_km2, has_geometry, ring_hash, boundary }: ResolvedBoundary) {
  if (!has_geometry || ring_hash === null) return null;
  const { kind, countries } = boundary;
  return { id, type, admin_level, area_km2, ringHash: ring_hash, kind, countries };
}
