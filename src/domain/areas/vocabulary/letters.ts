import { foldName } from '../../names/fold.ts';

// How letters begin and end, in the four languages.

const phrases = (...lists: readonly string[]): ReadonlySet<string> =>
  new Set(lists.flatMap((list) => list.split(', ').map(foldName)));

export const GREETINGS = phrases(
  'dear, hi, hello, hey, good morning, good afternoon, good evening, greetings, to whom it may concern',
  'estimado, estimada, estimados, estimadas, querido, querida, apreciado, apreciada, hola, buenos días, buenas tardes, buenas',
  'sehr geehrte, sehr geehrter, liebe, lieber, liebes, hallo, guten tag, guten morgen, moin, servus, grüezi',
  'coucou, cher, chère, chers, chères, bonjour, bonsoir, salut, madame, monsieur, mesdames',
);

/** Words behind a greeting that are not names. */
export const TITLES = phrases(
  'all, both, team, sir, sirs, madam, or, and, mr, mrs, ms, miss, dr, prof, professor, colleague, colleagues, friends, there, everyone, everybody, folks, again, support',
  'señor, señora, señores, señoras, sr, sra, don, doña, equipo, a, todos, compañeros, y, amigos, colegas',
  'damen, und, herren, herr, frau, zusammen, kollegen, kolleginnen, alle, leute, freunde',
  'madame, monsieur, mesdames, messieurs, m, mme, et, à, tous, toutes, équipe, collègues, ami, amis',
);

export const CLOSINGS = phrases(
  'best regards, kind regards, warm regards, regards, with regards, best, best wishes, all the best, cheers, thanks, many thanks, thanks a lot, thank you, thanks in advance, thank you very much, thx, cheers mate, sincerely, sincerely yours, yours sincerely, yours faithfully, yours truly, yours, respectfully, cordially, sent from my iphone, sent from my phone',
  'atentamente, un saludo, un cordial saludo, saludos, saludos cordiales, abrazo, un abrazo, abrazos, besos, gracias, muchas gracias, gracias de antemano, cordialmente, muy atentamente',
  'mit freundlichen grüßen, mit freundlichem gruß, freundliche grüße, mfg, lg, viele grüße, liebe grüße, beste grüße, schöne grüße, herzliche grüße, gruß, danke, vielen dank, besten dank, danke im voraus',
  'bises, bisous, amitiés, cordialement, bien cordialement, bien à vous, merci, merci beaucoup, merci d avance, bonne journée, salutations, sincères salutations, respectueusement',
);
