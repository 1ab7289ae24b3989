import type { Texts } from '../platform/messages/index.js';

/** Spanish. */
export const es: Texts = {
  'mail.copy-address': 'O copia esta dirección:',
  'ability.unknown-scope': 'Este permiso no existe.',
  'ability.tenant-required': 'Elige primero una organización.',
  'ability.held-on-other-things': 'Tus roles incluyen este permiso solo para otras cosas.',
  'ability.scope-not-held': 'Tus roles no incluyen este permiso.',
  'ability.people-only': 'Esto es solo para personas. Una cuenta de servicio no puede hacerlo.',
  'ability.key-without-scope':
    'Esta clave no tiene este permiso. Puede que los roles de su cuenta sí lo tengan.',
  'ability.client-without-scope':
    'Esta aplicación no tiene este permiso. Inténtalo en la aplicación principal.',
  'ability.subject-mismatch': 'El sujeto no es del tipo al que se aplica este permiso.',
  'ability.subject-not-found': 'El sujeto no existe en esta organización.',
  'ability.second-factor-required': 'Hace falta un segundo factor. Confirma con el tuyo o añade antes uno.',
  'ability.passkey-required': 'Hace falta una llave de acceso. Confirma con la tuya o añade antes una.',
  'ability.tenant-second-factor':
    'Esta organización exige un segundo factor. Confirma con el tuyo o añade antes uno.',
  'ability.tenant-connection': 'Inicia sesión con el proveedor de tu organización, que esta exige.',
  'ability.tenant-passkey':
    'Esta organización exige una llave de acceso. Confirma con la tuya o añade antes una.',
  'ability.tenant-sign-in-too-old':
    'Ha pasado demasiado tiempo desde tu último inicio de sesión para esta organización. Confirma que eres tú e inténtalo de nuevo.',
  'ability.own-proof':
    'Solo has iniciado sesión con una organización. Confirma con tu contraseña o tu segundo factor, o establece una contraseña por correo.',
  'ability.tenant-other-connection':
    'Solo has iniciado sesión con otra organización. Confirma con tu contraseña o tu segundo factor, o establece una contraseña por correo.',
  'ability.key-without-sso':
    'Esta clave se creó sin el inicio de sesión único que la organización exige ahora. Inicia sesión con él y crea una nueva.',
  'ability.key-too-weak':
    'Esta clave se creó con un inicio de sesión menos seguro del que la organización exige ahora. Crea una nueva.',
  'ability.tenant-session-too-old':
    'Tu sesión es demasiado antigua para esta organización. Inicia sesión de nuevo.',
  'ability.authentication-insufficient':
    'Ha pasado demasiado tiempo desde tu último inicio de sesión. Confirma que eres tú e inténtalo de nuevo.',
  'session.ended': 'La sesión ya ha terminado.',
  'satellite.public': 'Este cliente no tiene secreto.',
  'satellite.disabled': 'El satélite ya está desactivado.',
  'satellite.not-disabled': 'El satélite no está desactivado.',
  'identity.only-sign-in':
    'Es tu único método de inicio de sesión. Define antes una contraseña o vincula otra identidad.',
  'tenant.archived': 'La organización está archivada. Restáurala primero.',
  'tenant.archived-already': 'La organización ya está archivada.',
  'tenant.not-archived': 'La organización no está archivada.',
  'tenant.deletion-scheduled-already': 'La eliminación de la organización ya está programada.',
  'tenant.deletion-not-scheduled': 'No hay ninguna eliminación de la organización programada.',
  'tenant.slug-reserved': 'Este nombre está reservado para el servicio. Elige otro.',
  'tenant.slug-taken': 'Otra organización tiene este nombre en su dirección. Elige otro.',
  'tenant.owners-only': 'Solo un propietario puede transferir la propiedad.',
  'tenant.last-owner-leaves':
    'El último propietario no puede salir. Convierte antes a otro miembro en propietario.',
  'member.last-owner':
    'No se puede quitar ni degradar al último propietario. Convierte antes a otro miembro en propietario.',
  'member.last-owner-suspended':
    'No se puede suspender al último propietario. Convierte antes a otro miembro en propietario.',
  'member.suspended-already': 'El miembro ya está suspendido.',
  'member.not-suspended': 'El miembro no está suspendido.',
  'member.own-roles': 'No puedes cambiar tus propios roles. Pídeselo a otro propietario o administrador.',
  'member.owners-only': 'Solo un propietario puede hacerle esto a un propietario.',
  'member.exceeds-caller': 'El miembro tiene permisos que tú no tienes. Pídeselo a un miembro que los tenga.',
  'role.built-in': 'Un rol predefinido no se puede cambiar ni eliminar.',
  'role.exceeds-caller': 'El rol tiene permisos que tú no tienes.',
  'role.in-use':
    'El rol está en uso. Quítalo antes a sus miembros y cuentas de servicio, y revoca las invitaciones que lo incluyen.',
  'member.no-change': 'indica roles o el fin de la pertenencia',
  'mail.access-ending.subject': 'Tu acceso termina pronto',
  'mail.access-ending.membership': 'Tu pertenencia a {organization} termina el {date}.',
  'mail.access-ending.role': 'Tu rol {role} en {organization} termina el {date}.',
  'mail.access-ending.what-now': 'Si lo necesitas más tiempo, pregunta a un propietario o administrador.',
  'mail.access-ending.an-organization': 'una organización',
  'mail.access-ending.a-role': 'tuyo',
  'assignment.owner': 'Un propietario posee toda la organización. Elija otro rol.',
  'assignment.past': 'debe estar en el futuro',
  'assignment.unknown-thing': 'La organización no tiene tal cosa.',
  'assignment.too-many': 'Un miembro puede tener {max} roles sobre cosas. Termine antes algunos.',
  'invitation.accepted': 'La invitación ya se ha aceptado.',
  'invitation.revoked': 'La invitación ya se ha revocado.',
  'invitation.expired': 'La invitación ha caducado.',
  'invitation.lacks-role':
    'Se ha eliminado un rol de la invitación. Vuelve a invitar a la dirección con otros roles.',
  'invitation.owners-only': 'Solo un propietario puede crear otro propietario.',
  'invitation.exceeds-caller':
    'La invitación da permisos que tú no tienes. Pídeselo a un miembro que los tenga.',
  'sign-in-policy.sso-not-tested':
    'Prueba antes tú la conexión activa. La prueba debe haberse superado en el último día.',
  'sign-in-policy.sso-no-emergency-owner':
    'Para casos de emergencia, un propietario necesita un segundo factor o una llave de acceso, y un inicio de sesión con ella en los últimos 90 días.',
  'sign-in-policy.own-sign-in':
    'Tu propio inicio de sesión no cumple esta política. Inicia sesión con lo que exige y después establécela.',
  'invitation.other-address':
    'La invitación se envió a otra dirección. Inicia sesión con la cuenta de esa dirección.',
  'mail.invitation.subject': 'Tienes una invitación',
  'mail.invitation.invited':
    'Te han invitado a la organización {organization}. Inicia sesión con esta dirección de correo, o registra antes una cuenta con ella, y acepta en un plazo de siete días.',
  'mail.invitation.invited-without-name':
    'Te han invitado a una organización. Inicia sesión con esta dirección de correo, o registra antes una cuenta con ella, y acepta en un plazo de siete días.',
  'mail.invitation.unexpected': 'Si no la esperabas, ignora este correo.',
  'mail.invitation.accept': 'Aceptar la invitación',
  'mail.ownership-transferred.subject': 'Has transferido una organización',
  'mail.ownership-transferred.done':
    'Otro miembro es propietario de la organización {organization} en tu lugar. Tú sigues siendo miembro.',
  'mail.ownership-transferred.without-name':
    'Otro miembro es propietario de una organización en tu lugar. Tú sigues siendo miembro.',
  'mail.ownership-transferred.what-now':
    'Si no lo hiciste tú, cambia tu contraseña y pide ayuda a un propietario.',
  'mail.ownership-received.subject': 'Eres propietario de una organización',
  'mail.ownership-received.done':
    'Un propietario te ha transferido la propiedad de la organización {organization}.',
  'mail.ownership-received.without-name':
    'Un propietario te ha transferido la propiedad de una organización.',
  'mail.ownership-received.what-now':
    'En ella puedes hacerlo todo: gestionar miembros y roles, archivarla y eliminarla.',
  'mail.tenant-deletion.subject': 'Se va a eliminar una organización',
  'mail.tenant-deletion.scheduled':
    'Un propietario ha programado la eliminación de la organización {organization} para el {time}.',
  'mail.tenant-deletion.scheduled-without-name':
    'Un propietario ha programado la eliminación de una de tus organizaciones para el {time}.',
  'mail.tenant-deletion.what-goes':
    'Se elimina todo lo que contiene: miembros, roles, invitaciones y el registro de auditoría. Las cuentas se conservan. No se puede deshacer.',
  'mail.tenant-deletion.cancel':
    'Hasta entonces, cualquier propietario puede cancelar la eliminación o restaurar la organización.',
  'password.common':
    'Esta contraseña está en una lista de las que los atacantes prueban primero. Elige otra.',
  'password.own-words':
    'Esta contraseña es tu dirección, tu nombre o tu organización, que los atacantes prueban primero. Elige otra.',
  'mail.go-to-app': 'Ir a la aplicación',
  'mail.verification.subject': 'Verifica tu dirección de correo',
  'mail.verification.registered':
    'El {registeredAt} se registró una cuenta con esta dirección de correo. Quien se registró escribió el nombre {name}.',
  'mail.verification.registered-without-name':
    'El {registeredAt} se registró una cuenta con esta dirección de correo. Quien se registró escribió un nombre que no se puede mostrar aquí.',
  'mail.verification.was-you':
    'Si fuiste tú, verifica la dirección en un plazo de 24 horas. Necesitas la contraseña que elegiste.',
  'mail.verification.was-not-you': 'Si no fuiste tú, rechaza el registro. Así no se crea ninguna cuenta.',
  'mail.verification.verify': 'Verificar esta dirección',
  'mail.verification.refuse': 'No fui yo',
  'mail.already-registered.subject': 'Ya tienes una cuenta',
  'mail.already-registered.was-you':
    'Alguien ha intentado registrar una cuenta con esta dirección de correo, que ya tiene una. Si fuiste tú, inicia sesión, o restablece tu contraseña si la has olvidado.',
  'mail.already-registered.was-not-you': 'Si no fuiste tú, no tienes que hacer nada. No se ha cambiado nada.',
  'mail.already-registered.sign-in': 'Ir a la página de inicio de sesión',
  'mail.choose-password.subject': 'Elige una contraseña para tu cuenta',
  'mail.choose-password.ready':
    'Has verificado esta dirección de correo y tu cuenta está lista. La dirección se registró con contraseñas distintas, así que no se usa ninguna de ellas.',
  'mail.choose-password.within':
    'Elige tu contraseña en el plazo de una hora. Después, pide otro enlace con «¿Has olvidado la contraseña?» en la página de inicio de sesión.',
  'mail.choose-password.choose': 'Elegir una contraseña',
  'mail.password-reset.subject': 'Restablece tu contraseña',
  'mail.password-reset.was-you':
    'Alguien ha pedido restablecer la contraseña de tu cuenta. Si fuiste tú, elige una nueva: el enlace funciona una vez, durante una hora.',
  'mail.password-reset.was-not-you': 'Si no fuiste tú, ignora este correo. Tu contraseña no cambia.',
  'mail.password-reset.choose': 'Elegir una contraseña nueva',
  'mail.new-password-required.subject': 'Elige una contraseña nueva',
  'mail.new-password-required.removed':
    'El equipo de soporte de este servicio te pide que elijas una contraseña nueva. La anterior ya no funciona y se ha cerrado la sesión en tus dispositivos.',
  'mail.new-password-required.within':
    'El enlace funciona una vez, durante una hora. Después, pide otro con «¿Has olvidado la contraseña?» en la página de inicio de sesión.',
  'mail.export-ready.subject': 'Tus datos están listos',
  'mail.export-ready.ready':
    'Pediste todo lo que este servicio guarda sobre ti. Inicia sesión para descargarlo en un plazo de siete días.',
  'mail.export-ready.was-not-you':
    'Si no lo pediste tú, cambia tu contraseña y cierra las sesiones que no reconozcas.',
  'mail.export-ready.by-support':
    'El soporte de este servicio ha reunido para ti todo lo que el servicio guarda sobre ti. Inicia sesión para descargarlo en un plazo de siete días.',
  'mail.export-ready.for-you-alone': 'Solo tú puedes abrirlo. Soporte no puede.',
  'mail.password-changed.subject': 'Se ha cambiado tu contraseña',
  'mail.password-changed.changed':
    'Se ha cambiado la contraseña de tu cuenta y se ha cerrado la sesión en los dispositivos que la tenían iniciada.',
  'mail.password-changed.was-not-you':
    'Si no fuiste tú, restablece la contraseña de inmediato y avisa a tu administrador.',
  'mail.confirm-email.subject': 'Confirma tu nueva dirección de correo',
  'mail.confirm-email.asked':
    'Alguien ha pedido usar esta dirección de correo para su cuenta a partir de ahora.',
  'mail.confirm-email.was-you':
    'Si fuiste tú, confirma la dirección en un plazo de 24 horas. Desde entonces inicias sesión con ella.',
  'mail.confirm-email.was-not-you':
    'Si no fuiste tú, ignora este correo y no abras el enlace. No se cambiará nada.',
  'mail.confirm-email.confirm': 'Confirmar esta dirección',
  'mail.email-taken.subject': 'Esta dirección de correo ya tiene una cuenta',
  'mail.email-taken.asked':
    'Alguien ha pedido usar esta dirección de correo para otra cuenta. Pertenece a tu cuenta, así que no se ha cambiado nada.',
  'mail.email-taken.was-you':
    'Si fuiste tú, inicia sesión con esta dirección. Una dirección solo puede tener una cuenta.',
  'mail.email-taken.was-not-you': 'Si no fuiste tú, no tienes que hacer nada.',
  'mail.email-changed.subject': 'Se ha cambiado la dirección de correo de tu cuenta',
  'mail.email-changed.changed':
    'Tu cuenta tiene ahora otra dirección de correo. Inicias sesión con ella, y los correos llegan a ella.',
  'mail.email-changed.was-not-you':
    'Si no fuiste tú, restaura esta dirección en un plazo de siete días. Se cierra la sesión en todos los dispositivos y eliges una contraseña nueva.',
  'mail.email-changed.undo': 'Restaurar esta dirección',
  'mail.email-restored.subject': 'Se ha restaurado tu dirección de correo',
  'mail.email-restored.restored':
    'Tu cuenta vuelve a tener esta dirección de correo. Se ha cerrado la sesión en todos los dispositivos y se ha quitado la contraseña.',
  'mail.email-restored.choose':
    'Elige una contraseña nueva en el plazo de una hora. Después, pide otro enlace con «¿Has olvidado la contraseña?» en la página de inicio de sesión. Luego quita las llaves de acceso y aplicaciones de autenticación que no reconozcas y crea nuevos códigos de recuperación.',
  'mail.email-code.within':
    'El código es válido durante diez minutos y se puede usar una vez. No se lo digas a nadie.',
  'mail.sign-in-code.subject': 'Tu código de inicio de sesión',
  'mail.sign-in-code.code': 'Tu código para iniciar sesión: {code}',
  'mail.sign-in-code.was-not-you':
    'El enlace funciona en el navegador en el que lo pediste. Si no fuiste tú, ignora este correo.',
  'mail.sign-in-code.sign-in': 'Iniciar sesión',
  'mail.step-up-code.subject': 'Confirma que eres tú',
  'mail.step-up-code.code': 'Tu código para confirmar quién eres: {code}',
  'mail.step-up-code.was-not-you':
    'Lo ha pedido una persona con la sesión iniciada en tu cuenta. Si no fuiste tú, cierra la sesión en todos los dispositivos.',
  'mail.new-network.subject': 'Nuevo inicio de sesión en tu cuenta',
  'mail.new-network.signed-in':
    'Alguien ha iniciado sesión en tu cuenta desde una red que no se había usado antes para ella.',
  'mail.new-network.time': 'Hora: {time}',
  'mail.new-network.browser': 'Navegador: {device}',
  'mail.new-network.address': 'Dirección IP: {ipAddress}',
  'mail.new-network.was-not-you':
    'Si fuiste tú, no tienes que hacer nada. Si no, restablece tu contraseña de inmediato: así se cierra la sesión en todos los dispositivos.',
  'mail.account-erased.subject': 'Tu cuenta se ha borrado',
  'mail.account-erased.erased':
    'Tu cuenta se ha borrado a petición de una persona que tenía la sesión iniciada en ella. Se han eliminado todos sus datos personales. No se puede deshacer.',
  'mail.account-erased.was-not-you':
    'Si no fuiste tú, otra persona tenía acceso a tu cuenta. Avisa al operador de este servicio y cambia la contraseña en los demás sitios donde la uses.',
  'mail.account-erased.last':
    'Este es el último correo sobre esta cuenta. Puedes volver a registrarte con la misma dirección en cualquier momento.',
  'mail.identity-linked.subject': 'Nuevo método de inicio de sesión',
  'mail.identity-linked.linked': 'Ahora puedes iniciar sesión en tu cuenta con {provider}.',
  'mail.identity-linked.was-not-you':
    'Si no fuiste tú, inicia sesión, desvincúlalo en «Métodos de inicio de sesión» y cambia tu contraseña.',
  'mail.identities-removed.subject': 'Métodos de inicio de sesión quitados',
  'mail.identities-removed.removed':
    'Se ha restablecido tu contraseña. Estos métodos de inicio de sesión se han desvinculado, por si los había añadido otra persona: {providers}.',
  'mail.identities-removed.link-again':
    'Para volver a usarlos, inicia sesión con tu contraseña nueva y vincúlalos en «Métodos de inicio de sesión».',
  'mail.identity-unlinked.subject': 'Método de inicio de sesión quitado',
  'mail.identity-unlinked.unlinked': 'Ya no puedes iniciar sesión en tu cuenta con {provider}.',
  'mail.identity-unlinked.was-not-you':
    'Si no fuiste tú, restablece tu contraseña: así se cierra la sesión en todos los dispositivos. Después vuelve a vincularlo en «Métodos de inicio de sesión».',
  'scope.tenant': 'Organización',
  'scope.tenant.read': 'Ver la organización',
  'scope.tenant.read.description': 'Ver su nombre y su estado.',
  'scope.tenant.update': 'Cambiar el nombre de la organización',
  'scope.tenant.update.description': 'Cambiar su nombre para todos los miembros.',
  'scope.tenant.archive': 'Archivar la organización',
  'scope.tenant.archive.description': 'Impedir todos los cambios en ella. Se puede restaurar.',
  'scope.tenant.restore': 'Restaurar la organización',
  'scope.tenant.restore.description': 'Volver a permitir cambios en una organización archivada.',
  'scope.tenant.delete': 'Eliminar la organización',
  'scope.tenant.delete.description': 'Programar la eliminación de una organización archivada.',
  'scope.tenant.read-deletion': 'Ver la eliminación',
  'scope.tenant.read-deletion.description': 'Ver qué elimina y cuándo.',
  'scope.tenant.cancel-deletion': 'Cancelar la eliminación',
  'scope.tenant.cancel-deletion.description': 'Conservar una organización cuya eliminación está programada.',
  'scope.tenant.transfer-ownership': 'Transferir la propiedad',
  'scope.tenant.transfer-ownership.description':
    'Convertir a otro miembro en propietario en el propio lugar.',
  'scope.tenant.leave': 'Salir de la organización',
  'scope.tenant.leave.description': 'Dejar de ser miembro.',
  'scope.sign-in-policy': 'Política de inicio de sesión',
  'scope.sign-in-policy.read': 'Ver la política de inicio de sesión',
  'scope.sign-in-policy.read.description':
    'Ver qué tienen que demostrar los miembros y cuántos no podrían entrar.',
  'scope.sign-in-policy.update': 'Cambiar la política de inicio de sesión',
  'scope.sign-in-policy.update.description':
    'Exigir a todos los miembros segundos factores e inicios de sesión recientes.',
  'scope.member': 'Miembros',
  'scope.member.read': 'Ver los miembros',
  'scope.member.read.description': 'Ver nombres, direcciones, roles y última actividad.',
  'scope.member.update': 'Cambiar los roles de los miembros',
  'scope.member.update.description': 'Dar y quitar roles, hasta los permisos que uno mismo tiene.',
  'scope.member.remove': 'Quitar miembros',
  'scope.member.remove.description': 'Hacer que otras personas dejen de ser miembros.',
  'scope.member.suspend': 'Suspender miembros',
  'scope.member.suspend.description': 'Quitar el acceso a miembros sin que dejen de serlo.',
  'scope.member.restore': 'Restaurar miembros',
  'scope.member.restore.description': 'Devolver el acceso a miembros suspendidos.',
  'scope.role': 'Roles',
  'scope.role.read': 'Ver los roles',
  'scope.role.read.description': 'Ver todos los roles y sus permisos.',
  'scope.role.create': 'Crear roles',
  'scope.role.create.description': 'Añadir roles con permisos que uno mismo tiene.',
  'scope.role.update': 'Cambiar roles',
  'scope.role.update.description':
    'Cambiar el nombre y los permisos de los roles propios de la organización.',
  'scope.role.delete': 'Eliminar roles',
  'scope.role.delete.description': 'Eliminar roles que no están en uso.',
  'scope.invitation': 'Invitaciones',
  'scope.invitation.read': 'Ver las invitaciones',
  'scope.invitation.read.description': 'Ver a quién se ha invitado y con qué roles.',
  'scope.invitation.create': 'Invitar a personas',
  'scope.invitation.create.description': 'Invitar a direcciones con roles que uno puede dar.',
  'scope.invitation.resend': 'Reenviar invitaciones',
  'scope.invitation.resend.description': 'Enviar un enlace nuevo; el anterior deja de valer.',
  'scope.invitation.revoke': 'Revocar invitaciones',
  'scope.invitation.revoke.description': 'Anular una invitación antes de que se acepte.',
  'scope.audit': 'Registro de auditoría',
  'scope.audit.read': 'Ver el registro de auditoría',
  'scope.audit.read.description': 'Ver quién ha cambiado qué en la organización.',
  'operator.exists': 'Esta persona ya es operador. Cambia lo que puede hacer.',
  'operator.last-admin':
    'El último administrador sin restricciones debe seguir siéndolo. Nombra antes a otra persona administrador sin restricciones.',
  'scope.permission': 'Permisos de otros servicios',
  'scope.permission.read': 'Ver los permisos de otros servicios',
  'scope.permission.register': 'Registrar permisos de otros servicios',
  'scope.permission.remove': 'Quitar permisos de otros servicios',
  'permission.module-declared': 'Un módulo del servicio tiene este nombre. Elija otro.',
  'permission.not-registered': 'No hay permisos registrados con este nombre.',
  'permission.too-many-modules': 'Ya hay {max} módulos. Quite uno primero.',
  'permission.of-other-module': 'debe empezar por {module}:',
  'permission.twice': 'ya está en la lista',
  'scope.operator': 'Operadores',
  'scope.operator.read': 'Ver los operadores',
  'scope.operator.create': 'Nombrar operadores',
  'operator.scope-not-of-role': 'El rol no tiene este permiso.',
  'operator.scope-of-whole-admins': 'Solo los administradores sin restricciones tienen este permiso.',
  'scope.operator.update': 'Cambiar lo que pueden hacer los operadores',
  'scope.operator.remove': 'Quitar operadores',
  'scope.client': 'Aplicaciones de la organización',
  'scope.client.read': 'Ver las aplicaciones en las que los miembros inician sesión',
  'scope.client.create': 'Registrar aplicaciones para los miembros',
  'scope.client.update': 'Cambiar aplicaciones de los miembros',
  'scope.client.rotate-secret': 'Rotar los secretos de las aplicaciones',
  'scope.client.delete': 'Eliminar aplicaciones de los miembros',
  'scope.api': 'API',
  'scope.api.read': 'Ver las API que aceptan tokens',
  'scope.api.create': 'Registrar API',
  'scope.api.update': 'Cambiar las API y sus credenciales',
  'scope.api.delete': 'Eliminar API',
  'scope.satellite': 'Satélites',
  'scope.satellite.read': 'Ver los satélites',
  'scope.satellite.create': 'Registrar satélites',
  'scope.satellite.update': 'Cambiar satélites',
  'scope.satellite.rotate-secret': 'Rotar los secretos de los satélites',
  'scope.satellite.disable': 'Desactivar satélites',
  'scope.satellite.enable': 'Activar satélites',
  'mail.session-traces.subject': 'Lo que crearon tus sesiones anteriores',
  'mail.session-traces.left': 'Esto se añadió a tu cuenta en una sesión y sigue después de ella:',
  'mail.session-traces.authenticator-app': 'App de autenticación {name}, {date}',
  'mail.session-traces.passkey': 'Llave de acceso {name}, {date}',
  'mail.session-traces.trusted-device': 'Dispositivo de confianza, {date}',
  'mail.session-traces.identity': 'Inicio de sesión con un proveedor, {date}',
  'mail.session-traces.personal-key': 'Clave propia {name}, {date}',
  'mail.session-traces.end': 'Si algo no es tuyo, termina con una pulsación lo que creó su sesión.',
  'mail.session-traces.see': 'Ver lo que crearon las sesiones',
  'scope.session': 'Sesiones',
  'scope.session.end': 'Cerrar las propias sesiones',
  'scope.identity': 'Identidades vinculadas',
  'scope.identity.unlink': 'Desvincular las propias identidades',
  'authenticator.required-by-organization':
    'Una de tus organizaciones lo exige. Añade antes otro o sal de la organización.',
  'authenticator.of-other-organization':
    'Cuenta en otra organización. Inicia sesión con un método propio, o como lo pide esa organización, para cambiarlo.',
  'mail.authenticators.was-not-you':
    'Si no fuiste tú, inicia sesión, quita lo que no reconozcas y cambia tu contraseña de inmediato.',
  'mail.authenticators.see': 'Revisar la configuración de seguridad',
  'mail.totp-added.subject': 'Aplicación de autenticación añadida',
  'mail.totp-added.text':
    'Se ha añadido a tu cuenta una aplicación de autenticación. Al iniciar sesión se piden ahora sus códigos.',
  'mail.passkey-added.subject': 'Llave de acceso añadida',
  'mail.passkey-added.text':
    'Se ha añadido a tu cuenta una llave de acceso. Se puede usar para iniciar sesión.',
  'mail.totp-removed.subject': 'Aplicación de autenticación quitada',
  'mail.totp-removed.text': 'Se ha quitado de tu cuenta una aplicación de autenticación.',
  'mail.passkey-removed.subject': 'Llave de acceso quitada',
  'mail.passkey-removed.text': 'Se ha quitado de tu cuenta una llave de acceso.',
  'mail.totp-renamed.subject': 'Nombre de la aplicación de autenticación cambiado',
  'mail.totp-renamed.text': 'Una aplicación de autenticación de tu cuenta tiene un nombre nuevo.',
  'mail.passkey-renamed.subject': 'Nombre de la llave de acceso cambiado',
  'mail.passkey-renamed.text': 'Una llave de acceso de tu cuenta tiene un nombre nuevo.',
  'mail.trusted-device-removed.subject': 'Un dispositivo ya no es de confianza',
  'mail.trusted-device-removed.text':
    'Has quitado un dispositivo de confianza. El próximo inicio de sesión en él pedirá el segundo factor.',
  'mail.recovery-codes-renewed.subject': 'Nuevos códigos de recuperación',
  'mail.recovery-codes-renewed.text':
    'Se han creado nuevos códigos de recuperación para tu cuenta. Los anteriores ya no funcionan.',
  'mail.recovery-code-used.subject': 'Código de recuperación usado',
  'mail.recovery-code-used.text':
    'Se ha usado un código de recuperación de tu cuenta. {left, plural, =0 {No queda ninguno: crea otros.} one {Queda uno.} other {Quedan #.}}',
  'mail.totp-blocked.subject': 'Aplicación de autenticación bloqueada',
  'mail.totp-blocked.text':
    'Se han escrito demasiados códigos incorrectos después de tu contraseña. Los códigos de tu aplicación de autenticación se rechazan hasta que uses un código de recuperación o una llave de acceso. Cambia tu contraseña.',
  'mail.authenticators-reset-scheduled.subject': 'Se van a eliminar tus segundos factores',
  'mail.authenticators-reset-scheduled.text':
    'Se ha pedido a soporte que elimine los segundos factores de tu cuenta: aplicaciones de autenticación, llaves de acceso y códigos de recuperación. Se eliminarán el {time}. Desde entonces, tu contraseña o tu proveedor bastan para iniciar sesión.',
  'mail.authenticators-reset-scheduled.reason': 'Motivo que ha anotado soporte: {reason}',
  'mail.authenticators-reset-scheduled.cancel':
    'Si no lo pediste tú, cancélalo ahora y cambia tu contraseña: puede que otra persona intente entrar en tu cuenta.',
  'mail.authenticators-reset-scheduled.action': 'Cancelar la eliminación',
  'mail.authenticators-reset.subject': 'Segundos factores eliminados',
  'mail.authenticators-reset.text':
    'Se han eliminado los segundos factores de tu cuenta, como se pidió a soporte. Añade ahora uno nuevo.',
  'mail.authenticators-reset-cancelled.subject': 'Conservas tus segundos factores',
  'mail.authenticators-reset-cancelled.text':
    'Se ha cancelado la eliminación de tus segundos factores. No ha cambiado nada.',
  'person.no-second-factor': 'Esta persona no tiene segundo factor.',
  'person.reset-pending':
    'Ya hay un restablecimiento pendiente de esta persona. Espera o haz que se cancele.',
  'job.running': 'La tarea está en curso. Espera a que termine este intento.',
  'job.not-failed': 'La tarea no ha fallado. Se ejecutará cuando llegue su momento.',
  'scope.import': 'Importación',
  'scope.import.create': 'Importar personas de otro sistema',
  'scope.job': 'Tareas',
  'scope.job.read': 'Ver las tareas en cola',
  'scope.job.retry': 'Volver a ejecutar las tareas fallidas',
  'scope.operated-tenant': 'Organizaciones de la plataforma',
  'scope.operated-tenant.read': 'Buscar y ver organizaciones',
  'scope.operated-tenant.export': 'Exportar lo que se guarda sobre las organizaciones',
  'scope.operated-tenant.limit': 'Cambiar los límites de las organizaciones',
  'scope.operated-tenant.archive': 'Archivar organizaciones',
  'scope.operated-tenant.restore': 'Restaurar organizaciones archivadas',
  'scope.platform-audit': 'Registro de auditoría de la plataforma',
  'scope.platform-audit.read': 'Ver el registro de auditoría de la plataforma',
  'scope.person': 'Personas',
  'person.operator': 'Esta persona es operador. Quita antes al operador.',
  'person.exceeds-caller':
    'Este operador tiene permisos que tú no tienes. Pídeselo a un operador que los tenga.',
  'person.erasure-requested': 'Has solicitado este borrado. Otro operador tiene que confirmarlo.',
  'person.appointed-lately':
    'Tu nombramiento es demasiado reciente para ser uno de los dos: debe pasar un día, y la solicitud debe ser posterior.',
  'person.no-erasure': 'No hay ningún borrado pendiente de esta persona.',
  'mail.not-resendable':
    'Este correo no se puede volver a enviar: está en espera, ha caducado o se ha retirado.',
  'mail.link-void':
    'El enlace o el código de este correo se ha usado o sustituido. Hay que pedir otro correo.',
  'mail.resent-enough': 'Esta persona ha recibido cinco correos de este tipo en una hora. Espera.',
  'person.suspended': 'La cuenta está suspendida. Restáurala primero.',
  'person.not-suspended': 'La cuenta no está suspendida.',
  'person.no-address': 'Esta persona no tiene ninguna dirección a la que enviar un correo.',
  'person.no-password': 'Esta persona no tiene contraseña.',
  'scope.person.read': 'Buscar personas y ver sus cuentas',
  'scope.person.suspend': 'Suspender cuentas',
  'scope.person.restore': 'Restaurar cuentas suspendidas',
  'scope.person.end-sessions': 'Cerrar sesiones de las personas',
  'scope.person.send-password-reset': 'Enviar a las personas el enlace para restablecer su contraseña',
  'scope.person.require-new-password': 'Exigir contraseñas nuevas',
  'scope.person.export': 'Iniciar exportaciones de datos que solo la persona puede leer',
  'scope.person.erase': 'Borrar cuentas',
  'scope.person.keep': 'Retirar solicitudes de borrado de cuentas',
  'scope.person.resend-mail': 'Volver a enviar correos a las personas',
  'scope.person.reset-authenticators': 'Restablecer los segundos factores de las personas',
  'mail.password-removed.subject': 'Contraseña quitada',
  'mail.password-removed.text':
    'Se ha quitado la contraseña de tu cuenta. Inicias sesión con tus llaves de acceso.',
  'scope.webhook-subscription': 'Webhooks',
  'scope.webhook-subscription.read': 'Ver los webhooks',
  'scope.webhook-subscription.create': 'Crear webhooks',
  'scope.webhook-subscription.update': 'Cambiar webhooks',
  'scope.webhook-subscription.delete': 'Eliminar webhooks',
  'scope.webhook-subscription.rotate': 'Rotar los secretos de los webhooks',
  'scope.webhook-subscription.test': 'Enviar eventos de prueba',
  'scope.webhook-delivery': 'Entregas de webhooks',
  'scope.webhook-delivery.read': 'Ver las entregas y sus intentos',
  'scope.webhook-delivery.redeliver': 'Volver a entregar',
  'scope.webhook-event': 'Eventos',
  'scope.webhook-event.read': 'Leer eventos',
  'scope.operator-webhook': 'Webhooks de la plataforma',
  'scope.operator-webhook.read': 'Ver los webhooks, las entregas y los eventos de la plataforma',
  'scope.operator-webhook.rotate': 'Rotar los secretos de los webhooks de la plataforma',
  'scope.operator-webhook.manage': 'Gestionar los webhooks de la plataforma',
  'service-account.exceeds-caller':
    'La cuenta de servicio tiene permisos que tú no tienes. Pídeselo a un miembro que los tenga.',
  'service-account.disabled-already': 'La cuenta de servicio ya está desactivada.',
  'service-account.not-disabled': 'La cuenta de servicio no está desactivada.',
  'scope.service-account': 'Cuentas de servicio',
  'scope.service-account.read': 'Ver las cuentas de servicio',
  'scope.service-account.create': 'Crear cuentas de servicio',
  'scope.service-account.create.description':
    'Añadir miembros que son programas, con roles hasta los permisos que uno mismo tiene.',
  'scope.service-account.update': 'Cambiar cuentas de servicio',
  'scope.service-account.delete': 'Eliminar cuentas de servicio',
  'scope.service-account.disable': 'Desactivar cuentas de servicio',
  'scope.service-account.disable.description': 'Rechazar sus claves sin eliminarlas.',
  'scope.service-account.enable': 'Activar cuentas de servicio',
  'mail.platform-key-expiring.subject': 'Caduca una clave de la plataforma',
  'mail.platform-key-expiring.text':
    'La clave «{name}» de una cuenta de servicio de la plataforma caduca el {date}.',
  'mail.platform-key-expiring.replace': 'Crea otra para el programa que la usa y después revoca esta.',
  'mail.leaked-key.subject': 'Se ha encontrado una clave publicada',
  'mail.leaked-key.text':
    'Nos han comunicado que la clave «{name}» se ha encontrado publicada. Se ha revocado.',
  'mail.leaked-key.replace': 'Crea otra para el programa que la usaba y averigua quién puede haberla leído.',
  'personal-key.forbidden':
    'Esta organización no permite claves de los miembros. Pide una cuenta de servicio.',
  'scope.key-policy': 'Reglas de las claves',
  'scope.key-policy.read': 'Ver las reglas de las claves',
  'scope.key-policy.update': 'Cambiar las reglas de las claves',
  'scope.key-policy.update.description':
    'Limitar la duración de las claves y decidir si los miembros tienen claves propias.',
  'scope.trust-rule': 'Cargas de trabajo',
  'scope.trust-rule.read': 'Ver las cargas de trabajo de confianza',
  'scope.trust-rule.create': 'Confiar en cargas de trabajo',
  'scope.trust-rule.delete': 'Retirar la confianza a cargas de trabajo',
  'scope.api-key': 'Claves de cuentas de servicio',
  'scope.api-key.read': 'Ver las claves',
  'scope.api-key.create': 'Crear claves',
  'scope.api-key.create.description': 'Una clave actúa con los roles de su cuenta de servicio.',
  'scope.api-key.revoke': 'Revocar claves',
  'mail.webhook-disabled.subject': 'Se ha desactivado un webhook',
  'mail.webhook-disabled.your-organization': 'tu organización',
  'mail.webhook-disabled.text': 'Se ha desactivado un webhook de {organization} hacia {host}.',
  'mail.webhook-disabled.of-platform': 'Se ha desactivado un webhook de la plataforma hacia {host}.',
  'mail.webhook-disabled.enable':
    'Consulta el motivo en sus entregas y vuelve a activarlo cuando el receptor acepte eventos.',
  'domain.in-use': 'Una conexión usa el dominio. Quítalo antes de la conexión.',
  'connection-test.passed': 'Correcto.',
  'connection-test.skipped': 'Sin comprobar, porque ha fallado una comprobación anterior.',
  'connection-test.provider.failed':
    'El proveedor no ha respondido, o no lo ha hecho en cinco segundos. Comprueba el emisor y que su dirección sea accesible.',
  'connection-test.code.failed':
    'El proveedor no ha aceptado el código. Comprueba el ID y el secreto de cliente.',
  'connection-test.code.denied':
    'El proveedor ha denegado el inicio de sesión. Comprueba que tengas asignada la aplicación.',
  'connection-test.code.invalid':
    'La respuesta del proveedor no es válida según OpenID Connect. Comprueba el tipo de la aplicación en el proveedor.',
  'connection-test.nonce.failed':
    'El token de identidad es de otro inicio de sesión. Empieza la prueba de nuevo.',
  'connection-test.response.failed': 'La respuesta no es una respuesta SAML que se pueda leer con seguridad.',
  'connection-test.response.encrypted':
    'La aserción está cifrada. Activa el cifrado en la conexión o desactívalo en el proveedor.',
  'connection-test.response.not-encrypted':
    'La aserción no está cifrada. Activa el cifrado en el proveedor o desactívalo en la conexión.',
  'connection-test.response.decryption':
    'La aserción no se puede descifrar. Vuelve a importar en el proveedor los metadatos de esta conexión y elige AES-GCM con RSA-OAEP.',
  'connection-test.response.status':
    'El proveedor ha denegado el inicio de sesión. Comprueba que tengas asignada la aplicación.',
  'connection-test.issuer.failed':
    'El emisor no es el de los ajustes. Compáralos con exactitud, incluidas las barras finales.',
  'connection-test.recipient.failed':
    'La respuesta es para otra dirección. Introduce en el proveedor la URL de ACS de esta conexión.',
  'connection-test.request.failed':
    'La respuesta no corresponde a ninguna solicitud de esta prueba. Empieza el inicio de sesión con la prueba, no en el proveedor.',
  'connection-test.times.authentication':
    'El proveedor indica un inicio de sesión antiguo (AuthnInstant), aunque se pidió uno nuevo. Aumenta o quita el límite authnInstantMaxAge, como necesita Google Workspace.',
  'connection-test.times.failed':
    'Las horas de la respuesta no encajan: ha caducado, aún no es válida, o el reloj del proveedor está mal.',
  'connection-test.times.confirmation':
    'La confirmación del sujeto no es «bearer» o ha caducado. Comprueba el reloj del proveedor.',
  'connection-test.audience.failed':
    'La respuesta es para otra aplicación. Introduce en el proveedor el ID de entidad o de cliente de esta conexión.',
  'connection-test.audience.others':
    'El token de ID también es para otras aplicaciones. Si confías en ellas, indícalas en trustedAudiences.',
  'connection-test.signature.failed':
    'La firma no es válida. Compara el certificado o las claves de firma con los del proveedor.',
  'connection-test.signature.missing': 'La aserción no está firmada. Activa su firma en el proveedor.',
  'connection-test.signature.algorithm':
    'El algoritmo de firma no está permitido. Elige en el proveedor RSA con SHA-256 o superior.',
  'connection-test.subject.failed':
    'El NameID falta, es transitorio o es de otra parte. Elige un NameID persistente o la dirección.',
  'connection-test.subject.other':
    'Los datos de UserInfo son de otra persona que el token de ID. Revisa el proveedor.',
  'connection-test.claim.missing': 'Al token de ID le falta {claim}. Añádelo a lo que envía el proveedor.',
  'connection-test.domain.none':
    'La conexión no tiene ningún dominio verificado. Verifica uno y asígnalo a la conexión.',
  'connection-test.domain.missing':
    'El proveedor no ha enviado ninguna dirección de estos dominios: {domains}. Añade la dirección a lo que envía.',
  'connection-test.domain.failed': 'La dirección no es de ninguno de estos dominios: {domains}.',
  'connection-test.attributes.passed': 'Recibidos: {count}.',
  'connection-test.roles.passed': 'Roles que se obtienen: {roles}.',
  'connection-test.roles.incomplete':
    'El proveedor no envió todos los grupos, o son demasiados para compararlos. Un inicio de sesión así no cambia ningún rol. Haz que el proveedor envíe solo los grupos asignados a la aplicación.',
  'connection-test.roles.none':
    'No se obtiene ningún rol: no se añaden personas al iniciar sesión, o no coincide ninguna regla.',
  'connection.active-already': 'La conexión ya está activa.',
  'connection.exceeds-caller':
    'Con esta conexión pueden iniciar sesión personas con más permisos que tú. Pide a un propietario que la cambie.',
  'setup-link.exceeds-creator':
    'Con esta conexión pueden iniciar sesión personas con más permisos que el creador del enlace. Pide otro a un propietario.',
  'connection.owners-only': 'Solo un propietario puede confirmarlo o rechazarlo.',
  'connection.change-outdated':
    'Los ajustes han cambiado desde la solicitud. Recházala y pide que se vuelva a solicitar.',
  'connection.requester-ended':
    'Quien lo solicitó ya no puede cambiar la conexión, o se revocó el enlace de configuración. Recházalo.',
  'connection.too-many-waiting':
    'Ya hay diez cambios en espera. Un propietario debe confirmar o rechazar uno primero.',
  'scope.connection.confirm': 'Confirmar cambios de conexiones',
  'mail.connection-change.waits-subject': 'Un cambio de tu inicio de sesión único espera a un propietario',
  'mail.connection-change.applied-subject': 'Se ha cambiado tu inicio de sesión único',
  'mail.connection-change.waits':
    'Se ha solicitado un cambio en una conexión de {organization}. Nada cambia hasta que un propietario lo confirme en la página de la conexión.',
  'mail.connection-change.applied': 'Una conexión de {organization} acepta otra cosa a partir de ahora.',
  'mail.connection-change.actor': 'Por: {actor}',
  'mail.connection-change.by-member': 'un miembro',
  'mail.connection-change.by-setup-link': 'un enlace de configuración',
  'mail.connection-change.by-provider': 'los metadatos del proveedor',
  'mail.connection-change.added': 'Certificado nuevo (SHA-256): {sha256}',
  'mail.connection-change.removed': 'Certificado eliminado (SHA-256): {sha256}',
  'mail.connection-change.check':
    'Quien tenga una clave aceptada puede iniciar sesión como cualquier miembro que use la conexión. Si no conoces este cambio, recházalo o desactiva la conexión.',
  'connection.not-tested': 'La conexión no se ha probado desde que cambiaron sus ajustes. Pruébala primero.',
  'scope.connection': 'Conexiones',
  'scope.connection.read': 'Ver las conexiones',
  'scope.connection.create': 'Crear conexiones',
  'scope.connection.update': 'Cambiar y desactivar conexiones',
  'scope.connection.activate': 'Activar conexiones',
  'scope.connection.test': 'Probar conexiones',
  'scope.connection.delete': 'Eliminar conexiones',
  'scope.domain': 'Dominios',
  'scope.domain.read': 'Ver los dominios',
  'scope.domain.create': 'Añadir dominios',
  'scope.domain.verify': 'Verificar dominios',
  'scope.domain.delete': 'Quitar dominios',
  'connection.enforced':
    'La política de inicio de sesión exige esta conexión. Haz antes opcional el inicio de sesión único.',
  'mail.emergency-entry.subject': 'Un propietario ha entrado sin inicio de sesión único',
  'mail.emergency-entry.text':
    'Un propietario ha entrado en {organization} con un segundo factor o una llave de acceso, sin el proveedor que exige.',
  'mail.emergency-entry.check':
    'Si no ha sido ninguno de vosotros, cierra las sesiones de los propietarios y revisa el registro de auditoría.',
  'scope.setup-link': 'Enlaces de configuración',
  'scope.setup-link.read': 'Ver los enlaces de configuración',
  'scope.setup-link.create': 'Crear enlaces de configuración',
  'scope.setup-link.revoke': 'Revocar enlaces de configuración',
  'setup-link.invalid': 'El enlace no es válido: ha caducado o se ha revocado. Pide otro a la organización.',
  'setup-link.other-intent': 'El enlace no sirve para esto. Pide otro a la organización.',
  'setup-link.one-connection': 'El enlace ya tiene su conexión. Cambia esa.',
  'setup-link.one-directory': 'El enlace ya tiene su directorio.',
  'setup-link.active-domains':
    'La conexión está activa. Sus dominios los cambian miembros de la organización.',
  'setup-link.not-held': 'necesita {scope}, que no tienes',
  'setup-link.too-many': 'Puede haber {max} enlaces de configuración activos. Revoca antes uno.',
  'setup-link.too-many-mails':
    'Esta dirección ha recibido demasiados enlaces de configuración. Inténtalo de nuevo en una hora.',
  'mail.setup-link.subject': 'Configura el inicio de sesión único',
  'mail.setup-link.an-organization': 'Una organización',
  'mail.setup-link.text':
    '{organization} te pide que conectes su proveedor de identidad. No necesitas cuenta.',
  'mail.setup-link.secret':
    'El enlace es válido durante siete días. Quien lo tenga puede cambiar la configuración: no lo reenvíes.',
  'mail.setup-link.unexpected': 'Si no esperas este mensaje, ignóralo.',
  'mail.setup-link.open': 'Abrir la configuración',
  'connection.only-certificate': 'Es el único certificado de la conexión. Añade antes otro.',
  'mail.certificate-expiring.subject': 'Caduca un certificado de tu inicio de sesión único',
  'mail.certificate-expiring.text':
    'Un certificado del proveedor de identidad de {organization} caduca el {date}.',
  'mail.certificate-expiring.effect':
    'Si tu proveedor sigue firmando con él después de ese día, los miembros no podrán iniciar sesión. Añade antes el certificado nuevo a la conexión.',
  'mail.domain-lapsed.subject': 'Un dominio ya no está verificado',
  'mail.domain-lapsed.your-organization': 'tu organización',
  'mail.domain-lapsed.text':
    'El registro que demuestra el dominio {domain} de {organization} falta desde hace siete días.',
  'mail.domain-lapsed.by-operator':
    'El operador del servicio ha retirado el dominio {domain} a {organization}.',
  'mail.domain-lapsed.effect':
    'Los miembros con el inicio de sesión vinculado aún pueden entrar. Las personas nuevas de este dominio no. Restablece el registro y vuelve a verificar el dominio.',
  'error.forbidden': 'Esto no está permitido.',
  'error.conflict': 'La solicitud contradice el estado actual.',
  'error.precondition-failed': 'El elemento ha cambiado desde que se leyó.',
  'tenant.name-differs': 'Escribe el nombre de la organización.',
  'member.too-many-organizations':
    'Estás en {max} organizaciones, el máximo. Sal de una que no necesites; donde seas el último propietario, convierte antes a otro miembro en propietario.',
  'role.key-taken': 'Ya existe un rol con la clave {key}.',
  'role.too-many': 'Una organización puede tener {max} roles propios. Elimina uno que no esté en uso.',
  'role.unknown': 'Esta organización no tiene ningún rol {key}.',
  'role.named-exceeds-caller': 'El rol {key} tiene permisos que tú no tienes.',
  'role.unknown-permission': 'Este permiso no existe en las organizaciones.',
  'role.permission-not-held': 'Tú no tienes este permiso.',
  'invitation.open-already': 'Esta dirección ya tiene una invitación pendiente. Reenvíala o revócala antes.',
  'invitation.member-already': 'Esta dirección ya pertenece a un miembro.',
  'invitation.too-many':
    'Se han enviado demasiadas invitaciones a esta dirección. Inténtalo de nuevo en una hora.',
  'mail.other-connections.your-organization': 'tu organización',
  'mail.other-connections.subject': 'Los inicios de sesión de otras organizaciones abren la tuya',
  'mail.other-connections.text':
    'Quienes solo han iniciado sesión con el proveedor de otra organización pueden entrar en {organization}. En las organizaciones nuevas no pueden.',
  'mail.other-connections.change':
    'Para rechazarlos, cambia la política de inicio de sesión de tu organización.',
  'tenant.mails-used-up':
    'Tu organización ya ha enviado hoy sus {max} correos a direcciones fuera de sus dominios verificados. Verifica el dominio, inténtalo mañana o pide más a los operadores de este servicio.',
  'tenant.too-many-today': 'Puedes crear {max} organizaciones al día. Inténtalo mañana.',
  'invitation.too-many-open':
    'Tu organización tiene {max} invitaciones abiertas, el máximo. Revoca algunas, espera a que se acepten o pide más a los operadores de este servicio.',
  'email-change.too-many': 'Puedes pedir {max} cambios de tu dirección al día. Inténtalo mañana.',
  'invitation.account-already': 'Esta dirección tiene una cuenta. Inicia sesión para aceptar la invitación.',
  'invitation.not-valid': 'La invitación ya no es válida. Pide otra al miembro que te invitó.',
  'error.invalid-credentials': 'El correo electrónico o la contraseña no son correctos.',
  'error.email-not-verified': 'La dirección de correo aún no se ha verificado.',
  'password.wrong': 'La contraseña no es correcta.',
  'password.current-wrong': 'La contraseña actual no es correcta.',
  'password.no-recipient':
    'La cuenta está suspendida o no tiene ninguna dirección a la que enviar un enlace.',
  'password.too-many-mails':
    'Esta dirección ha recibido demasiados correos de este tipo. Espera una hora e inténtalo de nuevo.',
  'export.one-a-day':
    'Ya has pedido tus datos en el último día. Usa esa exportación o vuelve a pedirla más tarde.',
  'export.person-one-a-day':
    'En el último día ya se inició una exportación de esta persona. Inténtalo más tarde.',
  'export.page.title': 'Lo que se guarda sobre ti',
  'export.page.lead':
    'Estado a {time}. No se incluyen secretos, como tu contraseña. Las descripciones están en inglés.',
  'export.page.entries':
    '{count, plural, =0 {Sin entradas} one {# entrada} many {# entradas} other {# entradas}}',
  'export.page.yes': 'sí',
  'export.page.no': 'no',
  'export.not-ready': 'Tus datos aún no están listos. Un correo te avisará.',
  'password.none': 'Esta cuenta no tiene contraseña. Inicia sesión de nuevo con un proveedor externo.',
  'password.link-not-valid': 'El enlace ya no es válido. Pide otro.',
  'registration.wrong-password':
    'Ningún registro de esta dirección tiene esta contraseña. Escribe la que usaste al registrarte.',
  'registration.link-not-valid': 'El enlace ya no es válido. Pide otro.',
  'email-change.managed':
    'Un directorio de tu organización gestiona esta dirección. Pide a tu administrador que la cambie allí.',
  'email-change.own-address': 'Esta ya es la dirección de tu cuenta.',
  'email-change.link-not-valid': 'El enlace ya no es válido. Vuelve a pedir el cambio en tu cuenta.',
  'email-change.undo-not-valid': 'El enlace ya no es válido. Pide ayuda a un operador de este servicio.',
  'error.not-a-member': 'No eres miembro de esta organización.',
  'sign-in.wrong-code': 'El código es incorrecto, ha caducado o ya se ha usado. Pide otro.',
  'sign-in.passkey-refused': 'Esta llave de acceso no se puede usar para iniciar sesión.',
  'sign-in.challenge-not-valid': 'El inicio de sesión ha caducado o ya ha terminado. Inicia sesión de nuevo.',
  'error.invalid-second-factor': 'El segundo factor es incorrecto o ya se ha usado.',
  'authorize.refused.title': 'Esta aplicación no puede iniciar tu sesión',
  'authorize.refused.client':
    'La aplicación no está registrada aquí o está desactivada. Vuelve a ella y empieza de nuevo. Si se repite, avisa a quienes gestionan la aplicación.',
  'authorize.refused.redirect-uri':
    'La dirección a la que vuelve la aplicación no está registrada. Vuelve a la aplicación y empieza de nuevo. Si se repite, avisa a quienes gestionan la aplicación.',
  'authorize.refused.request':
    'La solicitud de la aplicación es desconocida, ya se ha usado o ha caducado. Vuelve a la aplicación y empieza de nuevo. Si se repite, avisa a quienes gestionan la aplicación.',
  'authorize.answer.title': 'Continúa a la aplicación',
  'authorize.answer.lead': 'Tu navegador va allí automáticamente. Si no lo hace, pulsa el botón.',
  'authorize.answer.continue': 'Continuar',
  'logout.refused.title': 'Esta aplicación no puede cerrar tu sesión',
  'logout.refused.client':
    'La aplicación no está registrada aquí o está desactivada. No se ha cerrado tu sesión. Ciérrala en la página de tu cuenta. Si se repite, avisa a quienes gestionan la aplicación.',
  'logout.refused.redirect-uri':
    'La dirección a la que vuelve la aplicación no está registrada. No se ha cerrado tu sesión. Ciérrala en la página de tu cuenta. Si se repite, avisa a quienes gestionan la aplicación.',
  'logout.refused.hint':
    'La solicitud nombra otra aplicación que aquella en la que iniciaste sesión. No se ha cerrado tu sesión. Ciérrala en la página de tu cuenta. Si se repite, avisa a quienes gestionan la aplicación.',
  'device.wrong-code':
    'Este código es desconocido, se ha usado o ha caducado. Mira la pantalla del dispositivo.',
  'authenticator.too-many': 'Ya tienes {max}. Quita antes uno.',
  'authenticator.passkey-registered': 'Esta llave de acceso ya está registrada.',
  'authenticator.none-yet': 'Añade antes una aplicación de autenticación o una llave de acceso.',
  'authenticator.no-recovery':
    'Añade una segunda llave de acceso o crea códigos de recuperación, para poder iniciar sesión si pierdes una.',
  'authenticator.no-six-digits': 'Escribe los seis dígitos del código.',
  'authenticator.no-recovery-code': 'Escribe los diez caracteres de un código de recuperación.',
  'authenticator.wrong-code': 'No es el código actual de esta aplicación.',
  'webhook.too-many': 'Puede haber {max} suscripciones. Elimina una que no esté en uso.',
  'webhook.unknown-type': 'Este tipo de eventos no existe.',
  'webhook.type-not-readable': 'No puedes leer los eventos de este tipo.',
  'webhook.needs-scope': 'Hace falta el permiso {scope}.',
  'webhook.since-expired': 'La fecha es de hace más de {days} días.',
  'webhook.since-future': 'La fecha está en el futuro.',
  'webhook.disabled': 'La suscripción está desactivada. Actívala primero.',
  'webhook.delivery-not-finished': 'La entrega no ha terminado: se enviará de todos modos.',
  'satellite.client-id-taken': 'Ya existe un satélite con el ID de cliente {clientId}.',
  'field.text': 'Escribe un texto de {min} a {max} caracteres, sin caracteres de control y no vacío.',
  'field.password': 'Escribe de {min} a {max} caracteres, sin caracteres de control.',
  'field.email': 'Escribe una dirección de correo electrónico.',
  'field.integer': 'Escribe un número entero de {min} a {max}.',
  'field.number': 'Escribe un número de {min} a {max}.',
  'field.boolean': 'El valor debe ser true o false.',
  'field.time': 'Escribe una hora en UTC, como 2026-11-21T09:00:00Z.',
  'field.date': 'Escribe una fecha, como 2026-11-21.',
  'field.list': 'Indica de {min} a {max} elementos.',
  'directory.exceeds-caller':
    'Hay grupos del directorio que dan roles que tú no podrías dar. Pídeselo a un miembro que pueda.',
  'directory.exceeds-creator':
    'Hay grupos del directorio que dan roles que el creador del enlace no podría dar.',
  'directory.tokens-exceed':
    'Revoca antes estos tokens y crea otros nuevos, porque quienes los crearon no pueden dar los roles: {tokens}.',
  'directory.token-stopped':
    'La persona que creó este token se ha ido, está suspendida o ya no podría crearlo. Crea un token nuevo del directorio e introdúcelo en el proveedor de identidad.',
  'mail.directory-token-stopped.subject': 'Un directorio ya no puede enviar cambios',
  'mail.directory-token-stopped.text':
    'Se rechaza un token de un directorio de {organization}: la persona que lo creó se ha ido, está suspendida o ya no podría crearlo.',
  'mail.directory-token-stopped.replace':
    'Crea un token nuevo en la página del directorio e introdúcelo en tu proveedor de identidad. Hasta entonces, las personas que desactives allí conservan aquí su acceso.',
  'scope.directory': 'Directorios',
  'scope.directory.read': 'Ver los directorios',
  'scope.directory.read.description': 'Con las personas que han enviado y el registro de sus llamadas.',
  'scope.directory.create': 'Crear directorios',
  'scope.directory.update': 'Cambiar directorios y los roles de sus grupos',
  'scope.directory.delete': 'Eliminar directorios',
  'scope.directory-token': 'Tokens de directorios',
  'scope.directory-token.create': 'Crear tokens de directorios',
  'scope.directory-token.revoke': 'Revocar tokens de directorios',
  'scope.branding': 'Apariencia',
  'scope.branding.read': 'Ver la apariencia de la organización',
  'scope.branding.update': 'Cambiar la apariencia de la organización',
  'scope.branding.update.description':
    'Cambiar el nombre mostrado, el logotipo, el color y el remitente de los correos.',
  'branding.looks-like-service': 'Este nombre se podría confundir con el del servicio. Elige otro.',
  'branding.low-contrast':
    'El contraste con el blanco es de {contrast} a 1 y hace falta {min} a 1. Elige un color más oscuro.',
  'branding.logo-type': 'Elige una imagen PNG o WebP.',
  'branding.logo-bytes': 'La imagen puede ocupar como máximo {max} KiB.',
  'branding.logo-pixels': 'La imagen puede tener como máximo {max} píxeles de ancho y de alto.',
  'branding.logo-animated': 'La imagen no debe estar animada.',
  'branding.logo-damaged': 'La imagen está dañada o contiene algo más que una imagen.',
  'support-access.not-on-request': 'La política de inicio de sesión no admite el soporte a petición.',
  'support-access.not-granted': 'Soporte no tiene ningún acceso que terminar.',
  'mail.support-access.subject': 'Soporte puede entrar en tu organización',
  'mail.support-access.text':
    'Un propietario ha dado acceso a soporte a {organization} hasta el {until}. Hasta entonces, soporte puede actuar en nombre de un miembro.',
  'mail.support-access.end':
    'El registro de auditoría muestra lo que hace soporte. Puedes poner fin al acceso en cualquier momento.',
  'mail.support-access.your-organization': 'tu organización',
  'mail.members-imported.subject': 'Soporte ha añadido miembros a tu organización',
  'mail.members-imported.text':
    'Soporte ha añadido personas a {organization} mediante una importación, con los roles que ha elegido.',
  'mail.members-imported.end':
    'El registro de auditoría muestra a quiénes y quién lo hizo. Si no lo pediste, quítalas y pon fin al acceso de soporte.',
  'scope.support-access': 'Acceso de soporte',
  'scope.support-access.read': 'Ver si soporte puede entrar',
  'scope.support-access.grant': 'Dar acceso a soporte durante unas horas',
  'scope.support-access.end': 'Poner fin al acceso de soporte',
  'ability.impersonation': 'Soporte no puede hacer esto por una persona. Solo puede la propia persona.',
  'mail.impersonation.subject': 'Soporte ha actuado en tu nombre',
  'mail.impersonation.text':
    'Una persona de soporte ha actuado en tu nombre en {organization}, desde el {from} hasta el {to}.',
  'mail.impersonation.trail':
    'Tu registro de auditoría muestra lo que se ha hecho. Si no sabes por qué, pregunta a tu organización.',
  'mail.impersonation.your-organization': 'tu organización',
  'impersonation.not-allowed': 'La organización no da acceso a soporte.',
  'impersonation.ended': 'La actuación en nombre de esta persona ya ha terminado.',
  'scope.impersonation': 'Actuar en nombre de una persona',
  'scope.impersonation.start': 'Actuar en nombre de una persona',
  'scope.impersonation.end': 'Dejar de actuar en nombre de una persona',
  'error-page.invalid.title': 'La solicitud no es válida',
  'error-page.invalid.lead': 'Vuelve atrás e inténtalo de nuevo.',
  'error-page.unauthenticated.title': 'Inicia sesión primero',
  'error-page.unauthenticated.lead': 'Esta dirección es para usuarios con sesión iniciada.',
  'error-page.not-found.title': 'Página no encontrada',
  'error-page.not-found.lead': 'Puede que la dirección esté mal escrita o que la página se haya movido.',
  'error-page.too-many.title': 'Demasiadas solicitudes',
  'error-page.too-many.lead': 'Espera un minuto y vuelve a cargar la página.',
  'error-page.internal.title': 'Algo ha fallado por nuestra parte',
  'error-page.internal.lead': 'Inténtalo más tarde. Si vuelve a ocurrir, comunícalo con el número de abajo.',
  'error-page.unavailable.title': 'Servicio no disponible temporalmente',
  'error-page.unavailable.lead': 'Vuelve a cargar la página dentro de un minuto.',
  'error-page.home': 'Ir al inicio',
  'error-page.documentation': 'Documentación de la API',
  'identity.page.unusable.title': 'No se puede completar este inicio de sesión',
  'identity.page.unusable.lead':
    'Ha caducado, ya se ha usado o empezó en otro navegador. Inicia sesión de nuevo donde empezaste.',
  'identity.page.not-available.title': 'Este método de inicio de sesión no está disponible',
  'identity.page.not-available.lead':
    'El proveedor de identidad no está configurado aquí. Vuelve atrás e inicia sesión de otro modo.',
  'identity.page.to-provider.title': 'Continúa a tu proveedor de identidad',
  'identity.page.to-provider.lead': 'Tu navegador va allí automáticamente. Si no lo hace, pulsa el botón.',
  'identity.page.to-provider.continue': 'Continuar',
  'identity.page.sign-out.title': 'No se puede completar este cierre de sesión',
  'identity.page.sign-out.lead':
    'La solicitud de tu proveedor de identidad no es válida aquí. Cierra la sesión en la aplicación.',
  'portal.description': 'Tu cuenta, tus organizaciones y tus sesiones.',
  'portal.no-script':
    'Esta página necesita JavaScript. Permítelo para esta dirección y vuelve a cargar la página.',
  'worker.number-taken': 'Otra persona de esta organización tiene este número.',
  'worker.no-owner': 'Un trabajador sin dirección no puede ser propietario.',
  'worker.is-owner': 'Esta persona es propietaria. Quítele primero ese rol.',
  'worker.own': 'No puede hacer esto para usted. Pídaselo a otro miembro.',
  'worker.owns-account': 'Esta persona tiene una dirección y cambia su nombre y dirección por sí misma.',
  'worker.pin-temporary': 'Este PIN es temporal. Elija uno nuevo.',
  'worker.pin-guessable':
    'Elija un PIN más difícil de adivinar: sin series, sin repeticiones, y no su número.',
  'station.other-network': 'Esta estación no está en la red para la que está configurada.',
  'station.pending': 'El dispositivo de esta estación aún no se ha registrado.',
  'station.too-many': 'Puede haber {max} estaciones. Elimine una que no se use.',
  'station.code-refused': 'Este código es incorrecto, está usado o ha caducado. Pida uno nuevo.',
  'scope.worker': 'Trabajadores',
  'scope.worker.read': 'Ver trabajadores',
  'scope.worker.create': 'Añadir trabajadores',
  'scope.worker.create.description': 'Añadir miembros sin dirección, con roles hasta los permisos propios.',
  'scope.worker.update': 'Modificar trabajadores',
  'scope.worker.delete': 'Eliminar trabajadores',
  'scope.worker.suspend': 'Suspender trabajadores',
  'scope.worker.reinstate': 'Reincorporar trabajadores',
  'scope.worker.reset-pin': 'Restablecer PIN',
  'scope.worker.reset-pin.description':
    'Dar a los trabajadores un PIN temporal, por ejemplo si olvidaron el suyo.',
  'scope.worker.issue-badge': 'Emitir tarjetas',
  'scope.worker.revoke-badge': 'Revocar tarjetas',
  'scope.station': 'Estaciones',
  'scope.station.read': 'Ver estaciones',
  'scope.station.create': 'Crear estaciones',
  'scope.station.create.description':
    'Configurar dispositivos compartidos en los que los miembros inician sesión.',
  'scope.station.update': 'Modificar estaciones',
  'scope.station.delete': 'Eliminar estaciones',
  'ability.station':
    'En una estación compartida no puede hacer esto. Inicie sesión en un dispositivo propio.',
};
