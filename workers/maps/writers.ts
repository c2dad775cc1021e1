/** Writes a picture as SVG, PDF or PNG. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { initWasm, Resvg } from '@resvg/resvg-wasm';
import { xmlText } from '../formats/xml.ts';
import { canDraw, outlineOf, widthOf } from './font.ts';
import { HATCH, type Mark, type Picture, px } from './marks.ts';

type TextMark = Extract<Mark, { kind: 'text' }>;
const RIM = 2.4;

/** SVG. `outlined`: text as shapes, for a reader without fonts. */
export function writeSvg({ width, height, title, description, marks }: Picture, outlined = false): string {
  const out = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${px(width)} ${px(height)}" width="${px(width)}" height="${px(height)}" role="img" aria-labelledby="t d" font-family="'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, sans-serif">`,
    `<title id="t">${xmlText(title)}</title><desc id="d">${xmlText(description)}</desc>`,
    `<defs><pattern id="hatch" width="${HATCH.step}" height="${HATCH.step}" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect width="${HATCH.step}" height="${HATCH.step}" fill="${HATCH.ground}"/><line x1="0" y1="0" x2="0" y2="${HATCH.step}" stroke="${HATCH.line}" stroke-width="${HATCH.width}"/></pattern></defs>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
  ];
  for (const mark of marks) {
    if (mark.kind === 'text') {
      out.push(outlined ? outlinedText(mark) : plainText(mark));
      continue;
    }
    const { path, fill, hatched, stroke, width, title } = mark;
    const paint = hatched ? 'url(#hatch)' : (fill ?? 'none');
    const line = stroke === null ? '' : ` stroke="${stroke}" stroke-width="${width}" stroke-linejoin="round"`;
    const open = `<path d="${path}" fill="${paint}" fill-rule="evenodd"${line}`;
    out.push(title === undefined || outlined ? `${open}/>` : `${open}><title>${xmlText(title)}</title></path>`);
  }
  return `${out.join('\n')}\n</svg>\n`;
}

function plainText({ text, x, y, size, bold, fill, rim }: TextMark): string {
  const around =
    rim === null ? '' : ` stroke="${rim}" stroke-width="${RIM}" stroke-linejoin="round" paint-order="stroke"`;
  // A reader without the font squeezes another one into the same place, so that nothing is cut off or meets.
  const length = canDraw(text) ? ` textLength="${px(widthOf(text, size, bold))}" lengthAdjust="spacingAndGlyphs"` : '';
  return `<text x="${px(x)}" y="${px(y)}" font-size="${size}"${bold ? ' font-weight="700"' : ''} fill="${fill}"${around}${length}>${xmlText(text)}</text>`;
}

function outlinedText({ text, x, y, size, bold, fill, rim }: TextMark): string {
  const path = outlineOf(text, x, y, size, bold);
  const around = rim === null ? '' : `<path d="${path}" fill="none" stroke="${rim}" stroke-width="${RIM}"/>`;
  return `${around}<path d="${path}" fill="${fill}"/>`;
}

let ready: Promise<void> | null = null;

/** PNG, at two pixels for each of the picture. */
export async function writePng(picture: Picture): Promise<Uint8Array> {
  const file = createRequire(import.meta.url).resolve('@resvg/resvg-wasm/index_bg.wasm');
  ready ??= initWasm(readFileSync(file));
  await ready;
  const drawing = new Resvg(writeSvg(picture, true), { fitTo: { mode: 'zoom', value: 2 } });
  const image = drawing.render();
  try {
    return image.asPng();
  } finally {
    image.free();
    drawing.free();
  }
}

/** PDF of one page, three quarters of a point for a pixel; text as shapes. */
export async function writePdf(picture: Picture): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit');
  const scale = 0.75;
  const size: [number, number] = [picture.width * scale, picture.height * scale];
  const info = { Title: picture.title, Subject: picture.description, Creator: 'boundary-lookup' };
  // The date would make the bytes of the same map differ from one call to the next.
  const doc = new PDFDocument({ size, margin: 0, info: { ...info, CreationDate: new Date(0), ModDate: new Date(0) } });
  const parts: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (part: Buffer) => void parts.push(part));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  doc.scale(scale);
  for (const mark of picture.marks) {
    if (mark.kind === 'text') {
      const path = outlineOf(mark.text, mark.x, mark.y, mark.size, mark.bold);
      if (mark.rim !== null) doc.path(path).lineWidth(RIM).lineJoin('round').stroke(mark.rim);
      doc.path(path).fill(mark.fill);
      continue;
    }
    const { path, fill, hatched, stroke, width } = mark;
    if (hatched) {
      doc.path(path).fill(HATCH.ground, 'even-odd');
      doc.save().path(path).clip('even-odd');
      doc.lineWidth(HATCH.width);
      const { width: right, height: bottom } = picture;
      const step = HATCH.step * Math.SQRT2;
      for (let at = -bottom; at < right; at += step) doc.moveTo(at, bottom).lineTo(at + bottom, 0);
      doc.stroke(HATCH.line).restore();
    } else if (fill !== null) doc.path(path).fill(fill, 'even-odd');
    if (stroke !== null) doc.path(path).lineWidth(width).lineJoin('round').stroke(stroke);
  }
  doc.end();
  await ended;
  return Uint8Array.from(Buffer.concat(parts));
}
