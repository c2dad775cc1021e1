import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KINDS } from '../../src/common/kinds.ts';
import { PROBLEMS } from '../../src/core/errors.ts';
import { ROLES } from '../../src/core/roles.ts';
import { JOB_STATES } from '../../src/domain/jobs/states.ts';
import { ops } from '../../src/ops/index.ts';
import { filled, LANGUAGES, languageOf } from '../../web/src/text.ts';
import { texts as de } from '../../web/src/texts/de.ts';
import { en, type Key, type Text, type Texts } from '../../web/src/texts/en.ts';
import { texts as es } from '../../web/src/texts/es.ts';
import { texts as fr } from '../../web/src/texts/fr.ts';
import * as compare from '../../web/src/texts/own/compare.ts';
import * as imports from '../../web/src/texts/own/imports.ts';
import * as members from '../../web/src/texts/own/members.ts';
import { SCHEMES } from '../../workers/maps/schemes.ts';

const TABLES: Readonly<Record<string, Texts>> = { en, es, de, fr };
const keys = Object.keys(en) as Key[];
/** Texts that a language has in common with English. */
const SAME: Readonly<Record<string, readonly string[]>> = {
  es: ['area.stepOf', 'scheme.cividis', 'scheme.viridis', 'step.capital', 'word.plan'],
  de: [
    ...['account.name', 'account.teams', 'library.team', 'reviews.text', 'share.link', 'word.operation'],
    ...['area.stepOf', 'scheme.cividis', 'scheme.viridis'],
  ],
  fr: [
    ...['account.action', 'account.invitations', 'data.sources', 'draw.points', 'figures.classes', 'kind.district'],
    ...['kind.province', 'place.subdivisions', 'sets.versions', 'step.children', 'tools.distance', 'union.points'],
    ...['scheme.cividis', 'scheme.viridis', 'word.population', 'word.source'],
  ],
};
const formsOf = (text: Text): string[] => (typeof text === 'string' ? [text] : Object.values(text));
const placesIn = (text: string): string[] => [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).sort();

/** The sources of the pages, without their texts. */
const sources = (): string =>
  readdirSync(resolve('web/src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && !name.startsWith('texts/'))
    .map((name) => readFileSync(resolve('web/src', name), 'utf8'))
    .join('\n');

describe('the texts of the pages', () => {
  test('each language that can be chosen has a table', () => {
    expect(Object.keys(TABLES).sort()).toEqual(Object.keys(LANGUAGES).sort());
    const files = readdirSync(resolve('web/src/texts'))
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.replace('.ts', ''));
    expect(files.sort()).toEqual(Object.keys(LANGUAGES).sort());
  });

  test.each(['es', 'de', 'fr'])('%s says everything, with the same values, in words of its own', (tag) => {
    const table = TABLES[tag] as Texts;
    expect(Object.keys(table)).toEqual(keys);
    for (const key of keys) {
      const wanted = placesIn(formsOf(en[key])[0] ?? '');
      expect(typeof table[key], key).toBe(typeof en[key]);
      for (const form of formsOf(table[key])) {
        expect(form.trim(), key).not.toBe('');
        expect(placesIn(form), key).toEqual(wanted);
      }
    }
    // A text that was not translated is that of English: only these words are the same in both.
    const same = keys.filter((key) => formsOf(table[key]).some((form) => formsOf(en[key]).includes(form)));
    expect(same.sort()).toEqual([...(SAME[tag] ?? [])].sort());
  });

  test.each([
    ['members', members, /\b(?:say|sayOfNew)\('(\w+)'/g],
    ['comparing', compare, /\bsayCompare\('([\w.]+)'/g],
    ['imports', imports, /\bsayImport\('([\w.]+)'/g],
  ] as const)(
    'those of %s, which come with their page, say everything in each language, and are used',
    (_name, own, calls) => {
      const tables: Readonly<Record<string, Readonly<Record<string, Text>>>> = own;
      expect(Object.keys(tables).sort()).toEqual(Object.keys(LANGUAGES).sort());
      const used = new Set([...sources().matchAll(calls)].map(([, key]) => key));
      for (const [key, text] of Object.entries(tables.en ?? {})) {
        // Those of columns are made of the names of these.
        const isMade = /^importColumn\.|^compare\.(?:area|common|ofArea|ofBoundary)$/.test(key);
        expect([key, used.has(key) || isMade]).toEqual([key, true]);
        const wanted = placesIn(formsOf(text)[0] ?? '');
        for (const [tag, table] of Object.entries(tables)) {
          const forms = formsOf(table[key] ?? '');
          for (const form of forms) expect([tag, key, placesIn(form)]).toEqual([tag, key, wanted]);
          expect([tag, key, typeof table[key]]).toEqual([tag, key, typeof text]);
          const isEnglish = tag !== 'en' && forms.some((form) => formsOf(text).includes(form));
          expect([tag, key, isEnglish]).toEqual([tag, key, false]);
        }
      }
    },
  );

  test('each table of one page is looked at', () => {
    expect(readdirSync(resolve('web/src/texts/own')).sort()).toEqual(['compare.ts', 'imports.ts', 'members.ts']);
  });

  test.each(Object.keys(LANGUAGES))('%s has a form for every number', (tag) => {
    for (const key of keys) {
      const text = (TABLES[tag] as Texts)[key];
      if (typeof text === 'string') continue;
      for (const n of [0, 1, 2, 5, 11, 21, 1_000, 1_000_000]) {
        const reported = filled(text, { ...Object.fromEntries(placesIn(text.other).map((name) => [name, n])), n }, tag);
        expect(reported, key).toMatch(/\d/);
        expect(reported, key).not.toContain('{');
      }
    }
    const { one, other } = (TABLES[tag] as Texts)['download.points'] as { one: string; other: string };
    expect(filled({ one, other }, { n: 1 }, tag)).toBe(one.replace('{n}', '1'));
    expect(filled({ one, other }, { n: 2 }, tag)).toBe(other.replace('{n}', '2'));
  });

  test('values are put in as they are, and once', () => {
    expect(filled('“{q}” {none}', { q: '{n} $& <b>' }, 'en')).toBe('“{n} $& <b>” {none}');
  });

  test('every text is used by a page', () => {
    const text = sources();
    // Keys that end in a value of the data: a kind, a role, a detail.
    const made = [...text.matchAll(/(?:t|textOr)\(\s*`((?:\w+\.)+)\$\{/g)].map(([, start = '']) => start);
    const isMade = (key: string): boolean => made.some((start) => key.startsWith(start));
    expect(keys.filter((key) => !text.includes(`'${key}'`) && !isMade(key))).toEqual([]);
    const priced = ops.filter(({ cost }) => cost.units > 0);
    const noted = priced.filter(({ cost }) => cost.note !== undefined);
    const per = [...new Set(priced.map(({ cost }) => cost.per))];
    const cost = noted.map(({ name }) => name);
    const values = { kind: KINDS, role: ROLES, scheme: SCHEMES, job: JOB_STATES, per, cost };
    for (const [start, all] of Object.entries(values)) {
      const named = keys.filter((key) => key.startsWith(`${start}.`)).map((key) => key.slice(start.length + 1));
      expect(named.sort()).toEqual([...all].sort());
    }
    for (const { name, cost } of noted) expect(en[`cost.${name}` as Key]).toBe(cost.note);
  });

  test('every code of a problem has a sentence, but those of the command line and of wrong programs', () => {
    const others = [
      ...['access_denied', 'expired_token', 'invalid_grant', 'authorization_pending'],
      ...['invalid_json', 'unknown_op', 'method_not_allowed'],
    ];
    const own = ['at_capacity', 'unreadable', 'not_valid', 'wait'];
    const named = keys.filter((key) => key.startsWith('problem.')).map((key) => key.slice('problem.'.length));
    expect([...named, ...others].sort()).toEqual([...Object.keys(PROBLEMS), ...own].sort());
  });

  test('the language is the first of the browser that the pages have', () => {
    expect(languageOf(['de-AT', 'en'])).toBe('de');
    expect(languageOf(['it', 'pt-BR', 'fr-CA', 'es'])).toBe('fr');
    expect(languageOf(['ES-419'])).toBe('es');
    expect(languageOf(['zh', 'constructor', ''])).toBe('en');
    expect(languageOf([])).toBe('en');
  });
});
