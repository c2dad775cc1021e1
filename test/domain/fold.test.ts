import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { foldName, stripTypeWords } from '../../src/domain/names/fold.ts';

describe('foldName', () => {
  it.each([
    ['Straße', 'strasse'],
    ['GROẞ', 'gross'],
    ['Łódź', 'lodz'],
    ['Tromsø', 'tromso'],
    ['Đà Nẵng', 'da nang'],
    ['Þingvellir', 'thingvellir'],
    ['Ærøskøbing', 'aeroskobing'],
    ['Saint-Denis (Réunion)', 'saint denis reunion'],
    ['L’Aquila', 'laquila'],
    ["L'Aquila", 'laquila'],
    ['Oʻzbekiston', 'ozbekiston'],
    ['İSTANBUL', 'istanbul'],
    ['Diyarbakır', 'diyarbakir'],
    ['Київ', 'киів'],
    ['Орёл', 'орел'],
    ['ΑΘΉΝΑ', 'αθηνα'],
    ['Βόλος', 'βολοσ'],
    ['القـاهِرة', 'القاهره'],
    ['أسوان', 'اسوان'],
    ['תֵּל־אָבִיב', 'תל אביב'],
    ['ＴＯＫＹＯ　２３', 'tokyo 23'],
    ['がま', 'がま'],
    ['서울', '서울'],
    ['臺北', '台北'],
    ['台北', '台北'],
    ['廣東省', '广东省'],
    ['广东省', '广东省'],
    ['横浜市', '横滨市'],
    ['橫濱市', '横滨市'],
    ['沖縄県', '冲绳县'],
    ['天水圍', '天水围'],
    ['裡', '里'],
    ['東京 Tokyo', '东京 tokyo'],
    ['कोलकाता', 'कोलकाता'],
    ['จังหวัดเชียงใหม่', 'จังหวัดเชียงใหม่'],
    ['  --  ', ''],
    ['', ''],
  ])('folds %s to %s', (text, folded) => {
    // Expected texts are normalized, since an editor may store kana and Thai either way.
    expect(foldName(text)).toBe(folded.normalize('NFKD').normalize('NFC'));
  });

  it('folds a text of Latin letters as it folds one with a letter of another script', () => {
    // An apostrophe beyond the Latin letters is removed, but only where the whole text is folded by rules.
    const byRules = (text: string): string => foldName(`${text}\u2019`);
    for (let code = 0; code < 0x250; code++) {
      const letter = String.fromCharCode(code);
      for (const text of [letter, `a${letter}`, `${letter}a`, ` ${letter} `])
        expect(foldName(text)).toBe(byRules(text));
    }
    const unit = fc.integer({ min: 0, max: 0x24f }).map((code) => String.fromCharCode(code));
    const text = fc.array(fc.oneof(unit, fc.constantFrom(' ', '-', "'", 'ß', 'İ', '¨', '¼')), { maxLength: 30 });
    fc.assert(fc.property(text, (letters) => foldName(letters.join('')) === byRules(letters.join(''))));
  });

  it('gives every ideograph of the table one form, which is none that is folded itself', () => {
    const { groups } = JSON.parse(readFileSync('data/ideographs.json', 'utf8')) as { groups: string[] };
    const all = groups.flatMap((line) => line.split(' ').map((group) => [...group]));
    expect(all.length).toBeGreaterThan(3_000);
    const others = all.flatMap(([, ...rest]) => rest);
    expect(new Set(others).size).toBe(others.length);
    for (const group of all) {
      expect(group.length).toBeGreaterThan(1);
      for (const ideograph of group) expect(foldName(ideograph)).toBe(group[0]);
    }
  });

  it('is idempotent, blind to case and Unicode form, and leaves single spaces, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const folded = foldName(text);
        expect(foldName(folded)).toBe(folded);
        expect(foldName(text.normalize('NFD'))).toBe(foldName(text.normalize('NFC')));
        expect(folded).toBe(folded.trim());
        expect(folded).not.toMatch(/ {2}/);
      }),
      { numRuns: 3000, seed: 7 },
    );
  });
});

describe('stripTypeWords', () => {
  it.each([
    ['Gampaha District', ['gampaha']],
    ['Landkreis Harburg', ['harburg']],
    ['Département de la Gironde', ['la gironde', 'gironde']],
    ['Provincia di Roma', ['roma']],
    ['Comté de Nice', ['nice']],
    ['City and County of Denver', ['denver']],
    ['Московская область', ['московская']],
    ['Община Пловдив', ['пловдив']],
    ['powiat poznański', ['poznanski']],
    ['Stockholms län', ['stockholms']],
    ['Freguesia de Cedofeita', ['cedofeita']],
    ['Kabupaten Bogor', ['bogor']],
    ['محافظة القاهرة', ['القاهره']],
    ['Shibuya-ku', ['shibuya']],
    ['京都府', ['京都']],
    ['四日市市', ['四日市']],
    ['서울특별시', ['서울']],
    ['津市', ['津']],
    ['市', []],
    ['County', []],
    ['d county', []],
    ['Paris', []],
    ['', []],
  ])('%s', (name, expected) => {
    expect(stripTypeWords(foldName(name))).toEqual(expected.map((text) => foldName(text)));
  });

  it('gives only shorter, non-empty, folded variants, for any text with type words around it', () => {
    const words = fc.constantFrom('county', 'of', 'de', 'la', 'district', 'kreis', '市', '区', 'x', 'ab', 'город');
    fc.assert(
      fc.property(fc.array(words, { maxLength: 8 }), fc.boolean(), (parts, spaced) => {
        const folded = foldName(parts.join(spaced ? ' ' : ''));
        const variants = stripTypeWords(folded);
        expect(new Set(variants).size).toBe(variants.length);
        for (const variant of variants) {
          expect(variant.length).toBeGreaterThan(0);
          expect(variant.length).toBeLessThan(folded.length);
          expect(foldName(variant)).toBe(variant);
        }
      }),
      { numRuns: 2000, seed: 7 },
    );
  });
});
