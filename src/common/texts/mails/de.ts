import type { Mails } from './en.ts';

/** The texts of mails in German. */
export const mails: Mails = {
  'mail.signIn.subject': 'Anmelden bei Boundary Lookup',
  'mail.signIn.open': 'Um sich anzumelden, öffnen Sie diesen Link in dem Browser, in dem Sie ihn angefordert haben:',
  'mail.signIn.once':
    'Er gilt einmal, {minutes} Minuten lang. Haben Sie ihn nicht angefordert, ignorieren Sie diese E-Mail: In keinem anderen Browser meldet der Link jemanden an.',
  'mail.invite.subject': 'Einladung in eine Organisation bei Boundary Lookup',
  'mail.invite.by':
    '{inviter} lädt Sie bei Boundary Lookup ({address}) in {organization} ein. Ihre Rolle dort: {role}.',
  'mail.invite.open': 'Um anzunehmen, öffnen Sie diesen Link und melden sich mit dieser Adresse an:',
  'mail.invite.command': 'oder auf der Kommandozeile, mit einem Schlüssel Ihres Kontos:',
  'mail.invite.expires':
    'Die Einladung läuft nach {days} Tagen ab. Haben Sie sie nicht erwartet, ignorieren Sie diese E-Mail.',
  'mail.job.ready': '{name} ist fertig',
  'mail.job.notMade': '{name}: Das ist fehlgeschlagen',
  'mail.job.done': 'Der Auftrag {id} ist fertig.',
  'mail.job.file': 'Seine Datei:',
  'mail.job.opening': 'Um sie zu öffnen, brauchen Sie Ihren Schlüssel oder Ihre Anmeldung.',
  'mail.job.failed': 'Der Auftrag {id} ist fehlgeschlagen: {reason}',
  'mail.job.unknown': 'Der Grund ist nicht bekannt.',
  'mail.job.free': 'Es wurden keine Einheiten berechnet.',
  'mail.changes.subject': '{what}: {n} Grenzen haben sich geändert',
  'mail.changes.subjectOfOne': '{what}: Eine Grenze hat sich geändert',
  'mail.changes.file': 'die Datei {id}',
  'mail.changes.edition': 'Die Ausgabe von {source} ab {date}.',
  'mail.changes.renamed': 'umbenannt, vorher {before}',
  'mail.changes.recoded': 'hat andere Codes oder eine andere Ebene',
  'mail.changes.reshaped': 'hat eine andere Grenzlinie ({before}, jetzt {after})',
  'mail.changes.noArea': 'keine Fläche',
  'mail.changes.values': '{change}, von {from} zu {to}',
  'mail.changes.none': 'nichts',
  'mail.changes.others': '{n} weitere',
  'mail.changes.more': 'und {n} weitere.',
  'mail.changes.list': 'Die Liste: {url}',
  'mail.changes.last': 'Das ist die letzte E-Mail von heute: Was sich bis morgen ändert, steht in der Liste.',
  'mail.changes.why': 'Sie bekommen das wegen des Abonnements {id}; {operation} beendet es.',
  'mail.review.subject': 'Danke für Ihre Bewertung',
  'mail.review.hello': 'Guten Tag,',
  'mail.review.helloTo': 'Guten Tag {name},',
  'mail.review.thanks': 'danke für Ihre Bewertung von Boundary Lookup ({rating} von 5).',
  'mail.review.published': 'Sie steht jetzt auf der öffentlichen Seite.',
  'mail.review.waits':
    'Jemand aus dem Team liest sie vor der Veröffentlichung, weil sie einen Link enthält oder Ihr Konto neu ist.',
};
