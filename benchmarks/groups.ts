/** What each group measures, in a sentence or two for docs/benchmarks.md; in the order of a full run and of that page. */
export const GROUP_TEXTS = {
  null: 'What measuring costs: two functions that do nothing.',
  union:
    'Unions and differences of Luxembourg at full detail, from stored borders to coordinates, without a server. `vertices in rings` in a note are those of a wrong answer.',
  countries: 'The union of all areas of a whole country, without a server.',
  dissolve: 'Many unions in one call, without a server: communes into departments.',
  crosswalk: 'The common area of each pair of two sets of areas, without a server and over HTTP.',
  outline: 'Whether a union costs more when it has more parts but the same outline. The rival is ours with five parts.',
  made: 'Unions of made grids, up to ten million vertices.',
  tiers: 'A country’s outline at a lower detail. Ours is stored with each vertex; the rivals simplify.',
  area: 'The geodesic area of each commune. Ours adds up what each arc stores.',
  reverse: 'Which communes contain each of 100,000 points, without a server.',
  locate: 'The same for many points in one level of a large country, without a server and over HTTP as a table.',
  match:
    'A table of names to ids, over HTTP. The times of both rivals are those of a sample, scaled to the whole table.',
  formats: 'Writing 500,000 vertices in each format, until the bytes are in memory.',
  handover:
    'Writing a document in the thread of the call against writing it in the pool of threads, by size. It decides which documents never enter the pool.',
  http: 'Unions over HTTP, each of a set that was not sent before. The rival always sends full detail: it has no other.',
  land: 'Unions of land without the sea against unions of whole boundaries, both ours.',
  areas: 'An area described in words, over HTTP, against one SQL statement with the same names.',
  hot: 'A finished export again and again over 64 connections, against a server that only sends its bytes.',
  front: 'The same through nginx in front of the service, against the service alone.',
  tiles: 'Vector tiles: cold ones (drawn for the call) and hot ones (from a cache).',
  reads: 'Everyday reads over HTTP, `new` and `hot` as described above.',
  as_of: 'Reads as of a date against the same reads of today, both ours.',
  search:
    'Search among as many boundaries as the planet has: the index in memory against our SQL statements, which return the same, and a prefix lookup.',
  limiter: 'What the rate limit costs a thousand requests.',
  load: 'A mix of calls at a constant rate, below and above what the service can take. Under overload it refuses some calls early; the time is that of the calls that it serves.',
  hostile: 'The most that one caller can cost others, in time of the main thread, against a plain search.',
  library: 'The list of files in a library of 100,000, against a statement that does nothing.',
  startup: 'The start of the command line, against Node with nothing to do.',
  starts: 'From the start command to the first country that is found, with an embedded and a native database.',
  import:
    'Reading and storing map files, against osmium, osm2pgsql and ogr2ogr. ogr2ogr stores polygons only; ours also finds shared borders and computes all detail levels.',
  growth: 'Time and memory by size, in the picture below.',
  planet:
    'Imports of made worlds of growing size ([planet.md](planet.md)), against osm2pgsql, which stores polygons and tags only.',
} as const;

export type GroupName = keyof typeof GROUP_TEXTS;

/** The names of all groups, in that order. */
export const GROUPS = Object.keys(GROUP_TEXTS) as readonly GroupName[];
