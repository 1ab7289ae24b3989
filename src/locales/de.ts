import type { Texts } from '../platform/messages/index.js';

/** German. */
export const de: Texts = {
  'mail.copy-address': 'Oder kopieren Sie diese Adresse:',
  'ability.unknown-scope': 'Diese Berechtigung gibt es nicht.',
  'ability.tenant-required': 'Wählen Sie zuerst eine Organisation.',
  'ability.held-on-other-things': 'Ihre Rollen enthalten diese Berechtigung nur für anderes.',
  'ability.scope-not-held': 'Ihre Rollen enthalten diese Berechtigung nicht.',
  'ability.people-only': 'Das ist für Menschen. Ein Dienstkonto kann es nicht.',
  'ability.key-without-scope':
    'Dieser Schlüssel hat diese Berechtigung nicht. Die Rollen seines Kontos haben sie vielleicht.',
  'ability.client-without-scope':
    'Diese Anwendung hat diese Berechtigung nicht. Versuchen Sie es in der Haupt-App.',
  'ability.subject-mismatch': 'Diese Berechtigung gilt nicht für Gegenstände dieser Art.',
  'ability.subject-not-found': 'Den Gegenstand gibt es in dieser Organisation nicht.',
  'ability.second-factor-required':
    'Dafür ist ein zweiter Faktor nötig. Bestätigen Sie mit Ihrem, oder fügen Sie zuerst einen hinzu.',
  'ability.passkey-required':
    'Dafür ist ein Passkey nötig. Bestätigen Sie mit Ihrem, oder fügen Sie zuerst einen hinzu.',
  'ability.tenant-second-factor':
    'Diese Organisation verlangt einen zweiten Faktor. Bestätigen Sie mit Ihrem, oder fügen Sie zuerst einen hinzu.',
  'ability.tenant-connection': 'Melden Sie sich über den Anbieter Ihrer Organisation an, den sie verlangt.',
  'ability.tenant-passkey':
    'Diese Organisation verlangt einen Passkey. Bestätigen Sie mit Ihrem, oder fügen Sie zuerst einen hinzu.',
  'ability.tenant-sign-in-too-old':
    'Ihre letzte Anmeldung ist für diese Organisation zu lange her. Bestätigen Sie, dass Sie es sind, und versuchen Sie es noch einmal.',
  'ability.own-proof':
    'Sie haben sich nur über eine Organisation angemeldet. Bestätigen Sie mit Ihrem Passwort oder zweiten Faktor, oder legen Sie per E-Mail ein Passwort fest.',
  'ability.tenant-other-connection':
    'Sie haben sich nur über eine andere Organisation angemeldet. Bestätigen Sie mit Ihrem Passwort oder zweiten Faktor, oder legen Sie per E-Mail ein Passwort fest.',
  'ability.key-without-sso':
    'Dieser Schlüssel wurde ohne das Single Sign-on erstellt, das die Organisation jetzt verlangt. Melden Sie sich damit an und erstellen Sie einen neuen.',
  'ability.key-too-weak':
    'Dieser Schlüssel wurde mit einer schwächeren Anmeldung erstellt, als die Organisation jetzt verlangt. Erstellen Sie einen neuen.',
  'ability.tenant-session-too-old': 'Ihre Sitzung ist für diese Organisation zu alt. Melden Sie sich neu an.',
  'ability.authentication-insufficient':
    'Ihre letzte Anmeldung liegt dafür zu lange zurück. Bestätigen Sie, dass Sie es sind, und versuchen Sie es noch einmal.',
  'session.ended': 'Die Sitzung ist bereits beendet.',
  'satellite.public': 'Dieser Client hat kein Geheimnis.',
  'satellite.disabled': 'Der Satellit ist bereits deaktiviert.',
  'satellite.not-disabled': 'Der Satellit ist nicht deaktiviert.',
  'identity.only-sign-in':
    'Das ist Ihre einzige Anmeldemethode. Legen Sie zuerst ein Passwort fest, oder verknüpfen Sie eine weitere Identität.',
  'tenant.archived': 'Die Organisation ist archiviert. Stellen Sie sie zuerst wieder her.',
  'tenant.archived-already': 'Die Organisation ist bereits archiviert.',
  'tenant.not-archived': 'Die Organisation ist nicht archiviert.',
  'tenant.deletion-scheduled-already': 'Die Löschung der Organisation ist bereits geplant.',
  'tenant.deletion-not-scheduled': 'Es ist keine Löschung der Organisation geplant.',
  'tenant.slug-reserved': 'Dieser Name ist für den Dienst reserviert. Wählen Sie einen anderen.',
  'tenant.slug-taken':
    'Eine andere Organisation hat diesen Namen in ihrer Adresse. Wählen Sie einen anderen.',
  'tenant.owners-only': 'Nur ein Inhaber kann die Inhaberschaft übertragen.',
  'tenant.last-owner-leaves':
    'Der letzte Inhaber kann nicht austreten. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  'member.last-owner':
    'Der letzte Inhaber kann weder entfernt noch herabgestuft werden. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  'member.last-owner-suspended':
    'Der letzte Inhaber kann nicht gesperrt werden. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  'member.suspended-already': 'Die Mitgliedschaft ist bereits gesperrt.',
  'member.not-suspended': 'Die Mitgliedschaft ist nicht gesperrt.',
  'member.own-roles':
    'Ihre eigenen Rollen können Sie nicht ändern. Bitten Sie einen anderen Inhaber oder Administrator.',
  'member.owners-only': 'Bei einem Inhaber kann das nur ein Inhaber tun.',
  'member.exceeds-caller':
    'Das Mitglied hat Berechtigungen, die Sie selbst nicht haben. Bitten Sie ein Mitglied, das sie hat.',
  'role.built-in': 'Eine vorgegebene Rolle kann nicht geändert oder gelöscht werden.',
  'role.exceeds-caller': 'Die Rolle enthält Berechtigungen, die Sie selbst nicht haben.',
  'role.in-use':
    'Die Rolle wird verwendet. Entziehen Sie sie zuerst Mitgliedern und Dienstkonten, und widerrufen Sie Einladungen mit ihr.',
  'member.no-change': 'geben Sie Rollen oder das Ende der Mitgliedschaft an',
  'mail.access-ending.subject': 'Ihr Zugang endet bald',
  'mail.access-ending.membership': 'Ihre Mitgliedschaft in {organization} endet am {date}.',
  'mail.access-ending.role': 'Ihre Rolle {role} in {organization} endet am {date}.',
  'mail.access-ending.what-now': 'Wenn Sie ihn länger brauchen, fragen Sie einen Inhaber oder Administrator.',
  'mail.access-ending.an-organization': 'einer Organisation',
  'mail.access-ending.a-role': 'dort',
  'assignment.owner': 'Ein Inhaber besitzt die ganze Organisation. Wählen Sie eine andere Rolle.',
  'assignment.past': 'muss in der Zukunft liegen',
  'assignment.unknown-thing': 'So etwas gibt es in der Organisation nicht.',
  'assignment.too-many':
    'Ein Mitglied kann {max} Rollen auf einzelnen Dingen haben. Beenden Sie zuerst einige.',
  'invitation.accepted': 'Die Einladung wurde bereits angenommen.',
  'invitation.revoked': 'Die Einladung wurde bereits widerrufen.',
  'invitation.expired': 'Die Einladung ist abgelaufen.',
  'invitation.lacks-role':
    'Eine Rolle der Einladung wurde gelöscht. Laden Sie die Adresse mit anderen Rollen erneut ein.',
  'invitation.owners-only': 'Nur ein Inhaber kann jemanden zum Inhaber machen.',
  'invitation.exceeds-caller':
    'Die Einladung vergibt Berechtigungen, die Sie selbst nicht haben. Wenden Sie sich an ein Mitglied, das sie hat.',
  'sign-in-policy.sso-not-tested':
    'Testen Sie zuerst selbst die aktive Verbindung. Der Test muss innerhalb des letzten Tages bestanden worden sein.',
  'sign-in-policy.sso-no-emergency-owner':
    'Ein Inhaber braucht für Notfälle einen zweiten Faktor oder Passkey und eine Anmeldung damit innerhalb von 90 Tagen.',
  'sign-in-policy.own-sign-in':
    'Ihre eigene Anmeldung erfüllt diese Richtlinie nicht. Melden Sie sich so an, wie sie es verlangt, und setzen Sie sie dann.',
  'invitation.other-address':
    'Die Einladung ging an eine andere Adresse. Melden Sie sich mit dem Konto dieser Adresse an.',
  'mail.invitation.subject': 'Sie wurden eingeladen',
  'mail.invitation.invited':
    'Sie wurden in die Organisation {organization} eingeladen. Melden Sie sich mit dieser E-Mail-Adresse an, oder registrieren Sie zuerst ein Konto dafür. Nehmen Sie die Einladung dann innerhalb von sieben Tagen an.',
  'mail.invitation.invited-without-name':
    'Sie wurden in eine Organisation eingeladen. Melden Sie sich mit dieser E-Mail-Adresse an, oder registrieren Sie zuerst ein Konto dafür. Nehmen Sie die Einladung dann innerhalb von sieben Tagen an.',
  'mail.invitation.unexpected': 'Wenn Sie keine Einladung erwarten, können Sie diese E-Mail ignorieren.',
  'mail.invitation.accept': 'Einladung annehmen',
  'mail.ownership-transferred.subject': 'Sie haben eine Organisation übertragen',
  'mail.ownership-transferred.done':
    'Ein anderes Mitglied ist an Ihrer Stelle Inhaber der Organisation {organization}. Sie bleiben Mitglied.',
  'mail.ownership-transferred.without-name':
    'Ein anderes Mitglied ist an Ihrer Stelle Inhaber einer Organisation. Sie bleiben Mitglied.',
  'mail.ownership-transferred.what-now':
    'Wenn Sie das nicht waren, ändern Sie Ihr Passwort und bitten Sie einen Inhaber um Hilfe.',
  'mail.ownership-received.subject': 'Sie sind Inhaber einer Organisation',
  'mail.ownership-received.done':
    'Ein Inhaber hat Ihnen die Inhaberschaft der Organisation {organization} übertragen.',
  'mail.ownership-received.without-name':
    'Ein Inhaber hat Ihnen die Inhaberschaft einer Organisation übertragen.',
  'mail.ownership-received.what-now':
    'Sie können darin alles tun: Mitglieder und Rollen verwalten, sie archivieren und löschen.',
  'mail.tenant-deletion.subject': 'Eine Organisation wird gelöscht',
  'mail.tenant-deletion.scheduled':
    'Ein Inhaber hat die Löschung der Organisation {organization} für {time} geplant.',
  'mail.tenant-deletion.scheduled-without-name':
    'Ein Inhaber hat die Löschung einer Ihrer Organisationen für {time} geplant.',
  'mail.tenant-deletion.what-goes':
    'Alles darin wird gelöscht: Mitglieder, Rollen, Einladungen und das Protokoll. Konten bleiben. Das lässt sich nicht rückgängig machen.',
  'mail.tenant-deletion.cancel':
    'Bis dahin kann jeder Inhaber die Löschung abbrechen oder die Organisation wiederherstellen.',
  'password.common':
    'Dieses Passwort steht auf einer Liste von Passwörtern, die Angreifer zuerst versuchen. Wählen Sie ein anderes.',
  'password.own-words':
    'Dieses Passwort ist Ihre Adresse, Ihr Name oder Ihre Organisation, was Angreifer zuerst versuchen. Wählen Sie ein anderes.',
  'mail.go-to-app': 'Zur App',
  'mail.verification.subject': 'Bestätigen Sie Ihre E-Mail-Adresse',
  'mail.verification.registered':
    'Mit dieser E-Mail-Adresse wurde ein Konto registriert (Zeitpunkt: {registeredAt}). Als Vorname wurde {name} angegeben.',
  'mail.verification.registered-without-name':
    'Mit dieser E-Mail-Adresse wurde ein Konto registriert (Zeitpunkt: {registeredAt}). Der angegebene Vorname kann hier nicht gezeigt werden.',
  'mail.verification.was-you':
    'Wenn Sie das waren, bestätigen Sie die Adresse innerhalb von 24 Stunden. Sie brauchen das Passwort, das Sie gewählt haben.',
  'mail.verification.was-not-you':
    'Wenn Sie das nicht waren, lehnen Sie die Registrierung ab. Dann entsteht kein Konto.',
  'mail.verification.verify': 'Adresse bestätigen',
  'mail.verification.refuse': 'Das war ich nicht',
  'mail.already-registered.subject': 'Sie haben bereits ein Konto',
  'mail.already-registered.was-you':
    'Jemand wollte mit dieser E-Mail-Adresse ein Konto registrieren, aber es gibt schon eines. Wenn Sie das waren, melden Sie sich an, oder setzen Sie Ihr Passwort zurück, wenn Sie es vergessen haben.',
  'mail.already-registered.was-not-you':
    'Wenn Sie das nicht waren, müssen Sie nichts tun. Es wurde nichts geändert.',
  'mail.already-registered.sign-in': 'Zur Anmeldung',
  'mail.choose-password.subject': 'Wählen Sie ein Passwort für Ihr Konto',
  'mail.choose-password.ready':
    'Sie haben diese E-Mail-Adresse bestätigt, und Ihr Konto ist bereit. Die Adresse wurde mit verschiedenen Passwörtern registriert; keines davon wird verwendet.',
  'mail.choose-password.within':
    'Wählen Sie Ihr Passwort innerhalb einer Stunde. Danach fordern Sie auf der Anmeldeseite mit „Passwort vergessen?“ einen neuen Link an.',
  'mail.choose-password.choose': 'Passwort wählen',
  'mail.password-reset.subject': 'Setzen Sie Ihr Passwort zurück',
  'mail.password-reset.was-you':
    'Jemand wollte das Passwort Ihres Kontos zurücksetzen. Wenn Sie das waren, wählen Sie ein neues: Der Link kann einmal und innerhalb einer Stunde verwendet werden.',
  'mail.password-reset.was-not-you':
    'Wenn Sie das nicht waren, können Sie diese E-Mail ignorieren. Ihr Passwort bleibt, wie es ist.',
  'mail.password-reset.choose': 'Neues Passwort wählen',
  'mail.new-password-required.subject': 'Wählen Sie ein neues Passwort',
  'mail.new-password-required.removed':
    'Der Support dieses Dienstes bittet Sie, ein neues Passwort zu wählen. Ihr bisheriges gilt nicht mehr, und Ihre Geräte wurden abgemeldet.',
  'mail.new-password-required.within':
    'Der Link gilt einmal, innerhalb einer Stunde. Später fordern Sie auf der Anmeldeseite mit „Passwort vergessen?“ einen neuen an.',
  'mail.export-ready.subject': 'Ihre Daten sind bereit',
  'mail.export-ready.ready':
    'Sie haben alles angefordert, was dieser Dienst über Sie speichert. Melden Sie sich an, um es innerhalb von sieben Tagen herunterzuladen.',
  'mail.export-ready.was-not-you':
    'Wenn Sie das nicht waren, ändern Sie Ihr Passwort, und beenden Sie die Sitzungen, die Sie nicht kennen.',
  'mail.export-ready.by-support':
    'Der Support dieses Dienstes hat für Sie alles zusammenstellen lassen, was der Dienst über Sie speichert. Melden Sie sich an, um es innerhalb von sieben Tagen herunterzuladen.',
  'mail.export-ready.for-you-alone': 'Nur Sie können es öffnen, der Support nicht.',
  'mail.password-changed.subject': 'Ihr Passwort wurde geändert',
  'mail.password-changed.changed':
    'Das Passwort Ihres Kontos wurde geändert. Geräte, die vorher angemeldet waren, sind abgemeldet.',
  'mail.password-changed.was-not-you':
    'Wenn Sie das nicht waren, setzen Sie das Passwort sofort zurück, und sagen Sie Ihrem Administrator Bescheid.',
  'mail.confirm-email.subject': 'Bestätigen Sie Ihre neue E-Mail-Adresse',
  'mail.confirm-email.asked': 'Jemand möchte diese E-Mail-Adresse ab jetzt für sein Konto verwenden.',
  'mail.confirm-email.was-you':
    'Wenn Sie das waren, bestätigen Sie die Adresse innerhalb von 24 Stunden. Danach melden Sie sich mit ihr an.',
  'mail.confirm-email.was-not-you':
    'Wenn Sie das nicht waren, ignorieren Sie diese E-Mail, und öffnen Sie den Link nicht. Es wird dann nichts geändert.',
  'mail.confirm-email.confirm': 'Diese Adresse bestätigen',
  'mail.email-taken.subject': 'Diese E-Mail-Adresse hat bereits ein Konto',
  'mail.email-taken.asked':
    'Jemand wollte diese E-Mail-Adresse für ein anderes Konto verwenden. Sie gehört zu Ihrem Konto; es wurde nichts geändert.',
  'mail.email-taken.was-you':
    'Wenn Sie das waren, melden Sie sich stattdessen mit dieser Adresse an. Eine Adresse kann nur ein Konto haben.',
  'mail.email-taken.was-not-you': 'Wenn Sie das nicht waren, müssen Sie nichts tun.',
  'mail.email-changed.subject': 'Die E-Mail-Adresse Ihres Kontos wurde geändert',
  'mail.email-changed.changed':
    'Ihr Konto hat jetzt eine andere E-Mail-Adresse. Sie melden sich mit ihr an, und E-Mails gehen an sie.',
  'mail.email-changed.was-not-you':
    'Wenn Sie das nicht waren, stellen Sie diese Adresse innerhalb von sieben Tagen wieder her. Alle Geräte werden dann abgemeldet, und Sie wählen ein neues Passwort.',
  'mail.email-changed.undo': 'Diese Adresse wiederherstellen',
  'mail.email-restored.subject': 'Ihre E-Mail-Adresse wurde wiederhergestellt',
  'mail.email-restored.restored':
    'Ihr Konto hat wieder diese E-Mail-Adresse. Alle Geräte wurden abgemeldet, und das Passwort wurde entfernt.',
  'mail.email-restored.choose':
    'Wählen Sie innerhalb einer Stunde ein neues Passwort. Später fordern Sie auf der Anmeldeseite unter „Passwort vergessen?“ einen neuen Link an. Entfernen Sie dann Passkeys und Authenticator-Apps, die Sie nicht kennen, und erstellen Sie neue Wiederherstellungscodes.',
  'mail.email-code.within':
    'Der Code gilt zehn Minuten und kann einmal verwendet werden. Sagen Sie ihn niemandem.',
  'mail.sign-in-code.subject': 'Ihr Anmeldecode',
  'mail.sign-in-code.code': 'Ihr Code für die Anmeldung: {code}',
  'mail.sign-in-code.was-not-you':
    'Der Link gilt in dem Browser, in dem Sie ihn angefordert haben. Wenn Sie das nicht waren, ignorieren Sie diese E-Mail.',
  'mail.sign-in-code.sign-in': 'Anmelden',
  'mail.step-up-code.subject': 'Bestätigen Sie, dass Sie es sind',
  'mail.step-up-code.code': 'Ihr Code zur Bestätigung: {code}',
  'mail.step-up-code.was-not-you':
    'Eine Person, die bei Ihrem Konto angemeldet ist, hat ihn angefordert. Wenn Sie das nicht waren, melden Sie alle Geräte ab.',
  'mail.new-network.subject': 'Neue Anmeldung bei Ihrem Konto',
  'mail.new-network.signed-in':
    'Jemand hat sich bei Ihrem Konto aus einem Netzwerk angemeldet, das dafür noch nicht verwendet wurde.',
  'mail.new-network.time': 'Zeit: {time}',
  'mail.new-network.browser': 'Browser: {device}',
  'mail.new-network.address': 'IP-Adresse: {ipAddress}',
  'mail.new-network.was-not-you':
    'Wenn Sie das waren, müssen Sie nichts tun. Wenn nicht, setzen Sie Ihr Passwort sofort zurück: Damit werden alle Geräte abgemeldet.',
  'mail.account-erased.subject': 'Ihr Konto wurde gelöscht',
  'mail.account-erased.erased':
    'Ihr Konto wurde auf Wunsch einer Person gelöscht, die darin angemeldet war. Alle persönlichen Daten darin wurden entfernt. Das kann nicht rückgängig gemacht werden.',
  'mail.account-erased.was-not-you':
    'Wenn Sie das nicht waren, hatte eine andere Person Zugang zu Ihrem Konto. Sagen Sie dem Betreiber dieses Dienstes Bescheid, und ändern Sie das Passwort überall, wo Sie es sonst verwenden.',
  'mail.account-erased.last':
    'Das ist die letzte E-Mail zu diesem Konto. Sie können sich mit derselben Adresse jederzeit neu registrieren.',
  'mail.identity-linked.subject': 'Neue Anmeldemethode',
  'mail.identity-linked.linked': 'Sie können sich jetzt mit {provider} bei Ihrem Konto anmelden.',
  'mail.identity-linked.was-not-you':
    'Wenn Sie das nicht waren, melden Sie sich an, heben Sie die Verknüpfung unter „Anmeldewege“ auf, und ändern Sie Ihr Passwort.',
  'mail.identities-removed.subject': 'Anmeldemethoden entfernt',
  'mail.identities-removed.removed':
    'Ihr Passwort wurde zurückgesetzt. Diese Verknüpfungen wurden aufgehoben, falls eine andere Person sie hinzugefügt hat: {providers}.',
  'mail.identities-removed.link-again':
    'Um sie wieder zu verwenden, melden Sie sich mit Ihrem neuen Passwort an, und verknüpfen Sie sie unter „Anmeldewege“.',
  'mail.identity-unlinked.subject': 'Anmeldemethode entfernt',
  'mail.identity-unlinked.unlinked': 'Sie können sich nicht mehr mit {provider} bei Ihrem Konto anmelden.',
  'mail.identity-unlinked.was-not-you':
    'Wenn Sie das nicht waren, setzen Sie Ihr Passwort zurück: Damit werden alle Geräte abgemeldet. Stellen Sie die Verknüpfung dann unter „Anmeldewege“ wieder her.',
  'scope.tenant': 'Organisation',
  'scope.tenant.read': 'Organisation ansehen',
  'scope.tenant.read.description': 'Name und Zustand sehen.',
  'scope.tenant.update': 'Organisation umbenennen',
  'scope.tenant.update.description': 'Den Namen für alle Mitglieder ändern.',
  'scope.tenant.archive': 'Organisation archivieren',
  'scope.tenant.archive.description': 'Alle Änderungen darin sperren. Sie kann wiederhergestellt werden.',
  'scope.tenant.restore': 'Organisation wiederherstellen',
  'scope.tenant.restore.description': 'Änderungen in einer archivierten Organisation wieder zulassen.',
  'scope.tenant.delete': 'Organisation löschen',
  'scope.tenant.delete.description': 'Die Löschung einer archivierten Organisation planen.',
  'scope.tenant.read-deletion': 'Löschung ansehen',
  'scope.tenant.read-deletion.description': 'Sehen, was eine Löschung entfernt und wann.',
  'scope.tenant.cancel-deletion': 'Löschung abbrechen',
  'scope.tenant.cancel-deletion.description': 'Eine Organisation behalten, deren Löschung geplant ist.',
  'scope.tenant.transfer-ownership': 'Inhaberschaft übertragen',
  'scope.tenant.transfer-ownership.description': 'Ein anderes Mitglied an eigener Stelle zum Inhaber machen.',
  'scope.tenant.leave': 'Organisation verlassen',
  'scope.tenant.leave.description': 'Die eigene Mitgliedschaft beenden.',
  'scope.sign-in-policy': 'Anmelderichtlinie',
  'scope.sign-in-policy.read': 'Anmelderichtlinie ansehen',
  'scope.sign-in-policy.read.description':
    'Sehen, was Mitglieder nachweisen müssen und wie viele nicht hineinkämen.',
  'scope.sign-in-policy.update': 'Anmelderichtlinie ändern',
  'scope.sign-in-policy.update.description':
    'Zweite Faktoren und frische Anmeldungen von allen Mitgliedern verlangen.',
  'scope.member': 'Mitglieder',
  'scope.member.read': 'Mitglieder ansehen',
  'scope.member.read.description': 'Namen, Adressen, Rollen und letzte Aktivität sehen.',
  'scope.member.update': 'Rollen von Mitgliedern ändern',
  'scope.member.update.description': 'Rollen geben und nehmen, bis zu den eigenen Berechtigungen.',
  'scope.member.remove': 'Mitglieder entfernen',
  'scope.member.remove.description': 'Die Mitgliedschaft anderer Personen beenden.',
  'scope.member.suspend': 'Mitglieder sperren',
  'scope.member.suspend.description': 'Mitgliedern den Zugang nehmen, ohne ihre Mitgliedschaft zu beenden.',
  'scope.member.restore': 'Mitglieder entsperren',
  'scope.member.restore.description': 'Gesperrten Mitgliedern den Zugang wiedergeben.',
  'scope.role': 'Rollen',
  'scope.role.read': 'Rollen ansehen',
  'scope.role.read.description': 'Alle Rollen und ihre Berechtigungen sehen.',
  'scope.role.create': 'Rollen anlegen',
  'scope.role.create.description': 'Rollen mit Berechtigungen anlegen, die man selbst hat.',
  'scope.role.update': 'Rollen ändern',
  'scope.role.update.description': 'Name und Berechtigungen der eigenen Rollen der Organisation ändern.',
  'scope.role.delete': 'Rollen löschen',
  'scope.role.delete.description': 'Rollen löschen, die nicht verwendet werden.',
  'scope.invitation': 'Einladungen',
  'scope.invitation.read': 'Einladungen ansehen',
  'scope.invitation.read.description': 'Sehen, wer zu welchen Rollen eingeladen wurde.',
  'scope.invitation.create': 'Personen einladen',
  'scope.invitation.create.description': 'Adressen zu Rollen einladen, die man geben darf.',
  'scope.invitation.resend': 'Einladungen erneut senden',
  'scope.invitation.resend.description': 'Einen neuen Link senden; der vorige endet.',
  'scope.invitation.revoke': 'Einladungen widerrufen',
  'scope.invitation.revoke.description': 'Eine Einladung beenden, bevor sie angenommen wird.',
  'scope.audit': 'Protokoll',
  'scope.audit.read': 'Protokoll ansehen',
  'scope.audit.read.description': 'Sehen, wer was in der Organisation geändert hat.',
  'operator.exists': 'Diese Person ist bereits Betreiber. Ändern Sie stattdessen, was der Betreiber darf.',
  'operator.last-admin':
    'Der letzte Admin ohne Einschränkungen bleibt es. Machen Sie zuerst eine andere Person dazu.',
  'scope.permission': 'Berechtigungen anderer Dienste',
  'scope.permission.read': 'Berechtigungen anderer Dienste ansehen',
  'scope.permission.register': 'Berechtigungen anderer Dienste registrieren',
  'scope.permission.remove': 'Berechtigungen anderer Dienste entfernen',
  'permission.module-declared': 'Diesen Namen hat ein Modul des Dienstes. Wählen Sie einen anderen.',
  'permission.not-registered': 'Unter diesem Namen sind keine Berechtigungen registriert.',
  'permission.too-many-modules': 'Es gibt bereits {max} Module. Entfernen Sie zuerst eines.',
  'permission.of-other-module': 'muss mit {module}: beginnen',
  'permission.twice': 'ist bereits in der Liste',
  'scope.operator': 'Betreiber',
  'scope.operator.read': 'Betreiber ansehen',
  'scope.operator.create': 'Personen zu Betreibern machen',
  'operator.scope-not-of-role': 'Die Rolle hat diese Berechtigung nicht.',
  'operator.scope-of-whole-admins': 'Nur Admins ohne Einschränkungen haben diese Berechtigung.',
  'scope.operator.update': 'Ändern, was Betreiber dürfen',
  'scope.operator.remove': 'Betreiber entfernen',
  'scope.client': 'Apps der Organisation',
  'scope.client.read': 'Apps ansehen, bei denen sich Mitglieder anmelden',
  'scope.client.create': 'Apps für Mitglieder registrieren',
  'scope.client.update': 'Apps der Mitglieder ändern',
  'scope.client.rotate-secret': 'Geheimnisse von Apps erneuern',
  'scope.client.delete': 'Apps der Mitglieder löschen',
  'scope.api': 'Schnittstellen (APIs)',
  'scope.api.read': 'APIs ansehen, die Token annehmen',
  'scope.api.create': 'APIs registrieren',
  'scope.api.update': 'APIs und ihre Zugangsdaten ändern',
  'scope.api.delete': 'APIs löschen',
  'scope.satellite': 'Satelliten',
  'scope.satellite.read': 'Satelliten ansehen',
  'scope.satellite.create': 'Satelliten registrieren',
  'scope.satellite.update': 'Satelliten ändern',
  'scope.satellite.rotate-secret': 'Geheimnisse von Satelliten erneuern',
  'scope.satellite.disable': 'Satelliten deaktivieren',
  'scope.satellite.enable': 'Satelliten aktivieren',
  'mail.session-traces.subject': 'Was Ihre früheren Sitzungen angelegt haben',
  'mail.session-traces.left': 'Das wurde Ihrem Konto in einer Sitzung hinzugefügt und bleibt nach ihr:',
  'mail.session-traces.authenticator-app': 'Authenticator-App {name}, {date}',
  'mail.session-traces.passkey': 'Passkey {name}, {date}',
  'mail.session-traces.trusted-device': 'Vertrautes Gerät, {date}',
  'mail.session-traces.identity': 'Anmeldung über einen Anbieter, {date}',
  'mail.session-traces.personal-key': 'Eigener Schlüssel {name}, {date}',
  'mail.session-traces.end':
    'Wenn etwas davon nicht von Ihnen ist, beenden Sie mit einem Klick, was seine Sitzung angelegt hat.',
  'mail.session-traces.see': 'Ansehen, was Sitzungen angelegt haben',
  'scope.session': 'Sitzungen',
  'scope.session.end': 'Eigene Sitzungen beenden',
  'scope.identity': 'Verknüpfte Identitäten',
  'scope.identity.unlink': 'Eigene Identitäten trennen',
  'authenticator.required-by-organization':
    'Eine Ihrer Organisationen verlangt ihn. Fügen Sie zuerst einen anderen hinzu, oder verlassen Sie die Organisation.',
  'authenticator.of-other-organization':
    'Er zählt in einer anderen Organisation. Melden Sie sich mit etwas Eigenem oder so an, wie diese Organisation es verlangt, um ihn zu ändern.',
  'mail.authenticators.was-not-you':
    'Wenn Sie das nicht waren, melden Sie sich an, entfernen Sie, was Sie nicht kennen, und ändern Sie sofort Ihr Passwort.',
  'mail.authenticators.see': 'Sicherheitseinstellungen prüfen',
  'mail.totp-added.subject': 'Authenticator-App hinzugefügt',
  'mail.totp-added.text':
    'Ihrem Konto wurde eine Authenticator-App hinzugefügt. Anmeldungen fragen ab jetzt nach ihren Codes.',
  'mail.passkey-added.subject': 'Passkey hinzugefügt',
  'mail.passkey-added.text':
    'Ihrem Konto wurde ein Passkey hinzugefügt. Er kann zur Anmeldung verwendet werden.',
  'mail.totp-removed.subject': 'Authenticator-App entfernt',
  'mail.totp-removed.text': 'Eine Authenticator-App wurde aus Ihrem Konto entfernt.',
  'mail.passkey-removed.subject': 'Passkey entfernt',
  'mail.passkey-removed.text': 'Ein Passkey wurde aus Ihrem Konto entfernt.',
  'mail.totp-renamed.subject': 'Authenticator-App umbenannt',
  'mail.totp-renamed.text': 'Eine Authenticator-App Ihres Kontos hat einen neuen Namen.',
  'mail.passkey-renamed.subject': 'Passkey umbenannt',
  'mail.passkey-renamed.text': 'Ein Passkey Ihres Kontos hat einen neuen Namen.',
  'mail.trusted-device-removed.subject': 'Gerät nicht mehr vertraut',
  'mail.trusted-device-removed.text':
    'Sie haben ein vertrautes Gerät entfernt. Die nächste Anmeldung dort fragt nach dem zweiten Faktor.',
  'mail.recovery-codes-renewed.subject': 'Neue Wiederherstellungscodes',
  'mail.recovery-codes-renewed.text':
    'Für Ihr Konto wurden neue Wiederherstellungscodes erstellt. Die bisherigen gelten nicht mehr.',
  'mail.recovery-code-used.subject': 'Wiederherstellungscode benutzt',
  'mail.recovery-code-used.text':
    'Ein Wiederherstellungscode Ihres Kontos wurde benutzt. {left, plural, =0 {Es ist keiner übrig: Erstellen Sie neue.} one {Einer ist übrig.} other {# sind übrig.}}',
  'mail.totp-blocked.subject': 'Authenticator-App gesperrt',
  'mail.totp-blocked.text':
    'Nach Ihrem Passwort wurden zu viele falsche Codes eingegeben. Codes Ihrer Authenticator-App werden abgelehnt, bis Sie einen Wiederherstellungscode oder einen Passkey verwenden. Ändern Sie Ihr Passwort.',
  'mail.authenticators-reset-scheduled.subject': 'Ihre zweiten Faktoren werden entfernt',
  'mail.authenticators-reset-scheduled.text':
    'Der Support wurde gebeten, die zweiten Faktoren Ihres Kontos zu entfernen: Authenticator-Apps, Passkeys und Wiederherstellungscodes. Sie werden am {time} entfernt. Danach genügt für die Anmeldung Ihr Passwort oder Ihr Anbieter.',
  'mail.authenticators-reset-scheduled.reason': 'Grund, den der Support notiert hat: {reason}',
  'mail.authenticators-reset-scheduled.cancel':
    'Wenn Sie nicht darum gebeten haben, brechen Sie es jetzt ab und ändern Sie Ihr Passwort: Jemand versucht vielleicht, in Ihr Konto zu gelangen.',
  'mail.authenticators-reset-scheduled.action': 'Entfernen abbrechen',
  'mail.authenticators-reset.subject': 'Zweite Faktoren entfernt',
  'mail.authenticators-reset.text':
    'Die zweiten Faktoren Ihres Kontos wurden entfernt, worum der Support gebeten wurde. Fügen Sie jetzt einen neuen hinzu.',
  'mail.authenticators-reset-cancelled.subject': 'Zweite Faktoren bleiben',
  'mail.authenticators-reset-cancelled.text':
    'Das Entfernen Ihrer zweiten Faktoren wurde abgebrochen. Nichts hat sich geändert.',
  'person.no-second-factor': 'Diese Person hat keinen zweiten Faktor.',
  'person.reset-pending':
    'Für diese Person ist bereits ein Zurücksetzen vorgemerkt. Warten Sie es ab oder lassen Sie es abbrechen.',
  'job.running': 'Der Auftrag läuft. Warten Sie das Ende dieses Versuchs ab.',
  'job.not-failed': 'Der Auftrag ist nicht fehlgeschlagen. Er läuft zu seiner Zeit.',
  'scope.import': 'Übernahme von Personen',
  'scope.import.create': 'Personen eines anderen Systems importieren',
  'scope.job': 'Aufträge',
  'scope.job.read': 'Wartende Aufträge ansehen',
  'scope.job.retry': 'Fehlgeschlagene Aufträge wiederholen',
  'scope.operated-tenant': 'Organisationen der Plattform',
  'scope.operated-tenant.read': 'Organisationen finden und ansehen',
  'scope.operated-tenant.export': 'Exportieren, was über Organisationen gespeichert ist',
  'scope.operated-tenant.limit': 'Grenzen von Organisationen ändern',
  'scope.operated-tenant.archive': 'Organisationen archivieren',
  'scope.operated-tenant.restore': 'Archivierte Organisationen wiederherstellen',
  'scope.platform-audit': 'Protokoll der Plattform',
  'scope.platform-audit.read': 'Das Protokoll der Plattform ansehen',
  'scope.person': 'Personen',
  'person.operator': 'Diese Person ist Betreiber. Entfernen Sie zuerst den Betreiber.',
  'person.exceeds-caller':
    'Dieser Betreiber hat Rechte, die Sie selbst nicht haben. Fragen Sie einen Betreiber, der sie hat.',
  'person.erasure-requested':
    'Sie haben diese Löschung beantragt. Eine andere Person des Betriebs muss sie bestätigen.',
  'person.appointed-lately':
    'Sie wurden erst kürzlich ernannt: Ein Tag muss vergehen, und die Anforderung muss danach erfolgt sein.',
  'person.no-erasure': 'Keine Löschung dieser Person wartet.',
  'mail.not-resendable':
    'Diese E-Mail kann nicht noch einmal gesendet werden: Sie wartet, ist abgelaufen oder wurde zurückgezogen.',
  'mail.link-void':
    'Der Link oder Code dieser E-Mail wurde benutzt oder ersetzt. Eine neue E-Mail muss angefordert werden.',
  'mail.resent-enough': 'Fünf E-Mails dieser Art gingen in einer Stunde an diese Person. Warten Sie.',
  'person.suspended': 'Das Konto ist gesperrt. Heben Sie die Sperre zuerst auf.',
  'person.not-suspended': 'Das Konto ist nicht gesperrt.',
  'person.no-address': 'Diese Person hat keine Adresse, an die eine Mail gehen könnte.',
  'person.no-password': 'Diese Person hat kein Passwort.',
  'scope.person.read': 'Personen finden und ihre Konten ansehen',
  'scope.person.suspend': 'Konten sperren',
  'scope.person.restore': 'Gesperrte Konten freigeben',
  'scope.person.end-sessions': 'Sitzungen von Personen beenden',
  'scope.person.send-password-reset': 'Personen den Link zum Zurücksetzen des Passworts senden',
  'scope.person.require-new-password': 'Neue Passwörter verlangen',
  'scope.person.export': 'Exporte von Daten starten, die nur die Person lesen kann',
  'scope.person.erase': 'Konten löschen',
  'scope.person.keep': 'Anträge auf das Löschen von Konten zurückziehen',
  'scope.person.resend-mail': 'E-Mails an Personen noch einmal senden',
  'scope.person.reset-authenticators': 'Zweite Faktoren von Personen zurücksetzen',
  'mail.password-removed.subject': 'Passwort entfernt',
  'mail.password-removed.text':
    'Das Passwort wurde aus Ihrem Konto entfernt. Sie melden sich mit Ihren Passkeys an.',
  'scope.webhook-subscription': 'Webhooks',
  'scope.webhook-subscription.read': 'Webhooks ansehen',
  'scope.webhook-subscription.create': 'Webhooks anlegen',
  'scope.webhook-subscription.update': 'Webhooks ändern',
  'scope.webhook-subscription.delete': 'Webhooks löschen',
  'scope.webhook-subscription.rotate': 'Geheimnisse von Webhooks erneuern',
  'scope.webhook-subscription.test': 'Testereignisse senden',
  'scope.webhook-delivery': 'Zustellungen von Webhooks',
  'scope.webhook-delivery.read': 'Zustellungen und ihre Versuche ansehen',
  'scope.webhook-delivery.redeliver': 'Erneut zustellen',
  'scope.webhook-event': 'Ereignisse',
  'scope.webhook-event.read': 'Ereignisse lesen',
  'scope.operator-webhook': 'Webhooks der Plattform',
  'scope.operator-webhook.read': 'Webhooks, Zustellungen und Ereignisse der Plattform ansehen',
  'scope.operator-webhook.rotate': 'Geheimnisse von Webhooks der Plattform erneuern',
  'scope.operator-webhook.manage': 'Webhooks der Plattform verwalten',
  'service-account.exceeds-caller':
    'Das Dienstkonto hat Berechtigungen, die Sie selbst nicht haben. Fragen Sie ein Mitglied, das sie hat.',
  'service-account.disabled-already': 'Das Dienstkonto ist bereits deaktiviert.',
  'service-account.not-disabled': 'Das Dienstkonto ist nicht deaktiviert.',
  'scope.service-account': 'Dienstkonten',
  'scope.service-account.read': 'Dienstkonten ansehen',
  'scope.service-account.create': 'Dienstkonten anlegen',
  'scope.service-account.create.description':
    'Programme als Mitglieder aufnehmen, mit Rollen bis zu den eigenen Berechtigungen.',
  'scope.service-account.update': 'Dienstkonten ändern',
  'scope.service-account.delete': 'Dienstkonten löschen',
  'scope.service-account.disable': 'Dienstkonten deaktivieren',
  'scope.service-account.disable.description': 'Ihre Schlüssel ablehnen, ohne sie zu löschen.',
  'scope.service-account.enable': 'Dienstkonten aktivieren',
  'mail.platform-key-expiring.subject': 'Ein Schlüssel der Plattform läuft ab',
  'mail.platform-key-expiring.text':
    'Der Schlüssel „{name}“ eines Dienstkontos der Plattform läuft am {date} ab.',
  'mail.platform-key-expiring.replace':
    'Erstellen Sie einen neuen für das Programm, das ihn benutzt, und widerrufen Sie danach diesen.',
  'mail.leaked-key.subject': 'Ein Schlüssel wurde öffentlich gefunden',
  'mail.leaked-key.text':
    'Der Schlüssel „{name}“ wurde als öffentlich gefunden gemeldet. Er wurde widerrufen.',
  'mail.leaked-key.replace':
    'Legen Sie für das Programm, das ihn verwendet hat, einen neuen an, und prüfen Sie, wer ihn gelesen haben kann.',
  'personal-key.forbidden':
    'Diese Organisation erlaubt keine Schlüssel von Mitgliedern. Bitten Sie um ein Dienstkonto.',
  'scope.key-policy': 'Schlüsselrichtlinie',
  'scope.key-policy.read': 'Schlüsselrichtlinie ansehen',
  'scope.key-policy.update': 'Schlüsselrichtlinie ändern',
  'scope.key-policy.update.description':
    'Die Gültigkeit von Schlüsseln begrenzen, und ob Mitglieder eigene Schlüssel haben.',
  'scope.trust-rule': 'Vertrauen in Workloads',
  'scope.trust-rule.read': 'Vertrauenswürdige Workloads ansehen',
  'scope.trust-rule.create': 'Workloads vertrauen',
  'scope.trust-rule.delete': 'Workloads das Vertrauen entziehen',
  'scope.api-key': 'Schlüssel von Dienstkonten',
  'scope.api-key.read': 'Schlüssel ansehen',
  'scope.api-key.create': 'Schlüssel anlegen',
  'scope.api-key.create.description': 'Ein Schlüssel handelt mit den Rollen seines Dienstkontos.',
  'scope.api-key.revoke': 'Schlüssel widerrufen',
  'mail.webhook-disabled.subject': 'Ein Webhook wurde deaktiviert',
  'mail.webhook-disabled.your-organization': 'Ihrer Organisation',
  'mail.webhook-disabled.text': 'Ein Webhook von {organization} an {host} wurde deaktiviert.',
  'mail.webhook-disabled.of-platform': 'Ein Webhook der Plattform an {host} wurde deaktiviert.',
  'mail.webhook-disabled.enable':
    'Sehen Sie den Grund in seinen Zustellungen, und aktivieren Sie ihn wieder, sobald der Empfänger Ereignisse annimmt.',
  'domain.in-use': 'Eine Verbindung nutzt die Domain. Nehmen Sie die Domain zuerst aus der Verbindung.',
  'connection-test.passed': 'Korrekt.',
  'connection-test.skipped': 'Nicht geprüft, weil eine frühere Prüfung fehlgeschlagen ist.',
  'connection-test.provider.failed':
    'Der Anbieter hat nicht oder nicht innerhalb von fünf Sekunden geantwortet. Prüfen Sie den Issuer und ob seine Adresse erreichbar ist.',
  'connection-test.code.failed':
    'Der Anbieter hat den Code nicht eingelöst. Prüfen Sie Client-ID und Client-Secret.',
  'connection-test.code.denied':
    'Der Anbieter hat die Anmeldung abgelehnt. Prüfen Sie, ob Ihnen die App zugewiesen ist.',
  'connection-test.code.invalid':
    'Die Antwort des Anbieters entspricht nicht OpenID Connect. Prüfen Sie die Art der App beim Anbieter.',
  'connection-test.nonce.failed':
    'Das ID-Token gehört zu einer anderen Anmeldung. Starten Sie den Test erneut.',
  'connection-test.response.failed': 'Die Antwort ist keine SAML-Antwort, die sich sicher lesen lässt.',
  'connection-test.response.encrypted':
    'Die Assertion ist verschlüsselt. Schalten Sie die Verschlüsselung bei der Verbindung ein oder beim Anbieter aus.',
  'connection-test.response.not-encrypted':
    'Die Assertion ist nicht verschlüsselt. Schalten Sie die Verschlüsselung beim Anbieter ein oder bei der Verbindung aus.',
  'connection-test.response.decryption':
    'Die Assertion lässt sich nicht entschlüsseln. Importieren Sie die Metadaten dieser Verbindung beim Anbieter neu, und wählen Sie AES-GCM mit RSA-OAEP.',
  'connection-test.response.status':
    'Der Anbieter hat die Anmeldung abgelehnt. Prüfen Sie, ob Ihnen die App zugewiesen ist.',
  'connection-test.issuer.failed':
    'Der Issuer ist nicht der aus den Einstellungen. Vergleichen Sie beide buchstabengetreu, auch den Schrägstrich am Ende.',
  'connection-test.recipient.failed':
    'Die Antwort ist für eine andere Adresse. Tragen Sie beim Anbieter die ACS-URL dieser Verbindung ein.',
  'connection-test.request.failed':
    'Die Antwort gehört zu keiner Anfrage dieses Tests. Starten Sie die Anmeldung mit dem Test, nicht beim Anbieter.',
  'connection-test.times.authentication':
    'Der Anbieter meldet eine alte Anmeldung (AuthnInstant), obwohl eine neue verlangt war. Erhöhen oder entfernen Sie die Grenze authnInstantMaxAge, wie Google Workspace es braucht.',
  'connection-test.times.failed':
    'Die Zeiten der Antwort passen nicht: Sie ist abgelaufen, noch nicht gültig, oder die Uhr des Anbieters geht falsch.',
  'connection-test.times.confirmation':
    'Die Bestätigung des Subjects ist nicht „bearer“ oder ist abgelaufen. Prüfen Sie die Uhr des Anbieters.',
  'connection-test.audience.failed':
    'Die Antwort ist für eine andere App. Tragen Sie beim Anbieter die Entity-ID oder Client-ID dieser Verbindung ein.',
  'connection-test.audience.others':
    'Das ID-Token ist auch für andere Apps. Wenn Sie ihnen damit vertrauen, tragen Sie sie unter trustedAudiences ein.',
  'connection-test.signature.failed':
    'Die Signatur ist ungültig. Vergleichen Sie das Signaturzertifikat oder die Schlüssel mit denen des Anbieters.',
  'connection-test.signature.missing':
    'Die Assertion ist nicht signiert. Schalten Sie ihre Signatur beim Anbieter ein.',
  'connection-test.signature.algorithm':
    'Der Signaturalgorithmus ist nicht erlaubt. Wählen Sie beim Anbieter RSA mit SHA-256 oder stärker.',
  'connection-test.subject.failed':
    'Die NameID fehlt, ist flüchtig oder gehört zu einer anderen Partei. Wählen Sie eine dauerhafte NameID oder die Adresse.',
  'connection-test.subject.other':
    'Die Angaben von UserInfo gehören zu einer anderen Person als das ID-Token. Prüfen Sie den Anbieter.',
  'connection-test.claim.missing':
    'Im ID-Token fehlt {claim}. Fügen Sie es dem hinzu, was der Anbieter sendet.',
  'connection-test.domain.none':
    'Die Verbindung hat keine verifizierte Domain. Verifizieren Sie eine und weisen Sie sie der Verbindung zu.',
  'connection-test.domain.missing':
    'Der Anbieter hat keine Adresse dieser Domains gesendet: {domains}. Nehmen Sie die Adresse in die gesendeten Daten auf.',
  'connection-test.domain.failed': 'Die Adresse gehört zu keiner dieser Domains: {domains}.',
  'connection-test.attributes.passed': 'Empfangen: {count}.',
  'connection-test.roles.passed': 'Rollen, die folgen: {roles}.',
  'connection-test.roles.incomplete':
    'Der Anbieter hat nicht alle Gruppen gesendet, oder zu viele zum Vergleichen. Eine solche Anmeldung ändert keine Rollen. Lassen Sie den Anbieter nur die Gruppen senden, die der App zugewiesen sind.',
  'connection-test.roles.none':
    'Es folgt keine Rolle: Personen werden bei der Anmeldung nicht hinzugefügt, oder keine Regel passt.',
  'connection.active-already': 'Die Verbindung ist bereits aktiv.',
  'connection.exceeds-caller':
    'Über diese Verbindung können sich Personen anmelden, die mehr Rechte haben als Sie. Bitten Sie einen Inhaber, sie zu ändern.',
  'setup-link.exceeds-creator':
    'Über diese Verbindung können sich Personen anmelden, die mehr Rechte haben als der Ersteller des Links. Bitten Sie einen Inhaber um einen neuen.',
  'connection.owners-only': 'Nur ein Inhaber kann das bestätigen oder ablehnen.',
  'connection.change-outdated':
    'Die Einstellungen haben sich seit der Anfrage geändert. Lehnen Sie sie ab und lassen Sie sie neu stellen.',
  'connection.requester-ended':
    'Wer das angefragt hat, darf die Verbindung nicht mehr ändern, oder der Einrichtungslink wurde widerrufen. Lehnen Sie die Änderung ab.',
  'connection.too-many-waiting':
    'Es warten schon zehn Änderungen. Ein Inhaber bestätigt oder lehnt zuerst eine ab.',
  'scope.connection.confirm': 'Änderungen von Verbindungen bestätigen',
  'mail.connection-change.waits-subject': 'Eine Änderung Ihres Single Sign-on wartet auf einen Inhaber',
  'mail.connection-change.applied-subject': 'Ihr Single Sign-on wurde geändert',
  'mail.connection-change.waits':
    'Für eine Verbindung von {organization} wurde eine Änderung angefragt. Es ändert sich nichts, bis ein Inhaber sie auf der Seite der Verbindung bestätigt.',
  'mail.connection-change.applied': 'Eine Verbindung von {organization} akzeptiert ab jetzt etwas anderes.',
  'mail.connection-change.actor': 'Von: {actor}',
  'mail.connection-change.by-member': 'ein Mitglied',
  'mail.connection-change.by-setup-link': 'ein Einrichtungslink',
  'mail.connection-change.by-provider': 'die Metadaten des Anbieters',
  'mail.connection-change.added': 'Neues Zertifikat (SHA-256): {sha256}',
  'mail.connection-change.removed': 'Entferntes Zertifikat (SHA-256): {sha256}',
  'mail.connection-change.check':
    'Wer einen akzeptierten Schlüssel hat, kann sich als jedes Mitglied anmelden, das die Verbindung nutzt. Kennen Sie diese Änderung nicht, lehnen Sie sie ab oder deaktivieren Sie die Verbindung.',
  'connection.not-tested':
    'Die Verbindung wurde seit der letzten Änderung ihrer Einstellungen nicht getestet. Testen Sie sie zuerst.',
  'scope.connection': 'Verbindungen',
  'scope.connection.read': 'Verbindungen ansehen',
  'scope.connection.create': 'Verbindungen anlegen',
  'scope.connection.update': 'Verbindungen ändern und deaktivieren',
  'scope.connection.activate': 'Verbindungen aktivieren',
  'scope.connection.test': 'Verbindungen testen',
  'scope.connection.delete': 'Verbindungen löschen',
  'scope.domain': 'Domains',
  'scope.domain.read': 'Domains ansehen',
  'scope.domain.create': 'Domains hinzufügen',
  'scope.domain.verify': 'Domains bestätigen',
  'scope.domain.delete': 'Domains entfernen',
  'connection.enforced':
    'Die Anmelderichtlinie verlangt diese Verbindung. Machen Sie Single Sign-on zuerst optional.',
  'mail.emergency-entry.subject': 'Ein Inhaber hat sich ohne Single Sign-on angemeldet',
  'mail.emergency-entry.text':
    'Ein Inhaber hat {organization} mit einem zweiten Faktor oder Passkey betreten, ohne den Anbieter, den sie verlangt.',
  'mail.emergency-entry.check':
    'Wenn es keiner von Ihnen war, beenden Sie die Sitzungen der Inhaber und prüfen Sie das Protokoll.',
  'scope.setup-link': 'Einrichtungslinks',
  'scope.setup-link.read': 'Einrichtungslinks ansehen',
  'scope.setup-link.create': 'Einrichtungslinks anlegen',
  'scope.setup-link.revoke': 'Einrichtungslinks widerrufen',
  'setup-link.invalid':
    'Der Link ist ungültig: Er ist abgelaufen oder wurde widerrufen. Bitten Sie die Organisation um einen neuen.',
  'setup-link.other-intent': 'Der Link ist nicht dafür. Bitten Sie die Organisation um einen anderen.',
  'setup-link.one-connection': 'Der Link hat seine Verbindung bereits. Ändern Sie diese.',
  'setup-link.one-directory': 'Der Link hat sein Verzeichnis bereits.',
  'setup-link.active-domains': 'Die Verbindung ist aktiv. Ihre Domains ändern Mitglieder der Organisation.',
  'setup-link.not-held': 'erfordert {scope}, das Sie nicht haben',
  'setup-link.too-many': 'Es kann {max} aktive Einrichtungslinks geben. Widerrufen Sie zuerst einen.',
  'setup-link.too-many-mails':
    'Diese Adresse hat zu viele Einrichtungslinks erhalten. Versuchen Sie es in einer Stunde erneut.',
  'mail.setup-link.subject': 'Single Sign-on einrichten',
  'mail.setup-link.an-organization': 'Eine Organisation',
  'mail.setup-link.text':
    '{organization} bittet Sie, ihren Identitätsanbieter anzubinden. Sie brauchen kein Konto.',
  'mail.setup-link.secret':
    'Der Link gilt sieben Tage. Jeder, der ihn hat, kann die Einrichtung ändern: Leiten Sie ihn nicht weiter.',
  'mail.setup-link.unexpected': 'Wenn Sie diese Nachricht nicht erwarten, ignorieren Sie sie.',
  'mail.setup-link.open': 'Einrichtung öffnen',
  'connection.only-certificate':
    'Es ist das einzige Zertifikat der Verbindung. Fügen Sie zuerst ein anderes hinzu.',
  'mail.certificate-expiring.subject': 'Ein Zertifikat Ihres Single Sign-on läuft ab',
  'mail.certificate-expiring.text':
    'Ein Zertifikat des Identitätsanbieters von {organization} läuft am {date} ab.',
  'mail.certificate-expiring.effect':
    'Signiert Ihr Anbieter danach noch damit, können sich Mitglieder nicht anmelden. Fügen Sie der Verbindung vorher das neue Zertifikat hinzu.',
  'mail.domain-lapsed.subject': 'Eine Domain ist nicht mehr bestätigt',
  'mail.domain-lapsed.your-organization': 'Ihrer Organisation',
  'mail.domain-lapsed.text':
    'Der Eintrag, der die Domain {domain} von {organization} belegt, fehlt seit sieben Tagen.',
  'mail.domain-lapsed.by-operator':
    'Der Betreiber des Dienstes hat {organization} die Domain {domain} entzogen.',
  'mail.domain-lapsed.effect':
    'Mitglieder mit verknüpfter Anmeldung können sich weiter anmelden, neue Personen dieser Domain nicht. Stellen Sie den Eintrag wieder her und bestätigen Sie die Domain erneut.',
  'error.forbidden': 'Das ist nicht erlaubt.',
  'error.conflict': 'Die Anfrage widerspricht dem aktuellen Zustand.',
  'error.precondition-failed': 'Das Element hat sich geändert, seit es gelesen wurde.',
  'tenant.name-differs': 'Geben Sie den Namen der Organisation ein.',
  'member.too-many-organizations':
    'Sie sind in {max} Organisationen; mehr sind nicht möglich. Verlassen Sie eine, die Sie nicht brauchen. Wo Sie der letzte Inhaber sind, machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  'role.key-taken': 'Es gibt bereits eine Rolle mit dem Schlüssel {key}.',
  'role.too-many':
    'Eine Organisation kann {max} eigene Rollen haben. Löschen Sie eine, die nicht verwendet wird.',
  'role.unknown': 'In dieser Organisation gibt es keine Rolle {key}.',
  'role.named-exceeds-caller': 'Die Rolle {key} enthält Berechtigungen, die Sie selbst nicht haben.',
  'role.unknown-permission': 'Diese Berechtigung gibt es in Organisationen nicht.',
  'role.permission-not-held': 'Diese Berechtigung haben Sie selbst nicht.',
  'invitation.open-already':
    'Für diese Adresse gibt es bereits eine offene Einladung. Senden Sie diese erneut, oder widerrufen Sie sie zuerst.',
  'invitation.member-already': 'Diese Adresse gehört bereits einem Mitglied.',
  'invitation.too-many':
    'An diese Adresse wurden zu viele Einladungen gesendet. Versuchen Sie es in einer Stunde noch einmal.',
  'mail.other-connections.your-organization': 'Ihre Organisation',
  'mail.other-connections.subject': 'Anmeldungen anderer Organisationen öffnen Ihre',
  'mail.other-connections.text':
    'Wer sich nur über den Anbieter einer anderen Organisation angemeldet hat, kann {organization} betreten. Bei neuen Organisationen geht das nicht.',
  'mail.other-connections.change': 'Um das abzulehnen, ändern Sie die Anmelderichtlinie Ihrer Organisation.',
  'tenant.mails-used-up':
    'Ihre Organisation hat ihre {max} E-Mails von heute an Adressen außerhalb ihrer bestätigten Domains gesendet. Bestätigen Sie die Domain, versuchen Sie es morgen noch einmal, oder bitten Sie die Betreiber dieses Dienstes um mehr.',
  'tenant.too-many-today':
    'Sie können {max} Organisationen am Tag erstellen. Versuchen Sie es morgen noch einmal.',
  'invitation.too-many-open':
    'Ihre Organisation hat {max} offene Einladungen, mehr sind nicht möglich. Widerrufen Sie einige, warten Sie, bis einige angenommen sind, oder bitten Sie die Betreiber dieses Dienstes um mehr.',
  'email-change.too-many':
    'Sie können {max} Änderungen Ihrer Adresse am Tag beantragen. Versuchen Sie es morgen noch einmal.',
  'invitation.account-already':
    'Diese Adresse hat ein Konto. Melden Sie sich an, um die Einladung anzunehmen.',
  'invitation.not-valid':
    'Die Einladung gilt nicht mehr. Bitten Sie das Mitglied, das Sie eingeladen hat, um eine neue.',
  'error.invalid-credentials': 'Die E-Mail-Adresse oder das Passwort ist falsch.',
  'error.email-not-verified': 'Die E-Mail-Adresse ist noch nicht bestätigt.',
  'password.wrong': 'Das Passwort ist falsch.',
  'password.current-wrong': 'Das aktuelle Passwort ist falsch.',
  'password.no-recipient': 'Das Konto ist gesperrt oder hat keine Adresse, an die ein Link gehen könnte.',
  'password.too-many-mails':
    'Diese Adresse hat zu viele dieser Mails erhalten. Warten Sie eine Stunde, und versuchen Sie es noch einmal.',
  'export.one-a-day':
    'Sie haben Ihre Daten innerhalb des letzten Tages schon angefordert. Nutzen Sie diesen Export, oder fragen Sie später wieder.',
  'export.person-one-a-day':
    'Ein Export dieser Person wurde innerhalb des letzten Tages gestartet. Versuchen Sie es später noch einmal.',
  'export.page.title': 'Was über Sie gespeichert ist',
  'export.page.lead':
    'Stand: {time}. Geheimnisse wie Ihr Passwort sind nicht enthalten. Die Beschreibungen sind auf Englisch.',
  'export.page.entries': '{count, plural, =0 {Keine Einträge} one {# Eintrag} other {# Einträge}}',
  'export.page.yes': 'ja',
  'export.page.no': 'nein',
  'export.not-ready': 'Ihre Daten sind noch nicht bereit. Eine Mail sagt Ihnen, wenn sie es sind.',
  'password.none':
    'Dieses Konto hat kein Passwort. Melden Sie sich stattdessen erneut über einen externen Anbieter an.',
  'password.link-not-valid': 'Der Link gilt nicht mehr. Fordern Sie einen neuen an.',
  'registration.wrong-password':
    'Keine Registrierung dieser Adresse hat dieses Passwort. Geben Sie das ein, mit dem Sie sich registriert haben.',
  'registration.link-not-valid': 'Der Link gilt nicht mehr. Fordern Sie einen neuen an.',
  'email-change.managed':
    'Ein Verzeichnis Ihrer Organisation verwaltet diese Adresse. Ihre Administration kann sie dort ändern.',
  'email-change.own-address': 'Das ist bereits die Adresse Ihres Kontos.',
  'email-change.link-not-valid':
    'Der Link gilt nicht mehr. Beantragen Sie die Änderung in Ihrem Konto erneut.',
  'email-change.undo-not-valid':
    'Der Link gilt nicht mehr. Bitten Sie einen Betreiber dieses Dienstes um Hilfe.',
  'error.not-a-member': 'Sie sind kein Mitglied dieser Organisation.',
  'sign-in.wrong-code': 'Der Code ist falsch, abgelaufen oder benutzt. Fordern Sie einen neuen an.',
  'sign-in.passkey-refused': 'Dieser Passkey kann nicht zur Anmeldung verwendet werden.',
  'sign-in.challenge-not-valid':
    'Die Anmeldung ist abgelaufen oder abgeschlossen. Melden Sie sich erneut an.',
  'error.invalid-second-factor': 'Der zweite Faktor ist falsch oder wurde bereits benutzt.',
  'authorize.refused.title': 'Diese App kann Sie nicht anmelden',
  'authorize.refused.client':
    'Die App ist hier nicht registriert oder ist deaktiviert. Gehen Sie zu ihr zurück, und beginnen Sie neu. Geschieht es wieder, sagen Sie es denen, die die App betreiben.',
  'authorize.refused.redirect-uri':
    'Die Adresse, zu der die App zurückführt, ist nicht registriert. Gehen Sie zurück zur App, und beginnen Sie neu. Geschieht es wieder, sagen Sie es denen, die die App betreiben.',
  'authorize.refused.request':
    'Die Anfrage der App ist unbekannt, verwendet oder abgelaufen. Gehen Sie zurück zur App, und beginnen Sie neu. Geschieht es wieder, sagen Sie es denen, die die App betreiben.',
  'authorize.answer.title': 'Weiter zur App',
  'authorize.answer.lead': 'Ihr Browser geht automatisch dorthin. Wenn nicht, drücken Sie die Schaltfläche.',
  'authorize.answer.continue': 'Weiter',
  'logout.refused.title': 'Diese App kann Sie nicht abmelden',
  'logout.refused.client':
    'Die App ist hier nicht registriert oder ist deaktiviert. Sie wurden nicht abgemeldet. Melden Sie sich auf der Seite Ihres Kontos ab. Geschieht es wieder, sagen Sie es denen, die die App betreiben.',
  'logout.refused.redirect-uri':
    'Die Adresse, zu der die App zurückführt, ist nicht registriert. Sie wurden nicht abgemeldet. Melden Sie sich auf der Seite Ihres Kontos ab. Geschieht es wieder, sagen Sie es denen, die die App betreiben.',
  'logout.refused.hint':
    'Die Anfrage nennt eine andere App als die, bei der Sie sich angemeldet haben. Sie wurden nicht abgemeldet. Melden Sie sich auf der Seite Ihres Kontos ab. Geschieht es wieder, sagen Sie es denen, die die App betreiben.',
  'device.wrong-code':
    'Dieser Code ist unbekannt, benutzt oder abgelaufen. Prüfen Sie den Bildschirm des Geräts.',
  'authenticator.too-many': 'Sie haben davon bereits {max}. Entfernen Sie zuerst einen.',
  'authenticator.passkey-registered': 'Dieser Passkey ist bereits registriert.',
  'authenticator.none-yet': 'Fügen Sie zuerst eine Authenticator-App oder einen Passkey hinzu.',
  'authenticator.no-recovery':
    'Fügen Sie einen zweiten Passkey hinzu, oder erstellen Sie Wiederherstellungscodes, damit Sie sich anmelden können, wenn Sie einen verlieren.',
  'authenticator.no-six-digits': 'Geben Sie die sechs Ziffern des Codes ein.',
  'authenticator.no-recovery-code': 'Geben Sie die zehn Zeichen eines Wiederherstellungscodes ein.',
  'authenticator.wrong-code': 'Das ist nicht der aktuelle Code dieser App.',
  'webhook.too-many': 'Es kann {max} Abonnements geben. Löschen Sie eines, das nicht verwendet wird.',
  'webhook.unknown-type': 'Diese Art von Ereignissen gibt es nicht.',
  'webhook.type-not-readable': 'Ereignisse dieser Art dürfen Sie nicht lesen.',
  'webhook.needs-scope': 'Dafür ist die Berechtigung {scope} nötig.',
  'webhook.since-expired': 'Der Zeitpunkt liegt mehr als {days} Tage zurück.',
  'webhook.since-future': 'Der Zeitpunkt liegt in der Zukunft.',
  'webhook.disabled': 'Das Abonnement ist deaktiviert. Aktivieren Sie es zuerst.',
  'webhook.delivery-not-finished': 'Die Zustellung ist nicht abgeschlossen: Sie wird ohnehin gesendet.',
  'satellite.client-id-taken': 'Es gibt bereits einen Satelliten mit der Client-ID {clientId}.',
  'field.text':
    'Geben Sie einen Text mit {min} bis {max} Zeichen ein, ohne Steuerzeichen und nicht nur aus Leerzeichen.',
  'field.password': 'Geben Sie {min} bis {max} Zeichen ein, ohne Steuerzeichen.',
  'field.email': 'Geben Sie eine E-Mail-Adresse ein.',
  'field.integer': 'Geben Sie eine ganze Zahl von {min} bis {max} ein.',
  'field.number': 'Geben Sie eine Zahl von {min} bis {max} ein.',
  'field.boolean': 'Der Wert muss true oder false sein.',
  'field.time': 'Geben Sie eine Zeit in UTC ein, wie 2026-11-21T09:00:00Z.',
  'field.date': 'Geben Sie ein Datum ein, wie 2026-11-21.',
  'field.list': 'Geben Sie {min} bis {max} Einträge an.',
  'directory.exceeds-caller':
    'Gruppen des Verzeichnisses geben Rollen, die Sie nicht vergeben können. Fragen Sie ein Mitglied, das es kann.',
  'directory.exceeds-creator':
    'Gruppen des Verzeichnisses geben Rollen, die der Ersteller des Links nicht vergeben kann.',
  'directory.tokens-exceed':
    'Widerrufen Sie zuerst diese Token und erstellen Sie neue, da ihre Ersteller die Rollen nicht vergeben können: {tokens}.',
  'directory.token-stopped':
    'Das Mitglied, das dieses Token erstellt hat, ist ausgetreten, gesperrt oder könnte es nicht mehr erstellen. Erstellen Sie ein neues Token des Verzeichnisses und tragen Sie es beim Identity Provider ein.',
  'mail.directory-token-stopped.subject': 'Ein Verzeichnis kann keine Änderungen mehr senden',
  'mail.directory-token-stopped.text':
    'Ein Token eines Verzeichnisses von {organization} wird abgewiesen: Das Mitglied, das es erstellt hat, ist ausgetreten, gesperrt oder könnte es nicht mehr erstellen.',
  'mail.directory-token-stopped.replace':
    'Erstellen Sie auf der Seite des Verzeichnisses ein neues Token und tragen Sie es bei Ihrem Identity Provider ein. Bis dahin behalten Personen, die Sie dort deaktivieren, hier ihren Zugang.',
  'scope.directory': 'Verzeichnisse',
  'scope.directory.read': 'Verzeichnisse ansehen',
  'scope.directory.read.description':
    'Mit den Personen, die sie gesendet haben, und dem Protokoll ihrer Aufrufe.',
  'scope.directory.create': 'Verzeichnisse anlegen',
  'scope.directory.update': 'Verzeichnisse und die Rollen ihrer Gruppen ändern',
  'scope.directory.delete': 'Verzeichnisse löschen',
  'scope.directory-token': 'Token von Verzeichnissen',
  'scope.directory-token.create': 'Token von Verzeichnissen anlegen',
  'scope.directory-token.revoke': 'Token von Verzeichnissen widerrufen',
  'scope.branding': 'Aussehen',
  'scope.branding.read': 'Das Aussehen der Organisation sehen',
  'scope.branding.update': 'Das Aussehen der Organisation ändern',
  'scope.branding.update.description':
    'Den gezeigten Namen, das Logo, die Farbe und den Absender der E-Mails ändern.',
  'branding.looks-like-service':
    'Dieser Name könnte für den des Dienstes gehalten werden. Wählen Sie einen anderen.',
  'branding.low-contrast':
    'Der Kontrast mit Weiß ist {contrast} zu 1, nötig ist {min} zu 1. Wählen Sie eine dunklere Farbe.',
  'branding.logo-type': 'Wählen Sie ein Bild als PNG oder WebP.',
  'branding.logo-bytes': 'Das Bild darf höchstens {max} KiB groß sein.',
  'branding.logo-pixels': 'Das Bild darf höchstens {max} Pixel breit und hoch sein.',
  'branding.logo-animated': 'Das Bild darf sich nicht bewegen.',
  'branding.logo-damaged': 'Das Bild ist beschädigt oder enthält mehr als ein Bild.',
  'support-access.not-on-request': 'Die Anmelderichtlinie lässt den Support nicht auf Anfrage ein.',
  'support-access.not-granted': 'Der Support hat keinen Zugang, der beendet werden könnte.',
  'mail.support-access.subject': 'Der Support darf in Ihre Organisation',
  'mail.support-access.text':
    'Ein Inhaber hat dem Support bis {until} Zugang zu {organization} gegeben. Der Support darf bis dahin für ein Mitglied handeln.',
  'mail.support-access.end':
    'Das Protokoll zeigt, was der Support tut. Sie können den Zugang jederzeit beenden.',
  'mail.support-access.your-organization': 'Ihrer Organisation',
  'mail.members-imported.subject': 'Der Support hat Ihrer Organisation Mitglieder hinzugefügt',
  'mail.members-imported.text':
    'Der Support hat {organization} durch einen Import Personen hinzugefügt, mit Rollen, die er bestimmt hat.',
  'mail.members-imported.end':
    'Das Protokoll zeigt, wen und durch wen. Wenn Sie das nicht wollten, entfernen Sie diese Mitglieder und beenden Sie den Zugang des Supports.',
  'scope.support-access': 'Zugang des Supports',
  'scope.support-access.read': 'Sehen, ob der Support Zugang hat',
  'scope.support-access.grant': 'Dem Support für einige Stunden Zugang geben',
  'scope.support-access.end': 'Den Zugang des Supports beenden',
  'ability.impersonation': 'Der Support kann das nicht für eine Person tun. Das kann nur die Person selbst.',
  'mail.impersonation.subject': 'Der Support hat für Sie gehandelt',
  'mail.impersonation.text':
    'Ein Mitarbeiter des Supports hat von {from} bis {to} in {organization} für Sie gehandelt.',
  'mail.impersonation.trail':
    'Ihr Protokoll zeigt, was getan wurde. Wenn Sie nicht wissen, warum, fragen Sie Ihre Organisation.',
  'mail.impersonation.your-organization': 'Ihrer Organisation',
  'impersonation.not-allowed': 'Die Organisation lässt den Support nicht ein.',
  'impersonation.ended': 'Das Handeln für diese Person ist bereits beendet.',
  'scope.impersonation': 'Handeln für eine Person',
  'scope.impersonation.start': 'Für eine Person handeln',
  'scope.impersonation.end': 'Das Handeln für eine Person beenden',
  'error-page.invalid.title': 'Die Anfrage ist nicht gültig',
  'error-page.invalid.lead': 'Gehen Sie zurück, und versuchen Sie es noch einmal.',
  'error-page.unauthenticated.title': 'Melden Sie sich zuerst an',
  'error-page.unauthenticated.lead': 'Diese Adresse ist für angemeldete Benutzer.',
  'error-page.not-found.title': 'Seite nicht gefunden',
  'error-page.not-found.lead':
    'Die Adresse ist vielleicht falsch geschrieben, oder die Seite wurde verschoben.',
  'error-page.too-many.title': 'Zu viele Anfragen',
  'error-page.too-many.lead': 'Warten Sie eine Minute, und laden Sie die Seite dann neu.',
  'error-page.internal.title': 'Bei uns ist etwas schiefgegangen',
  'error-page.internal.lead':
    'Versuchen Sie es später erneut. Wenn es wieder geschieht, melden Sie es mit der Nummer unten.',
  'error-page.unavailable.title': 'Dienst vorübergehend nicht verfügbar',
  'error-page.unavailable.lead': 'Laden Sie die Seite in einer Minute neu.',
  'error-page.home': 'Zur Startseite',
  'error-page.documentation': 'API-Dokumentation',
  'identity.page.unusable.title': 'Diese Anmeldung kann nicht abgeschlossen werden',
  'identity.page.unusable.lead':
    'Sie ist abgelaufen, wurde schon benutzt oder in einem anderen Browser begonnen. Melden Sie sich dort neu an, wo Sie begonnen haben.',
  'identity.page.not-available.title': 'Dieser Anmeldeweg ist nicht verfügbar',
  'identity.page.not-available.lead':
    'Der Identitätsanbieter ist hier nicht eingerichtet. Gehen Sie zurück, und melden Sie sich anders an.',
  'identity.page.to-provider.title': 'Weiter zu Ihrem Identitätsanbieter',
  'identity.page.to-provider.lead':
    'Ihr Browser geht automatisch dorthin. Wenn nicht, drücken Sie die Schaltfläche.',
  'identity.page.to-provider.continue': 'Weiter',
  'identity.page.sign-out.title': 'Diese Abmeldung kann nicht abgeschlossen werden',
  'identity.page.sign-out.lead':
    'Die Anfrage Ihres Identitätsanbieters ist hier nicht gültig. Melden Sie sich in der App ab.',
  'portal.description': 'Ihr Konto, Ihre Organisationen und Ihre Sitzungen.',
  'portal.no-script':
    'Diese Seite braucht JavaScript. Erlauben Sie es für diese Adresse, und laden Sie die Seite dann neu.',
  'worker.number-taken': 'Eine andere Person in dieser Organisation hat diese Nummer.',
  'worker.no-owner': 'Eine Arbeitskraft ohne Adresse kann nicht Eigentümer sein.',
  'worker.is-owner': 'Diese Person ist Eigentümer. Nehmen Sie ihr zuerst diese Rolle.',
  'worker.own': 'Das können Sie nicht für sich selbst tun. Bitten Sie ein anderes Mitglied.',
  'worker.owns-account': 'Diese Person hat eine Adresse und ändert Name und Adresse selbst.',
  'worker.pin-temporary': 'Diese PIN ist vorläufig. Wählen Sie eine neue.',
  'worker.pin-guessable':
    'Wählen Sie eine PIN, die schwerer zu erraten ist: keine Reihe, keine Wiederholung, nicht Ihre Nummer.',
  'station.other-network': 'Diese Station ist nicht in dem Netz, für das sie eingerichtet ist.',
  'station.pending': 'Das Gerät dieser Station hat sich noch nicht registriert.',
  'station.too-many': 'Es kann {max} Stationen geben. Löschen Sie eine, die nicht in Gebrauch ist.',
  'station.code-refused': 'Dieser Code ist falsch, benutzt oder abgelaufen. Bitten Sie um einen neuen.',
  'scope.worker': 'Arbeitskräfte',
  'scope.worker.read': 'Arbeitskräfte sehen',
  'scope.worker.create': 'Arbeitskräfte hinzufügen',
  'scope.worker.create.description':
    'Mitglieder ohne Adresse hinzufügen, mit Rollen bis zu den eigenen Berechtigungen.',
  'scope.worker.update': 'Arbeitskräfte ändern',
  'scope.worker.delete': 'Arbeitskräfte entfernen',
  'scope.worker.suspend': 'Arbeitskräfte sperren',
  'scope.worker.reinstate': 'Sperren von Arbeitskräften aufheben',
  'scope.worker.reset-pin': 'PINs zurücksetzen',
  'scope.worker.reset-pin.description':
    'Arbeitskräften eine vorläufige PIN geben, etwa wenn sie ihre vergessen haben.',
  'scope.worker.issue-badge': 'Ausweise ausstellen',
  'scope.worker.revoke-badge': 'Ausweise widerrufen',
  'scope.station': 'Stationen',
  'scope.station.read': 'Stationen sehen',
  'scope.station.create': 'Stationen anlegen',
  'scope.station.create.description': 'Gemeinsame Geräte einrichten, an denen sich Mitglieder anmelden.',
  'scope.station.update': 'Stationen ändern',
  'scope.station.delete': 'Stationen löschen',
  'ability.station':
    'An einer gemeinsamen Station geht das nicht. Melden Sie sich auf einem eigenen Gerät an.',
};
