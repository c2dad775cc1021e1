import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  checkProblem,
  checkSuccess,
  type Declaration,
  declaredFailure,
  type SuccessAnswer,
} from '../../src/core/declared.ts';
import { problem } from '../../src/core/errors.ts';
import { expectDeclared } from '../setup/declared.ts';
import { takeUndeclared } from '../setup/undeclared.ts';
import { testOps } from '../transports/test_server.ts';

const op: Declaration = {
  name: 'make',
  output: z.object({ id: z.string(), more: z.object({ n: z.int() }).optional() }),
  errors: ['not_found'],
  success: { created: 'if_new', files: ['image/svg+xml'] },
};
const good: SuccessAnswer = { status: 200, contentType: 'application/json', body: { id: 'a' } };
const refused = (sent: Partial<SuccessAnswer>, own = false): number => {
  expect(() => checkSuccess(op, own, { ...good, ...sent })).toThrow(/make answers what it does not declare/);
  return takeUndeclared().length;
};

describe('a success is refused', () => {
  test('unless its status, media type, Location and members are declared', () => {
    checkSuccess(op, false, good);
    checkSuccess(op, false, { ...good, status: 201, location: 'https://maps.example/a' });
    checkSuccess(op, true, { ...good, contentType: 'image/svg+xml', body: Buffer.from('<svg/>') });
    expect(refused({ status: 202 })).toBe(1);
    expect(refused({ status: 201 })).toBe(1);
    expect(refused({ location: 'https://maps.example/a' })).toBe(1);
    expect(refused({ contentType: 'text/html' })).toBe(1);
    expect(refused({}, true)).toBe(1);
    expect(refused({ body: {} })).toBe(1);
    expect(refused({ body: { id: 1 } })).toBe(1);
  });

  test('when a member is there that the output does not name, however deep, in bytes too', () => {
    expect(refused({ body: { id: 'a', secret: 'x' } })).toBe(1);
    expect(refused({ body: { id: 'a', more: { n: 1, secret: 'x' } } })).toBe(1);
    expect(refused({ body: Buffer.from('{"id":"a","secret":"x"}') })).toBe(1);
  });
});

describe('a failure is refused', () => {
  test('when its code is none of the operation or of any call', () => {
    const known = problem('not_found', 'no');
    expect(declaredFailure(op, known)).toBe(known);
    expect(declaredFailure(op, problem('rate_limited', 'wait'))).toHaveProperty('code', 'rate_limited');
    expect(String(declaredFailure(op, problem('no_children', 'no')))).toContain('not among its errors');
    expect(takeUndeclared()).toHaveLength(1);
  });

  test('when its document lacks what the code adds', () => {
    const document = { type: 'https://maps.example/docs/errors#rate_limited', title: 'rate_limited', status: 429 };
    const rest = { detail: 'wait', code: 'rate_limited' as const, request_id: 'r' };
    checkProblem({ ...document, ...rest, ...{ retry_after: 3 } });
    expect(() => checkProblem({ ...document, ...rest })).toThrow(/retry_after/);
    expect(takeUndeclared()).toHaveLength(1);
  });
});

test('a reply over HTTP is held against openapi.json', () => {
  const headers = { 'content-type': 'application/json; charset=utf-8', 'x-request-id': 'r' };
  const reply = { status: 200, headers, text: '{"parts_of":"r1"}' };
  const look = (change: object) =>
    expectDeclared(testOps, 'GET', '/v1/boundaries/r1/children', { ...reply, ...change });
  look({});
  expect(() => look({ status: 201 })).toThrow(/a status that/);
  expect(() => look({ headers: { ...headers, 'x-powered-by': 'koa' } })).toThrow(/headers/);
  expect(() => look({ headers: { ...headers, 'content-type': 'text/html' } })).toThrow(/not described/);
  expect(() => look({ text: '{"parts_of":1}' })).toThrow(/parts_of/);
  expect(() => look({ text: '{"parts_of":"r1","secret":1}' })).toThrow(/secret|additional/);
});
