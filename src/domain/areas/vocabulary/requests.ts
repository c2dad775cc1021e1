import { foldName } from '../../names/fold.ts';
import { cross } from './phrases.ts';

// How people ask for an area in a form, a chat or a message, in the four languages. None of these phrases says which area.

/** Folded phrases of comma-separated lists. */
const phrases = (...lists: readonly string[]): readonly string[] =>
  lists.flatMap((list) => list.split(', ').map((one) => foldName(one.replaceAll("'", ' ').replaceAll('-', ' '))));
/** Each phrase of a comma-separated list with each of the next ones. */
const joined = (...parts: readonly string[]): readonly string[] => cross(...parts).map((words) => words.join(' '));

/** Words in the longest phrase of this file. */
export const MOST_WORDS = 6;

/** In front of an area: greetings and verbs that ask for it. */
export const ASKED: ReadonlySet<string> = new Set([
  ...phrases(
    'first, firstly, first of all, primero, en primer lugar, erst, zuerst, zunächst, d abord, tout d abord, kindly, please, bitte, por favor, porfa, s il vous plaît, s il te plaît, svp, stp, can you, could you, would you, will you please, draw, draw me, plot, merge, combine, join, unite',
    'need, need a, wants, they want, we just need, i just need, i only need, we only need, all i need is, all we need is, m looking for, i m looking for, re looking for, we re looking for, m after, i m after',
    'use, take, select, give me, give us, show me, show us, send me, send us, send, get me, make me, make us, set up, put together, prepare, share, compile, build, produce, add, do the needful and, do the needful and share, create, generate, provide, provide me with, provide us with, return, have, to see, to have, to get',
    'anyone got, has anyone got, has anyone, anyone have, does anyone have, could someone, can someone, could anyone, can anyone, could somebody, can somebody, would someone, someone please, is there a way to get, any chance of, do you have, we would need, looking for',
    'hey, hi, hello, good morning, good afternoon, good evening',
    'make, can you do, could you do, can u do, pls, plz, can u, could u, please map, map out, where is, where are, where s, dónde está, dónde están, wo liegt, wo ist, wo liegen, où est, où se trouve, où sont',
    'could i get, can i get, can i have, could i have, could i, can i, may i have, could we get, could we have, can we get, can we have',
    'is it possible to get, would it be possible to get, gimme, dissolve, i would like to see, please to give me, our rep covers, our reps cover, my rep covers, our team covers, i cover, we are covering, our territory covers, our territory includes, our area includes, we cover, we serve, our territory is, my territory is, our area is, my area is, just, only',
  ),
  ...joined(
    'merci de, merci de bien vouloir, veuillez',
    'tracer, dessiner, préparer, fournir, créer, fusionner, regrouper, réunir, me donner, m envoyer, nous donner, nous envoyer',
  ),
  ...joined('hey, hi, hello, dear, good morning', 'all, team, there, everyone, everybody, folks, colleagues'),
  ...joined(
    'i, we',
    'need, want, require, need to see, want to see, would like, d like, am looking for, are looking for, will need, would need',
  ),
  ...joined(
    'customer, client, the customer, the client, my boss, the boss, user, the user, our customer, our client',
    'wants, needs, asked for, asks for, would like',
  ),
  ...joined('el cliente, cliente, mi jefe, el jefe, la clienta', 'quiere, necesita, pide, ha pedido'),
  ...joined('der kunde, kunde, mein chef, der chef', 'möchte, will, braucht, benötigt'),
  ...joined('le client, client, mon chef, le chef', 'veut, souhaite, demande, voudrait'),
  ...joined('we, i', 'sell, deliver, operate, work, ship', 'in, to'),
  ...phrases(
    'utiliza, utilice, une, unan, combina, combinen, junta, junten, fusiona, fusionen, agrupa, quiero, queremos, necesito, necesitamos, dame, danos, muéstrame, muéstranos, dibuja, dibújame, genera, hazme, crea, tener, ver, obtener',
    'hola, hola equipo, hola a todos, buenos días, buenas tardes, buenas noches, buenas, estimado equipo, estimados señores',
    'me puedes dar, puedes darme, podrías darme, me das, me pasas, me mandas, me envías, pásame, necesitaría, necesitaríamos, me haría falta, nos haría falta, tenéis, tienes, tienen, quisiera, quería, querría, me gustaría, vendemos en, repartimos en, trabajamos en, nuestra zona es, mándame, envíame, enséñame, busco, buscamos, solo, solamente, únicamente',
  ),
  ...joined(
    'me puedes, me podéis, me podrías, me podríais, me puede, me podría, nos puedes, nos podéis, nos puede, nos podría',
    'dar, mandar, enviar, pasar, mostrar, dibujar, sacar, hacer, poner, generar',
  ),
  ...joined('puedes, podéis, podrías, podríais', 'dibujar, hacer, crear, generar, preparar'),
  ...joined(
    'puedes, podéis, podrías, podríais, puede, podría',
    'darme, mandarme, enviarme, pasarme, mostrarme, dibujarme, sacarme, hacerme, ponerme, generarme',
  ),
  ...phrases(
    'bitte einmal, nimm, nehmt, nehmen sie, verwende, verwenden sie, bitte um, bräucht, bräucht mal, ich bräucht, ich bräucht mal, ich brauch, ich brauch mal, habt ihr, haben sie, gibt es, bräuchte, bräuchte mal, brauche, brauche mal, ich bräuchte, ich bräuchte mal, wir bräuchten, vereinige, vereinigen sie, vereine, verbinde, verbinden sie, fusioniere, fusionieren sie, verschmelze, verschmelzen sie, fasse, fassen sie, ich möchte, ich möchte gern, wir möchten, ich brauche, wir brauchen, wir benötigen, ich benötige, zeige mir, zeig mir, zeigen sie mir, zeichne, gib mir, geben sie mir, mach mir, mache mir, erstelle, erstelle mir, erstellen sie',
    'hallo, hallo zusammen, hallo team, guten tag, guten morgen, guten abend, liebes team, liebe kollegen, moin, servus',
    'ich hätte gern, ich hätte gerne, wir hätten gern, wir hätten gerne, ich will, ich würde gern, ich suche, wir suchen, schick mir, schicken sie mir, senden sie mir, senden sie uns, schicken sie uns, wir liefern nach, wir verkaufen in, unser gebiet ist, unser vertriebsgebiet sind, unser vertriebsgebiet ist, nur, bloß, lediglich',
  ),
  ...joined('unser vertrieb, unser team, unser außendienst, unsere firma', 'betreut, bedient, beliefert'),
  ...joined('kannst du, könntest du, können sie, könnten sie, könnt ihr, könntet ihr', 'mir, uns'),
  ...phrases(
    'prends, prenez, utilise, utilisez, fusionne, fusionnez, réunis, réunissez, regroupe, regroupez, combine, combinez, auriez vous, auriez vous svp, avez vous, aurais tu, je souhaite, je souhaiterais, nous souhaitons, je veux, je voudrais, j aimerais, nous voudrions, nous aimerions, nous voulons, j ai besoin de, nous avons besoin de, il me faut, il nous faut, il me faudrait, il nous faudrait, je cherche, nous cherchons, nous livrons en, nous vendons en, seulement, uniquement',
    'bonjour, bonjour à tous, bonsoir, salut, madame monsieur',
    'montre moi, montrez moi, donne moi, donnez moi, donnez nous, dessine, dessine moi, dessinez moi, trace moi, tracez moi, fais moi, envoyez moi, envoie moi, envoyez nous',
  ),
  ...joined(
    'peux tu, pouvez vous, pourriez vous, pourrais tu',
    'tracer, dessiner, faire, me faire, créer, préparer, me donner, me tracer, me dessiner, me montrer, m envoyer, nous donner, nous envoyer',
  ),
]);

/** Words in front of a level that ask for it: "which countries border Chad?" */
export const QUESTIONS: ReadonlySet<string> = new Set(
  phrases(
    'which, what, which are, what are, what is, what s, which is, cuál es, welches ist, welcher ist, quel est, quelle est, which of, qué, cuáles, cuáles son, welche, welches sind, quels, quelles, quel, quelle, quels sont, quelles sont',
  ),
);

export const ARTICLES: ReadonlySet<string> = new Set(
  phrases('a, an, the, one, single, un, una, el, la, ein, eine, einen, den, die, das, une, le, los, les'),
);

/** Adjectives of a thing that is drawn. */
export const MADE: ReadonlySet<string> = new Set(
  phrases(
    'combined, single, merged, joint, exact, simple, simplified, official, administrative, overall, complete, full, combinado, combinada, único, única, oficial, gemeinsame, gemeinsamen, genaue, genauen, offizielle, offiziellen, seul, seule, exact, exacte, officiel, officielle',
  ),
);

/** What is drawn, of which a place is the area; with "with", lines that two places share ("the border with France"). */
export const LINES: ReadonlySet<string> = new Set(
  phrases(
    'outline, outlines, boundary, boundaries, border, borders, limits, contorno, contornos, límite, límites, frontera, fronteras, Umriss, Umrisse, Grenze, Grenzen, contour, contours, frontière, frontières, limites',
  ),
);
export const THINGS: ReadonlySet<string> = new Set([
  ...LINES,
  ...phrases(
    'list, lists, map, maps, outline map, shape, shapes, shapefile, polygon, polygons, union, area, mapa, mapas, polígono, polígonos, unión, Karte, Polygon, Polygone, Vereinigung, carte, polygone, polygones',
  ),
]);

export const OF: ReadonlySet<string> = new Set(
  phrases(
    'of, for, with, showing, covering, made of, made up of, consisting of, composed of, comprising, that covers, that has, that contains, that includes, avec, de, del, con, que cubra, formado por, compuesto por, von, mit, der, des, aus, bestehend aus, du, d, composé de, formé de, couvrant',
  ),
);
export const WITH: ReadonlySet<string> = new Set(phrases('with, avec, con, mit'));

/** Nouns that head a list of places without a level: "Territory: Maine; Vermont". */
export const HEADINGS: ReadonlySet<string> = new Set([
  ...phrases(
    'ticket, tickets, case, code, codes, iso, iso code, iso codes, código, códigos, invoice, area, areas, place, places, location, locations, coverage, territory, territories, request, description, subject, re, fw, fwd, name',
    'report, reports, wanted, dealers, distributors, shipments, campaign, distribution, distribution area, depot, depots, warehouse, store, branch, station, week, day, phase, lot, batch, stage, leg, shift, van, truck, driver, crew, shoot, zone, sector, block, district office, restriction, restrictions, assignment, perimeter, coverage area, scope, delivery, deliveries, pickup, run, stop, stops, team, sales, account, accounts, rep, reps, market, markets, project, client, customer, list, selection, order, job, group, tour, route, polygon, polygons, multipolygon, shape, outline, map, region, regions, zone, zones, goal, answer, question, input, query',
  ),
  ...phrases(
    'informe, informes, distribuidores, envíos, entregas, campaña, cobertura, almacén, depósito, delegación, sucursal, semana, día, fase, lote, etapa, turno, sector, restricción, restricciones, reparto, ámbito, área, zona, zonas, lugar, lugares, territorio, territorios, ventas, equipo, mercado, proyecto, cliente, lista, pedido, ruta, asunto, grupo, polígono, mapa',
  ),
  ...phrases(
    'Bericht, Händler, Lieferung, Lieferungen, Versand, Kampagne, Absatzgebiet, Verkaufsgebiet, Lager, Depot, Filiale, Woche, Tag, Phase, Los, Etappe, Schicht, Sperrzone, Einschränkung, Einsatzgebiet, Zuständigkeit, Sektor, Gebiet, Gebiete, Orte, Vertriebsgebiet, Liefergebiet, Vertrieb, Team, Markt, Projekt, Kunde, Liste, Auftrag, Betreff, Gruppe, aw, wg, Polygon, Karte',
  ),
  ...phrases(
    'rapport, distributeurs, livraisons, envois, campagne, couverture, dépôt, entrepôt, agence, semaine, jour, phase, lot, étape, restriction, périmètre, livraison, zone, zones, lieu, lieux, territoire, territoires, secteur, équipe, marché, projet, client, liste, commande, tournée, objet, groupe, tr, polygone, carte',
  ),
]);
/** Words beside such a noun; of sides only where it is of people who sell: "East team:", not "northern area:". */
export const BESIDE_HEADINGS: ReadonlySet<string> = new Set(
  phrases(
    'regulated, restricted, réglementée, réglementé, restringida, protección, vigilancia, catchment, evacuation, study, search, response, planning, focus, target, working, operating, shipping, marketing',
    'sales, dealer, new, key, our, my, your, the, for, of, main, current, service, delivery, office, national',
    'nuevo, nueva, nuestro, nuestra, mi, el, la, de, del, para, principal, reparto',
    'neu, neues, neue, unser, unsere, mein, für, von, das, die, der',
    'nouveau, nouvelle, notre, mon, ma, le, du, des, pour',
  ),
);
export const FOR: ReadonlySet<string> = new Set(phrases('for, of, para, de, für, von, pour'));
export const SIDES: ReadonlySet<string> = new Set(
  phrases(
    'north, south, east, west, northeast, northwest, southeast, southwest, central, nordeste, noroeste, sureste, suroeste, norte, sur, este, oeste, nord, süd, ost, sud, est, ouest',
  ),
);
export const SOLD: ReadonlySet<string> = new Set(
  phrases('team, sales, rep, reps, account, accounts, equipo, ventas, vertrieb, équipe'),
);

/** Behind a place, unless a level is between them: "Texas boundary". */
export const DRAWN: ReadonlySet<string> = new Set([
  ...phrases('map, outline map, outline, outlines, boundary, boundaries, shape, shapes, polygon, polygons, shapefile'),
  ...phrases('mapa, contorno, polígono, Karte, Umriss, Umrisse, Polygon, carte, contour, polygone'),
]);

/** Behind an area: how it is to be drawn, and thanks. */
export const AT_END: ReadonlySet<string> = new Set([
  ...phrases(
    'every one, every one of them, every single one, all of them, all of it, the lot, the whole lot, in its entirety, in their entirety, todas ellas, todos ellos, por completo, alle davon, jede einzelne, toutes sans exception, tous sans exception, dans leur totalité, dans sa totalité',
    'nothing else, nothing more, nothing beyond, nothing beyond that, nothing outside, nothing outside it, nothing outside of it, nothing outside the state, nothing outside that state, nothing outside the country, and nothing else, and nothing more, that is all, that s all, that s it, y nada más, nada más que eso, y ya está, eso es todo, sonst nichts, und sonst nichts, mehr nicht, nichts weiter, das ist alles, rien d autre, et rien d autre, rien de plus, et rien de plus, c est tout, et c est tout',
    'today, as they are today, as it is today, as of today, hoy, heute, aujourd hui',
    'please, pls, plz, bitte, por favor, porfa, s il vous plaît, s il te plaît, svp, stp, combined, merged, together, combinados, combinadas, juntos, juntas, en una sola, en uno, zusammen, combinés, combinées, ensemble, réunis, réunies',
    'zusammenfassen, zusammenfügen, vereinen, vereinigen, anlegen, einzeichnen, markieren, eintragen, erfassen, verbinden, machen, geben, haben, sehen, zeichnen, schicken, senden, only, nur, seulement, uniquement, solamente, nada más, as one, into one, in one, als eins',
    'thanks so much, thank you so much, thx, much appreciated, if possible, in it, inside it, inside, thanks, thanks a lot, many thanks, thank you, thank you very much, thanks in advance, cheers, regards, best regards, kind regards',
    'gracias por adelantado, si es posible, si puede ser, gracias, muchas gracias, mil gracias, gracias de antemano, un saludo, saludos',
    'dankeschön, wenn möglich, merci dir, danke, danke dir, danke ihnen, danke euch, danke schön, vielen dank, besten dank, danke im voraus, viele grüße, mit freundlichen grüßen',
    'si possible, merci par avance, merci, merci beaucoup, merci d avance, cordialement, merci bien',
  ),
  ...joined('as, in, en, como, als', 'kml, geojson, gml, svg, wkt, shapefile, a shapefile, shp'),
  ...joined('as, into, in', 'one, a, one single, a single', 'area, region, shape, polygon, geometry, file, map'),
  ...joined('en', 'un solo, un único, una sola, una única', 'polígono, área, zona, forma'),
  ...phrases('als Fläche, als Gebiet, als Polygon'),
  ...joined('als, in', 'ein, eine, einem, einer, einziges, ein einziges', 'Fläche, Gebiet, Polygon'),
  ...joined('en', 'un seul, une seule', 'polygone, zone, forme, surface'),
]);
