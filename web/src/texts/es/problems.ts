export const problems = {
  'problem.invalid_input': 'Hay algo incorrecto en esta solicitud.',
  'problem.invalid_id': 'Esto no se puede leer como identificador de un límite. Busque el nombre.',
  'problem.no_children': 'Este tipo de área no tiene subdivisiones.',
  'problem.too_many_boundaries': 'Son demasiados límites a la vez. Elija menos, o las áreas que los contienen.',
  'problem.unauthorized': 'Para esto hace falta una cuenta, o más permisos que los suyos.',
  'problem.invalid_key': 'La clave de API no existe o fue revocada.',
  'problem.invalid_token': 'Ya no ha iniciado sesión. Vuelva a iniciarla.',
  'problem.quota_exceeded':
    'Las unidades de este mes se han agotado. Un plan mayor tiene más; las funciones gratuitas siguen disponibles.',
  'problem.not_found': 'Esto no existe, se eliminó o no se le muestra.',
  'problem.no_geometry': 'La fuente no tiene una forma utilizable de este límite. Tome el área que lo contiene.',
  'problem.too_many_keys': 'La cuenta tiene todas las claves que puede tener. Revoque una que no use.',
  'problem.too_large':
    'El resultado es demasiado grande, o tarda demasiado, para una sola respuesta. Elija menos detalle o un área menor.',
  'problem.could_not_map': 'La descripción no se pudo convertir en un área. Dígalo con más precisión, o por partes.',
  'problem.rate_limited': 'Fueron demasiadas solicitudes en poco tiempo.',
  'problem.at_capacity': 'Este servidor tiene ahora más trabajo del que puede aceptar. Su límite no está agotado.',
  'problem.internal_error':
    'Algo falló por nuestra parte. Inténtelo de nuevo; si continúa, envíenos el número de abajo.',
  'problem.areas_unavailable': 'Las descripciones no se pueden leer por ahora. Inténtelo de nuevo en un minuto.',
  'problem.geometry_pending': 'La forma se está obteniendo de su fuente. Inténtelo de nuevo en unos segundos.',
  'problem.upstream_busy': 'La fuente está ocupada. Inténtelo de nuevo en unos segundos.',
  'problem.upstream_unavailable': 'Una parte del servicio no responde por ahora. Inténtelo más tarde.',
  'problem.unreadable': 'El archivo no se puede leer o escribir aquí.',
  'problem.not_valid': 'Un área del archivo no es válida.',
  'problem.wait': { one: 'Espere {n} segundo.', other: 'Espere {n} segundos.' },
} as const;
