/** Map projections by their method, as definitions that proj4 reads. */

/**
 * The parameters of projections, by proj4's names: latitude and longitude of the origin, the scale there, false easting
 * and northing, standard parallels, the azimuth of an oblique axis and the angle of its grid.
 */
export type Slot = 'lat_0' | 'lon_0' | 'k_0' | 'x_0' | 'y_0' | 'lat_1' | 'lat_2' | 'alpha' | 'gamma';

/** Values of parameters: angles in degrees, lengths in meters. */
export type Parameters = Partial<Record<Slot, number>>;

/** The names of each parameter: its codes in EPSG's dataset, then its names in WKT (EPSG's, OGC's, GDAL's and ESRI's). */
const NAMES: Readonly<Record<Slot, string>> = {
  lat_0:
    '8801 8811 8821 latitudeofnaturalorigin latitudeofprojectioncentre latitudeoffalseorigin latitudeoforigin latitudeofcenter',
  lon_0:
    '8802 8812 8822 8833 longitudeofnaturalorigin longitudeofprojectioncentre longitudeoffalseorigin longitudeoforigin longitudeofcenter centralmeridian',
  k_0: '8805 8815 8819 1038 scalefactoratnaturalorigin scalefactoratprojectioncentre scalefactoroninitialline scalefactoronpseudostandardparallel ellipsoidscalingfactor scalefactor',
  x_0: '8806 8816 8826 falseeasting eastingatprojectioncentre eastingatfalseorigin',
  y_0: '8807 8817 8827 falsenorthing northingatprojectioncentre northingatfalseorigin',
  lat_1: '8823 8832 latitudeof1ststandardparallel latitudeofstandardparallel standardparallel1',
  lat_2: '8824 latitudeof2ndstandardparallel standardparallel2',
  alpha: '8813 azimuthofinitialline azimuthatprojectioncentre azimuth',
  gamma: '8814 anglefromrectifiedtoskewgrid rectifiedgridangle xyplanerotation',
};
const SLOTS = new Map(
  (Object.keys(NAMES) as Slot[]).flatMap((slot) => NAMES[slot].split(' ').map((name) => [name, slot] as const)),
);

/** Parameters with one value only, at which proj4's formulas hold. */
const FIXED: Readonly<Record<string, number>> = {
  '8818': 78.5,
  latitudeofpseudostandardparallel: 78.5,
  pseudostandardparallel1: 78.5,
  '1036': 30.2881397,
  colatitudeofconeaxis: 30.2881397,
  auxiliaryspheretype: 0,
  xscale: 1,
  yscale: 1,
};

interface Method {
  /** EPSG's code and the names in WKT, separated by spaces, of letters and digits only. */
  readonly names: string;
  readonly proj: (p: Parameters) => string;
}

const pick = (p: Parameters, ...slots: readonly Slot[]): string =>
  slots.map((slot) => ` +${slot}=${p[slot] ?? 0}`).join('');
const origin = (p: Parameters): string => pick(p, 'lat_0', 'lon_0', 'x_0', 'y_0');
const scale = ({ k_0 = 1 }: Parameters): string => ` +k_0=${k_0}`;
const parallels = (p: Parameters): string =>
  `${origin(p)} +lat_1=${p.lat_1 ?? p.lat_0 ?? 0} +lat_2=${p.lat_2 ?? p.lat_1 ?? p.lat_0 ?? 0}`;
const meridian = (p: Parameters): string => pick(p, 'lon_0', 'x_0', 'y_0');
const trueAt = (p: Parameters): string => ` +lat_ts=${p.lat_1 ?? 0}`;

/** An oblique axis at right angles to its grid is Switzerland's projection. */
function oblique(p: Parameters, isFromCenter: boolean): string {
  const { alpha = 0, gamma = alpha } = p;
  if (isFromCenter && alpha === 90 && Math.abs(gamma - 90) < 1e-9) return `somerc${origin(p)}${scale(p)}`;
  const { lat_0 = 0, lon_0 = 0, k_0 = 1 } = p;
  const where = `+lat_0=${lat_0} +lonc=${lon_0} +alpha=${alpha} +gamma=${gamma} +k=${k_0}`;
  return `omerc ${isFromCenter ? '' : '+no_uoff '}${where}${pick(p, 'x_0', 'y_0')}`;
}

/** Of the pole, by the latitude that is true to scale. */
function polar(p: Parameters, trueLatitude: number): string {
  return `stere +lat_0=${trueLatitude < 0 ? -90 : 90} +lat_ts=${trueLatitude}${meridian(p)}`;
}

/** A pole has a scale there; a latitude of origin elsewhere is the one that is true to scale (GDAL's form of WKT 1). */
const stereographic = (p: Parameters): string =>
  Math.abs(p.lat_0 ?? 90) === 90 ? `stere${origin(p)}${scale(p)}` : polar(p, p.lat_0 as number);

const METHODS: readonly Method[] = [
  {
    names:
      '9807 9808 transversemercator gausskruger transversemercatorcomplex transversemercatorsouthorientated transversemercatorellipsoidal',
    proj: (p) => `tmerc${origin(p)}${scale(p)}`,
  },
  {
    names:
      '9801 9802 9826 1051 lambertconicconformal1sp lambertconformalconic1sp lambertconicconformal2sp lambertconformalconic2sp lambertconformalconic lambertconicconformalwestorientated lambertconicconformal2spmichigan',
    proj: (p) => `lcc${parallels(p)}${scale(p)}`,
  },
  { names: '9822 albersequalarea albersconicequalarea albers', proj: (p) => `aea${parallels(p)}` },
  { names: '1119 equidistantconic', proj: (p) => `eqdc${parallels(p)}` },
  { names: '9806 cassinisoldner cassini', proj: (p) => `cass${origin(p)}` },
  {
    names:
      '9812 hotineobliquemercatorvarianta hotineobliquemercator hotineobliquemercatorazimuthnaturalorigin rectifiedskeworthomorphicnaturalorigin',
    proj: (p) => oblique(p, false),
  },
  {
    names:
      '9815 hotineobliquemercatorvariantb obliquemercator hotineobliquemercatorazimuthcenter rectifiedskeworthomorphiccenter',
    proj: (p) => oblique(p, true),
  },
  { names: 'swissobliquecylindrical', proj: (p) => `somerc${origin(p)}${scale(p)}` },
  { names: '9810 polarstereographicvarianta polarstereographic', proj: stereographic },
  { names: '9829 polarstereographicvariantb', proj: (p) => polar(p, p.lat_1 ?? 90) },
  { names: 'stereographicnorthpole', proj: (p) => polar(p, p.lat_1 ?? 90) },
  { names: 'stereographicsouthpole', proj: (p) => polar(p, p.lat_1 ?? -90) },
  { names: '9809 obliquestereographic doublestereographic', proj: (p) => `sterea${origin(p)}${scale(p)}` },
  { names: 'stereographic', proj: (p) => `stere${origin(p)}${scale(p)}` },
  { names: '9820 lambertazimuthalequalarea', proj: (p) => `laea${origin(p)}` },
  {
    names: '9804 9805 mercatorvarianta mercator1sp mercatorvariantb mercator2sp mercator',
    proj: (p) => `merc${meridian(p)}${p.lat_1 === undefined ? scale(p) : trueAt(p)}`,
  },
  {
    names: '1024 popularvisualisationpseudomercator mercatorauxiliarysphere',
    proj: (p) => `merc +sphere${meridian(p)}`,
  },
  { names: '9818 americanpolyconic polyconic', proj: (p) => `poly${origin(p)}` },
  { names: '1078 equalearth', proj: (p) => `eqearth${meridian(p)}` },
  {
    names: '9835 lambertcylindricalequalarea cylindricalequalarea behrmann',
    proj: (p) => `cea${meridian(p)}${trueAt(p)}`,
  },
  {
    names: '1029 equidistantcylindricalspherical equirectangular',
    proj: (p) => `eqc +sphere${meridian(p)}${trueAt(p)}`,
  },
  { names: '9819 1041 krovak krovaknorthorientated', proj: (p) => `krovak${origin(p)} +k=${p.k_0 ?? 0.9999}` },
  { names: '9811 newzealandmapgrid', proj: (p) => `nzmg${origin(p)}` },
  { names: '1125 azimuthalequidistant', proj: (p) => `aeqd${origin(p)}` },
  { names: 'sinusoidal', proj: (p) => `sinu${meridian(p)}` },
  { names: 'mollweide', proj: (p) => `moll${meridian(p)}` },
  { names: 'robinson', proj: (p) => `robin${meridian(p)}` },
];
const BY_NAME = new Map(METHODS.flatMap((method) => method.names.split(' ').map((name) => [name, method] as const)));

/** A name as it is compared: its letters and digits, in lower case, without accents; CH1903+ is not CH1903. */
export const plain = (name: string): string =>
  name
    .normalize('NFD')
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replace(/[^a-z0-9]/g, '');

/**
 * The definition of a projection without its ellipsoid, for proj4.
 * @param method its name in WKT or its code in EPSG's dataset
 * @param given values by the names or codes of parameters: angles in degrees, lengths in meters
 * @returns null for a method or a parameter that is not known, or one with a value for which there are no formulas here
 */
export function projectionOf(method: string, given: Iterable<readonly [name: string, value: number]>): string | null {
  const found = BY_NAME.get(plain(method));
  if (found === undefined) return null;
  const parameters: Parameters = {};
  for (const [name, value] of given) {
    const key = plain(name);
    const slot = SLOTS.get(key);
    if (slot !== undefined) parameters[slot] = value;
    else if (Math.abs(value - (FIXED[key] ?? Number.NaN)) > 1e-6 || !(key in FIXED)) return null;
  }
  return `+proj=${found.proj(parameters)}`;
}
