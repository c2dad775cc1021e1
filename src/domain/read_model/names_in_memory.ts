import { defined } from '../../common/elements.ts';
import type { Boundary } from '../boundaries/boundary.ts';
import { toAscii } from '../names/names.ts';
import { mostAlike } from './most_alike.ts';
import type {
  ContainerHit,
  ExactHit,
  NameFilters,
  NameHit,
  NameQuery,
  Names,
  SimilarHit,
  SimilarQuery,
  StepOf,
} from './names.ts';
import type { Places } from './places.ts';
import { spellingsIn } from './spellings.ts';
import type { Texts } from './texts.ts';
import { comparedWith, type TrigramIndex, trigramsOf } from './trigrams.ts';

/** The names as columns, sorted by code points and then by boundary id. */
interface NameColumns {
  readonly folded: Texts;
  /** Numbers of the boundaries in Places. */
  readonly owner: Uint32Array;
  /** Indexes into `types`. */
  readonly type: Uint8Array;
  readonly types: readonly string[];
  readonly weight: Float64Array;
  /** Trigrams of the names that search_typos compares. */
  readonly trigrams: TrigramIndex;
}

/** Importance from which completions precede the alphabetical ones (the index boundary_name_major). */
const MAJOR = 7;
const BLANK = 0x20;

/** Creates the lookups in the names at one revision of the data. */
export function namesOf(revision: number, columns: NameColumns, places: Places): Names {
  const { folded, owner, type, types, weight, trigrams } = columns;
  const codeTypes = ['code', 'wikidata'].map((name) => types.indexOf(name));
  const word = types.indexOf('word');
  const wikidata = types.indexOf('wikidata');
  const ownerAt = (i: number): number => defined(owner[i]);
  const weightAt = (i: number): number => defined(weight[i]);
  const typeAt = (i: number): number => defined(type[i]);
  const typeName = (i: number) => defined(types[typeAt(i)]);
  const isCode = (i: number): boolean => codeTypes.includes(typeAt(i));

  /** By importance, the greatest first. */
  const compare = (a: number, b: number): number => weightAt(b) - weightAt(a) || ownerAt(a) - ownerAt(b) || a - b;

  /** The `most` rows of greatest importance, sorted. */
  const firstByWeight = (rows: number[], most: number): number[] => rows.sort(compare).slice(0, most);

  function ids(): string[] {
    const greatest = new Float64Array(places.count).fill(Number.NEGATIVE_INFINITY);
    owner.forEach((number, i) => {
      greatest[number] = Math.max(weightAt(i), defined(greatest[number]));
    });
    const named = Array.from(greatest.keys()).filter((number) => defined(greatest[number]) > Number.NEGATIVE_INFINITY);
    return named.sort((a, b) => defined(greatest[b]) - defined(greatest[a])).map((number) => places.ids.at(number));
  }

  function boundaries(wanted: readonly string[]): Boundary[] {
    const numbers = wanted.map((id) => places.find(id));
    return numbers.filter((number) => number >= 0).map((number) => places.boundary(number));
  }

  /** Returns a test of a boundary number against the filters. */
  function fitting({ country, kind, adminLevel, within = null }: NameFilters): (number: number) => boolean {
    if (country === null && kind === null && adminLevel === null && within === null) return () => true;
    const isIn = country === null ? null : places.inside({ ids: [], countries: country });
    const isWithin = within === null ? null : places.inside(within);
    return (number) =>
      (isIn === null || isIn(number)) &&
      (kind === null || places.kind(number) === kind) &&
      (adminLevel === null || places.level(number) === adminLevel) &&
      (isWithin === null || isWithin(number));
  }

  /** Rows whose name equals `name`. */
  function called(name: string, fits: (i: number) => boolean): number[] {
    const bytes = Buffer.from(name);
    const rows: number[] = [];
    for (let i = folded.firstFrom(bytes); i < folded.count && folded.is(i, bytes); i++) if (fits(i)) rows.push(i);
    return rows;
  }

  function exact(wanted: readonly string[], filters: NameFilters, most: number): ExactHit[] {
    const fits = fitting(filters);
    const ids = filters.within?.ids ?? [];
    return wanted.flatMap((name) =>
      firstByWeight(
        called(name, (i) => !isCode(i) && type[i] !== word && fits(ownerAt(i))),
        most,
      ).map((i) => ({
        ...places.place(ownerAt(i)),
        folded: name,
        name_type: typeName(i),
        weight: weightAt(i),
        countries: places.countries(ownerAt(i)),
        inside: places.parents(ownerAt(i)).filter((parent) => ids.includes(parent)),
      })),
    );
  }

  function containers(wanted: readonly string[]): ContainerHit[] {
    const contains = (i: number): boolean =>
      type[i] !== word && type[i] !== wikidata && weightAt(i) > 0 && places.contains(ownerAt(i));
    const found = wanted.flatMap((name) =>
      firstByWeight(called(name, contains), CONTAINERS).map((i) => ({ i, folded: name })),
    );
    const spelled = new Map(found.map(({ i, folded }) => [i, folded]));
    return firstByWeight([...spelled.keys()], spelled.size).flatMap((i) => {
      const number = ownerAt(i);
      if (places.isPostal(number)) return [];
      const isCountry = places.level(number) === 2 || places.kind(number) === 'country';
      const country = isCountry ? places.country(number) : null;
      const countries = places.countries(number);
      return { folded: spelled.get(i) ?? '', id: places.ids.at(number), name: places.name(number), country, countries };
    });
  }

  function similar(
    { ascii, likeness, share, spellings, end, most, ...filters }: SimilarQuery,
    stepOf: StepOf,
  ): SimilarHit[] {
    const fits = fitting(filters);
    const spelled: number[] = [];
    const beginning = folded.starts();
    for (const spelling of spellings) {
      // Most of the hundreds of spellings do not start any name.
      const [from, beyond] = beginning(spelling);
      if (from === beyond) continue;
      const last = folded.firstFrom(Buffer.from(spelling + end));
      let left = A_SPELLING;
      for (let i = from; left > 0 && i < last; ) {
        // Within one text, the most important rows first.
        const same: number[] = [];
        const first = i;
        for (; i < last && folded.compare(first, i) === 0; i++) if (!isCode(i) && fits(ownerAt(i))) same.push(i);
        const taken = firstByWeight(same, left);
        spelled.push(...taken);
        left -= taken.length;
      }
    }
    const letters = new Uint32Array(folded.longest);
    const stepAt: StepAt = (i) => stepOf(letters, folded.read(i, letters), { type: typeName(i), weight: weightAt(i) });
    const alike = ascii === null ? [] : alikeRows({ ascii, least: likeness, share, most }, fits, stepAt);
    return [...alike, ...firstByWeight(spelled, most)].flatMap((i): SimilarHit | readonly [] => {
      const step = stepAt(i);
      return step === null ? [] : Object.assign(places.place(ownerAt(i)), { weight: weightAt(i), step });
    });
  }

  /** Rows with a step among the `most` names most similar to a query. */
  function alikeRows(
    { ascii, least, share, most }: Record<'least' | 'share' | 'most', number> & { readonly ascii: string },
    fits: (number: number) => boolean,
    stepAt: StepAt,
  ): number[] {
    const query = trigramsOf(ascii);
    const graded = Math.max(MOST_ROWS, GRADED * most);
    const options = { least: Math.max(least, share - ROUNDING), most: graded, fits: (i: number) => fits(ownerAt(i)) };
    const { rows, parts } = trigrams.having(query, options);
    return comparedWith(query, ({ of }) => {
      const likenessOf = (i: number): number => of(trigramsOf(toAscii(folded.at(i))));
      // Few rows have a step, and computing it costs a tenth of comparing trigrams.
      if (rows.length <= graded) {
        const stepped = rows.filter((i) => stepAt(i) !== null);
        const alike = stepped.map((i) => ({ i, likeness: likenessOf(i) })).filter((one) => one.likeness >= least);
        const lowest = Math.min(...alike.map((one) => one.likeness));
        // At most `most` names can be as similar as these, so all of these are among the first.
        if (parts.filter((part) => part >= lowest).length <= most) return alike.map(({ i }) => i);
      }
      return mostAlike(rows, parts, most, { likenessOf, compare })
        .filter(({ likeness }) => likeness >= least)
        .map(({ i }) => i);
    });
  }

  function find({ name, code, id, completesCodes, most, ...filters }: NameQuery): NameHit[] {
    const fits = fitting(filters);
    const best = new Map<number, { row: number; step: number; whole: boolean; type: string }>();
    const add = (number: number, row: number, step: number, whole: boolean, name_type = typeName(row)): void => {
      const other = best.get(number);
      if (other && (other.step < step || (other.step === step && (other.whole || !whole)))) return;
      best.set(number, { row, step, whole, type: name_type });
    };
    const start = Buffer.from(name);
    const [first, beyond] = [folded.firstFrom(start), folded.firstBeyond(start)];
    const [whole, major, started]: [number[], number[], number[]] = [[], [], []];
    let isWhole = true;
    for (let i = first; i < beyond; i++) {
      isWhole &&= folded.byteBehind(i, start.length) === undefined;
      const isMajor = weightAt(i) >= MAJOR;
      if (!isWhole && !isMajor && started.length >= most) continue;
      if (isCode(i) || !fits(ownerAt(i))) continue;
      if (isWhole) whole.push(i);
      if (isMajor) major.push(i);
      if (started.length < most) started.push(i);
    }
    for (const i of firstByWeight(whole, most)) add(ownerAt(i), i, STEPS[typeName(i)] ?? 0, true);
    for (const i of [...firstByWeight(major, most), ...started]) {
      add(ownerAt(i), i, type[i] === word ? 5 : 3, folded.byteBehind(i, start.length) === BLANK);
    }
    const asCode = Buffer.from(code);
    const coded = called(code, (i) => isCode(i) && fits(ownerAt(i)));
    for (const i of firstByWeight(coded, most)) add(ownerAt(i), i, 2, true);
    if (completesCodes) {
      const beyondCodes = folded.firstBeyond(asCode);
      for (let i = folded.firstFrom(asCode), left = most; left > 0 && i < beyondCodes; i++) {
        if (typeName(i) !== 'code' || !fits(ownerAt(i))) continue;
        add(ownerAt(i), i, 3, false);
        left--;
      }
    }
    const number = id === null ? -1 : places.find(id);
    if (number >= 0 && fits(number)) {
      const row = owner.indexOf(number);
      if (row >= 0) add(number, row, 2, true, 'code');
    }
    return [...best].map(([number, { step, row, whole: isWhole, type: name_type }]) => {
      return Object.assign(places.place(number), { step, weight: weightAt(row), whole: isWhole, name_type });
    });
  }

  const bytes = folded.bytes + owner.byteLength + type.byteLength + weight.byteLength + trigrams.bytes + places.bytes;
  const spellings = (wanted: string): string[] => spellingsIn(folded, wanted);
  return { revision, count: folded.count, bytes, ids, boundaries, find, exact, containers, spellings, similar };
}

/** Grades how the name of a row resembles the query: a step of the search, or null. */
type StepAt = (i: number) => number | null;

/** Shares are of single precision. */
const ROUNDING = 1e-6;
/** Names similar to a text that are graded for each that is wanted, if not more have all its trigrams, */
const GRADED = 5;
/** and at least. */
const MOST_ROWS = 1_000;
/** Containers looked up for each name. */
const CONTAINERS = 5;
/** Names looked up for each spelling that they start with. */
const A_SPELLING = 20;

/** Steps of a whole name by its type; 0 for all others. */
const STEPS: Readonly<Record<string, number>> = { stripped: 1, old_name: 1, word: 4 };
