import { expect, it } from 'vitest';
import { holdsLink } from '../../src/domain/boards/reviews.ts';

it.each([
  'see https://example.org',
  'www.example',
  'example.com is better',
  'ｅｘａｍｐｌｅ．ｃｏｍ',
  'exam\u00adple.org',
  'Node.js.org',
  'bücher.example',
])('%s holds a link', (text) => expect(holdsLink(text)).toBe(true));

it.each(['We run it on Node.js.', 'It reads places.geojson and out.kml', 'Version 1.2 is fast. Really.', 'a.b'])(
  '%s holds none',
  (text) => expect(holdsLink(text)).toBe(false),
);
