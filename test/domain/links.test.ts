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
  '<a href="//x">here</a>',
  '<a href=//x>',
  '//evil',
  '192.168.0.1/x',
  'at 10.0.0.1:8080',
  '[::1]/x',
  '[fe80::1]',
  'mailto:me',
  'javascript:alert(1)',
  '[click](x)',
  'evil.COM',
  'пример.рф',
  'evil.xn--p1ai',
  'evil.com/x',
  'good.Evil.net.',
  'bit.ly',
])('%s holds a link', (text) => expect(holdsLink(text)).toBe(true));

it.each([
  'We run it on Node.js.',
  'It reads places.geojson and out.kml',
  'Version 1.2 is fast. Really.',
  'a.b',
  'St.Gallen is missing',
  'St.Pölten, Mt.Everest and Frankfurt a.M. are there',
  'Dr.Who likes it; e.g. the U.S.A. or 10.5 km',
  'Version 1.2.3 of 2026.11.25',
  'and/or; 5 / 6; a [note] (here)',
  '999.1.1.1 is not an address',
  'at 12:30:45, ratio 1:2',
])('%s holds none', (text) => expect(holdsLink(text)).toBe(false));
