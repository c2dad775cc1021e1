import type { LevelWord } from '../algebra.ts';
import { NUMBER_WORDS } from './number_words.ts';
import { around, beyond, cross, levels, list, map, UNITS, values } from './phrases.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Grammar words of English. */
export const ENGLISH: Vocabulary = {
  language: 'en',
  thousands: ',',
  and: list(
    'after that, and after that, afterwards, and finally, finally, lastly, and lastly, next, then, and then, and, and also, and now also, and now, and recently, and more recently, as well as, together with, along with, plus',
  ),
  or: list('or, and or'),
  nor: list('nor, or, and nor'),
  alongWith: list('with, with all, and all'),
  both: list('both, not only, not just'),
  either: list('either'),
  bothAnd: list('as well as, but also'),
  include: list(
    'include, included, including, includes, included areas, areas included, covered areas, areas covered, covered, in scope',
  ),
  without: [
    ...cross(
      'we don t, we do not, i don t, i do not, they don t, they do not',
      'deliver to, deliver in, cover, serve, sell in, sell to, work in, operate in, ship to, go to, need, want, include',
    ),
    ...list(
      'that aren t, which aren t, who aren t, that are not members of, which are not members of, that aren t members of, which aren t members of, that don t belong to, that do not belong to, who don t belong to, which don t belong to, which do not belong to, not belonging to, not part of, that are not part of, but for, stripped of, deprived of, deducting, subtracting, not counting, ignoring, not in, that are not in, which are not in, that aren t in, which aren t in, who are not in, bar, barring, sans, exclude, excluded, excludes, but neither, without, except, except for, excepting, excluding, not included, excluded areas, areas excluded, out of scope, not covered, aside from, just not, but, but not, but definitely not, but certainly not, definitely not, but without, but excluding, leaving out, omitting, save, save for, minus, less, apart from, other than, with the exception of, not including, leave out, omit, remove, take out, take away, do not include, outside, outside of, no, but no, and not, that is not, that are not, which is not',
    ),
  ],
  not: list('not'),
  articles: list('the'),
  of: list(
    'are in, are there in, are part of, lie in, belong to, make up, that make up, which make up, making up, of, in, within, from, inside, of the, in the',
  ),
  inside: list('in, within, inside, in the'),
  whole: list(
    'every one of, each and every one of, each one of, the totality of, the whole territory of, the territory of, all of, the whole of, whole of, the entirety of, all parts of, everything in, everything inside, the entire',
  ),
  all: list(
    'every one of the, every single one of the, each and every one of the, each one of the, each of the, all, all the, all of the, the',
  ),
  each: list('each and every, every single, every, each, any, the'),
  levels: levels({
    country: ['country, nation', 'countries, nations'],
    state: ['state, great state, commonwealth', 'states'],
    community: ['autonomous community', 'autonomous communities'],
    region: ['region, oblast, voivodeship', 'regions, oblasts, voivodeships, voivodships'],
    province: ['province, prov, prefecture, ken', 'provinces, prefectures, ken'],
    county: [
      'county, parish, co, cty, cnty, city and county, consolidated city and county',
      'counties, parishes, boroughs and census areas, boroughs and the census areas',
    ],
    department: ['department, département', 'departments, départements'],
    canton: ['canton', 'cantons'],
    district: ['district, electoral district', 'districts, electoral districts'],
    municipality: ['municipality, commune, local council', 'municipalities, communes, local councils'],
    borough: ['borough', 'boroughs'],
  }),
  cityOf: list('city of, town of, village of'),
  city: list('city'),
  citiesOf: list('cities of, towns of, villages of, cities'),
  thatOf: list('that of, the one of'),
  numbers: new Map([...NUMBER_WORDS.en, ...values({ both: 2 })]),
  factors: values({ thousand: 1e3, k: 1e3, million: 1e6, m: 1e6, billion: 1e9 }),
  largest: [
    ...list('largest, biggest, most big, most extensive, largest by area, of greatest extent, of largest area'),
    ...cross('with the, that has the, having the', 'largest, biggest, greatest', 'area, areas, surface, surface area'),
  ],
  smallest: [
    ...list('smallest, tiniest, littlest, least extensive, of smallest area'),
    ...cross('with the, that has the, having the', 'smallest', 'area, areas, surface, surface area'),
  ],
  mostPeople: list(
    'with the most people, with the most inhabitants, with the most residents, with the largest population, with the largest populations, with the highest population, with the biggest population, with the biggest populations, most populous, most populated, largest by population',
  ),
  leastPeople: list(
    'with the fewest people, with the fewest inhabitants, with the smallest population, with the smallest populations, with the lowest population, least populous, least populated',
  ),
  byArea: list('by area, by size, by surface, by surface area, by total area, in area, in size'),
  byPopulation: list('by population, in population, by number of inhabitants, by number of people'),
  top: list('top'),
  morePeople: list(
    'over, above, have more than, have over, with more than, with over, that have more than, having more than, of more than',
  ),
  lessPeople: list(
    'under, below, have fewer than, have less than, with fewer than, with less than, with under, that have fewer than, having fewer than',
  ),
  people: list('people, inhabitants, residents'),
  morePopulation: list(
    'with populations exceeding, with a population exceeding, with populations over, with populations above, with populations of more than, with populations of over, whose population exceeds, whose population is over, whose population is above, with a population over, with a population above, with a population of more than, with a population greater than, with a population of over',
  ),
  lessPopulation: list(
    'with populations under, with populations below, with populations of less than, whose population is under, whose population is below, with a population under, with a population below, with a population of less than, with a population of fewer than',
  ),
  moreArea: list(
    'of over, whose area exceeds, whose area is over, whose area is above, whose area is more than, larger than, bigger than, with an area of more than, with an area of over, with more than, covering more than, with an area greater than, with an area larger than, over, with an area over, with an area above, that are larger than, of more than, above, more than',
  ),
  lessArea: list(
    'of under, whose area is under, whose area is below, whose area is less than, smaller than, with an area of less than, with an area of under, with less than, with fewer than, covering less than, with an area smaller than, under, with an area under, with an area below, that are smaller than, below, of less than, less than',
  ),
  km2: list(
    'km2, km ², km sq, kms2, sqkm, sq km, sq kms, square km, square kms, square kilometers, square kilometres, square kilometer, square kilometre',
  ),
  miles2: list('square miles, square mile, square mi, sq mi, sq miles, mi2, mi ², mi sq'),
  starts: cross(
    'whose name, whose names, that, which, with names, with a name that, with names that, with a name, names, having names, ',
    'starts, start, begins, begin, starting, beginning',
    'with, in',
  ),
  ends: cross(
    'whose name, whose names, that, which, with names, with a name that, with names that, with a name, names, having names, ',
    'ends, end, ending',
    'with, in',
  ),
  contains: list('whose name contains, whose names contain, with names that contain, with a name that contains'),
  letter: list('the letter, the letters, letter'),
  between: list(
    'between, of between, with between, with an area between, with an area of between, that have between, from',
  ),
  ranging: list('ranging from, that range from, with, of, from, covering, with an area of'),
  to: list('to'),
  called: list('whose name is, called, named'),
  startsAround: [],
  containsAround: [],
  endsAround: [],
  neighbors: list('neighbors, neighbours'),
  onlyNeighbor: list(
    'only neighbor, only neighbour, sole neighbor, sole neighbour, single neighbor, single neighbour, one neighbor, one neighbour',
  ),
  neighboring: list('neighboring, neighbouring, adjacent, surrounding, adjoining'),
  neighborLevels: new Map(),
  border: around(
    'share borders with, that share borders with, which share borders with, border, borders, do border, does _ border, do _ border, does _ touch, touch, adjoin, surround, share a border with, that border, who border, who borders, who touch, who touches, that borders, that border on, which borders, neighboring, neighbouring, that neighbor, that neighbour, neighboring with, that touches, that adjoin, that adjoins, that surrounds, that shares a border with, that have a border with, with a border with, that are next to, that are adjacent to, sharing borders with, that border with, bordering, bordering on, which border, that touch, touching, which touch, which touches, that meet, which meet, which adjoin, which neighbor, which neighbour, with a border on, that have a border on, having a border on, across the line from, across the border from, across the state line from, adjacent to, contiguous to, contiguous with, abutting, that abut, next to, adjoining, around, surrounding, that surround, that share a border with, sharing a border with',
  ),
  onBorder: around(
    'on the _ border|line, along the _ border|line, at the _ border|line, next to the _ border|line, on the border with, along the border with, at the border with, next to the border with',
  ),
  whatBorders: list('what borders, what touches, what surrounds, what adjoins, what is next to, what lies around'),
  offBorder: around(
    'that do not border, that does not border, that do not touch, that does not touch, that don t border, that don t touch, which do not border, which do not touch, which don t border, not bordering, not touching, not adjacent to, that are not adjacent to, that have no border with, with no border with, without a border with',
  ),
  those: list('those, the ones, all those'),
  relative: list('border, borders, touches, adjoin, that, which, who, have, are, lie, touch'),
  hesitations: list(
    'no, sorry, actually, oops, wait, no wait, hm, well, on second thought, correction, rather, but, and, please',
  ),
  butNot: list('but not, and not, but no, not, no'),
  within: around('within, at most, no more than, less than, not more than'),
  from: list('of, from, around, away from, distance of, distance from'),
  around: list('around, round'),
  units: values({
    ...UNITS,
    kilometer: 1,
    kilometers: 1,
    kilometre: 1,
    kilometres: 1,
    meter: 0.001,
    meters: 0.001,
    metre: 0.001,
    metres: 0.001,
    mile: 1.609344,
    miles: 1.609344,
    mi: 1.609344,
    foot: 0.000_304_8,
    feet: 0.000_304_8,
    ft: 0.000_304_8,
    yard: 0.000_914_4,
    yards: 0.000_914_4,
  }),
  indefinite: list('a, an'),
  zone: list(
    'surveillance zone, protection zone, exclusion zone, restriction zone, restricted zone, safety zone, control zone, perimeter, buffer, buffer zone, radius, zone, margin, belt',
  ),
  everything: list('everything, every place, all points, the area, all land'),
  containing: around(
    'that contains, that contain, containing, which contains, which contain, where _ lies|is|is located, in which _ lies|is|is located, to which _ belongs, that _ belongs to|is in|lies in',
  ),
  capital: list('capital, capital city'),
  our: list('our'),
  its: list('its'),
  their: list('their'),
  it: list('it'),
  them: list('them'),
  parts: list('parts, the parts, part, the part'),
  intersection: list('intersection, the intersection, overlap, the overlap'),
  difference: list('difference, the difference, difference between, the difference between'),
  widened: list('buffered by, widened by, expanded by, extended by, enlarged by, grown by'),
  sides: map({
    north: 'north',
    south: 'south',
    east: 'east',
    west: 'west',
    northeast: 'northeast, north east',
    northwest: 'northwest, north west',
    southeast: 'southeast, south east',
    southwest: 'southwest, south west',
  }),
  sided: map({
    north: 'northern, north',
    south: 'southern, south',
    east: 'eastern, east',
    west: 'western, west',
    northeast: 'northeastern, north eastern, northeast, north east',
    northwest: 'northwestern, north western, northwest, north west',
    southeast: 'southeastern, south eastern, southeast, south east',
    southwest: 'southwestern, south western, southwest, south west',
  }),
  beyond: beyond(
    'to the, lying, lying to the, located, located to the, that is, that are, that lie, that lies, which is, which are, which lie, which lies, that is to the, that are to the, that lie to the, that lies to the',
    {
      north: 'north',
      south: 'south',
      east: 'east',
      west: 'west',
      northeast: 'northeast, north east',
      northwest: 'northwest, north west',
      southeast: 'southeast, south east',
      southwest: 'southwest, south west',
    },
  ),
  coastal: list('coastal, seaside'),
  landlocked: list('landlocked, non coastal, noncoastal, inland, land locked'),
  coastLevels: new Map(),
  inlandLevels: new Map(),
  mapLevels: map({
    country:
      'country map, country maps, country outline map, country boundary map, country boundaries, country borders, country lines',
    state: 'state map, state maps, state outline map, state boundary map, state boundaries, state borders, state lines',
    region:
      'region map, region maps, region outline map, region boundary map, region boundaries, region borders, region lines, regional map, regional maps, regional outline map, regional boundary map, regional boundaries, regional borders, regional lines',
    province:
      'province map, province maps, province outline map, province boundary map, province boundaries, province borders, province lines, provincial map, provincial maps, provincial outline map, provincial boundary map, provincial boundaries, provincial borders, provincial lines',
    county:
      'county map, county maps, county outline map, county boundary map, county boundaries, county borders, county lines',
    department:
      'department map, department maps, department outline map, department boundary map, department boundaries, department borders, department lines',
    district:
      'district map, district maps, district outline map, district boundary map, district boundaries, district borders, district lines',
    canton:
      'canton map, canton maps, canton outline map, canton boundary map, canton boundaries, canton borders, canton lines',
    municipality:
      'municipality map, municipality maps, municipality outline map, municipality boundary map, municipality boundaries, municipality borders, municipality lines, municipal map, municipal maps, municipal outline map, municipal boundary map, municipal boundaries, municipal borders, municipal lines',
  } as Record<LevelWord, string>),
  onCoast: list(
    'on the coast, along the coast, at the coast, by the coast, with a coast, with a coastline, with coastline, with coast, that have a coast, that have a coastline, having a coast, having a coastline, with access to the sea, have a coast, have a coastline, have coastline, touch the sea, that touch the sea, touching the sea, touching a coast, that border the sea, bordering the sea, that are coastal, which are coastal, by the sea, on the sea, at the sea, next to the sea',
  ),
  offCoast: list(
    'have no coast, have no coastline, do not touch the sea, are landlocked, that are landlocked, which are landlocked, without a coast, without a coastline, without coast, without coastline, with no coast, with no coastline, without access to the sea, with no access to the sea, without sea access, that do not touch the sea, that are not coastal, that are not on the coast, which are not on the coast, not on the coast, that have no coast, that have no coastline',
  ),
  half: list('half'),
  quarter: list('quarter, quadrant'),
};
