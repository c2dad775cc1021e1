import {
  Builder,
  COMPARISONS,
  type Comparison,
  type Expression,
  invalidFilter,
  MOST,
  type Queryable,
} from './expression.ts';

/**
 * Reads a filter in CQL2 JSON, with the same operators as CQL2 text (readCqlText).
 * @throws invalid_input naming what cannot be read
 */
export function readCqlJson(text: string): Expression {
  if (text.length > MOST.characters) throw invalidFilter(`must have at most ${MOST.characters} characters`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw invalidFilter('is not JSON; for CQL2 text leave out filter-lang');
  }
  return expressionOf(value, new Builder(), 0);
}

function expressionOf(value: unknown, build: Builder, depth: number): Expression {
  build.checkDepth(depth);
  if (typeof value === 'boolean') {
    build.count();
    return { op: 'boolean', value };
  }
  const { op, args } = callOf(value);
  const inner = () => args.map((one) => expressionOf(one, build, depth + 1));
  if (op === 'and' || op === 'or') {
    if (args.length < 2) throw invalidFilter(`has ${op} with fewer than two arguments`);
    build.count();
    return { op, of: inner() };
  }
  if (op === 'not') {
    needArguments(op, args, 1);
    build.count();
    const [of = { op: 'boolean', value: true } as const] = inner();
    return { op, of };
  }
  if (op === 's_intersects') {
    needArguments(op, args, 2);
    return build.intersects(nameOf(args[0]), numbersOf(args[1]));
  }
  return predicateOf(op, args, build);
}

function predicateOf(op: string, args: readonly unknown[], build: Builder): Expression {
  const { property, anyCase } = operandOf(args[0], build);
  if (op === 'isNull') {
    needArguments(op, args, 1);
    return build.isNull(property);
  }
  if (op === 'between') {
    needArguments(op, args, 3);
    return build.between(property, args[1], args[2]);
  }
  needArguments(op, args, 2);
  if (op === 'like') return build.like(property, plainText(args[1]), anyCase);
  if (op === 'in') {
    if (!Array.isArray(args[1]) || args[1].length === 0) throw invalidFilter('has in without a list of values');
    return build.oneOf(property, args[1].map(plainText), anyCase);
  }
  const by = COMPARISONS.find((one): one is Comparison => one === op);
  if (by === undefined)
    throw invalidFilter(`has the operator ${JSON.stringify(op.slice(0, 40))}, which is not supported`);
  return build.compare(property, by, plainText(args[1]), anyCase);
}

function callOf(value: unknown): { readonly op: string; readonly args: readonly unknown[] } {
  const { op, args } = (value ?? {}) as { readonly op?: unknown; readonly args?: unknown };
  if (typeof op === 'string' && Array.isArray(args)) return { op, args };
  throw invalidFilter('must have an object with op and args, or a boolean, where an expression is');
}

function needArguments(op: string, args: readonly unknown[], count: number): void {
  if (args.length !== count) throw invalidFilter(`must have ${count} args for ${op}`);
}

function nameOf(value: unknown): string {
  const { property } = (value ?? {}) as { readonly property?: unknown };
  if (typeof property === 'string') return property;
  throw invalidFilter('must have a property as the first of args');
}

/** A property, perhaps in casei. */
function operandOf(value: unknown, build: Builder): { property: Queryable; anyCase: boolean } {
  const inner = inCasei(value);
  return { property: build.property(nameOf(inner ?? value)), anyCase: inner !== null };
}

/** A value, without the casei around it. */
const plainText = (value: unknown): unknown => inCasei(value) ?? value;

/** The argument of casei; null for anything else. */
function inCasei(value: unknown): unknown {
  const { op, args } = (value ?? {}) as { readonly op?: unknown; readonly args?: unknown };
  return op === 'casei' && Array.isArray(args) && args.length === 1 ? args[0] : null;
}

/** The numbers of a point or of a bbox. */
function numbersOf(value: unknown): readonly unknown[] {
  const { type, coordinates, bbox } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (type === 'Point' && Array.isArray(coordinates) && coordinates.length === 2) return coordinates;
  if (type === undefined && Array.isArray(bbox) && bbox.length === 4) return bbox;
  throw invalidFilter('must have a GeoJSON Point or {"bbox": [west, south, east, north]} in s_intersects');
}
