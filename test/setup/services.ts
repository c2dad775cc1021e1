import { createLogger } from '../../src/common/log.ts';
import { createMetrics } from '../../src/common/metrics.ts';
import { loadConfig } from '../../src/config.ts';
import type { Services } from '../../src/services.ts';

/** Services with only `parts` and what every call needs; any other one is undefined. */
export function servicesOf(parts: Partial<Services>): Services {
  const here: Partial<Services> = {
    config: loadConfig({ NODE_ENV: 'test' }),
    log: createLogger('silent'),
    metrics: createMetrics(),
    loading: () => null,
    ...parts,
  };
  return here as Services;
}
