const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Parsers turn these into spaces in an attribute, and a lone carriage return into a line feed anywhere.
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Whether a UTF-16 code unit (of well-formed text) is not a character of XML 1.0, section 2.2. */
function isIllegal(unit: number): boolean {
  return (unit < 0x20 && unit !== 0x09 && unit !== 0x0a && unit !== 0x0d) || unit === 0xfffe || unit === 0xffff;
}

/**
 * Escapes text for the content or a quoted attribute of an XML 1.0 element. Reading it back gives the same text, except
 * that characters XML cannot hold (control characters, U+FFFE, U+FFFF, lone surrogates) become U+FFFD.
 */
export function xmlText(text: string): string {
  let escaped = '';
  // for…of iterates over code points, so a single surrogate is a lone one.
  for (const character of text) {
    const unit = character.charCodeAt(0);
    if (isIllegal(unit) || (character.length === 1 && unit >= 0xd800 && unit <= 0xdfff)) escaped += '\ufffd';
    else escaped += ESCAPES[character] ?? character;
  }
  return escaped;
}

/** Whether a text is an XML name without a colon (an id, an element's local name). Accepts only ASCII names. */
export function isXmlName(text: string): boolean {
  return /^[A-Za-z_][A-Za-z0-9_.-]*$/.test(text);
}
