export const problems = {
  'problem.invalid_input': 'Etwas an dieser Anfrage stimmt nicht.',
  'problem.invalid_id': 'Das lässt sich nicht als Kennung einer Grenze lesen. Suchen Sie den Namen.',
  'problem.no_children': 'Diese Art von Gebiet hat keine Unterteilungen.',
  'problem.too_many_boundaries':
    'Das sind zu viele Grenzen auf einmal. Wählen Sie weniger, oder die Gebiete um sie herum.',
  'problem.unauthorized': 'Dafür braucht es ein Konto, oder mehr Rechte, als Ihres hat.',
  'problem.invalid_key': 'Den API-Schlüssel gibt es nicht, oder er wurde widerrufen.',
  'problem.invalid_token': 'Sie sind nicht mehr angemeldet. Melden Sie sich erneut an.',
  'problem.quota_exceeded':
    'Die Einheiten dieses Monats sind verbraucht. Ein größerer Tarif hat mehr; kostenlose Funktionen gehen weiter.',
  'problem.not_found': 'Das gibt es nicht, es wurde gelöscht, oder es wird Ihnen nicht gezeigt.',
  'problem.no_geometry': 'Die Quelle hat für diese Grenze keine brauchbare Form. Nehmen Sie das Gebiet um sie herum.',
  'problem.too_many_keys':
    'Das Konto hat so viele Schlüssel, wie es haben kann. Widerrufen Sie einen, den Sie nicht brauchen.',
  'problem.too_large':
    'Das Ergebnis ist für eine Antwort zu groß oder dauert zu lange. Wählen Sie weniger Genauigkeit oder ein kleineres Gebiet.',
  'problem.could_not_map': 'Aus der Beschreibung ließ sich kein Gebiet machen. Sagen Sie es genauer oder in Teilen.',
  'problem.rate_limited': 'Das waren zu viele Anfragen in kurzer Zeit.',
  'problem.at_capacity':
    'Dieser Server hat gerade mehr Arbeit, als er annehmen kann. Ihr Limit ist nicht aufgebraucht.',
  'problem.internal_error':
    'Bei uns ist etwas fehlgeschlagen. Versuchen Sie es noch einmal; bleibt es so, schicken Sie uns die Nummer unten.',
  'problem.areas_unavailable':
    'Beschreibungen können gerade nicht gelesen werden. Versuchen Sie es in einer Minute noch einmal.',
  'problem.geometry_pending':
    'Die Form wird gerade von ihrer Quelle geholt. Versuchen Sie es in einigen Sekunden noch einmal.',
  'problem.upstream_busy': 'Die Quelle ist ausgelastet. Versuchen Sie es in einigen Sekunden noch einmal.',
  'problem.upstream_unavailable': 'Ein Teil des Dienstes antwortet gerade nicht. Versuchen Sie es später noch einmal.',
  'problem.unreadable': 'Die Datei kann hier nicht gelesen oder geschrieben werden.',
  'problem.not_valid': 'Eine Fläche der Datei ist nicht gültig.',
  'problem.wait': { one: 'Warten Sie {n} Sekunde.', other: 'Warten Sie {n} Sekunden.' },
} as const;
