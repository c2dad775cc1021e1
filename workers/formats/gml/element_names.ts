/** Names of attributes as names of XML elements. */

/** Characters that begin a name in every edition of XML 1.0, in ASCII and in the scripts that attributes are named in. */
const MAY_START =
  /^[A-Za-z_\u00C0-\u00D6\u00D8-\u00F6\u00F8-\u0131\u0134-\u013E\u0141-\u0148\u014A-\u017E\u0388-\u038A\u038E-\u03A1\u03A3-\u03CE\u0401-\u040C\u040E-\u044F\u0451-\u045C\u045E-\u0481\u05D0-\u05EA\u0621-\u063A\u0641-\u064A\u3041-\u3094\u30A1-\u30FA\u4E00-\u9FA5\uAC00-\uD7A3]$/;
/** Characters that a name may have besides those. */
const MAY_FOLLOW = /^[0-9.-]$/;

/** Elements that GDAL takes for a geometry or a box in any namespace, and our own for the geometry. */
const OF_GEOMETRY =
  /^(?:(?:Multi|Composite|Polyhedral|Triangulated)?(?:Point|LineString|Curve|Polygon|Surface|Solid|Geometry)|PolygonPatch|Triangle|Tin|GeometryCollection|BoundingBox|boundedBy|geometry)$/;

/**
 * The local name of the element of an attribute, as SQL/XML escapes names (ISO 9075-14): a character that an XML name
 * cannot have there becomes `_x` and its code in hexadecimal, `_`: `code insee` is `code_x0020_insee`, `3e` is
 * `_x0033_e`. Different names stay different, and the reader of GML gives them back.
 */
export function elementName(name: string): string {
  if (name === '') return '_x_';
  const isReserved = /^xml/i.test(name) || OF_GEOMETRY.test(name);
  return name.replace(/./gsu, (character, at: number) => {
    const isEscape = name.startsWith('_x', at);
    const isChar = MAY_START.test(character) || (at > 0 && MAY_FOLLOW.test(character));
    return isChar && !isEscape && !(at === 0 && isReserved) ? character : escaped(character);
  });
}

function escaped(character: string): string {
  const code = character.codePointAt(0) as number;
  return `_x${code.toString(16).toUpperCase().padStart(4, '0')}_`;
}
