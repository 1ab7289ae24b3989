import type { Texts } from '../platform/messages/index.js';

/** French. */
export const fr: Texts = {
  'mail.copy-address': 'Ou copiez cette adresse :',
  'ability.unknown-scope': 'Cette autorisation n’existe pas.',
  'ability.tenant-required': 'Choisissez d’abord une organisation.',
  'ability.held-on-other-things': 'Vos rôles comprennent cette autorisation pour d’autres objets seulement.',
  'ability.scope-not-held': 'Vos rôles ne comprennent pas cette autorisation.',
  'ability.people-only': 'Cela est réservé aux personnes. Un compte de service ne peut pas le faire.',
  'ability.key-without-scope':
    'Cette clé n’a pas cette autorisation. Les rôles de son compte l’ont peut-être.',
  'ability.client-without-scope':
    'Cette application n’a pas cette autorisation. Essayez dans l’application principale.',
  'ability.subject-mismatch': 'Cette autorisation ne s’applique pas à ce type d’élément.',
  'ability.subject-not-found': 'Cet élément n’existe pas dans cette organisation.',
  'ability.second-factor-required':
    'Un second facteur est nécessaire. Confirmez avec le vôtre, ou ajoutez-en un d’abord.',
  'ability.passkey-required':
    'Une clé d’accès est nécessaire. Confirmez avec la vôtre, ou ajoutez-en une d’abord.',
  'ability.tenant-second-factor':
    'Cette organisation exige un second facteur. Confirmez avec le vôtre, ou ajoutez-en un d’abord.',
  'ability.tenant-connection': 'Connectez-vous par le fournisseur de votre organisation, qu’elle exige.',
  'ability.tenant-passkey':
    'Cette organisation exige une clé d’accès. Confirmez avec la vôtre, ou ajoutez-en une d’abord.',
  'ability.tenant-sign-in-too-old':
    'Votre dernière connexion est trop ancienne pour cette organisation. Confirmez que c’est bien vous, puis réessayez.',
  'ability.own-proof':
    'Vous n’êtes connecté que par une organisation. Confirmez avec votre mot de passe ou votre second facteur, ou définissez un mot de passe par e-mail.',
  'ability.tenant-other-connection':
    'Vous n’êtes connecté que par une autre organisation. Confirmez avec votre mot de passe ou votre second facteur, ou définissez un mot de passe par e-mail.',
  'ability.key-without-sso':
    'Cette clé a été créée sans l’authentification unique que l’organisation exige maintenant. Connectez-vous avec elle et créez-en une nouvelle.',
  'ability.key-too-weak':
    'Cette clé a été créée par une connexion plus faible que ce que l’organisation exige maintenant. Créez-en une nouvelle.',
  'ability.tenant-session-too-old':
    'Votre session est trop ancienne pour cette organisation. Connectez-vous à nouveau.',
  'ability.authentication-insufficient':
    'Votre dernière connexion est trop ancienne pour cette action. Confirmez votre identité, puis réessayez.',
  'session.ended': 'La session est déjà terminée.',
  'satellite.public': 'Ce client n’a pas de secret.',
  'satellite.disabled': 'Le satellite est déjà désactivé.',
  'satellite.not-disabled': 'Le satellite n’est pas désactivé.',
  'identity.only-sign-in':
    'C’est votre seul moyen de connexion. Définissez d’abord un mot de passe ou associez une autre identité.',
  'tenant.archived': 'L’organisation est archivée. Restaurez-la d’abord.',
  'tenant.archived-already': 'L’organisation est déjà archivée.',
  'tenant.not-archived': 'L’organisation n’est pas archivée.',
  'tenant.deletion-scheduled-already': 'La suppression de l’organisation est déjà prévue.',
  'tenant.deletion-not-scheduled': 'Aucune suppression de l’organisation n’est prévue.',
  'tenant.slug-reserved': 'Ce nom est réservé au service. Choisissez-en un autre.',
  'tenant.slug-taken': 'Une autre organisation a ce nom dans son adresse. Choisissez-en un autre.',
  'tenant.owners-only': 'Seul un propriétaire peut transférer la propriété.',
  'tenant.last-owner-leaves':
    'Le dernier propriétaire ne peut pas partir. Nommez d’abord un autre membre propriétaire.',
  'member.last-owner':
    'Le dernier propriétaire ne peut être ni retiré ni rétrogradé. Nommez d’abord un autre membre propriétaire.',
  'member.last-owner-suspended':
    'Le dernier propriétaire ne peut pas être suspendu. Nommez d’abord un autre membre propriétaire.',
  'member.suspended-already': 'L’adhésion est déjà suspendue.',
  'member.not-suspended': 'L’adhésion n’est pas suspendue.',
  'member.own-roles':
    'Vous ne pouvez pas modifier vos propres rôles. Demandez à un autre propriétaire ou administrateur.',
  'member.owners-only': 'Seul un propriétaire peut faire cela à un propriétaire.',
  'member.exceeds-caller':
    'Ce membre a des autorisations que vous n’avez pas vous-même. Demandez à un membre qui les a.',
  'role.built-in': 'Un rôle prédéfini ne peut être ni modifié ni supprimé.',
  'role.exceeds-caller': 'Le rôle contient des autorisations que vous n’avez pas vous-même.',
  'role.in-use':
    'Le rôle est utilisé. Retirez-le d’abord à ses membres et comptes de service, et révoquez les invitations qui le donnent.',
  'member.no-change': 'indiquez des rôles ou la fin de l’adhésion',
  'mail.access-ending.subject': 'Votre accès prend bientôt fin',
  'mail.access-ending.membership': 'Votre adhésion à {organization} prend fin le {date}.',
  'mail.access-ending.role': 'Votre rôle {role} dans {organization} prend fin le {date}.',
  'mail.access-ending.what-now':
    'Si vous en avez besoin plus longtemps, demandez à un propriétaire ou administrateur.',
  'mail.access-ending.an-organization': 'une organisation',
  'mail.access-ending.a-role': 'actuel',
  'assignment.owner': 'Un propriétaire possède toute l’organisation. Choisissez un autre rôle.',
  'assignment.past': 'doit être dans le futur',
  'assignment.unknown-thing': 'L’organisation n’a rien de tel.',
  'assignment.too-many': 'Un membre peut avoir {max} rôles sur des objets. Mettez d’abord fin à certains.',
  'invitation.accepted': 'L’invitation a déjà été acceptée.',
  'invitation.revoked': 'L’invitation a déjà été révoquée.',
  'invitation.expired': 'L’invitation a expiré.',
  'invitation.lacks-role':
    'Un rôle de l’invitation a été supprimé. Invitez de nouveau cette adresse avec d’autres rôles.',
  'invitation.owners-only': 'Seul un propriétaire peut désigner un propriétaire.',
  'invitation.exceeds-caller':
    'L’invitation donne des autorisations que vous n’avez pas vous-même. Adressez-vous à un membre qui les a.',
  'sign-in-policy.sso-not-tested':
    'Testez d’abord vous-même la connexion active. Le test doit avoir réussi au cours du dernier jour.',
  'sign-in-policy.sso-no-emergency-owner':
    'Pour les urgences, un propriétaire a besoin d’un second facteur ou d’une clé d’accès, et d’une connexion avec lui dans les 90 jours.',
  'sign-in-policy.own-sign-in':
    'Votre propre connexion ne satisfait pas cette politique. Connectez-vous comme elle l’exige, puis définissez-la.',
  'invitation.other-address':
    'L’invitation a été envoyée à une autre adresse. Connectez-vous avec le compte de cette adresse.',
  'mail.invitation.subject': 'Vous êtes invité(e)',
  'mail.invitation.invited':
    'Vous êtes invité(e) à rejoindre l’organisation {organization}. Connectez-vous avec cette adresse e-mail, ou créez d’abord un compte, puis acceptez l’invitation dans les sept jours.',
  'mail.invitation.invited-without-name':
    'Vous êtes invité(e) à rejoindre une organisation. Connectez-vous avec cette adresse e-mail, ou créez d’abord un compte, puis acceptez l’invitation dans les sept jours.',
  'mail.invitation.unexpected': 'Si vous n’attendiez pas cette invitation, ignorez cet e-mail.',
  'mail.invitation.accept': 'Accepter l’invitation',
  'mail.ownership-transferred.subject': 'Vous avez transféré une organisation',
  'mail.ownership-transferred.done':
    'Un autre membre est propriétaire de l’organisation {organization} à votre place. Vous restez membre.',
  'mail.ownership-transferred.without-name':
    'Un autre membre est propriétaire d’une organisation à votre place. Vous restez membre.',
  'mail.ownership-transferred.what-now':
    'Si ce n’était pas vous, changez votre mot de passe et demandez de l’aide à un propriétaire.',
  'mail.ownership-received.subject': 'Vous êtes propriétaire d’une organisation',
  'mail.ownership-received.done':
    'Un propriétaire vous a transféré la propriété de l’organisation {organization}.',
  'mail.ownership-received.without-name': 'Un propriétaire vous a transféré la propriété d’une organisation.',
  'mail.ownership-received.what-now':
    'Vous pouvez tout y faire : gérer les membres et les rôles, l’archiver et la supprimer.',
  'mail.tenant-deletion.subject': 'Une organisation va être supprimée',
  'mail.tenant-deletion.scheduled':
    'Un propriétaire a prévu la suppression de l’organisation {organization} pour le {time}.',
  'mail.tenant-deletion.scheduled-without-name':
    'Un propriétaire a prévu la suppression d’une de vos organisations pour le {time}.',
  'mail.tenant-deletion.what-goes':
    'Tout ce qu’elle contient disparaît : membres, rôles, invitations et journal d’audit. Les comptes restent. C’est irréversible.',
  'mail.tenant-deletion.cancel':
    'D’ici là, chaque propriétaire peut annuler la suppression ou restaurer l’organisation.',
  'password.common':
    'Ce mot de passe figure sur une liste de mots de passe que les attaquants essaient en premier. Choisissez-en un autre.',
  'password.own-words':
    'Ce mot de passe est votre adresse, votre nom ou votre organisation, que les attaquants essaient en premier. Choisissez-en un autre.',
  'mail.go-to-app': 'Ouvrir l’application',
  'mail.verification.subject': 'Confirmez votre adresse e-mail',
  'mail.verification.registered':
    'Un compte a été créé avec cette adresse e-mail (date : {registeredAt}). Le prénom indiqué est {name}.',
  'mail.verification.registered-without-name':
    'Un compte a été créé avec cette adresse e-mail (date : {registeredAt}). Le prénom indiqué ne peut pas être affiché ici.',
  'mail.verification.was-you':
    'Si c’était vous, confirmez l’adresse dans les 24 heures. Vous aurez besoin du mot de passe que vous avez choisi.',
  'mail.verification.was-not-you':
    'Si ce n’était pas vous, refusez l’inscription. Aucun compte ne sera alors créé.',
  'mail.verification.verify': 'Confirmer cette adresse',
  'mail.verification.refuse': 'Ce n’était pas moi',
  'mail.already-registered.subject': 'Vous avez déjà un compte',
  'mail.already-registered.was-you':
    'Quelqu’un a voulu créer un compte avec cette adresse e-mail, qui en a déjà un. Si c’était vous, connectez-vous, ou réinitialisez votre mot de passe si vous l’avez oublié.',
  'mail.already-registered.was-not-you':
    'Si ce n’était pas vous, vous n’avez rien à faire. Rien n’a été modifié.',
  'mail.already-registered.sign-in': 'Aller à la page de connexion',
  'mail.choose-password.subject': 'Choisissez un mot de passe pour votre compte',
  'mail.choose-password.ready':
    'Vous avez confirmé cette adresse e-mail et votre compte est prêt. L’adresse a été inscrite avec des mots de passe différents ; aucun d’eux n’est utilisé.',
  'mail.choose-password.within':
    'Choisissez votre mot de passe dans l’heure. Ensuite, demandez un nouveau lien avec « Mot de passe oublié ? » sur la page de connexion.',
  'mail.choose-password.choose': 'Choisir un mot de passe',
  'mail.password-reset.subject': 'Réinitialisez votre mot de passe',
  'mail.password-reset.was-you':
    'Quelqu’un a demandé à réinitialiser le mot de passe de votre compte. Si c’était vous, choisissez-en un nouveau : le lien fonctionne une seule fois, pendant une heure.',
  'mail.password-reset.was-not-you':
    'Si ce n’était pas vous, ignorez cet e-mail. Votre mot de passe ne change pas.',
  'mail.password-reset.choose': 'Choisir un nouveau mot de passe',
  'mail.new-password-required.subject': 'Choisissez un nouveau mot de passe',
  'mail.new-password-required.removed':
    'L’assistance de ce service vous demande de choisir un nouveau mot de passe. L’ancien n’est plus valable, et vos appareils ont été déconnectés.',
  'mail.new-password-required.within':
    'Le lien est valable une fois, pendant une heure. Ensuite, demandez-en un nouveau avec « Mot de passe oublié ? » sur la page de connexion.',
  'mail.export-ready.subject': 'Vos données sont prêtes',
  'mail.export-ready.ready':
    'Vous avez demandé tout ce que ce service conserve à votre sujet. Connectez-vous pour le télécharger dans les sept jours.',
  'mail.export-ready.was-not-you':
    'Si ce n’était pas vous, changez votre mot de passe et mettez fin aux sessions que vous ne connaissez pas.',
  'mail.export-ready.by-support':
    'L’assistance de ce service a rassemblé pour vous tout ce que le service conserve à votre sujet. Connectez-vous pour le télécharger dans les sept jours.',
  'mail.export-ready.for-you-alone': 'Vous seul pouvez l’ouvrir. L’assistance ne le peut pas.',
  'mail.password-changed.subject': 'Votre mot de passe a été modifié',
  'mail.password-changed.changed':
    'Le mot de passe de votre compte a été modifié, et les appareils connectés auparavant ont été déconnectés.',
  'mail.password-changed.was-not-you':
    'Si ce n’était pas vous, réinitialisez immédiatement le mot de passe et prévenez votre administrateur.',
  'mail.confirm-email.subject': 'Confirmez votre nouvelle adresse e-mail',
  'mail.confirm-email.asked':
    'Quelqu’un a demandé à utiliser désormais cette adresse e-mail pour son compte.',
  'mail.confirm-email.was-you':
    'Si c’était vous, confirmez l’adresse dans les 24 heures. Vous vous connecterez ensuite avec elle.',
  'mail.confirm-email.was-not-you':
    'Si ce n’était pas vous, ignorez cet e-mail et n’ouvrez pas le lien. Rien n’est alors modifié.',
  'mail.confirm-email.confirm': 'Confirmer cette adresse',
  'mail.email-taken.subject': 'Cette adresse e-mail a déjà un compte',
  'mail.email-taken.asked':
    'Quelqu’un a demandé à utiliser cette adresse e-mail pour un autre compte. Elle appartient à votre compte ; rien n’a été modifié.',
  'mail.email-taken.was-you':
    'Si c’était vous, connectez-vous plutôt avec cette adresse. Une adresse ne peut avoir qu’un seul compte.',
  'mail.email-taken.was-not-you': 'Si ce n’était pas vous, vous n’avez rien à faire.',
  'mail.email-changed.subject': 'L’adresse e-mail de votre compte a été modifiée',
  'mail.email-changed.changed':
    'Votre compte a maintenant une autre adresse e-mail. Vous vous connectez avec elle et les e-mails lui sont envoyés.',
  'mail.email-changed.was-not-you':
    'Si ce n’était pas vous, rétablissez cette adresse dans les sept jours. Tous les appareils sont alors déconnectés et vous choisissez un nouveau mot de passe.',
  'mail.email-changed.undo': 'Rétablir cette adresse',
  'mail.email-restored.subject': 'Votre adresse e-mail a été rétablie',
  'mail.email-restored.restored':
    'Votre compte a de nouveau cette adresse e-mail. Tous les appareils ont été déconnectés et le mot de passe a été supprimé.',
  'mail.email-restored.choose':
    'Choisissez un nouveau mot de passe dans l’heure. Plus tard, demandez un nouveau lien avec « Mot de passe oublié ? » sur la page de connexion. Supprimez ensuite les clés d’accès et les applications d’authentification que vous ne connaissez pas, et créez de nouveaux codes de récupération.',
  'mail.email-code.within':
    'Le code est valable dix minutes et ne peut être utilisé qu’une fois. Ne le communiquez à personne.',
  'mail.sign-in-code.subject': 'Votre code de connexion',
  'mail.sign-in-code.code': 'Votre code de connexion : {code}',
  'mail.sign-in-code.was-not-you':
    'Le lien fonctionne dans le navigateur où vous l’avez demandé. Si ce n’était pas vous, ignorez cet e-mail.',
  'mail.sign-in-code.sign-in': 'Se connecter',
  'mail.step-up-code.subject': 'Confirmez qu’il s’agit de vous',
  'mail.step-up-code.code': 'Votre code de confirmation : {code}',
  'mail.step-up-code.was-not-you':
    'Une personne connectée à votre compte l’a demandé. Si ce n’était pas vous, déconnectez tous les appareils.',
  'mail.new-network.subject': 'Nouvelle connexion à votre compte',
  'mail.new-network.signed-in':
    'Quelqu’un s’est connecté à votre compte depuis un réseau qui n’avait pas encore été utilisé.',
  'mail.new-network.time': 'Date : {time}',
  'mail.new-network.browser': 'Navigateur : {device}',
  'mail.new-network.address': 'Adresse IP : {ipAddress}',
  'mail.new-network.was-not-you':
    'Si c’était vous, vous n’avez rien à faire. Sinon, réinitialisez immédiatement votre mot de passe : tous les appareils seront déconnectés.',
  'mail.account-erased.subject': 'Votre compte a été supprimé',
  'mail.account-erased.erased':
    'Votre compte a été supprimé à la demande d’une personne qui y était connectée. Toutes les données personnelles qu’il contenait ont été effacées. Cette action est irréversible.',
  'mail.account-erased.was-not-you':
    'Si ce n’était pas vous, une autre personne avait accès à votre compte. Prévenez l’exploitant de ce service et changez le mot de passe partout où vous l’utilisez.',
  'mail.account-erased.last':
    'Ceci est le dernier e-mail concernant ce compte. Vous pouvez vous réinscrire à tout moment avec la même adresse.',
  'mail.identity-linked.subject': 'Nouveau moyen de connexion',
  'mail.identity-linked.linked': 'Vous pouvez maintenant vous connecter à votre compte avec {provider}.',
  'mail.identity-linked.was-not-you':
    'Si ce n’était pas vous, connectez-vous, dissociez-le dans « Méthodes de connexion » et changez votre mot de passe.',
  'mail.identities-removed.subject': 'Moyens de connexion retirés',
  'mail.identities-removed.removed':
    'Votre mot de passe a été réinitialisé. Ces moyens de connexion ont été dissociés, au cas où une autre personne les aurait ajoutés : {providers}.',
  'mail.identities-removed.link-again':
    'Pour les utiliser à nouveau, connectez-vous avec votre nouveau mot de passe et associez-les dans « Méthodes de connexion ».',
  'mail.identity-unlinked.subject': 'Moyen de connexion retiré',
  'mail.identity-unlinked.unlinked': 'Vous ne pouvez plus vous connecter à votre compte avec {provider}.',
  'mail.identity-unlinked.was-not-you':
    'Si ce n’était pas vous, réinitialisez votre mot de passe : tous les appareils seront déconnectés. Associez-le ensuite de nouveau dans « Méthodes de connexion ».',
  'scope.tenant': 'Organisation',
  'scope.tenant.read': 'Voir l’organisation',
  'scope.tenant.read.description': 'Voir son nom et son état.',
  'scope.tenant.update': 'Renommer l’organisation',
  'scope.tenant.update.description': 'Changer son nom pour tous les membres.',
  'scope.tenant.archive': 'Archiver l’organisation',
  'scope.tenant.archive.description': 'Y bloquer toute modification. Elle peut être restaurée.',
  'scope.tenant.restore': 'Restaurer l’organisation',
  'scope.tenant.restore.description':
    'Autoriser de nouveau les modifications dans une organisation archivée.',
  'scope.tenant.delete': 'Supprimer l’organisation',
  'scope.tenant.delete.description': 'Planifier la suppression d’une organisation archivée.',
  'scope.tenant.read-deletion': 'Voir la suppression',
  'scope.tenant.read-deletion.description': 'Voir ce qu’une suppression retire, et quand.',
  'scope.tenant.cancel-deletion': 'Annuler la suppression',
  'scope.tenant.cancel-deletion.description': 'Conserver une organisation dont la suppression est planifiée.',
  'scope.tenant.transfer-ownership': 'Transférer la propriété',
  'scope.tenant.transfer-ownership.description': 'Faire d’un autre membre le propriétaire à sa place.',
  'scope.tenant.leave': 'Quitter l’organisation',
  'scope.tenant.leave.description': 'Mettre fin à sa propre adhésion.',
  'scope.sign-in-policy': 'Politique de connexion',
  'scope.sign-in-policy.read': 'Voir la politique de connexion',
  'scope.sign-in-policy.read.description':
    'Voir ce que les membres doivent prouver et combien ne pourraient pas entrer.',
  'scope.sign-in-policy.update': 'Modifier la politique de connexion',
  'scope.sign-in-policy.update.description':
    'Exiger de tous les membres un second facteur et une connexion récente.',
  'scope.member': 'Membres',
  'scope.member.read': 'Voir les membres',
  'scope.member.read.description': 'Voir les noms, adresses, rôles et dernières activités.',
  'scope.member.update': 'Modifier les rôles des membres',
  'scope.member.update.description':
    'Donner et retirer des rôles, dans la limite de ses propres autorisations.',
  'scope.member.remove': 'Retirer des membres',
  'scope.member.remove.description': 'Mettre fin à l’adhésion d’autres personnes.',
  'scope.member.suspend': 'Suspendre des membres',
  'scope.member.suspend.description': 'Retirer l’accès à des membres sans mettre fin à leur adhésion.',
  'scope.member.restore': 'Rétablir des membres',
  'scope.member.restore.description': 'Rendre l’accès à des membres suspendus.',
  'scope.role': 'Rôles',
  'scope.role.read': 'Voir les rôles',
  'scope.role.read.description': 'Voir tous les rôles et leurs autorisations.',
  'scope.role.create': 'Créer des rôles',
  'scope.role.create.description': 'Ajouter des rôles avec des autorisations que l’on détient soi-même.',
  'scope.role.update': 'Modifier les rôles',
  'scope.role.update.description': 'Modifier le nom et les autorisations des rôles propres à l’organisation.',
  'scope.role.delete': 'Supprimer des rôles',
  'scope.role.delete.description': 'Supprimer les rôles qui ne sont pas utilisés.',
  'scope.invitation': 'Invitations',
  'scope.invitation.read': 'Voir les invitations',
  'scope.invitation.read.description': 'Voir qui a été invité, et pour quels rôles.',
  'scope.invitation.create': 'Inviter des personnes',
  'scope.invitation.create.description': 'Inviter des adresses pour des rôles que l’on peut donner.',
  'scope.invitation.resend': 'Renvoyer des invitations',
  'scope.invitation.resend.description': 'Envoyer un nouveau lien ; le précédent prend fin.',
  'scope.invitation.revoke': 'Révoquer des invitations',
  'scope.invitation.revoke.description': 'Mettre fin à une invitation avant son acceptation.',
  'scope.audit': 'Journal d’audit',
  'scope.audit.read': 'Voir le journal d’audit',
  'scope.audit.read.description': 'Voir qui a modifié quoi dans l’organisation.',
  'operator.exists': 'Cette personne est déjà opérateur. Modifiez plutôt ce que l’opérateur peut faire.',
  'operator.last-admin': 'Le dernier administrateur sans restriction le reste. Nommez-en d’abord un autre.',
  'scope.permission': 'Autorisations d’autres services',
  'scope.permission.read': 'Voir les autorisations d’autres services',
  'scope.permission.register': 'Enregistrer des autorisations d’autres services',
  'scope.permission.remove': 'Retirer des autorisations d’autres services',
  'permission.module-declared': 'Un module du service porte ce nom. Choisissez-en un autre.',
  'permission.not-registered': 'Aucune autorisation n’est enregistrée sous ce nom.',
  'permission.too-many-modules': 'Il y a déjà {max} modules. Retirez-en un d’abord.',
  'permission.of-other-module': 'doit commencer par {module}:',
  'permission.twice': 'est déjà dans la liste',
  'scope.operator': 'Opérateurs',
  'scope.operator.read': 'Voir les opérateurs',
  'scope.operator.create': 'Nommer des opérateurs',
  'operator.scope-not-of-role': 'Le rôle n’a pas cette autorisation.',
  'operator.scope-of-whole-admins': 'Seuls les administrateurs sans restriction ont cette autorisation.',
  'scope.operator.update': 'Modifier ce que les opérateurs peuvent faire',
  'scope.operator.remove': 'Retirer des opérateurs',
  'scope.client': 'Applications de l’organisation',
  'scope.client.read': 'Voir les applications auxquelles les membres se connectent',
  'scope.client.create': 'Enregistrer des applications pour les membres',
  'scope.client.update': 'Modifier les applications des membres',
  'scope.client.rotate-secret': 'Renouveler les secrets des applications',
  'scope.client.delete': 'Supprimer les applications des membres',
  'scope.api': 'API',
  'scope.api.read': 'Afficher les API qui acceptent des jetons',
  'scope.api.create': 'Enregistrer des API',
  'scope.api.update': 'Modifier les API et leurs identifiants',
  'scope.api.delete': 'Supprimer des API',
  'scope.satellite': 'Satellites',
  'scope.satellite.read': 'Voir les satellites',
  'scope.satellite.create': 'Enregistrer des satellites',
  'scope.satellite.update': 'Modifier des satellites',
  'scope.satellite.rotate-secret': 'Renouveler les secrets des satellites',
  'scope.satellite.disable': 'Désactiver des satellites',
  'scope.satellite.enable': 'Activer des satellites',
  'mail.session-traces.subject': 'Ce que vos sessions précédentes ont créé',
  'mail.session-traces.left': 'Ceci a été ajouté à votre compte dans une session et reste après elle :',
  'mail.session-traces.authenticator-app': 'Application d’authentification {name}, {date}',
  'mail.session-traces.passkey': 'Clé d’accès {name}, {date}',
  'mail.session-traces.trusted-device': 'Appareil de confiance, {date}',
  'mail.session-traces.identity': 'Connexion par un fournisseur, {date}',
  'mail.session-traces.personal-key': 'Clé personnelle {name}, {date}',
  'mail.session-traces.end':
    'Si quelque chose n’est pas de vous, mettez fin d’un geste à ce que sa session a créé.',
  'mail.session-traces.see': 'Voir ce que les sessions ont créé',
  'scope.session': 'Sessions',
  'scope.session.end': 'Mettre fin à ses sessions',
  'scope.identity': 'Identités associées',
  'scope.identity.unlink': 'Dissocier ses identités',
  'authenticator.required-by-organization':
    'Une de vos organisations l’exige. Ajoutez-en un autre d’abord, ou quittez l’organisation.',
  'authenticator.of-other-organization':
    'Il compte dans une autre organisation. Pour le modifier, connectez-vous avec un moyen qui vous appartient, ou comme cette organisation le demande.',
  'mail.authenticators.was-not-you':
    'Si ce n’était pas vous, connectez-vous, supprimez ce que vous ne connaissez pas et changez aussitôt votre mot de passe.',
  'mail.authenticators.see': 'Vérifier vos paramètres de sécurité',
  'mail.totp-added.subject': 'Application d’authentification ajoutée',
  'mail.totp-added.text':
    'Une application d’authentification a été ajoutée à votre compte. Ses codes sont désormais demandés à chaque connexion.',
  'mail.passkey-added.subject': 'Clé d’accès ajoutée',
  'mail.passkey-added.text': 'Une clé d’accès a été ajoutée à votre compte. Elle permet de se connecter.',
  'mail.totp-removed.subject': 'Application d’authentification supprimée',
  'mail.totp-removed.text': 'Une application d’authentification a été supprimée de votre compte.',
  'mail.passkey-removed.subject': 'Clé d’accès supprimée',
  'mail.passkey-removed.text': 'Une clé d’accès a été supprimée de votre compte.',
  'mail.totp-renamed.subject': 'Application d’authentification renommée',
  'mail.totp-renamed.text': 'Une application d’authentification de votre compte a un nouveau nom.',
  'mail.passkey-renamed.subject': 'Clé d’accès renommée',
  'mail.passkey-renamed.text': 'Une clé d’accès de votre compte a un nouveau nom.',
  'mail.trusted-device-removed.subject': 'Appareil qui n’est plus de confiance',
  'mail.trusted-device-removed.text':
    'Vous avez retiré un appareil de confiance. La prochaine connexion y demandera le second facteur.',
  'mail.recovery-codes-renewed.subject': 'Nouveaux codes de récupération',
  'mail.recovery-codes-renewed.text':
    'De nouveaux codes de récupération ont été créés pour votre compte. Les anciens ne fonctionnent plus.',
  'mail.recovery-code-used.subject': 'Code de récupération utilisé',
  'mail.recovery-code-used.text':
    'Un code de récupération de votre compte a été utilisé. {left, plural, =0 {Il n’en reste aucun : créez-en de nouveaux.} one {Il en reste un.} other {Il en reste #.}}',
  'mail.totp-blocked.subject': 'Application d’authentification bloquée',
  'mail.totp-blocked.text':
    'Trop de codes erronés ont été saisis après votre mot de passe. Les codes de votre application d’authentification sont refusés jusqu’à ce que vous utilisiez un code de récupération ou une clé d’accès. Changez votre mot de passe.',
  'mail.authenticators-reset-scheduled.subject': 'Vos seconds facteurs vont être supprimés',
  'mail.authenticators-reset-scheduled.text':
    'Il a été demandé à l’assistance de supprimer les seconds facteurs de votre compte : applications d’authentification, clés d’accès et codes de récupération. Ils seront supprimés le {time}. Ensuite, votre mot de passe ou votre fournisseur suffira pour vous connecter.',
  'mail.authenticators-reset-scheduled.reason': 'Motif noté par l’assistance : {reason}',
  'mail.authenticators-reset-scheduled.cancel':
    'Si vous ne l’avez pas demandé, annulez maintenant et changez votre mot de passe : une autre personne essaie peut-être d’entrer dans votre compte.',
  'mail.authenticators-reset-scheduled.action': 'Annuler la suppression',
  'mail.authenticators-reset.subject': 'Seconds facteurs supprimés',
  'mail.authenticators-reset.text':
    'Les seconds facteurs de votre compte ont été supprimés, comme demandé à l’assistance. Ajoutez-en un nouveau maintenant.',
  'mail.authenticators-reset-cancelled.subject': 'Seconds facteurs conservés',
  'mail.authenticators-reset-cancelled.text':
    'La suppression de vos seconds facteurs a été annulée. Rien n’a changé.',
  'person.no-second-factor': 'Cette personne n’a pas de second facteur.',
  'person.reset-pending':
    'Une réinitialisation est déjà prévue pour cette personne. Attendez-la ou faites-la annuler.',
  'job.running': 'La tâche est en cours. Attendez la fin de cette tentative.',
  'job.not-failed': 'La tâche n’a pas échoué. Elle s’exécutera le moment venu.',
  'scope.import': 'Importation',
  'scope.import.create': 'Importer les personnes d’un autre système',
  'scope.job': 'Tâches',
  'scope.job.read': 'Voir les tâches en attente',
  'scope.job.retry': 'Relancer des tâches échouées',
  'scope.operated-tenant': 'Organisations de la plateforme',
  'scope.operated-tenant.read': 'Trouver des organisations et les voir',
  'scope.operated-tenant.export': 'Exporter ce qui est conservé au sujet des organisations',
  'scope.operated-tenant.limit': 'Modifier les limites des organisations',
  'scope.operated-tenant.archive': 'Archiver des organisations',
  'scope.operated-tenant.restore': 'Rétablir des organisations archivées',
  'scope.platform-audit': 'Journal de la plateforme',
  'scope.platform-audit.read': 'Voir le journal de la plateforme',
  'scope.person': 'Personnes',
  'person.operator': 'Cette personne est opérateur. Retirez d’abord l’opérateur.',
  'person.exceeds-caller':
    'Cet opérateur a des droits que vous n’avez pas. Demandez à un opérateur qui les a.',
  'person.erasure-requested': 'Vous avez demandé cet effacement. Un autre opérateur doit le confirmer.',
  'person.appointed-lately':
    'Votre nomination est trop récente : un jour doit passer, et la demande doit lui être postérieure.',
  'person.no-erasure': 'Aucun effacement de cette personne n’est en attente.',
  'mail.not-resendable': 'Cet e-mail ne peut pas être renvoyé : il est en attente, a expiré ou a été retiré.',
  'mail.link-void':
    'Le lien ou le code de cet e-mail a été utilisé ou remplacé. Il faut demander un nouvel e-mail.',
  'mail.resent-enough': 'Cinq e-mails de ce type ont été envoyés à cette personne en une heure. Attendez.',
  'person.suspended': 'Le compte est suspendu. Rétablissez-le d’abord.',
  'person.not-suspended': 'Le compte n’est pas suspendu.',
  'person.no-address': 'Cette personne n’a pas d’adresse à laquelle envoyer un e-mail.',
  'person.no-password': 'Cette personne n’a pas de mot de passe.',
  'scope.person.read': 'Trouver des personnes et voir leurs comptes',
  'scope.person.suspend': 'Suspendre des comptes',
  'scope.person.restore': 'Rétablir des comptes suspendus',
  'scope.person.end-sessions': 'Mettre fin aux sessions des personnes',
  'scope.person.send-password-reset': 'Envoyer aux personnes le lien de réinitialisation du mot de passe',
  'scope.person.require-new-password': 'Exiger de nouveaux mots de passe',
  'scope.person.export': 'Lancer des exports de données que seule la personne peut lire',
  'scope.person.erase': 'Effacer des comptes',
  'scope.person.keep': 'Retirer des demandes d’effacement de comptes',
  'scope.person.resend-mail': 'Renvoyer des e-mails aux personnes',
  'scope.person.reset-authenticators': 'Réinitialiser les seconds facteurs des personnes',
  'mail.password-removed.subject': 'Mot de passe supprimé',
  'mail.password-removed.text':
    'Le mot de passe a été supprimé de votre compte. Vous vous connectez avec vos clés d’accès.',
  'scope.webhook-subscription': 'Webhooks',
  'scope.webhook-subscription.read': 'Voir les webhooks',
  'scope.webhook-subscription.create': 'Créer des webhooks',
  'scope.webhook-subscription.update': 'Modifier des webhooks',
  'scope.webhook-subscription.delete': 'Supprimer des webhooks',
  'scope.webhook-subscription.rotate': 'Renouveler les secrets des webhooks',
  'scope.webhook-subscription.test': 'Envoyer des événements de test',
  'scope.webhook-delivery': 'Livraisons des webhooks',
  'scope.webhook-delivery.read': 'Voir les livraisons et leurs tentatives',
  'scope.webhook-delivery.redeliver': 'Livrer à nouveau',
  'scope.webhook-event': 'Événements',
  'scope.webhook-event.read': 'Lire les événements',
  'scope.operator-webhook': 'Webhooks de la plateforme',
  'scope.operator-webhook.read': 'Voir les webhooks, livraisons et événements de la plateforme',
  'scope.operator-webhook.rotate': 'Renouveler les secrets des webhooks de la plateforme',
  'scope.operator-webhook.manage': 'Gérer les webhooks de la plateforme',
  'service-account.exceeds-caller':
    'Le compte de service détient des autorisations que vous n’avez pas vous-même. Demandez à un membre qui les a.',
  'service-account.disabled-already': 'Le compte de service est déjà désactivé.',
  'service-account.not-disabled': 'Le compte de service n’est pas désactivé.',
  'scope.service-account': 'Comptes de service',
  'scope.service-account.read': 'Voir les comptes de service',
  'scope.service-account.create': 'Créer des comptes de service',
  'scope.service-account.create.description':
    'Ajouter des programmes comme membres, avec des rôles dans la limite de ses propres autorisations.',
  'scope.service-account.update': 'Modifier les comptes de service',
  'scope.service-account.delete': 'Supprimer les comptes de service',
  'scope.service-account.disable': 'Désactiver les comptes de service',
  'scope.service-account.disable.description': 'Refuser leurs clés sans les supprimer.',
  'scope.service-account.enable': 'Activer les comptes de service',
  'mail.platform-key-expiring.subject': 'Une clé de la plateforme expire',
  'mail.platform-key-expiring.text':
    'La clé « {name} » d’un compte de service de la plateforme expire le {date}.',
  'mail.platform-key-expiring.replace':
    'Créez-en une nouvelle pour le programme qui l’utilise, puis révoquez celle-ci.',
  'mail.leaked-key.subject': 'Une clé a été trouvée en public',
  'mail.leaked-key.text': 'La clé « {name} » a été signalée comme trouvée en public. Elle a été révoquée.',
  'mail.leaked-key.replace':
    'Créez-en une nouvelle pour le programme qui l’utilisait, et cherchez qui a pu la lire.',
  'personal-key.forbidden':
    'Cette organisation n’autorise pas les clés des membres. Demandez un compte de service.',
  'scope.key-policy': 'Politique des clés',
  'scope.key-policy.read': 'Voir la politique des clés',
  'scope.key-policy.update': 'Modifier la politique des clés',
  'scope.key-policy.update.description':
    'Limiter la durée de vie des clés, et dire si les membres ont leurs propres clés.',
  'scope.trust-rule': 'Charges de travail',
  'scope.trust-rule.read': 'Voir les charges de travail approuvées',
  'scope.trust-rule.create': 'Approuver des charges de travail',
  'scope.trust-rule.delete': 'Ne plus approuver des charges de travail',
  'scope.api-key': 'Clés des comptes de service',
  'scope.api-key.read': 'Voir les clés',
  'scope.api-key.create': 'Créer des clés',
  'scope.api-key.create.description': 'Une clé agit avec les rôles de son compte de service.',
  'scope.api-key.revoke': 'Révoquer des clés',
  'mail.webhook-disabled.subject': 'Un webhook a été désactivé',
  'mail.webhook-disabled.your-organization': 'votre organisation',
  'mail.webhook-disabled.text': 'Un webhook de {organization} vers {host} a été désactivé.',
  'mail.webhook-disabled.of-platform': 'Un webhook de la plateforme vers {host} a été désactivé.',
  'mail.webhook-disabled.enable':
    'Voyez la raison dans ses livraisons, et réactivez-le dès que le destinataire accepte des événements.',
  'domain.in-use': 'Une connexion utilise le domaine. Retirez d’abord le domaine de la connexion.',
  'connection-test.passed': 'Conforme.',
  'connection-test.skipped': 'Non vérifié, car une vérification précédente a échoué.',
  'connection-test.provider.failed':
    "Le fournisseur n'a pas répondu, ou pas en cinq secondes. Vérifiez l'issuer et que son adresse est joignable.",
  'connection-test.code.failed':
    "Le fournisseur a refusé d'échanger le code. Vérifiez l'identifiant et le secret du client.",
  'connection-test.code.denied':
    "Le fournisseur a refusé la connexion. Vérifiez que l'application vous est attribuée.",
  'connection-test.code.invalid':
    'La réponse du fournisseur n’est pas valide selon OpenID Connect. Vérifiez le type de l’application chez le fournisseur.',
  'connection-test.nonce.failed': "Le jeton d'identité est pour une autre connexion. Recommencez le test.",
  'connection-test.response.failed': "La réponse n'est pas une réponse SAML lisible en toute sécurité.",
  'connection-test.response.encrypted':
    "L'assertion est chiffrée. Activez le chiffrement pour la connexion, ou désactivez-le chez le fournisseur.",
  'connection-test.response.not-encrypted':
    "L'assertion n'est pas chiffrée. Activez le chiffrement chez le fournisseur, ou désactivez-le pour la connexion.",
  'connection-test.response.decryption':
    "L'assertion ne peut pas être déchiffrée. Importez de nouveau les métadonnées de cette connexion chez le fournisseur, et choisissez AES-GCM avec RSA-OAEP.",
  'connection-test.response.status':
    "Le fournisseur a refusé la connexion. Vérifiez que l'application vous est attribuée.",
  'connection-test.issuer.failed':
    "L'émetteur n'est pas celui des paramètres. Comparez-les à la lettre, barre oblique finale comprise.",
  'connection-test.recipient.failed':
    "La réponse est pour une autre adresse. Saisissez l'URL ACS de cette connexion chez le fournisseur.",
  'connection-test.request.failed':
    'La réponse ne correspond à aucune demande de ce test. Commencez la connexion par le test, et non chez le fournisseur.',
  'connection-test.times.authentication':
    'Le fournisseur indique une connexion ancienne (AuthnInstant), alors qu’une nouvelle était demandée. Augmentez ou supprimez la limite authnInstantMaxAge, comme Google Workspace en a besoin.',
  'connection-test.times.failed':
    "Les heures de la réponse ne conviennent pas : elle a expiré, n'est pas encore valable, ou l'horloge du fournisseur est fausse.",
  'connection-test.times.confirmation':
    "La confirmation du sujet n'est pas « bearer » ou a expiré. Vérifiez l'horloge du fournisseur.",
  'connection-test.audience.failed':
    "La réponse est pour une autre application. Saisissez l'identifiant d'entité ou de client de cette connexion chez le fournisseur.",
  'connection-test.audience.others':
    'Le jeton d’identité est aussi destiné à d’autres applications. Si vous leur faites confiance, indiquez-les dans trustedAudiences.',
  'connection-test.signature.failed':
    "La signature n'est pas valide. Comparez le certificat ou les clés de signature avec ceux du fournisseur.",
  'connection-test.signature.missing':
    "L'assertion n'est pas signée. Activez sa signature chez le fournisseur.",
  'connection-test.signature.algorithm':
    "L'algorithme de signature n'est pas autorisé. Choisissez RSA avec SHA-256 ou plus chez le fournisseur.",
  'connection-test.subject.failed':
    "Le NameID manque, est transitoire ou d'une autre partie. Choisissez un NameID persistant ou l'adresse.",
  'connection-test.subject.other':
    'Les données de UserInfo concernent une autre personne que le jeton d’identité. Vérifiez le fournisseur.',
  'connection-test.claim.missing':
    'Il manque {claim} au jeton d’identité. Ajoutez-le à ce que le fournisseur envoie.',
  'connection-test.domain.none':
    "La connexion n'a pas de domaine vérifié. Vérifiez-en un et attribuez-le à la connexion.",
  'connection-test.domain.missing':
    "Le fournisseur n'a envoyé aucune adresse de ces domaines : {domains}. Ajoutez l'adresse à ce qu'il envoie.",
  'connection-test.domain.failed': "L'adresse n'est d'aucun de ces domaines : {domains}.",
  'connection-test.attributes.passed': 'Reçus : {count}.',
  'connection-test.roles.passed': 'Rôles qui suivent : {roles}.',
  'connection-test.roles.incomplete':
    'Le fournisseur n’a pas envoyé tous les groupes, ou il y en a trop à comparer. Une telle connexion ne change aucun rôle. Faites envoyer au fournisseur seulement les groupes attribués à l’application.',
  'connection-test.roles.none':
    'Aucun rôle ne suit : les personnes ne sont pas ajoutées à la connexion, ou aucune règle ne correspond.',
  'connection.active-already': 'La connexion est déjà active.',
  'connection.exceeds-caller':
    'Des personnes qui ont plus d’autorisations que vous peuvent se connecter par cette connexion. Demandez à un propriétaire de la modifier.',
  'setup-link.exceeds-creator':
    'Des personnes qui ont plus d’autorisations que le créateur du lien peuvent se connecter par cette connexion. Demandez un nouveau lien à un propriétaire.',
  'connection.owners-only': 'Seul un propriétaire peut confirmer ou refuser.',
  'connection.change-outdated':
    'Les paramètres ont changé depuis la demande. Refusez-la et faites-la refaire.',
  'connection.requester-ended':
    'La personne qui l’a demandé ne peut plus modifier la connexion, ou le lien de configuration a été révoqué. Refusez la demande.',
  'connection.too-many-waiting':
    'Dix modifications attendent déjà. Un propriétaire en confirme ou en refuse une d’abord.',
  'scope.connection.confirm': 'Confirmer les modifications de connexions',
  'mail.connection-change.waits-subject':
    'Une modification de votre authentification unique attend un propriétaire',
  'mail.connection-change.applied-subject': 'Votre authentification unique a été modifiée',
  'mail.connection-change.waits':
    'Une modification d’une connexion de {organization} a été demandée. Rien ne change avant qu’un propriétaire la confirme sur la page de la connexion.',
  'mail.connection-change.applied': 'Une connexion de {organization} accepte désormais autre chose.',
  'mail.connection-change.actor': 'Par : {actor}',
  'mail.connection-change.by-member': 'un membre',
  'mail.connection-change.by-setup-link': 'un lien de configuration',
  'mail.connection-change.by-provider': 'les métadonnées du fournisseur',
  'mail.connection-change.added': 'Nouveau certificat (SHA-256) : {sha256}',
  'mail.connection-change.removed': 'Certificat supprimé (SHA-256) : {sha256}',
  'mail.connection-change.check':
    'Le détenteur d’une clé acceptée peut se connecter comme chaque membre qui utilise la connexion. Si vous ne connaissez pas cette modification, refusez-la ou désactivez la connexion.',
  'connection.not-tested':
    'La connexion n’a pas été testée depuis le changement de ses paramètres. Testez-la d’abord.',
  'scope.connection': 'Connexions',
  'scope.connection.read': 'Voir les connexions',
  'scope.connection.create': 'Créer des connexions',
  'scope.connection.update': 'Modifier et désactiver des connexions',
  'scope.connection.activate': 'Activer des connexions',
  'scope.connection.test': 'Tester des connexions',
  'scope.connection.delete': 'Supprimer des connexions',
  'scope.domain': 'Domaines',
  'scope.domain.read': 'Voir les domaines',
  'scope.domain.create': 'Ajouter des domaines',
  'scope.domain.verify': 'Vérifier des domaines',
  'scope.domain.delete': 'Retirer des domaines',
  'connection.enforced':
    'La politique de connexion exige cette connexion. Rendez d’abord l’authentification unique facultative.',
  'mail.emergency-entry.subject': 'Un propriétaire s’est connecté sans authentification unique',
  'mail.emergency-entry.text':
    'Un propriétaire est entré dans {organization} par un second facteur ou une clé d’accès, sans le fournisseur qu’elle exige.',
  'mail.emergency-entry.check':
    'Si ce n’était aucun de vous, mettez fin aux sessions des propriétaires et vérifiez le journal d’audit.',
  'scope.setup-link': 'Liens de configuration',
  'scope.setup-link.read': 'Voir les liens de configuration',
  'scope.setup-link.create': 'Créer des liens de configuration',
  'scope.setup-link.revoke': 'Révoquer des liens de configuration',
  'setup-link.invalid':
    'Le lien n’est pas valide : il a expiré ou a été révoqué. Demandez-en un autre à l’organisation.',
  'setup-link.other-intent': 'Le lien n’est pas prévu pour cela. Demandez-en un autre à l’organisation.',
  'setup-link.one-connection': 'Le lien a déjà sa connexion. Modifiez celle-ci.',
  'setup-link.one-directory': 'Le lien a déjà son annuaire.',
  'setup-link.active-domains':
    'La connexion est active. Ses domaines sont modifiés par des membres de l’organisation.',
  'setup-link.not-held': 'nécessite {scope}, que vous n’avez pas',
  'setup-link.too-many': 'Il peut y avoir {max} liens de configuration actifs. Révoquez-en un d’abord.',
  'setup-link.too-many-mails':
    'Cette adresse a reçu trop de liens de configuration. Réessayez dans une heure.',
  'mail.setup-link.subject': 'Configurer l’authentification unique',
  'mail.setup-link.an-organization': 'Une organisation',
  'mail.setup-link.text':
    '{organization} vous demande de connecter son fournisseur d’identité. Aucun compte n’est nécessaire.',
  'mail.setup-link.secret':
    'Le lien est valable sept jours. Toute personne qui l’a peut modifier la configuration : ne le transférez pas.',
  'mail.setup-link.unexpected': 'Si vous n’attendez pas ce message, ignorez-le.',
  'mail.setup-link.open': 'Ouvrir la configuration',
  'connection.only-certificate': 'C’est le seul certificat de la connexion. Ajoutez-en d’abord un autre.',
  'mail.certificate-expiring.subject': 'Un certificat de votre authentification unique expire',
  'mail.certificate-expiring.text':
    'Un certificat du fournisseur d’identité de {organization} expire le {date}.',
  'mail.certificate-expiring.effect':
    'Si votre fournisseur signe encore avec lui après ce jour, les membres ne pourront plus se connecter. Ajoutez avant le nouveau certificat à la connexion.',
  'mail.domain-lapsed.subject': 'Un domaine n’est plus vérifié',
  'mail.domain-lapsed.your-organization': 'votre organisation',
  'mail.domain-lapsed.text':
    'L’enregistrement qui prouve le domaine {domain} de {organization} manque depuis sept jours.',
  'mail.domain-lapsed.by-operator': 'L’exploitant du service a retiré le domaine {domain} à {organization}.',
  'mail.domain-lapsed.effect':
    'Les membres dont la connexion est liée peuvent encore se connecter, les nouvelles personnes de ce domaine non. Rétablissez l’enregistrement, puis vérifiez de nouveau le domaine.',
  'error.forbidden': 'Cela n’est pas autorisé.',
  'error.conflict': 'La requête contredit l’état actuel.',
  'error.precondition-failed': 'L’élément a changé depuis sa lecture.',
  'tenant.name-differs': 'Saisissez le nom de l’organisation.',
  'member.too-many-organizations':
    'Vous êtes dans {max} organisations, le maximum. Quittez-en une dont vous n’avez pas besoin ; là où vous êtes le dernier propriétaire, nommez d’abord un autre membre propriétaire.',
  'role.key-taken': 'Il existe déjà un rôle avec la clé {key}.',
  'role.too-many': 'Une organisation peut avoir {max} rôles propres. Supprimez-en un qui n’est pas utilisé.',
  'role.unknown': 'Cette organisation n’a pas de rôle {key}.',
  'role.named-exceeds-caller': 'Le rôle {key} contient des autorisations que vous n’avez pas vous-même.',
  'role.unknown-permission': 'Cette autorisation n’existe pas dans les organisations.',
  'role.permission-not-held': 'Vous n’avez pas vous-même cette autorisation.',
  'invitation.open-already':
    'Cette adresse a déjà une invitation en cours. Renvoyez-la, ou révoquez-la d’abord.',
  'invitation.member-already': 'Cette adresse appartient déjà à un membre.',
  'invitation.too-many': 'Trop d’invitations ont été envoyées à cette adresse. Réessayez dans une heure.',
  'mail.other-connections.your-organization': 'votre organisation',
  'mail.other-connections.subject': 'Les connexions d’autres organisations ouvrent la vôtre',
  'mail.other-connections.text':
    'Les personnes connectées seulement par le fournisseur d’une autre organisation peuvent entrer dans {organization}. Dans les nouvelles organisations, elles ne le peuvent pas.',
  'mail.other-connections.change':
    'Pour les refuser, modifiez la politique de connexion de votre organisation.',
  'tenant.mails-used-up':
    'Votre organisation a envoyé ses {max} e-mails du jour hors de ses domaines vérifiés. Vérifiez le domaine, réessayez demain ou demandez davantage aux opérateurs de ce service.',
  'tenant.too-many-today': 'Vous pouvez créer {max} organisations par jour. Réessayez demain.',
  'invitation.too-many-open':
    'Votre organisation a {max} invitations ouvertes, le maximum. Révoquez-en, attendez que certaines soient acceptées ou demandez davantage aux opérateurs de ce service.',
  'email-change.too-many': 'Vous pouvez demander {max} changements d’adresse par jour. Réessayez demain.',
  'invitation.account-already': 'Cette adresse a un compte. Connectez-vous pour accepter l’invitation.',
  'invitation.not-valid':
    'L’invitation n’est plus valable. Demandez-en une nouvelle au membre qui vous a invité(e).',
  'error.invalid-credentials': 'L’adresse e-mail ou le mot de passe est incorrect.',
  'error.email-not-verified': 'L’adresse e-mail n’a pas encore été confirmée.',
  'password.wrong': 'Le mot de passe est incorrect.',
  'password.current-wrong': 'Le mot de passe actuel est incorrect.',
  'password.no-recipient': 'Le compte est suspendu ou n’a pas d’adresse à laquelle envoyer un lien.',
  'password.too-many-mails': 'Cette adresse a reçu trop de ces e-mails. Attendez une heure, puis réessayez.',
  'export.one-a-day':
    'Vous avez déjà demandé vos données au cours des dernières 24 heures. Utilisez cet export, ou réessayez plus tard.',
  'export.person-one-a-day':
    'Un export de cette personne a été lancé au cours des dernières 24 heures. Réessayez plus tard.',
  'export.page.title': 'Ce qui est conservé à votre sujet',
  'export.page.lead':
    'État au {time}. Les secrets, comme votre mot de passe, n’y figurent pas. Les descriptions sont en anglais.',
  'export.page.entries':
    '{count, plural, =0 {Aucune entrée} one {# entrée} many {# entrées} other {# entrées}}',
  'export.page.yes': 'oui',
  'export.page.no': 'non',
  'export.not-ready': 'Vos données ne sont pas encore prêtes. Un e-mail vous préviendra.',
  'password.none': 'Ce compte n’a pas de mot de passe. Reconnectez-vous plutôt avec un fournisseur externe.',
  'password.link-not-valid': 'Le lien n’est plus valable. Demandez-en un nouveau.',
  'registration.wrong-password':
    'Aucune inscription de cette adresse n’a ce mot de passe. Saisissez celui de votre inscription.',
  'registration.link-not-valid': 'Le lien n’est plus valable. Demandez-en un nouveau.',
  'email-change.managed':
    'Un annuaire de votre organisation gère cette adresse. Votre administrateur peut l’y changer.',
  'email-change.own-address': 'C’est déjà l’adresse de votre compte.',
  'email-change.link-not-valid':
    'Le lien n’est plus valable. Demandez à nouveau le changement dans votre compte.',
  'email-change.undo-not-valid':
    'Le lien n’est plus valable. Demandez de l’aide à un opérateur de ce service.',
  'error.not-a-member': 'Vous n’êtes pas membre de cette organisation.',
  'sign-in.wrong-code': 'Le code est incorrect, expiré ou déjà utilisé. Demandez-en un nouveau.',
  'sign-in.passkey-refused': 'Cette clé d’accès ne peut pas servir à se connecter.',
  'sign-in.challenge-not-valid': 'La connexion a expiré ou est terminée. Connectez-vous à nouveau.',
  'error.invalid-second-factor': 'Le second facteur est incorrect ou a déjà été utilisé.',
  'authorize.refused.title': 'Cette application ne peut pas vous connecter',
  'authorize.refused.client':
    'L’application n’est pas enregistrée ici, ou est désactivée. Revenez-y et recommencez. Si cela se reproduit, prévenez ceux qui gèrent l’application.',
  'authorize.refused.redirect-uri':
    'L’adresse de retour de l’application n’est pas enregistrée. Revenez à l’application et recommencez. Si cela se reproduit, prévenez ceux qui gèrent l’application.',
  'authorize.refused.request':
    'La demande de l’application est inconnue, utilisée ou expirée. Revenez à l’application et recommencez. Si cela se reproduit, prévenez ceux qui gèrent l’application.',
  'authorize.answer.title': 'Continuer vers l’application',
  'authorize.answer.lead': 'Votre navigateur s’y rend automatiquement. Sinon, appuyez sur le bouton.',
  'authorize.answer.continue': 'Continuer',
  'logout.refused.title': 'Cette application ne peut pas vous déconnecter',
  'logout.refused.client':
    'L’application n’est pas enregistrée ici, ou est désactivée. Vous n’avez pas été déconnecté. Déconnectez-vous sur la page de votre compte. Si cela se reproduit, prévenez ceux qui gèrent l’application.',
  'logout.refused.redirect-uri':
    'L’adresse de retour de l’application n’est pas enregistrée. Vous n’avez pas été déconnecté. Déconnectez-vous sur la page de votre compte. Si cela se reproduit, prévenez ceux qui gèrent l’application.',
  'logout.refused.hint':
    'La demande nomme une autre application que celle à laquelle vous vous êtes connecté. Vous n’avez pas été déconnecté. Déconnectez-vous sur la page de votre compte. Si cela se reproduit, prévenez ceux qui gèrent l’application.',
  'device.wrong-code': 'Ce code est inconnu, utilisé ou expiré. Vérifiez l’écran de l’appareil.',
  'authenticator.too-many': 'Vous en avez déjà {max}. Retirez-en un d’abord.',
  'authenticator.passkey-registered': 'Cette clé d’accès est déjà enregistrée.',
  'authenticator.none-yet': 'Ajoutez d’abord une application d’authentification ou une clé d’accès.',
  'authenticator.no-recovery':
    'Ajoutez une deuxième clé d’accès ou créez des codes de récupération, pour pouvoir vous connecter si vous en perdez une.',
  'authenticator.no-six-digits': 'Saisissez les six chiffres du code.',
  'authenticator.no-recovery-code': 'Saisissez les dix caractères d’un code de récupération.',
  'authenticator.wrong-code': 'Ce n’est pas le code actuel de cette application.',
  'webhook.too-many': 'Il peut y avoir {max} abonnements. Supprimez-en un qui n’est pas utilisé.',
  'webhook.unknown-type': 'Ce type d’événements n’existe pas.',
  'webhook.type-not-readable': 'Vous ne pouvez pas lire les événements de ce type.',
  'webhook.needs-scope': 'L’autorisation {scope} est nécessaire.',
  'webhook.since-expired': 'La date remonte à plus de {days} jours.',
  'webhook.since-future': 'La date est dans le futur.',
  'webhook.disabled': 'L’abonnement est désactivé. Activez-le d’abord.',
  'webhook.delivery-not-finished': 'La livraison n’est pas terminée : elle sera envoyée de toute façon.',
  'satellite.client-id-taken': 'Il existe déjà un satellite avec l’identifiant client {clientId}.',
  'field.text': 'Saisissez un texte de {min} à {max} caractères, sans caractère de contrôle et non vide.',
  'field.password': 'Saisissez de {min} à {max} caractères, sans caractère de contrôle.',
  'field.email': 'Saisissez une adresse e-mail.',
  'field.integer': 'Saisissez un nombre entier de {min} à {max}.',
  'field.number': 'Saisissez un nombre de {min} à {max}.',
  'field.boolean': 'La valeur doit être true ou false.',
  'field.time': 'Saisissez une heure en UTC, comme 2026-11-21T09:00:00Z.',
  'field.date': 'Saisissez une date, comme 2026-11-21.',
  'field.list': 'Indiquez de {min} à {max} éléments.',
  'directory.exceeds-caller':
    'Des groupes de l’annuaire donnent des rôles que vous ne pouvez pas attribuer. Demandez à un membre qui le peut.',
  'directory.exceeds-creator':
    'Des groupes de l’annuaire donnent des rôles que le créateur du lien ne peut pas attribuer.',
  'directory.tokens-exceed':
    'Révoquez d’abord ces jetons et créez-en de nouveaux, car leurs créateurs ne peuvent pas attribuer les rôles : {tokens}.',
  'directory.token-stopped':
    'Le membre qui a créé ce jeton est parti, est suspendu ou ne pourrait plus le créer. Créez un nouveau jeton de l’annuaire et saisissez-le chez le fournisseur d’identité.',
  'mail.directory-token-stopped.subject': 'Un annuaire ne peut plus envoyer de modifications',
  'mail.directory-token-stopped.text':
    'Un jeton d’un annuaire de {organization} est refusé : le membre qui l’a créé est parti, est suspendu ou ne pourrait plus le créer.',
  'mail.directory-token-stopped.replace':
    'Créez un nouveau jeton sur la page de l’annuaire et saisissez-le chez votre fournisseur d’identité. D’ici là, les personnes que vous y désactivez gardent leur accès ici.',
  'scope.directory': 'Annuaires',
  'scope.directory.read': 'Voir les annuaires',
  'scope.directory.read.description': 'Avec les personnes qu’ils ont envoyées et le journal de leurs appels.',
  'scope.directory.create': 'Créer des annuaires',
  'scope.directory.update': 'Modifier les annuaires et les rôles de leurs groupes',
  'scope.directory.delete': 'Supprimer des annuaires',
  'scope.directory-token': 'Jetons des annuaires',
  'scope.directory-token.create': 'Créer des jetons d’annuaires',
  'scope.directory-token.revoke': 'Révoquer des jetons d’annuaires',
  'scope.branding': 'Apparence',
  'scope.branding.read': 'Voir l’apparence de l’organisation',
  'scope.branding.update': 'Modifier l’apparence de l’organisation',
  'scope.branding.update.description':
    'Modifier le nom affiché, le logo, la couleur et l’expéditeur des e-mails.',
  'branding.looks-like-service': 'Ce nom pourrait être pris pour celui du service. Choisissez-en un autre.',
  'branding.low-contrast':
    'Le contraste avec le blanc est de {contrast} pour 1, il faut {min} pour 1. Choisissez une couleur plus foncée.',
  'branding.logo-type': 'Choisissez une image PNG ou WebP.',
  'branding.logo-bytes': 'L’image ne doit pas dépasser {max} Kio.',
  'branding.logo-pixels': 'L’image ne doit pas dépasser {max} pixels de large et de haut.',
  'branding.logo-animated': 'L’image ne doit pas être animée.',
  'branding.logo-damaged': 'L’image est endommagée ou contient autre chose qu’une image.',
  'support-access.not-on-request': 'La politique de connexion n’admet pas l’assistance sur demande.',
  'support-access.not-granted': 'L’assistance n’a pas d’accès à terminer.',
  'mail.support-access.subject': 'L’assistance peut entrer dans votre organisation',
  'mail.support-access.text':
    'Un propriétaire a donné à l’assistance l’accès à {organization} jusqu’au {until}. D’ici là, elle peut agir au nom d’un membre.',
  'mail.support-access.end':
    'Le journal montre ce que fait l’assistance. Vous pouvez mettre fin à l’accès à tout moment.',
  'mail.support-access.your-organization': 'votre organisation',
  'mail.members-imported.subject': 'L’assistance a ajouté des membres à votre organisation',
  'mail.members-imported.text':
    'L’assistance a ajouté des personnes à {organization} par une importation, avec des rôles qu’elle a choisis.',
  'mail.members-imported.end':
    'Le journal montre qui, et par qui. Si vous ne l’avez pas demandé, retirez ces membres et mettez fin à l’accès de l’assistance.',
  'scope.support-access': 'Accès de l’assistance',
  'scope.support-access.read': 'Voir si l’assistance a accès',
  'scope.support-access.grant': 'Donner l’accès à l’assistance pour quelques heures',
  'scope.support-access.end': 'Terminer l’accès de l’assistance',
  'ability.impersonation':
    'L’assistance ne peut pas faire cela pour une personne. Seule la personne le peut.',
  'mail.impersonation.subject': 'L’assistance a agi en votre nom',
  'mail.impersonation.text':
    'Une personne de l’assistance a agi en votre nom dans {organization}, du {from} au {to}.',
  'mail.impersonation.trail':
    'Votre journal montre ce qui a été fait. Si vous ne savez pas pourquoi, demandez à votre organisation.',
  'mail.impersonation.your-organization': 'votre organisation',
  'impersonation.not-allowed': 'L’organisation n’admet pas l’assistance.',
  'impersonation.ended': 'L’action au nom de cette personne est déjà terminée.',
  'scope.impersonation': 'Agir au nom d’une personne',
  'scope.impersonation.start': 'Agir au nom d’une personne',
  'scope.impersonation.end': 'Cesser d’agir au nom d’une personne',
  'error-page.invalid.title': 'La demande n’est pas valide',
  'error-page.invalid.lead': 'Revenez en arrière et réessayez.',
  'error-page.unauthenticated.title': 'Connectez-vous d’abord',
  'error-page.unauthenticated.lead': 'Cette adresse est réservée aux utilisateurs connectés.',
  'error-page.not-found.title': 'Page introuvable',
  'error-page.not-found.lead': 'L’adresse est peut-être mal saisie, ou la page a été déplacée.',
  'error-page.too-many.title': 'Trop de demandes',
  'error-page.too-many.lead': 'Attendez une minute, puis rechargez la page.',
  'error-page.internal.title': 'Une erreur est survenue de notre côté',
  'error-page.internal.lead':
    'Réessayez plus tard. Si cela se reproduit, signalez-le avec le numéro ci-dessous.',
  'error-page.unavailable.title': 'Service momentanément indisponible',
  'error-page.unavailable.lead': 'Rechargez la page dans une minute.',
  'error-page.home': 'Aller à l’accueil',
  'error-page.documentation': 'Documentation de l’API',
  'identity.page.unusable.title': 'Cette connexion ne peut pas aboutir',
  'identity.page.unusable.lead':
    'Elle a expiré, a déjà servi ou a commencé dans un autre navigateur. Reconnectez-vous là où vous avez commencé.',
  'identity.page.not-available.title': 'Ce moyen de connexion n’est pas disponible',
  'identity.page.not-available.lead':
    'Le fournisseur d’identité n’est pas configuré ici. Revenez en arrière et connectez-vous autrement.',
  'identity.page.to-provider.title': 'Continuer chez votre fournisseur d’identité',
  'identity.page.to-provider.lead':
    'Votre navigateur s’y rend automatiquement. Sinon, appuyez sur le bouton.',
  'identity.page.to-provider.continue': 'Continuer',
  'identity.page.sign-out.title': 'Cette déconnexion ne peut pas aboutir',
  'identity.page.sign-out.lead':
    'La demande de votre fournisseur d’identité n’est pas valable ici. Déconnectez-vous dans l’application.',
  'portal.description': 'Votre compte, vos organisations et vos sessions.',
  'portal.no-script':
    'Cette page a besoin de JavaScript. Autorisez-le pour cette adresse, puis rechargez la page.',
  'worker.number-taken': 'Une autre personne de cette organisation a ce numéro.',
  'worker.no-owner': 'Un employé sans adresse ne peut pas être propriétaire.',
  'worker.is-owner': 'Cette personne est propriétaire. Retirez-lui d’abord ce rôle.',
  'worker.own': 'Vous ne pouvez pas le faire pour vous-même. Demandez à un autre membre.',
  'worker.owns-account': 'Cette personne a une adresse et change elle-même son nom et son adresse.',
  'worker.pin-temporary': 'Ce code PIN est temporaire. Choisissez-en un nouveau.',
  'worker.pin-guessable':
    'Choisissez un code PIN plus difficile à deviner : ni suite, ni répétition, ni votre numéro.',
  'station.other-network': 'Ce poste n’est pas dans le réseau pour lequel il est configuré.',
  'station.pending': 'L’appareil de ce poste ne s’est pas encore enregistré.',
  'station.too-many': 'Il peut y avoir {max} postes. Supprimez-en un qui ne sert pas.',
  'station.code-refused': 'Ce code est erroné, déjà utilisé ou expiré. Demandez-en un nouveau.',
  'scope.worker': 'Employés',
  'scope.worker.read': 'Voir les employés',
  'scope.worker.create': 'Ajouter des employés',
  'scope.worker.create.description':
    'Ajouter des membres sans adresse, avec des rôles dans la limite de ses propres permissions.',
  'scope.worker.update': 'Modifier les employés',
  'scope.worker.delete': 'Retirer des employés',
  'scope.worker.suspend': 'Suspendre des employés',
  'scope.worker.reinstate': 'Réintégrer des employés',
  'scope.worker.reset-pin': 'Réinitialiser les codes PIN',
  'scope.worker.reset-pin.description':
    'Donner un code PIN temporaire aux employés, par exemple s’ils ont oublié le leur.',
  'scope.worker.issue-badge': 'Délivrer des badges',
  'scope.worker.revoke-badge': 'Révoquer des badges',
  'scope.station': 'Postes',
  'scope.station.read': 'Voir les postes',
  'scope.station.create': 'Créer des postes',
  'scope.station.create.description': 'Configurer des appareils partagés où les membres se connectent.',
  'scope.station.update': 'Modifier les postes',
  'scope.station.delete': 'Supprimer des postes',
  'ability.station': 'Ce n’est pas possible sur un poste partagé. Connectez-vous sur un appareil à vous.',
};
