import { expect } from 'vitest';
import { ProblemError } from '../../src/core/errors.ts';
import { invoke } from '../../src/core/invoke.ts';
import { LOCAL_OPERATOR } from '../../src/core/op.ts';
import { createBoundaries } from '../../src/domain/boundaries/boundaries.ts';
import { createNameIndex } from '../../src/domain/read_model/name_index.ts';
import { createArea } from '../../src/ops/areas/create_area.ts';
import { openSeededEnvironment, type ProofEnvironment } from '../proof/environment.ts';
import { servicesOf } from '../setup/services.ts';
import { putPeople } from './people.ts';

/** A plan as the answer has it. */
export interface PlanAnswer {
  readonly reading: string;
  readonly choices: readonly string[];
  readonly steps: readonly object[];
  readonly include: readonly { readonly id: string; readonly name: string }[];
  readonly exclude: readonly { readonly id: string; readonly name: string }[];
}

/** Plans of descriptions over the seed data, by the operation itself. */
export interface Planning {
  readonly server: ProofEnvironment;
  /** The plan of a description or of the steps of another one; null if it is refused. */
  plan(asked: string | readonly object[]): Promise<PlanAnswer | null>;
  /** The problem with which a description is refused. */
  refused(description: string): Promise<ProblemError>;
  close(): Promise<void>;
}

/** Opens a database with the seed data, and plans on it. */
export async function openPlanning(): Promise<Planning> {
  const server = await openSeededEnvironment();
  const { test, engine } = server;
  await putPeople(test.db);
  const names = createNameIndex(test.db, 2 ** 28);
  await names.warm();
  const services = servicesOf({ db: test.db, boundaries: createBoundaries(test.db), names, engine, upstream: null });
  const call = (input: object) =>
    invoke(
      createArea,
      { ...input, dry_run: true },
      {
        ...{ caller: LOCAL_OPERATOR, address: null, requestId: 'test', signal: new AbortController().signal },
        ...{ deadline: Date.now() + 120_000, transport: 'rpc' as const, services, baseUrl: 'https://maps.example' },
        headers: {},
      },
    );
  return {
    server,
    async plan(asked) {
      try {
        const { body } = await call(typeof asked === 'string' ? { description: asked } : { plan: { steps: asked } });
        return (body as { plan: PlanAnswer }).plan;
      } catch (error) {
        if (error instanceof ProblemError && error.code === 'could_not_map') return null;
        throw error;
      }
    },
    async refused(description) {
      const error = await call({ description }).catch((caught: unknown) => caught);
      expect(error, description).toBeInstanceOf(ProblemError);
      return error as ProblemError;
    },
    close: () => server.close(),
  };
}

/** The ids of boundaries, in order. */
export const idsOf = (list: readonly { readonly id: string }[]): string[] => list.map(({ id }) => id).sort();
