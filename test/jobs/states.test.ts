import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPublicAddress, outgoingCalls } from '../../src/adapters/outgoing_call.ts';
import { defined } from '../../src/common/elements.ts';
import { backoffSeconds } from '../../src/domain/backoff.ts';
import { signatureOf, webhookSecret } from '../../src/domain/delivery/webhooks.ts';
import {
  chargedUnits,
  isLive,
  JOB_STATES,
  MOST_ATTEMPTS,
  paceOf,
  partsOf,
  verdictOf,
} from '../../src/domain/jobs/states.ts';
import { packFeatures, unpackFeatures } from '../../src/geometry/collection_ranges.ts';

describe('a job', () => {
  it('is live until it has ended', () => {
    expect(JOB_STATES.filter(isLive)).toEqual(['queued', 'running']);
  });

  it('has parts that hold each thing once, in order', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.integer({ min: 1, max: 700 }), (total, size) => {
        const parts = partsOf(total, size);
        expect(defined(parts[0]).from).toBe(0);
        expect(parts.at(-1)?.to).toBe(total);
        for (const [i, { from, to }] of parts.entries()) {
          expect(to - from).toBeLessThanOrEqual(size);
          if (i > 0) expect(from).toBe(defined(parts[i - 1]).to);
        }
      }),
    );
  });

  it('tells its pace and what is left', () => {
    expect(paceOf({ done: 0, total: 10 }, 1000)).toEqual({ rate: null, left_s: null });
    expect(paceOf({ done: 500, total: 2000 }, 2000)).toEqual({ rate: 250, left_s: 6 });
    expect(paceOf({ done: 10, total: 10 }, 100)).toEqual({ rate: 100, left_s: 0 });
  });

  it('is charged for what it made, and never more than it reserved', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer(), (reserved, made) => {
        const units = chargedUnits(reserved, made);
        expect(units).toBeGreaterThanOrEqual(0);
        expect(units).toBeLessThanOrEqual(reserved);
        if (made >= 0 && made <= reserved) expect(units).toBe(made);
      }),
    );
  });

  it('is tried again for what passes, a few times, and not for a wrong request', () => {
    expect(verdictOf('request', 1)).toBe('fail');
    expect([verdictOf('passing', 1), verdictOf('unknown', MOST_ATTEMPTS - 1)]).toEqual(['retry', 'retry']);
    expect([verdictOf('passing', MOST_ATTEMPTS), verdictOf('unknown', MOST_ATTEMPTS)]).toEqual(['fail', 'fail']);
    expect([1, 2, 3, 100].map(backoffSeconds)).toEqual([5, 10, 20, 3600]);
  });
});

describe('features that are kept', () => {
  it('come back as they were, however their bytes are cut', async () => {
    const polygons = {
      coords: Int32Array.of(0, 0, 5, 0, 5, 5),
      ringEnd: Uint32Array.of(3),
      polygonEnd: Uint32Array.of(1),
    };
    const feature = (name: string) => ({ values: [name, 1, null], polygons, box: [0, 0, 5, 5] as const });
    const packs = [[feature('a'), feature('ñ')], [], [feature('c')]];
    const all = Buffer.concat(packs.map((some) => packFeatures(some as never)));
    for (const size of [1, 7, 64, all.byteLength]) {
      async function* cut() {
        for (let i = 0; i < all.byteLength; i += size) yield all.subarray(i, i + size);
      }
      const found: unknown[] = [];
      for await (const some of unpackFeatures(cut())) found.push(some);
      expect(found).toEqual(packs);
    }
    async function* broken() {
      yield all.subarray(0, all.byteLength - 1);
    }
    await expect(async () => {
      for await (const _ of unpackFeatures(broken()));
    }).rejects.toThrow('cut off');
  });
});

describe('a webhook', () => {
  it('is signed over its time and its body, by each secret', () => {
    const [one, two] = [webhookSecret('key one', 'org_1'), webhookSecret('key two', 'org_1')];
    expect(one).toMatch(/^whsec_[\w-]{43}$/);
    expect(new Set([one, two, webhookSecret('key one', 'org_2')]).size).toBe(3);
    const header = signatureOf([one, two], 1_700_000_000, '{"a":1}');
    const expected = (secret: string) => createHmac('sha256', secret).update('1700000000.{"a":1}').digest('hex');
    expect(header).toBe(`t=1700000000,v1=${expected(one)},v1=${expected(two)}`);
  });

  it('goes to public addresses only', () => {
    const isPublic = ['1.1.1.1', '93.184.216.34', '172.15.0.1', '172.32.0.1', '2606:4700:4700::1111', '2a00:1450::1'];
    const isNot = [
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '127.0.0.1',
      '127.255.255.255',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '192.0.2.1',
      '198.19.0.1',
      '224.0.0.1',
      '255.255.255.255',
      '::',
      '::1',
      '::ffff:127.0.0.1',
      '::ffff:1.1.1.1',
      '64:ff9b::7f00:1',
      'fc00::1',
      'fd12::1',
      'fe80::1',
      'ff02::1',
      '2001:db8::1',
      '2002:7f00:1::1',
      'not an address',
    ];
    expect(isPublic.filter((one) => !isPublicAddress(one))).toEqual([]);
    expect(isNot.filter(isPublicAddress)).toEqual([]);
  });

  it('is not made to a name with an address that is not public, whatever else it has, nor to odd spellings', async () => {
    const asked: string[] = [];
    const calls = outgoingCalls({
      allowed: [],
      userAgent: 'test',
      deadlineMs: 1000,
      resolve: async (name) => {
        asked.push(name);
        return [
          { address: '93.184.216.34', family: 4 },
          { address: '127.0.0.1', family: 4 },
        ];
      },
    });
    const refused = [
      'http://rebound.example/',
      'http://127.0.0.1/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://[::ffff:7f00:1]/',
      'http://user:pass@a.example/',
      'ftp://a.example/',
    ];
    for (const url of refused)
      await expect(calls.post(new URL(url), '{}', {}), url).rejects.toThrow(
        /public internet|user or a password|not http/,
      );
    expect(asked).toEqual(['rebound.example']);
  });
});
