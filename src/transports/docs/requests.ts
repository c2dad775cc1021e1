import { defined } from '../../common/elements.ts';
import type { AnyOp } from '../../core/op.ts';
import { fieldsOf } from '../decode.ts';
import type { Field } from '../values.ts';
import type { Components, JsonSchema } from './components.ts';

/** The inputs of an operation's examples, of each the part that `part` takes of it. */
export function examplesOf(
  op: AnyOp,
  part: (input: Record<string, unknown>) => Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    op.examples.map(({ input, note }, i) => [
      `example_${i + 1}`,
      { ...(note && { summary: note }), value: part(input) },
    ]),
  );
}

/** Describes path parameters, then query parameters or the body. */
export function request(op: AnyOp, components: Components): Record<string, unknown> {
  const inPath = [...op.route.path.matchAll(/:(\w+)/g)].map(([, name]) => name);
  const { properties = {}, ...whole } = components.inline(op.input, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const required = (whole.required ?? []).filter((name) => !inPath.includes(name));
  const examples = op.examples.filter(({ problem }) => problem === undefined);
  const parameter = (field: Field): Record<string, unknown> => {
    const { description, ...schema } = defined(properties[field.name]);
    const example = examples.map(({ input }) => input[field.name]).find((value) => value !== undefined);
    return {
      name: field.name,
      in: inPath.includes(field.name) ? 'path' : 'query',
      required: field.required,
      ...(typeof description === 'string' && { description }),
      ...(field.kind === 'array' && { style: 'form', explode: false }),
      schema,
      ...(example !== undefined && { example }),
    };
  };
  const fields = fieldsOf(op);
  const pathFields = fields.filter(({ name }) => inPath.includes(name));
  const others = fields.filter(({ name }) => !inPath.includes(name));
  if (op.route.method === 'GET') return { parameters: [...pathFields, ...others].map(parameter) };
  const found: Record<string, unknown> = {};
  if (pathFields.length > 0) found.parameters = pathFields.map(parameter);
  if (others.length > 0) {
    const schema = {
      ...whole,
      properties: Object.fromEntries(others.map(({ name }) => [name, properties[name]])),
      required,
    };
    const rest = (input: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(input).filter(([name]) => !inPath.includes(name)));
    found.requestBody = {
      required: required.length > 0,
      content: {
        'application/json': { schema, examples: examplesOf(op, rest) },
        // For these media types the other members are in the query.
        ...Object.fromEntries(
          [...(op.textBody ? [op.textBody.contentType] : []), ...(op.intake ?? [])].map((type) => [
            type,
            { schema: { type: 'string' } },
          ]),
        ),
      },
    };
  }
  return found;
}
