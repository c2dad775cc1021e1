/** Parts of maplibre-gl that the dashboard does not use: their images are most of its style sheet. */
const UNUSED =
  /\.maplibregl-(?:attrib-empty|compact|cooperative-gesture-screen|ctrl-(?:attrib|compass|fullscreen|geolocate|globe|logo|shrink|terrain)|marker|popup|user-location)/;

/**
 * The style sheet of maplibre-gl without the rules of unused parts.
 * @throws if the sheet has anything but rules and blocks of rules, as a later version may
 */
export function usedMapCss(css: string): string {
  const used = rulesOf(css.replace(/\/\*[\s\S]*?\*\//g, '')).map(({ head, body }) => {
    if (head.startsWith('@media')) {
      const inner = usedMapCss(body);
      return inner === '' ? '' : `${head}{${inner}}`;
    }
    if (head.startsWith('@')) return `${head}{${body}}`;
    const selectors = head.split(/,(?![^(]*\))/).filter((selector) => !UNUSED.test(selector));
    return selectors.length === 0 ? '' : `${selectors.join()}{${body}}`;
  });
  return used.join('');
}

/** The rules and blocks of a style sheet, in order. */
function rulesOf(css: string): { readonly head: string; readonly body: string }[] {
  const rules: { head: string; body: string }[] = [];
  let [from, open, depth] = [0, 0, 0];
  let quote = '';
  for (let i = 0; i < css.length; i++) {
    const letter = css.charAt(i);
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === '{' && depth++ === 0) open = i;
    else if (letter === '}' && --depth === 0) {
      rules.push({ head: css.slice(from, open).trim(), body: css.slice(open + 1, i) });
      from = i + 1;
    }
  }
  if (depth !== 0 || quote !== '' || css.slice(from).trim() !== '') {
    throw new Error(`the style sheet is not made of rules: ${css.slice(from, from + 100)}`);
  }
  return rules;
}
