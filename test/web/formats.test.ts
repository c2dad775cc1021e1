import { expect, test } from 'vitest';
import { defined } from '../../src/common/elements.ts';
import * as web from '../../web/src/download/formats.ts';
import { COLLECTION_FORMATS, extension, FORMATS } from '../../workers/formats/registry.ts';

test('the dashboard offers every format of areas, with its extension', () => {
  const registry = [...new Set([...FORMATS, ...COLLECTION_FORMATS])];
  expect(Object.keys(web.FORMATS).sort()).toEqual([...registry].sort());
  for (const format of registry) {
    const { extension: name, single = false, collection = false } = defined(web.FORMATS[format]);
    expect([format, name, single, collection]).toEqual([
      format,
      extension(format),
      FORMATS.some((one) => one === format),
      COLLECTION_FORMATS.some((one) => one === format),
    ]);
  }
});
