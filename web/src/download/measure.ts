import { useEffect, useState } from 'preact/hooks';
import { ask, type Failure } from '../api.ts';
import { size } from '../format.ts';
import { t } from '../language.ts';
import { asFailure } from '../ui.tsx';
import { type Made, make, pointsIn } from './made.ts';
import type { FileCall } from './offer.ts';

/** Time without a change, in milliseconds, after which a choice is measured. */
const WAIT_MS = 400;
/** Time after which a call becomes a job, in milliseconds. */
const JOB_MS = 10_000;

/** The size of a file, and what is known of its shapes. */
export interface Measure {
  readonly made: Made;
  /** Null when the file is too large to count here. */
  readonly points: number | null;
}

/** Makes the file; what takes too long becomes a job, where the operation can be one. */
export async function makeOrQueue(call: FileCall, member: boolean, signal: AbortSignal): Promise<Made | 'job'> {
  if (!member || (call.op !== 'export_collection' && call.op !== 'dissolve')) return make(call, signal);
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(), JOB_MS);
  try {
    return await make(call, AbortSignal.any([signal, slow.signal]));
  } catch (error) {
    if (!slow.signal.aborted || signal.aborted) throw error;
    await ask('/jobs', { method: 'POST', body: { op: call.op, input: call.input }, signal });
    return 'job';
  } finally {
    clearTimeout(timer);
  }
}

/** What is said of boundaries without a shape. */
export const leftOutText = ({ leftOut }: Made): string =>
  leftOut > 0 ? ` ${t('download.leftOut', { n: leftOut })}` : '';

/** The size of a file and the number of its points. */
export const describe = ({ made, points }: Measure): string =>
  `${size(made.bytes)}${points === null ? '' : `, ${t('download.points', { n: points })}`}.${leftOutText(made)}`;

/** How far a measurement is. */
export interface Measured {
  readonly state: 'idle' | 'working';
  readonly value: Measure | null;
  readonly failure: Failure | null;
}

const IDLE: Measured = { state: 'idle', value: null, failure: null };

/** Measures the current choice once it has stayed for a moment, and draws its shapes. */
export function useMeasure({
  key,
  can,
  work,
  onShape,
}: {
  key: string;
  can: boolean;
  work: (signal: AbortSignal) => Promise<{ made: Made; shapes: GeoJSON.FeatureCollection | null }>;
  onShape: (shapes: GeoJSON.FeatureCollection | null) => void;
}): Measured {
  const [result, setResult] = useState<Measured & { readonly key: string }>({ ...IDLE, key });
  useEffect(() => {
    setResult({ ...IDLE, state: can ? 'working' : 'idle', key });
    if (!can) return onShape(null);
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const { made, shapes } = await work(stop.signal);
        if (stop.signal.aborted) return;
        const points = shapes?.features.reduce((sum, { geometry }) => sum + pointsIn(geometry), 0) ?? null;
        setResult({ ...IDLE, value: { made, points }, key });
        onShape(shapes);
      } catch (error) {
        if (!stop.signal.aborted) setResult({ ...IDLE, failure: asFailure(error), key });
      }
    }, WAIT_MS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [key, can]);
  useEffect(() => () => onShape(null), []);
  // Until the effect has run, what is known is of the choice before.
  return result.key === key ? result : IDLE;
}
