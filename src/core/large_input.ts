import { z } from 'zod';
import { Turns } from '../common/turns.ts';
import { invalidInput, problem } from './errors.ts';
import { inMember, issuesOf, MAX_ISSUES, unstorableText, withoutNulls } from './input.ts';
import { inWords } from './input_wording.ts';

/** Values from which an input is validated in pieces, and those of a piece: some milliseconds, if all are wrong. */
export const LARGE = 2_000;
const PIECE = 500;

type Path = readonly PropertyKey[];
type AnySchema = z.ZodType & { readonly _zod: { readonly def: Definition } };
/** What is read of the definition of a schema, by its type. */
interface Definition {
  readonly type: string;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly check: string } } }[];
  readonly element?: AnySchema;
  readonly innerType?: AnySchema;
  readonly keyType?: AnySchema;
  readonly valueType?: AnySchema;
  readonly options?: readonly AnySchema[];
  readonly shape?: Readonly<Record<string, AnySchema>>;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The number of values in a value, itself included; counted to `most` at least. */
function sizeOf(value: unknown, most: number): number {
  let size = 1;
  if (typeof value !== 'object' || value === null) return size;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    size += sizeOf(member, most - size);
    if (size >= most) break;
  }
  return size;
}

/** Where a piece of some values ends that begins at `from`: a large value is one alone. */
function endOfPiece(values: readonly unknown[], from: number): number {
  let to = from;
  for (let size = 0; to < values.length && size < PIECE; to++) {
    const own = sizeOf(values[to], PIECE);
    if (own >= PIECE && to > from) break;
    size += own;
  }
  return to;
}

/** Whether an input has so many values that its validation would keep others waiting. */
export const isLarge = (given: unknown): boolean => sizeOf(given, LARGE) >= LARGE;

/**
 * Validates an input as parseInput() does, some hundred values of its lists and groups at a time, and gives others a turn
 * in between. Stops at the first issues that fill an answer.
 * @throws what parseInput() throws
 */
export async function parseLargeInput(schema: z.ZodObject, rawInput: unknown): Promise<z.output<z.ZodObject>> {
  if (!isRecord(rawInput)) throw problem('invalid_json', 'The input must be a JSON object.');
  // What made the input, such as the parser of a body, had this turn.
  await new Turns().next();
  const given = withoutNulls(rawInput);
  const reader = new LargeInput(schema);
  const read = await reader.read(schema as unknown as AnySchema, given, []).catch((error: unknown) => {
    if (error !== FULL) throw error;
  });
  if (reader.issues.length > 0) throw invalidInput(reader.issues.slice(0, MAX_ISSUES));
  return read as z.output<z.ZodObject>;
}

/** parseLargeInput() of an input within another: the paths of its issues begin with `name`. @throws invalid_input */
export async function parseLargeMember<S extends z.ZodObject>(schema: S, given: unknown, name: string) {
  return (await parseLargeInput(schema, given).catch((error) => inMember(error, name))) as z.output<S>;
}

/** Thrown where there are as many issues as an answer has. */
const FULL = new Error('enough issues');

class LargeInput {
  readonly issues: ReturnType<typeof issuesOf> = [];
  private readonly root: z.ZodObject;
  private readonly turns = new Turns();

  constructor(root: z.ZodObject) {
    this.root = root;
  }

  /** Validates a value, in pieces where it is large and its schema is one of lists or members. Returns it as parsed. */
  async read(schema: AnySchema, value: unknown, path: Path): Promise<unknown> {
    if (sizeOf(value, PIECE) < PIECE) return this.whole(schema, value, path);
    const { def } = schema._zod;
    if (def.checks?.some(({ _zod }) => _zod.def.check === 'custom')) return this.whole(schema, value, path);
    if (def.innerType && ['optional', 'nullable', 'default', 'prefault'].includes(def.type)) {
      return this.read(def.innerType, value, path);
    }
    if (def.type === 'unknown' || def.type === 'any') {
      if (Array.isArray(value)) return this.list(schema, value, path);
      if (isRecord(value)) return this.members(value, path, () => schema);
    }
    if (def.options) return this.read(optionFor(def.options, value) ?? withoutOptions(schema), value, path);
    if (def.type === 'array' && def.element && Array.isArray(value)) {
      this.check(cloned(schema, { element: z.any() }), value, path);
      return this.list(def.element, value, path);
    }
    if (def.type === 'record' && def.valueType && isRecord(value))
      return this.record(schema, def.valueType, value, path);
    if (def.type === 'object' && def.shape && isRecord(value)) return this.object(schema, def.shape, value, path);
    return this.whole(schema, value, path);
  }

  private async object(schema: AnySchema, shape: NonNullable<Definition['shape']>, value: object, path: Path) {
    const large = Object.entries(value).filter(([name, member]) => shape[name] && sizeOf(member, PIECE) >= PIECE);
    const shell = Object.fromEntries(large.map(([name]) => [name, z.any()]));
    const small = Object.fromEntries(Object.entries(value).filter(([name]) => !(name in shell)));
    this.note(unstorableText(small, path.map(String).join('.')));
    const read = this.check(cloned(schema, { shape: { ...shape, ...shell } }), value, path) as object;
    const members = await this.members(Object.fromEntries(large), path, (name) => shape[name] as AnySchema);
    return { ...read, ...members };
  }

  /** Elements: many small ones in one piece. */
  private async list(element: AnySchema, values: readonly unknown[], path: Path): Promise<unknown[]> {
    const all: unknown[] = [];
    const some = z.array(element);
    for (let from = 0; from < values.length; ) {
      const to = endOfPiece(values, from);
      if (to === from + 1) all.push(await this.read(element, values[from], [...path, from]));
      else all.push(...((this.whole(some, values.slice(from, to), path, from) as unknown[] | undefined) ?? []));
      from = to;
      await this.turns.next();
    }
    return all;
  }

  /** Members of a record: many small ones in one piece, with their names. */
  private async record(schema: AnySchema, valueType: AnySchema, values: Readonly<Record<string, unknown>>, path: Path) {
    const all: [string, unknown][] = [];
    const names = cloned(schema, { valueType: z.any() });
    const entries = Object.entries(values);
    const members = entries.map(([, member]) => member);
    for (let from = 0; from < entries.length; ) {
      const to = endOfPiece(members, from);
      const some = Object.fromEntries(entries.slice(from, to));
      const [name, value] = entries[from] as [string, unknown];
      if (to === from + 1) {
        this.check(names, { [name]: null }, path);
        all.push([name, await this.read(valueType, value, [...path, name])]);
      } else all.push(...Object.entries((this.whole(schema, some, path) ?? {}) as object));
      from = to;
      await this.turns.next();
    }
    return Object.fromEntries(all);
  }

  private async members(
    values: Readonly<Record<string, unknown>>,
    path: Path,
    schemaOf: (name: string) => AnySchema,
  ): Promise<Record<string, unknown>> {
    const all: [string, unknown][] = [];
    for (const [name, value] of Object.entries(values)) {
      if (this.turns.spend(sizeOf(value, PIECE))) await this.turns.next();
      all.push([name, await this.read(schemaOf(name), value, [...path, name])]);
    }
    return Object.fromEntries(all);
  }

  /** Validates a value at once. `from`: the place of its first element in the list at `path`. */
  private whole(schema: z.ZodType, value: unknown, path: Path, from?: number): unknown {
    const place = path.map(String).join('.');
    if (from === undefined) this.note(unstorableText(value, place));
    else if (unstorableText(value, place).length > 0) {
      for (const [i, one] of (value as unknown[]).entries()) this.note(unstorableText(one, `${place}.${from + i}`));
    }
    return this.check(schema, value, path, from);
  }

  private check(schema: z.ZodType, value: unknown, path: Path, from = 0): unknown {
    const parsed = schema.safeParse(value, { reportInput: true, error: inWords });
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues.slice(0, MAX_ISSUES)) {
      const [at, ...rest] = issue.path;
      const place = typeof at === 'number' ? [at + from, ...rest] : issue.path;
      this.note(issuesOf(this.root, { ...issue, path: [...path, ...place] }));
    }
    return undefined;
  }

  /** @throws FULL */
  private note(issues: ReturnType<typeof issuesOf>): void {
    this.issues.push(...issues);
    if (this.issues.length >= MAX_ISSUES) throw FULL;
  }
}

/** A schema with another member of its definition. */
const cloned = (schema: AnySchema, members: object): z.ZodType =>
  z.core.clone(schema, { ...schema._zod.def, ...members } as never);

/** The one option of a union that can be what a value is by its sort; null if several can, or none. */
function optionFor(options: readonly AnySchema[], value: unknown): AnySchema | null {
  const types = Array.isArray(value) ? ['array'] : ['object', 'record'];
  const fitting = options.filter(({ _zod }) => types.includes(_zod.def.type));
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** A schema that is not read in pieces. */
const withoutOptions = (schema: AnySchema): AnySchema => z.any().pipe(schema) as unknown as AnySchema;
