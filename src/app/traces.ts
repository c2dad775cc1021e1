import type { Logger } from 'pino';
import { openOtlp, readHeaders } from '../adapters/otlp.ts';
import type { Metrics } from '../common/metrics.ts';
import { startRecording } from '../common/tracing.ts';
import { readVersion } from '../common/version.ts';
import type { Config } from '../config.ts';

/** Running trace export of this process. */
export interface Traces {
  /** Stops recording and sends the pending spans within 10 s. */
  close(): Promise<void>;
}

/** Starts recording and exporting traces if a collector is configured; else returns null. */
export function openTraces(config: Config, { metrics, log }: { metrics: Metrics; log: Logger }): Traces | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = config;
  if (endpoint === undefined) return null;
  const otlp = openOtlp({
    endpoint,
    headers: headers === undefined ? {} : readHeaders(headers),
    resource: {
      'service.name': config.OTEL_SERVICE_NAME,
      'service.version': readVersion(),
      'process.pid': process.pid,
    },
    onLost: (err, spans) => log.warn({ err, spans }, 'spans were lost'),
  });
  metrics.counter('boundary_spans_lost_total', 'Spans that did not reach the trace collector.', () => otlp.lost);
  const stop = startRecording(otlp.take, config.OTEL_TRACES_SAMPLER_ARG);
  return {
    async close() {
      stop();
      await otlp.close();
    },
  };
}
