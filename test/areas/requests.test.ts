import { expect, test } from 'vitest';
import { type Expression, withoutWords } from '../../src/domain/areas/algebra.ts';
import { DescriptionError } from '../../src/domain/areas/description_error.ts';
import { parseDescription } from '../../src/domain/areas/parse.ts';
import { foldName } from '../../src/domain/names/fold.ts';

const FOLDED = new Set(['Kansas', 'Utah', 'Teruel', 'Sedgwick', 'Hawaii', 'HI', 'AK', 'Will', 'Cook'].map(foldName));
const lexicon = { has: (name: string) => FOLDED.has(name), relation: () => null };

/** The steps of a description; what is wrong with it if it is refused. */
async function read(description: string): Promise<string> {
  try {
    return JSON.stringify(withoutWords((await parseDescription(description, lexicon)).expression as Expression));
  } catch (error) {
    if (error instanceof DescriptionError) return error.message;
    throw error;
  }
}

/** By language: greetings, what is asked, things to draw, the place, thanks. */
const LANGUAGES = {
  en: {
    greetings: ['', 'Hi team,', 'Good morning.', 'Hello everyone,\n\n'],
    asked: ['', 'please provide', 'could I please have', "I'd like", 'We need', 'can you send me'],
    things: [
      '',
      'the outline of',
      'a single shape made of',
      'the combined boundary of',
      'a map for',
      'one polygon covering',
    ],
    place: 'Kansas and Utah',
    ends: ['', '. Many thanks', '? Thanks in advance!', ' as one polygon, please', '.\n\nBest regards'],
  },
  es: {
    greetings: ['', 'Hola,', 'Buenos días.', 'Buenas tardes, '],
    asked: ['', '¿me podéis mandar', 'necesitamos', 'por favor, dame', 'quisiera'],
    things: ['', 'el contorno de', 'un único polígono de', 'un mapa con'],
    place: 'Kansas y Utah',
    ends: ['', ', gracias', '? Muchas gracias', ' en un solo polígono. Un saludo'],
  },
  de: {
    greetings: ['', 'Guten Tag,', 'Hallo zusammen!', 'Liebes Team,'],
    asked: ['', 'bitte senden Sie mir', 'fusionieren Sie', 'wir benötigen', 'könnten Sie mir bitte'],
    things: ['', 'die Umrisse von', 'die gemeinsame Grenze von', 'eine Karte von'],
    place: 'Kansas und Utah',
    ends: ['', '. Vielen Dank', ' als ein Polygon', ' zusammen. Viele Grüße'],
  },
  fr: {
    greetings: ['', 'Bonjour,', 'Bonjour à tous.', 'Salut !'],
    asked: ['', "pouvez-vous m'envoyer", 'je voudrais', 'il nous faut', 'nous avons besoin de'],
    things: ['', 'le contour de', 'un seul polygone composé de', 'la carte de'],
    place: 'Kansas et Utah',
    ends: ['', ", s'il vous plaît ?", ", s'il te plaît", '. Merci beaucoup', ' en un seul polygone, merci'],
  },
};

/** Requests in each language. */
const TRIED = 40;

test.each(Object.entries(LANGUAGES))('a request in %s around a place is left out', async (_, language) => {
  const { greetings, asked, things, place, ends } = language;
  const bare = await read(place);
  const others: string[] = [];
  // Parts of different lengths in turn, so that each stands beside many others.
  for (let i = 0; i < TRIED; i++) {
    const [greeting, ask, thing, end] = [greetings, asked, things, ends].map((parts) => parts[i % parts.length]);
    const description = `${[greeting, ask, thing, place].filter((part) => part !== '').join(' ')}${end}`;
    const found = await read(description);
    if (found !== bare) others.push(`${description}: ${found}`);
  }
  expect(others).toEqual([]);
});

test.each([
  ['HI, AK', 'HI and AK'],
  ['HI; AK', 'HI and AK'],
  ['send HI, AK', 'HI and AK'],
  ['SEND ME KANSAS', 'KANSAS'],
  ['Kansas. Please exclude Sedgwick.', 'Kansas without Sedgwick'],
  ['Kansas. Leave out Sedgwick.', 'Kansas without Sedgwick'],
  ['We cover Kansas and Utah. Not Sedgwick.', '(Kansas and Utah) without Sedgwick'],
  ['Quiero Kansas. Quita Sedgwick.', 'Kansas without Sedgwick'],
  ['Ich möchte Kansas. Nicht Sedgwick.', 'Kansas without Sedgwick'],
  ['Je voudrais le Kansas. Pas Sedgwick.', 'Kansas without Sedgwick'],
  ['please draw (Kansas and Utah) without Sedgwick', '(Kansas and Utah) without Sedgwick'],
  ['Hi! Kansas without (Sedgwick and Cook), please', 'Kansas without (Sedgwick and Cook)'],
  ['Territory: Kansas; Utah', 'Kansas and Utah'],
  ['Zona de ventas: Kansas, Utah', 'Kansas and Utah'],
  ['Zone : Kansas, Utah', 'Kansas and Utah'],
  ['[Kansas, Utah]', '(Kansas and Utah)'],
  ['{Kansas} and {Utah}', '(Kansas) and (Utah)'],
  ['not only Kansas but also Utah', 'Kansas and Utah'],
  ['no solo Kansas sino también Utah', 'Kansas y Utah'],
  ['nicht nur Kansas, sondern auch Utah', 'Kansas und Utah'],
  ['non seulement le Kansas mais aussi Utah', 'le Kansas et Utah'],
  ['Kansas, not Utah', 'Kansas without Utah'],
  ['Kansas; nicht Utah', 'Kansas ohne Utah'],
  ['Country: Utah', 'the country of Utah'],
  ['County: Cook; State: Kansas', 'Cook County in the state of Kansas'],
  ['Provincia: Teruel', 'la provincia de Teruel'],
  ['Subject: map of Kansas', 'Kansas'],
  ['Hello everyone, I want HI. Please exclude Cook. Cheers', 'HI without Cook'],
  ['Guten Morgen, könnten Sie uns bitte Kansas schicken?', 'Kansas'],
  ['Cook County, State of Kansas', 'Cook County in the state of Kansas'],
  ['State: Kansas. Counties: Cook, Will.', 'State: Kansas; counties: Cook, Will'],
  ['We cover HI and AK. Not Cook.', '(HI and AK) without Cook'],
  ['Pays : Kansas, Utah', 'Länder: Kansas, Utah'],
  ['Counties (Utah): Cook, Will', 'Counties in Utah: Cook, Will'],
  ['Provinces in Utah: Cook, Will', 'Provinces (Utah): Cook, Will'],
  ['Prov. de Teruel y prov. de Cook', 'provincia de Teruel y provincia de Cook'],
  ['Kansas boundary', 'Kansas'],
  ['Kansas and Utah outline map', 'Kansas and Utah'],
  ['Kansas mapa', 'Kansas'],
  ['Kansas as KML', 'Kansas'],
  ['Send me Utah as a shapefile, thanks', 'Utah'],
  ['la carte du Kansas et du Utah', 'le Kansas et le Utah'],
  ['el mapa de Kansas y de Utah', 'Kansas y Utah'],
  ['Kansas y además Utah', 'Kansas y Utah'],
  ['Kansas quitando Utah', 'Kansas sin Utah'],
  ['Kansas abgesehen von Utah', 'Kansas ohne Utah'],
  ['le Kansas, en dehors de Utah', 'le Kansas sans Utah'],
  ['Will and Cook', '(Will and Cook)'],
  ['Kansas and Utah, but please leave Sedgwick out', '(Kansas and Utah) without Sedgwick'],
  ['Kansas. Take Sedgwick out of it, thanks', 'Kansas without Sedgwick'],
  ['Kansas, leave Sedgwick and Cook out', 'Kansas without (Sedgwick and Cook)'],
  ['Kansas, aber lass bitte Sedgwick weg', 'Kansas ohne Sedgwick'],
  ['Kansas; lassen Sie Sedgwick außen vor', 'Kansas ohne Sedgwick'],
  ['Kansas pero deja Sedgwick fuera', 'Kansas sin Sedgwick'],
  ['Territory 4: Kansas, Utah', 'Kansas, and Utah'],
  ['East team = Kansas + Utah', 'Kansas + Utah'],
  ['New sales area for Bob: Kansas; Utah', 'Kansas; Utah'],
  ['Fwd: Re: Kansas', 'Kansas'],
  ['Unser neues Team 3: Kansas, Utah', 'Kansas und Utah'],
  ['Kansas: Sedgwick, Cook', '(Sedgwick (Kansas)) and (Cook (Kansas))'],
  ['Kansas\tUtah', 'Kansas,Utah'],
  ['Kansas|Utah', 'Kansas; Utah'],
  ['Kansas (all) and Utah (entire)', 'Kansas and Utah'],
  ['Kansas w/o Sedgwick', 'Kansas without Sedgwick'],
  ['Kansas n Utah', 'Kansas & Utah'],
  ['cook county or', 'cook county, OR'],
  ['Kansas UNION Utah', 'Kansas and Utah'],
  ['difference of Kansas and Cook', 'Kansas without Cook'],
  ['Kansas buffered by 20 km', 'everything within 20 km of Kansas'],
  ['à 20 km autour du Kansas', 'à moins de 20 km du Kansas'],
  ['a 20 km a la redonda de Kansas', 'a menos de 20 km de Kansas'],
  ['Kansas sin su condado más grande', 'Kansas sin (el condado más grande de Kansas)'],
  ['Kansas and its two largest counties', 'Kansas and (the two largest counties of Kansas)'],
  ['To whom it may concern: Kansas.\n\nSent from my phone', 'Kansas'],
  ['the only neighbor of Kansas', "Kansas's only neighbor"],
  ['Kansas sowie Kansas, jedoch nicht Cook', 'Kansas und Kansas ohne Cook'],
  ['le Kansas, mais laissez Sedgwick de côté', 'le Kansas sauf Sedgwick'],
])('%s is read as %s', async (description, same) => {
  expect(await read(description)).toBe(await read(same));
});

/** Letters: what addresses someone, what is asked, the closing and the name, of a person or (last) of a place. */
test.each([
  ['Dear Sir or Madam,\nplease send me the boundary of ', '.\nBest regards,\nJohn Smith'],
  ['Hi Maria,\n\ncan you draw ', '?\n\nThanks\nPeter'],
  ['Hello Anna, we need ', ' as one polygon. Best, Peter'],
  ['Estimados señores:\nNecesito ', '.\nAtentamente,\nJuan Pérez\nDirector'],
  ['Sehr geehrte Frau Dr. Weber,\nich brauche den Umriss von ', '.\n\nMit freundlichen Grüßen\nHans Meier'],
  ['Moin, bräuchte mal ', ', LG Jens'],
  ['Hola Marta:\nnecesito ', '.\nUn saludo,\nPepe'],
  ['Bonjour Marie,\nje cherche le contour de ', '.\nCordialement,\nM. Dupont'],
])('the beginning and the end of a letter are left out: %s', async (before, after) => {
  expect(await read(`${before}Kansas${after}`)).toBe(await read('Kansas'));
  expect(await read(`${before}Kansas${after.replace(/\p{L}+$/u, 'Chad')}`)).not.toBe(await read('Chad'));
});

test.each(['Hi Georgia,\nKansas', 'Kansas.\nRegards,\nDakota', 'Kansas\nThanks\nUtah', 'Dear Kansas,'])(
  'a name of a place is not left out of a letter: %s',
  async (letter) => {
    expect(await read(letter)).not.toBe(await read('Kansas'));
  },
);

test.each([
  'leave Kansas out',
  'outline with Kansas',
  'el contorno con Kansas',
  'Umriss mit Kansas',
  'le contour avec Kansas',
  'we do not cover Kansas',
  'Not served: Kansas',
  'Northern area: Kansas',
  'Lakes of the area: Kansas',
  'Hi Kansas, Utah',
  'Kansas Utah',
  'Kansas, Cheers County',
  'give me nothing of Kansas',
  'the area around Kansas',
  'not Kansas',
  'show ME, Kansas',
  'we do not deliver to Kansas',
  'I no longer need Kansas',
  'Kansas boundary with Utah',
  'Kansas et du',
  'Utah, de Kansas',
  'Kansas border',
  'Kansas coast outline',
  'Kansas county boundaries',
  'Kansas not',
  'no Kansas',
  'not only Kansas',
])('words that choose are not a request: %s', async (description) => {
  expect(await read(description)).not.toBe(await read('Kansas'));
});
