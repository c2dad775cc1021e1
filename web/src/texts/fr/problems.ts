export const problems = {
  'problem.invalid_input': 'Quelque chose ne va pas dans cette requête.',
  'problem.invalid_id': 'Ceci ne peut pas être lu comme l’identifiant d’une limite. Cherchez le nom.',
  'problem.no_children': 'Ce type de zone n’a pas de subdivisions.',
  'problem.too_many_boundaries':
    'Cela fait trop de limites à la fois. Choisissez-en moins, ou les zones qui les contiennent.',
  'problem.unauthorized': 'Il faut pour cela un compte, ou plus de droits que n’en a le vôtre.',
  'problem.invalid_key': 'La clé d’API n’existe pas ou a été révoquée.',
  'problem.invalid_token': 'Vous n’êtes plus connecté. Reconnectez-vous.',
  'problem.quota_exceeded':
    'Les unités de ce mois sont épuisées. Une offre plus grande en a davantage ; les fonctions gratuites restent disponibles.',
  'problem.not_found': 'Ceci n’existe pas, a été supprimé ou ne vous est pas montré.',
  'problem.no_geometry': 'La source n’a pas de forme utilisable pour cette limite. Prenez la zone qui la contient.',
  'problem.too_many_keys': 'Le compte a autant de clés que possible. Révoquez-en une que vous n’utilisez pas.',
  'problem.too_large':
    'Le résultat est trop grand, ou trop long à calculer, pour une seule réponse. Choisissez moins de détail ou une zone plus petite.',
  'problem.could_not_map':
    'La description n’a pas pu être transformée en zone. Dites-le plus précisément, ou par parties.',
  'problem.rate_limited': 'Cela faisait trop de requêtes en peu de temps.',
  'problem.at_capacity':
    'Ce serveur a pour le moment plus de travail qu’il ne peut en prendre. Votre limite n’est pas atteinte.',
  'problem.internal_error':
    'Une erreur s’est produite de notre côté. Réessayez ; si cela persiste, envoyez-nous le numéro ci-dessous.',
  'problem.areas_unavailable': 'Les descriptions ne peuvent pas être lues pour le moment. Réessayez dans une minute.',
  'problem.geometry_pending': 'La forme est en cours de récupération à sa source. Réessayez dans quelques secondes.',
  'problem.upstream_busy': 'La source est occupée. Réessayez dans quelques secondes.',
  'problem.upstream_unavailable': 'Une partie du service ne répond pas pour le moment. Réessayez plus tard.',
  'problem.unreadable': 'Le fichier ne peut pas être lu ou écrit ici.',
  'problem.not_valid': 'Une zone du fichier n’est pas valide.',
  'problem.wait': { one: 'Attendez {n} seconde.', other: 'Attendez {n} secondes.' },
} as const;
