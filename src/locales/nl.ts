import type { Texts } from '../platform/messages/index.js';

/** Dutch. */
export const nl: Texts = {
  'mail.copy-address': 'Of kopieer dit adres:',
  'ability.unknown-scope': 'Deze machtiging bestaat niet.',
  'ability.tenant-required': 'Kies eerst een organisatie.',
  'ability.held-on-other-things': 'Je rollen bevatten deze machtiging alleen voor andere dingen.',
  'ability.scope-not-held': 'Je rollen bevatten deze machtiging niet.',
  'ability.people-only': 'Dit is alleen voor personen. Een serviceaccount kan het niet.',
  'ability.key-without-scope':
    'Deze sleutel heeft deze machtiging niet. De rollen van het account misschien wel.',
  'ability.client-without-scope': 'Deze app heeft deze machtiging niet. Probeer het in de hoofdapp.',
  'ability.subject-mismatch': 'Het onderwerp is niet van het type waarvoor deze machtiging geldt.',
  'ability.subject-not-found': 'Het onderwerp bestaat niet in deze organisatie.',
  'ability.second-factor-required':
    'Hiervoor is een tweede factor nodig. Bevestig met die van jou, of voeg er eerst een toe.',
  'ability.passkey-required':
    'Hiervoor is een toegangssleutel nodig. Bevestig met die van jou, of voeg er eerst een toe.',
  'ability.tenant-second-factor':
    'Deze organisatie vereist een tweede factor. Bevestig met die van jou, of voeg er eerst een toe.',
  'ability.tenant-connection': 'Log in via de eigen provider van je organisatie, die zij vereist.',
  'ability.tenant-passkey':
    'Deze organisatie vereist een toegangssleutel. Bevestig met die van jou, of voeg er eerst een toe.',
  'ability.tenant-sign-in-too-old':
    'Je hebt voor deze organisatie te lang geleden ingelogd. Bevestig dat jij het bent en probeer het opnieuw.',
  'ability.own-proof':
    'Je bent alleen via een organisatie ingelogd. Bevestig met je wachtwoord of tweede factor, of stel per e-mail een wachtwoord in.',
  'ability.tenant-other-connection':
    'Je bent alleen via een andere organisatie ingelogd. Bevestig met je wachtwoord of tweede factor, of stel per e-mail een wachtwoord in.',
  'ability.key-without-sso':
    'Deze sleutel is gemaakt zonder de single sign-on die de organisatie nu vereist. Log daarmee in en maak een nieuwe.',
  'ability.key-too-weak':
    'Deze sleutel is gemaakt met een zwakkere aanmelding dan de organisatie nu vereist. Maak een nieuwe.',
  'ability.tenant-session-too-old': 'Je sessie is te oud voor deze organisatie. Log opnieuw in.',
  'ability.authentication-insufficient':
    'Je hebt hiervoor te lang geleden ingelogd. Bevestig dat jij het bent en probeer het opnieuw.',
  'session.ended': 'De sessie is al beëindigd.',
  'satellite.public': 'Deze client heeft geen geheim.',
  'satellite.disabled': 'De satelliet is al uitgeschakeld.',
  'satellite.not-disabled': 'De satelliet is niet uitgeschakeld.',
  'identity.only-sign-in':
    'Dit is je enige inlogmethode. Stel eerst een wachtwoord in of koppel een andere identiteit.',
  'tenant.archived': 'De organisatie is gearchiveerd. Herstel die eerst.',
  'tenant.archived-already': 'De organisatie is al gearchiveerd.',
  'tenant.not-archived': 'De organisatie is niet gearchiveerd.',
  'tenant.deletion-scheduled-already': 'De verwijdering van de organisatie is al ingepland.',
  'tenant.deletion-not-scheduled': 'Er is geen verwijdering van de organisatie ingepland.',
  'tenant.slug-reserved': 'Deze naam is gereserveerd voor de dienst. Kies een andere.',
  'tenant.slug-taken': 'Een andere organisatie heeft deze naam in het adres. Kies een andere.',
  'tenant.owners-only': 'Alleen een eigenaar kan het eigendom overdragen.',
  'tenant.last-owner-leaves': 'De laatste eigenaar kan niet vertrekken. Maak eerst een ander lid eigenaar.',
  'member.last-owner':
    'De laatste eigenaar kan niet worden verwijderd of de rol verliezen. Maak eerst een ander lid eigenaar.',
  'member.last-owner-suspended':
    'De laatste eigenaar kan niet worden geschorst. Maak eerst een ander lid eigenaar.',
  'member.suspended-already': 'Het lidmaatschap is al geschorst.',
  'member.not-suspended': 'Het lidmaatschap is niet geschorst.',
  'member.own-roles': 'Je kunt je eigen rollen niet wijzigen. Vraag het een andere eigenaar of beheerder.',
  'member.owners-only': 'Alleen een eigenaar kan dit bij een eigenaar doen.',
  'member.exceeds-caller':
    'Het lid heeft machtigingen die je zelf niet hebt. Vraag het een lid dat ze wel heeft.',
  'role.built-in': 'Een ingebouwde rol kan niet worden gewijzigd of verwijderd.',
  'role.exceeds-caller': 'De rol heeft machtigingen die je zelf niet hebt.',
  'role.in-use':
    'De rol is in gebruik. Neem die eerst af van leden en serviceaccounts, en trek uitnodigingen ervoor in.',
  'member.no-change': 'geef rollen of het einde van het lidmaatschap op',
  'mail.access-ending.subject': 'Je toegang eindigt binnenkort',
  'mail.access-ending.membership': 'Je lidmaatschap van {organization} eindigt op {date}.',
  'mail.access-ending.role': 'Je rol {role} in {organization} eindigt op {date}.',
  'mail.access-ending.what-now': 'Heb je hem langer nodig, vraag het een eigenaar of beheerder.',
  'mail.access-ending.an-organization': 'een organisatie',
  'mail.access-ending.a-role': 'daar',
  'assignment.owner': 'Een eigenaar bezit de hele organisatie. Kies een andere rol.',
  'assignment.past': 'moet in de toekomst liggen',
  'assignment.unknown-thing': 'De organisatie heeft zoiets niet.',
  'assignment.too-many': 'Een lid kan {max} rollen op dingen hebben. Beëindig er eerst enkele.',
  'invitation.accepted': 'De uitnodiging is al geaccepteerd.',
  'invitation.revoked': 'De uitnodiging is al ingetrokken.',
  'invitation.expired': 'De uitnodiging is verlopen.',
  'invitation.lacks-role':
    'Een rol van de uitnodiging is verwijderd. Nodig het adres opnieuw uit met andere rollen.',
  'invitation.owners-only': 'Alleen een eigenaar kan iemand eigenaar maken.',
  'invitation.exceeds-caller':
    'De uitnodiging geeft machtigingen die je zelf niet hebt. Vraag het een lid dat ze wel heeft.',
  'sign-in-policy.sso-not-tested':
    'Test eerst zelf de actieve verbinding. De test moet in de afgelopen dag zijn geslaagd.',
  'sign-in-policy.sso-no-emergency-owner':
    'Voor noodgevallen heeft een eigenaar een tweede factor of toegangssleutel nodig, waarmee in de afgelopen 90 dagen is ingelogd.',
  'sign-in-policy.own-sign-in':
    'Jouw eigen sessie voldoet niet aan dit beleid. Log in met wat het vereist en stel het dan in.',
  'invitation.other-address':
    'De uitnodiging is naar een ander adres gestuurd. Log in met het account van dat adres.',
  'mail.invitation.subject': 'Je bent uitgenodigd',
  'mail.invitation.invited':
    'Je bent uitgenodigd voor de organisatie {organization}. Log in met dit e-mailadres, of registreer er eerst een account voor, en accepteer binnen zeven dagen.',
  'mail.invitation.invited-without-name':
    'Je bent uitgenodigd voor een organisatie. Log in met dit e-mailadres, of registreer er eerst een account voor, en accepteer binnen zeven dagen.',
  'mail.invitation.unexpected': 'Verwachtte je dit niet, negeer dan deze e-mail.',
  'mail.invitation.accept': 'Uitnodiging accepteren',
  'mail.ownership-transferred.subject': 'Je hebt een organisatie overgedragen',
  'mail.ownership-transferred.done':
    'Een ander lid is in jouw plaats eigenaar van de organisatie {organization}. Je blijft lid.',
  'mail.ownership-transferred.without-name':
    'Een ander lid is in jouw plaats eigenaar van een organisatie. Je blijft lid.',
  'mail.ownership-transferred.what-now':
    'Heb jij dit niet gedaan, wijzig dan je wachtwoord en vraag een eigenaar om hulp.',
  'mail.ownership-received.subject': 'Je bent eigenaar van een organisatie',
  'mail.ownership-received.done':
    'Een eigenaar heeft het eigendom van de organisatie {organization} aan jou overgedragen.',
  'mail.ownership-received.without-name':
    'Een eigenaar heeft het eigendom van een organisatie aan jou overgedragen.',
  'mail.ownership-received.what-now':
    'Je kunt er alles in doen: leden en rollen beheren, de organisatie archiveren en verwijderen.',
  'mail.tenant-deletion.subject': 'Een organisatie wordt verwijderd',
  'mail.tenant-deletion.scheduled':
    'Een eigenaar heeft de verwijdering van de organisatie {organization} ingepland op {time}.',
  'mail.tenant-deletion.scheduled-without-name':
    'Een eigenaar heeft de verwijdering van een organisatie van jou ingepland op {time}.',
  'mail.tenant-deletion.what-goes':
    'Alles erin verdwijnt: leden, rollen, uitnodigingen en het auditlogboek. Accounts blijven. Dit kan niet ongedaan worden gemaakt.',
  'mail.tenant-deletion.cancel':
    'Tot die tijd kan elke eigenaar de verwijdering annuleren of de organisatie herstellen.',
  'password.common':
    'Dit wachtwoord staat op een lijst van wachtwoorden die aanvallers het eerst proberen. Kies een ander.',
  'password.own-words':
    'Dit wachtwoord is je adres, je naam of je organisatie, wat aanvallers het eerst proberen. Kies een ander.',
  'mail.go-to-app': 'Naar de app',
  'mail.verification.subject': 'Verifieer je e-mailadres',
  'mail.verification.registered':
    'Er is op {registeredAt} een account geregistreerd met dit e-mailadres. De persoon die dit deed, voerde de voornaam {name} in.',
  'mail.verification.registered-without-name':
    'Er is op {registeredAt} een account geregistreerd met dit e-mailadres. De persoon die dit deed, voerde een voornaam in die hier niet kan worden getoond.',
  'mail.verification.was-you':
    'Was jij dit, verifieer het adres dan binnen 24 uur. Je hebt het wachtwoord nodig dat je hebt gekozen.',
  'mail.verification.was-not-you':
    'Was jij dit niet, weiger dan de registratie. Er wordt dan geen account gemaakt.',
  'mail.verification.verify': 'Dit adres verifiëren',
  'mail.verification.refuse': 'Ik was dit niet',
  'mail.already-registered.subject': 'Je hebt al een account',
  'mail.already-registered.was-you':
    'Iemand probeerde een account te registreren met dit e-mailadres, dat er al een heeft. Was jij dit, log dan in, of stel je wachtwoord opnieuw in als je het bent vergeten.',
  'mail.already-registered.was-not-you':
    'Was jij dit niet, dan hoef je niets te doen. Er is niets gewijzigd.',
  'mail.already-registered.sign-in': 'Naar de inlogpagina',
  'mail.choose-password.subject': 'Kies een wachtwoord voor je account',
  'mail.choose-password.ready':
    'Je hebt dit e-mailadres geverifieerd en je account is klaar. Het adres is met verschillende wachtwoorden geregistreerd, dus geen daarvan wordt gebruikt.',
  'mail.choose-password.within':
    'Kies binnen een uur je wachtwoord. Daarna vraag je een nieuwe link aan met “Wachtwoord vergeten?” op de inlogpagina.',
  'mail.choose-password.choose': 'Een wachtwoord kiezen',
  'mail.password-reset.subject': 'Stel je wachtwoord opnieuw in',
  'mail.password-reset.was-you':
    'Iemand vroeg om het wachtwoord van je account opnieuw in te stellen. Was jij dit, kies dan een nieuw: de link werkt één keer, binnen een uur.',
  'mail.password-reset.was-not-you':
    'Was jij dit niet, negeer dan deze e-mail. Je wachtwoord blijft zoals het is.',
  'mail.password-reset.choose': 'Een nieuw wachtwoord kiezen',
  'mail.new-password-required.subject': 'Kies een nieuw wachtwoord',
  'mail.new-password-required.removed':
    'Support van deze dienst vraagt je om een nieuw wachtwoord te kiezen. Je vorige werkt niet meer en je apparaten zijn uitgelogd.',
  'mail.new-password-required.within':
    'De link werkt één keer, binnen een uur. Daarna vraag je een nieuwe aan met “Wachtwoord vergeten?” op de inlogpagina.',
  'mail.export-ready.subject': 'Je gegevens zijn klaar',
  'mail.export-ready.ready':
    'Je hebt alles aangevraagd wat deze dienst over je bewaart. Log binnen zeven dagen in om het te downloaden.',
  'mail.export-ready.was-not-you':
    'Heb je er niet om gevraagd, wijzig dan je wachtwoord en beëindig de sessies die je niet kent.',
  'mail.export-ready.by-support':
    'De support van deze dienst heeft voor je alles verzameld wat de dienst over je bewaart. Meld je aan om het binnen zeven dagen te downloaden.',
  'mail.export-ready.for-you-alone': 'Alleen jij kunt het openen. Support kan dat niet.',
  'mail.password-changed.subject': 'Je wachtwoord is gewijzigd',
  'mail.password-changed.changed':
    'Het wachtwoord van je account is gewijzigd, en apparaten die waren ingelogd, zijn uitgelogd.',
  'mail.password-changed.was-not-you':
    'Was jij dit niet, stel het wachtwoord dan direct opnieuw in en meld het je beheerder.',
  'mail.confirm-email.subject': 'Bevestig je nieuwe e-mailadres',
  'mail.confirm-email.asked': 'Iemand vroeg om dit e-mailadres voortaan voor diens account te gebruiken.',
  'mail.confirm-email.was-you':
    'Was jij dit, bevestig het adres dan binnen 24 uur. Vanaf dan log je ermee in.',
  'mail.confirm-email.was-not-you':
    'Was jij dit niet, negeer dan deze e-mail en open de link niet. Er verandert dan niets.',
  'mail.confirm-email.confirm': 'Dit adres bevestigen',
  'mail.email-taken.subject': 'Dit e-mailadres heeft al een account',
  'mail.email-taken.asked':
    'Iemand vroeg om dit e-mailadres voor een ander account te gebruiken. Het hoort bij jouw account, dus er is niets gewijzigd.',
  'mail.email-taken.was-you': 'Was jij dit, log dan in met dit adres. Een adres kan maar één account hebben.',
  'mail.email-taken.was-not-you': 'Was jij dit niet, dan hoef je niets te doen.',
  'mail.email-changed.subject': 'Het e-mailadres van je account is gewijzigd',
  'mail.email-changed.changed':
    'Je account heeft nu een ander e-mailadres. Je logt met dat adres in, en e-mails gaan erheen.',
  'mail.email-changed.was-not-you':
    'Was jij dit niet, herstel dit adres dan binnen zeven dagen. Alle apparaten worden dan uitgelogd en je kiest een nieuw wachtwoord.',
  'mail.email-changed.undo': 'Dit adres herstellen',
  'mail.email-restored.subject': 'Je e-mailadres is hersteld',
  'mail.email-restored.restored':
    'Je account heeft weer dit e-mailadres. Alle apparaten zijn uitgelogd en het wachtwoord is verwijderd.',
  'mail.email-restored.choose':
    'Kies binnen een uur een nieuw wachtwoord. Daarna vraag je een nieuwe link aan met “Wachtwoord vergeten?” op de inlogpagina. Verwijder vervolgens toegangssleutels en authenticator-apps die je niet kent en maak nieuwe herstelcodes.',
  'mail.email-code.within':
    'De code is tien minuten geldig en kan één keer worden gebruikt. Geef hem aan niemand door.',
  'mail.sign-in-code.subject': 'Je inlogcode',
  'mail.sign-in-code.code': 'Je code om in te loggen: {code}',
  'mail.sign-in-code.was-not-you':
    'De link werkt in de browser waarin je erom hebt gevraagd. Was jij dit niet, negeer dan deze e-mail.',
  'mail.sign-in-code.sign-in': 'Inloggen',
  'mail.step-up-code.subject': 'Bevestig dat jij het bent',
  'mail.step-up-code.code': 'Je code om te bevestigen wie je bent: {code}',
  'mail.step-up-code.was-not-you':
    'Iemand die bij je account is ingelogd, vroeg erom. Was jij dit niet, log dan alle apparaten uit.',
  'mail.new-network.subject': 'Er is ingelogd bij je account',
  'mail.new-network.signed-in':
    'Iemand heeft bij je account ingelogd vanaf een netwerk dat er nog niet eerder voor is gebruikt.',
  'mail.new-network.time': 'Tijd: {time}',
  'mail.new-network.browser': 'Browser: {device}',
  'mail.new-network.address': 'IP-adres: {ipAddress}',
  'mail.new-network.was-not-you':
    'Was jij dit, dan hoef je niets te doen. Was jij dit niet, stel dan direct je wachtwoord opnieuw in: daarmee worden alle apparaten uitgelogd.',
  'mail.account-erased.subject': 'Je account is gewist',
  'mail.account-erased.erased':
    'Je account is gewist op verzoek van een persoon die erbij was ingelogd. Alle persoonsgegevens erin zijn verwijderd. Dit kan niet ongedaan worden gemaakt.',
  'mail.account-erased.was-not-you':
    'Was jij dit niet, dan had iemand anders toegang tot je account. Meld het de operator van deze dienst en wijzig het wachtwoord op andere sites waar je het gebruikt.',
  'mail.account-erased.last':
    'Dit is de laatste e-mail over dit account. Je kunt je op elk moment met hetzelfde adres opnieuw registreren.',
  'mail.identity-linked.subject': 'Nieuwe inlogmethode',
  'mail.identity-linked.linked': 'Je kunt nu bij je account inloggen met {provider}.',
  'mail.identity-linked.was-not-you':
    'Was jij dit niet, log dan in, koppel de methode los onder “Inlogmethoden” en wijzig je wachtwoord.',
  'mail.identities-removed.subject': 'Inlogmethoden verwijderd',
  'mail.identities-removed.removed':
    'Je wachtwoord is opnieuw ingesteld. Deze inlogmethoden zijn losgekoppeld, voor het geval een ander ze had toegevoegd: {providers}.',
  'mail.identities-removed.link-again':
    'Om ze weer te gebruiken, log je in met je nieuwe wachtwoord en koppel je ze onder “Inlogmethoden”.',
  'mail.identity-unlinked.subject': 'Inlogmethode verwijderd',
  'mail.identity-unlinked.unlinked': 'Je kunt niet meer bij je account inloggen met {provider}.',
  'mail.identity-unlinked.was-not-you':
    'Was jij dit niet, stel dan je wachtwoord opnieuw in: daarmee worden alle apparaten uitgelogd. Koppel de methode daarna weer onder “Inlogmethoden”.',
  'scope.tenant': 'Organisatie',
  'scope.tenant.read': 'De organisatie bekijken',
  'scope.tenant.read.description': 'De naam en status zien.',
  'scope.tenant.update': 'De naam van de organisatie wijzigen',
  'scope.tenant.update.description': 'De naam voor alle leden wijzigen.',
  'scope.tenant.archive': 'De organisatie archiveren',
  'scope.tenant.archive.description': 'Alle wijzigingen erin stoppen. Herstellen kan.',
  'scope.tenant.restore': 'De organisatie herstellen',
  'scope.tenant.restore.description': 'Wijzigingen in een gearchiveerde organisatie weer toestaan.',
  'scope.tenant.delete': 'De organisatie verwijderen',
  'scope.tenant.delete.description': 'De verwijdering van een gearchiveerde organisatie inplannen.',
  'scope.tenant.read-deletion': 'De verwijdering bekijken',
  'scope.tenant.read-deletion.description': 'Zien wat een verwijdering weghaalt, en wanneer.',
  'scope.tenant.cancel-deletion': 'De verwijdering annuleren',
  'scope.tenant.cancel-deletion.description': 'Een organisatie houden waarvan de verwijdering is ingepland.',
  'scope.tenant.transfer-ownership': 'Het eigendom overdragen',
  'scope.tenant.transfer-ownership.description': 'Een ander lid eigenaar maken in de eigen plaats.',
  'scope.tenant.leave': 'De organisatie verlaten',
  'scope.tenant.leave.description': 'Het eigen lidmaatschap beëindigen.',
  'scope.sign-in-policy': 'Inlogbeleid',
  'scope.sign-in-policy.read': 'Het inlogbeleid bekijken',
  'scope.sign-in-policy.read.description':
    'Zien wat leden moeten aantonen, en hoeveel er niet in zouden kunnen.',
  'scope.sign-in-policy.update': 'Het inlogbeleid wijzigen',
  'scope.sign-in-policy.update.description': 'Van alle leden tweede factoren en recent inloggen vereisen.',
  'scope.member': 'Leden',
  'scope.member.read': 'Leden bekijken',
  'scope.member.read.description': 'Namen, adressen, rollen en laatste activiteit zien.',
  'scope.member.update': 'Rollen van leden wijzigen',
  'scope.member.update.description': 'Rollen geven en afnemen, tot de machtigingen die men zelf heeft.',
  'scope.member.remove': 'Leden verwijderen',
  'scope.member.remove.description': 'Het lidmaatschap van anderen beëindigen.',
  'scope.member.suspend': 'Leden schorsen',
  'scope.member.suspend.description': 'Leden de toegang ontnemen zonder hun lidmaatschap te beëindigen.',
  'scope.member.restore': 'Leden herstellen',
  'scope.member.restore.description': 'Geschorste leden weer toegang geven.',
  'scope.role': 'Rollen',
  'scope.role.read': 'Rollen bekijken',
  'scope.role.read.description': 'Alle rollen en hun machtigingen zien.',
  'scope.role.create': 'Rollen maken',
  'scope.role.create.description': 'Rollen toevoegen met machtigingen die men zelf heeft.',
  'scope.role.update': 'Rollen wijzigen',
  'scope.role.update.description': 'Naam en machtigingen van de eigen rollen van de organisatie wijzigen.',
  'scope.role.delete': 'Rollen verwijderen',
  'scope.role.delete.description': 'Rollen verwijderen die niet in gebruik zijn.',
  'scope.invitation': 'Uitnodigingen',
  'scope.invitation.read': 'Uitnodigingen bekijken',
  'scope.invitation.read.description': 'Zien wie is uitgenodigd, en voor welke rollen.',
  'scope.invitation.create': 'Personen uitnodigen',
  'scope.invitation.create.description': 'Adressen uitnodigen voor rollen die men mag geven.',
  'scope.invitation.resend': 'Uitnodigingen opnieuw versturen',
  'scope.invitation.resend.description': 'Een nieuwe link sturen; de vorige vervalt.',
  'scope.invitation.revoke': 'Uitnodigingen intrekken',
  'scope.invitation.revoke.description': 'Een uitnodiging beëindigen voordat die is geaccepteerd.',
  'scope.audit': 'Auditlogboek',
  'scope.audit.read': 'Het auditlogboek bekijken',
  'scope.audit.read.description': 'Zien wie wat in de organisatie heeft gewijzigd.',
  'operator.exists': 'Deze persoon is al operator. Wijzig in plaats daarvan wat de operator mag doen.',
  'operator.last-admin':
    'De laatste beheerder zonder beperkingen blijft dat. Maak eerst een andere persoon zo’n beheerder.',
  'scope.permission': 'Rechten van andere diensten',
  'scope.permission.read': 'Rechten van andere diensten bekijken',
  'scope.permission.register': 'Rechten van andere diensten registreren',
  'scope.permission.remove': 'Rechten van andere diensten verwijderen',
  'permission.module-declared': 'Een module van de dienst heeft deze naam. Kies een andere.',
  'permission.not-registered': 'Onder deze naam zijn geen rechten geregistreerd.',
  'permission.too-many-modules': 'Er zijn al {max} modules. Verwijder er eerst een.',
  'permission.of-other-module': 'moet beginnen met {module}:',
  'permission.twice': 'staat al in de lijst',
  'scope.operator': 'Operators',
  'scope.operator.read': 'Operators bekijken',
  'scope.operator.create': 'Personen operator maken',
  'operator.scope-not-of-role': 'De rol heeft deze machtiging niet.',
  'operator.scope-of-whole-admins': 'Alleen beheerders zonder beperkingen hebben deze machtiging.',
  'scope.operator.update': 'Wijzigen wat operators mogen doen',
  'scope.operator.remove': 'Operators verwijderen',
  'scope.client': 'Apps van de organisatie',
  'scope.client.read': 'De apps bekijken waarbij leden inloggen',
  'scope.client.create': 'Apps voor leden registreren',
  'scope.client.update': 'Apps van leden wijzigen',
  'scope.client.rotate-secret': 'Geheimen van apps vernieuwen',
  'scope.client.delete': 'Apps van leden verwijderen',
  'scope.api': 'API’s',
  'scope.api.read': 'API’s bekijken die tokens accepteren',
  'scope.api.create': 'API’s registreren',
  'scope.api.update': 'API’s en hun toegangsgegevens wijzigen',
  'scope.api.delete': 'API’s verwijderen',
  'scope.satellite': 'Satellieten',
  'scope.satellite.read': 'Satellieten bekijken',
  'scope.satellite.create': 'Satellieten registreren',
  'scope.satellite.update': 'Satellieten wijzigen',
  'scope.satellite.rotate-secret': 'Geheimen van satellieten vernieuwen',
  'scope.satellite.disable': 'Satellieten uitschakelen',
  'scope.satellite.enable': 'Satellieten inschakelen',
  'mail.session-traces.subject': 'Wat je eerdere sessies hebben gemaakt',
  'mail.session-traces.left': 'Dit is in een sessie aan je account toegevoegd en blijft daarna:',
  'mail.session-traces.authenticator-app': 'Authenticator-app {name}, {date}',
  'mail.session-traces.passkey': 'Passkey {name}, {date}',
  'mail.session-traces.trusted-device': 'Vertrouwd apparaat, {date}',
  'mail.session-traces.identity': 'Inloggen via een provider, {date}',
  'mail.session-traces.personal-key': 'Eigen sleutel {name}, {date}',
  'mail.session-traces.end': 'Is iets niet van jou, beëindig dan met één druk wat die sessie heeft gemaakt.',
  'mail.session-traces.see': 'Bekijken wat sessies hebben gemaakt',
  'scope.session': 'Sessies',
  'scope.session.end': 'Eigen sessies beëindigen',
  'scope.identity': 'Gekoppelde identiteiten',
  'scope.identity.unlink': 'Eigen identiteiten loskoppelen',
  'authenticator.required-by-organization':
    'Een van je organisaties vereist dit. Voeg eerst een ander toe, of verlaat de organisatie.',
  'authenticator.of-other-organization':
    'Dit telt in een andere organisatie. Log in met iets van jezelf, of zoals die organisatie vraagt, om het te wijzigen.',
  'mail.authenticators.was-not-you':
    'Was jij dit niet, log dan in, verwijder wat je niet kent en wijzig direct je wachtwoord.',
  'mail.authenticators.see': 'Je beveiligingsinstellingen bekijken',
  'mail.totp-added.subject': 'Authenticator-app toegevoegd',
  'mail.totp-added.text':
    'Er is een authenticator-app aan je account toegevoegd. Bij het inloggen wordt nu om de codes gevraagd.',
  'mail.passkey-added.subject': 'Toegangssleutel toegevoegd',
  'mail.passkey-added.text': 'Er is een toegangssleutel aan je account toegevoegd. Je kunt ermee inloggen.',
  'mail.totp-removed.subject': 'Authenticator-app verwijderd',
  'mail.totp-removed.text': 'Er is een authenticator-app uit je account verwijderd.',
  'mail.passkey-removed.subject': 'Toegangssleutel verwijderd',
  'mail.passkey-removed.text': 'Er is een toegangssleutel uit je account verwijderd.',
  'mail.totp-renamed.subject': 'Naam van authenticator-app gewijzigd',
  'mail.totp-renamed.text': 'Een authenticator-app van je account heeft een nieuwe naam.',
  'mail.passkey-renamed.subject': 'Naam van toegangssleutel gewijzigd',
  'mail.passkey-renamed.text': 'Een toegangssleutel van je account heeft een nieuwe naam.',
  'mail.trusted-device-removed.subject': 'Apparaat niet meer vertrouwd',
  'mail.trusted-device-removed.text':
    'Je hebt een vertrouwd apparaat verwijderd. De volgende keer dat je daar inlogt, wordt om de tweede factor gevraagd.',
  'mail.recovery-codes-renewed.subject': 'Nieuwe herstelcodes',
  'mail.recovery-codes-renewed.text':
    'Er zijn nieuwe herstelcodes voor je account gemaakt. De vorige werken niet meer.',
  'mail.recovery-code-used.subject': 'Herstelcode gebruikt',
  'mail.recovery-code-used.text':
    'Er is een herstelcode van je account gebruikt. {left, plural, =0 {Er is er geen over: maak nieuwe.} one {Er is er één over.} other {Er zijn er # over.}}',
  'mail.totp-blocked.subject': 'Authenticator-app geblokkeerd',
  'mail.totp-blocked.text':
    'Na je wachtwoord zijn te veel verkeerde codes ingevoerd. Codes van je authenticator-app worden geweigerd totdat je een herstelcode of toegangssleutel gebruikt. Wijzig je wachtwoord.',
  'mail.authenticators-reset-scheduled.subject': 'Je tweede factoren worden verwijderd',
  'mail.authenticators-reset-scheduled.text':
    'Aan support is gevraagd om de tweede factoren van je account te verwijderen: authenticator-apps, toegangssleutels en herstelcodes. Ze worden op {time} verwijderd. Vanaf dan is je wachtwoord of provider alleen genoeg om in te loggen.',
  'mail.authenticators-reset-scheduled.reason': 'Reden die support heeft genoteerd: {reason}',
  'mail.authenticators-reset-scheduled.cancel':
    'Heb je er niet om gevraagd, annuleer het dan nu en wijzig je wachtwoord: iemand anders probeert misschien je account in te komen.',
  'mail.authenticators-reset-scheduled.action': 'Verwijdering annuleren',
  'mail.authenticators-reset.subject': 'Tweede factoren verwijderd',
  'mail.authenticators-reset.text':
    'De tweede factoren van je account zijn verwijderd, zoals aan support was gevraagd. Voeg nu een nieuwe toe.',
  'mail.authenticators-reset-cancelled.subject': 'Tweede factoren blijven',
  'mail.authenticators-reset-cancelled.text':
    'De verwijdering van je tweede factoren is geannuleerd. Er is niets veranderd.',
  'person.no-second-factor': 'Deze persoon heeft geen tweede factor.',
  'person.reset-pending':
    'Er staat al een reset voor deze persoon gepland. Wacht erop, of laat die annuleren.',
  'job.running': 'De taak loopt. Wacht op het einde van deze poging.',
  'job.not-failed': 'De taak is niet mislukt. Die wordt op zijn tijd uitgevoerd.',
  'scope.import': 'Importeren',
  'scope.import.create': 'Personen uit een ander systeem importeren',
  'scope.job': 'Taken',
  'scope.job.read': 'Taken in de wachtrij bekijken',
  'scope.job.retry': 'Mislukte taken opnieuw uitvoeren',
  'scope.operated-tenant': 'Organisaties van het platform',
  'scope.operated-tenant.read': 'Organisaties zoeken en bekijken',
  'scope.operated-tenant.export': 'Exporteren wat over organisaties wordt bewaard',
  'scope.operated-tenant.limit': 'Limieten van organisaties wijzigen',
  'scope.operated-tenant.archive': 'Organisaties archiveren',
  'scope.operated-tenant.restore': 'Gearchiveerde organisaties herstellen',
  'scope.platform-audit': 'Auditlogboek van het platform',
  'scope.platform-audit.read': 'Het auditlogboek van het platform bekijken',
  'scope.person': 'Personen',
  'person.operator': 'Deze persoon is operator. Verwijder eerst de operator.',
  'person.exceeds-caller':
    'Deze operator heeft rechten die je zelf niet hebt. Vraag het een operator die ze heeft.',
  'person.erasure-requested': 'Je hebt om dit wissen gevraagd. Een andere operator moet het bevestigen.',
  'person.appointed-lately':
    'Je bent te kort geleden benoemd om een van beiden te zijn: er moet een dag verstrijken, en de aanvraag moet later zijn.',
  'person.no-erasure': 'Er wacht geen aanvraag om deze persoon te wissen.',
  'mail.not-resendable':
    'Deze e-mail kan niet opnieuw worden verstuurd: die wacht, is verlopen of is ingetrokken.',
  'mail.link-void':
    'De link of code van deze e-mail is gebruikt of vervangen. Er moet een nieuwe e-mail worden aangevraagd.',
  'mail.resent-enough': 'Deze persoon heeft binnen een uur vijf e-mails van dit soort gekregen. Wacht.',
  'person.suspended': 'Het account is geschorst. Herstel het eerst.',
  'person.not-suspended': 'Het account is niet geschorst.',
  'person.no-address': 'Deze persoon heeft geen adres waar een e-mail naartoe kan.',
  'person.no-password': 'Deze persoon heeft geen wachtwoord.',
  'scope.person.read': 'Personen zoeken en hun accounts bekijken',
  'scope.person.suspend': 'Accounts schorsen',
  'scope.person.restore': 'Geschorste accounts herstellen',
  'scope.person.end-sessions': 'Sessies van personen beëindigen',
  'scope.person.send-password-reset': 'Personen de link sturen om hun wachtwoord opnieuw in te stellen',
  'scope.person.require-new-password': 'Nieuwe wachtwoorden vereisen',
  'scope.person.export': 'Exports van gegevens starten die alleen de persoon kan lezen',
  'scope.person.erase': 'Accounts wissen',
  'scope.person.keep': 'Aanvragen om accounts te wissen intrekken',
  'scope.person.resend-mail': 'E-mails aan personen opnieuw versturen',
  'scope.person.reset-authenticators': 'Tweede factoren van personen resetten',
  'mail.password-removed.subject': 'Wachtwoord verwijderd',
  'mail.password-removed.text':
    'Het wachtwoord is uit je account verwijderd. Je logt in met je toegangssleutels.',
  'scope.webhook-subscription': 'Webhooks',
  'scope.webhook-subscription.read': 'Webhooks bekijken',
  'scope.webhook-subscription.create': 'Webhooks maken',
  'scope.webhook-subscription.update': 'Webhooks wijzigen',
  'scope.webhook-subscription.delete': 'Webhooks verwijderen',
  'scope.webhook-subscription.rotate': 'Geheimen van webhooks vernieuwen',
  'scope.webhook-subscription.test': 'Testgebeurtenissen versturen',
  'scope.webhook-delivery': 'Bezorgingen van webhooks',
  'scope.webhook-delivery.read': 'Bezorgingen en hun pogingen bekijken',
  'scope.webhook-delivery.redeliver': 'Opnieuw bezorgen',
  'scope.webhook-event': 'Gebeurtenissen',
  'scope.webhook-event.read': 'Gebeurtenissen lezen',
  'scope.operator-webhook': 'Webhooks van het platform',
  'scope.operator-webhook.read': 'Webhooks, bezorgingen en gebeurtenissen van het platform bekijken',
  'scope.operator-webhook.rotate': 'Geheimen van webhooks van het platform vernieuwen',
  'scope.operator-webhook.manage': 'Webhooks van het platform beheren',
  'service-account.exceeds-caller':
    'Het serviceaccount heeft machtigingen die je zelf niet hebt. Vraag het een lid dat ze wel heeft.',
  'service-account.disabled-already': 'Het serviceaccount is al uitgeschakeld.',
  'service-account.not-disabled': 'Het serviceaccount is niet uitgeschakeld.',
  'scope.service-account': 'Serviceaccounts',
  'scope.service-account.read': 'Serviceaccounts bekijken',
  'scope.service-account.create': 'Serviceaccounts maken',
  'scope.service-account.create.description':
    'Leden toevoegen die programma’s zijn, met rollen tot de machtigingen die men zelf heeft.',
  'scope.service-account.update': 'Serviceaccounts wijzigen',
  'scope.service-account.delete': 'Serviceaccounts verwijderen',
  'scope.service-account.disable': 'Serviceaccounts uitschakelen',
  'scope.service-account.disable.description': 'De sleutels weigeren zonder ze te verwijderen.',
  'scope.service-account.enable': 'Serviceaccounts inschakelen',
  'mail.platform-key-expiring.subject': 'Een sleutel van het platform verloopt',
  'mail.platform-key-expiring.text':
    'De sleutel “{name}” van een serviceaccount van het platform verloopt op {date}.',
  'mail.platform-key-expiring.replace':
    'Maak een nieuwe voor het programma dat hem gebruikt, en trek daarna deze in.',
  'mail.leaked-key.subject': 'Een sleutel is openbaar gevonden',
  'mail.leaked-key.text': 'Gemeld is dat de sleutel “{name}” openbaar is gevonden. Hij is ingetrokken.',
  'mail.leaked-key.replace':
    'Maak een nieuwe voor het programma dat hem gebruikte, en ga na wie hem kan hebben gelezen.',
  'personal-key.forbidden':
    'Deze organisatie staat geen sleutels van leden toe. Vraag om een serviceaccount.',
  'scope.key-policy': 'Sleutelbeleid',
  'scope.key-policy.read': 'Het sleutelbeleid bekijken',
  'scope.key-policy.update': 'Het sleutelbeleid wijzigen',
  'scope.key-policy.update.description':
    'Bepalen hoe lang sleutels geldig zijn, en of leden eigen sleutels hebben.',
  'scope.trust-rule': 'Vertrouwde workloads',
  'scope.trust-rule.read': 'Vertrouwde workloads bekijken',
  'scope.trust-rule.create': 'Workloads vertrouwen',
  'scope.trust-rule.delete': 'Het vertrouwen in workloads beëindigen',
  'scope.api-key': 'Sleutels van serviceaccounts',
  'scope.api-key.read': 'Sleutels bekijken',
  'scope.api-key.create': 'Sleutels maken',
  'scope.api-key.create.description': 'Een sleutel handelt met de rollen van het serviceaccount.',
  'scope.api-key.revoke': 'Sleutels intrekken',
  'mail.webhook-disabled.subject': 'Een webhook is uitgeschakeld',
  'mail.webhook-disabled.your-organization': 'je organisatie',
  'mail.webhook-disabled.text': 'Een webhook van {organization} naar {host} is uitgeschakeld.',
  'mail.webhook-disabled.of-platform': 'Een webhook van het platform naar {host} is uitgeschakeld.',
  'mail.webhook-disabled.enable':
    'Kijk bij de bezorgingen waarom, en schakel de webhook weer in zodra de ontvanger gebeurtenissen accepteert.',
  'domain.in-use': 'Een verbinding gebruikt het domein. Haal het domein eerst van de verbinding.',
  'connection-test.passed': 'Juist.',
  'connection-test.skipped': 'Niet gecontroleerd, omdat een eerdere controle is mislukt.',
  'connection-test.provider.failed':
    'De provider antwoordde niet, of niet binnen vijf seconden. Controleer de uitgever en of het adres bereikbaar is.',
  'connection-test.code.failed':
    'De provider weigerde de code in te wisselen. Controleer de client-ID en het clientgeheim.',
  'connection-test.code.denied':
    'De provider weigerde het inloggen. Controleer of de app aan jou is toegewezen.',
  'connection-test.code.invalid':
    'Het antwoord van de provider is niet geldig volgens OpenID Connect. Controleer het type van de app bij de provider.',
  'connection-test.nonce.failed': 'Het ID-token hoort niet bij deze test. Start de test opnieuw.',
  'connection-test.response.failed': 'Het antwoord is geen SAML-antwoord dat veilig kan worden gelezen.',
  'connection-test.response.encrypted':
    'De assertie is versleuteld. Zet versleuteling aan bij de verbinding of uit bij de provider.',
  'connection-test.response.not-encrypted':
    'De assertie is niet versleuteld. Zet versleuteling aan bij de provider of uit bij de verbinding.',
  'connection-test.response.decryption':
    'De assertie kan niet worden ontsleuteld. Importeer de metagegevens van deze verbinding opnieuw bij de provider en kies AES-GCM met RSA-OAEP.',
  'connection-test.response.status':
    'De provider weigerde het inloggen. Controleer of de app aan jou is toegewezen.',
  'connection-test.issuer.failed':
    'De uitgever is niet die van de instellingen. Vergelijk ze exact, ook schuine strepen aan het eind.',
  'connection-test.recipient.failed':
    'Het antwoord is voor een ander adres. Voer bij de provider de ACS-URL van deze verbinding in.',
  'connection-test.request.failed':
    'Het antwoord hoort bij geen verzoek van deze test. Begin het inloggen met de test, niet bij de provider.',
  'connection-test.times.authentication':
    'De provider meldt een oude aanmelding (AuthnInstant), hoewel om een nieuwe was gevraagd. Verhoog of verwijder de grens authnInstantMaxAge, zoals Google Workspace nodig heeft.',
  'connection-test.times.failed':
    'De tijden van het antwoord kloppen niet: het is verlopen, nog niet geldig, of de klok van de provider loopt verkeerd.',
  'connection-test.times.confirmation':
    'De bevestiging van het onderwerp is niet “bearer” of is verlopen. Controleer de klok van de provider.',
  'connection-test.audience.failed':
    'Het antwoord is voor een andere app. Voer bij de provider de entiteits-ID of client-ID van deze verbinding in.',
  'connection-test.audience.others':
    'Het ID-token is ook voor andere apps. Als je ze daarmee vertrouwt, noem ze dan bij trustedAudiences.',
  'connection-test.signature.failed':
    'De handtekening klopt niet. Vergelijk het certificaat of de sleutels met die van de provider.',
  'connection-test.signature.missing':
    'De assertie is niet ondertekend. Zet de ondertekening aan bij de provider.',
  'connection-test.signature.algorithm':
    'Het handtekeningalgoritme is niet toegestaan. Kies bij de provider RSA met SHA-256 of sterker.',
  'connection-test.subject.failed':
    'De NameID ontbreekt, is tijdelijk of van een andere partij. Kies een blijvende NameID of het adres.',
  'connection-test.subject.other':
    'De gegevens van UserInfo zijn van een andere persoon dan het ID-token. Controleer de provider.',
  'connection-test.claim.missing':
    'In het ID-token ontbreekt {claim}. Voeg het toe aan wat de provider stuurt.',
  'connection-test.domain.none':
    'De verbinding heeft geen geverifieerd domein. Verifieer er een en wijs het toe aan de verbinding.',
  'connection-test.domain.missing':
    'De provider stuurde geen adres van deze domeinen: {domains}. Voeg het adres toe aan wat de provider stuurt.',
  'connection-test.domain.failed': 'Het adres is van geen van deze domeinen: {domains}.',
  'connection-test.attributes.passed': 'Ontvangen: {count}.',
  'connection-test.roles.passed': 'Rollen die hieruit volgen: {roles}.',
  'connection-test.roles.incomplete':
    'De provider heeft niet alle groepen gestuurd, of te veel om te vergelijken. Zo’n aanmelding verandert geen rollen. Laat de provider alleen de groepen sturen die aan de app zijn toegewezen.',
  'connection-test.roles.none':
    'Er volgt geen rol: personen worden bij het inloggen niet toegevoegd, of geen regel komt overeen.',
  'connection.active-already': 'De verbinding is al actief.',
  'connection.exceeds-caller':
    'Via deze verbinding kunnen mensen inloggen die meer rechten hebben dan jij. Vraag een eigenaar om die te wijzigen.',
  'setup-link.exceeds-creator':
    'Via deze verbinding kunnen mensen inloggen die meer rechten hebben dan de maker van de link. Vraag een eigenaar om een nieuwe.',
  'connection.owners-only': 'Alleen een eigenaar kan dit bevestigen of weigeren.',
  'connection.change-outdated':
    'De instellingen zijn sinds het verzoek gewijzigd. Weiger het en laat het opnieuw doen.',
  'connection.requester-ended':
    'Wie dit heeft aangevraagd, mag de verbinding niet meer wijzigen, of de installatielink is ingetrokken. Weiger het.',
  'connection.too-many-waiting':
    'Er wachten al tien wijzigingen. Een eigenaar bevestigt of weigert er eerst een.',
  'scope.connection.confirm': 'Wijzigingen van verbindingen bevestigen',
  'mail.connection-change.waits-subject': 'Een wijziging van jullie single sign-on wacht op een eigenaar',
  'mail.connection-change.applied-subject': 'Jullie single sign-on is gewijzigd',
  'mail.connection-change.waits':
    'Er is een wijziging gevraagd van een verbinding van {organization}. Er verandert niets totdat een eigenaar die op de pagina van de verbinding bevestigt.',
  'mail.connection-change.applied': 'Een verbinding van {organization} accepteert vanaf nu iets anders.',
  'mail.connection-change.actor': 'Door: {actor}',
  'mail.connection-change.by-member': 'een lid',
  'mail.connection-change.by-setup-link': 'een installatielink',
  'mail.connection-change.by-provider': 'de metadata van de provider',
  'mail.connection-change.added': 'Nieuw certificaat (SHA-256): {sha256}',
  'mail.connection-change.removed': 'Verwijderd certificaat (SHA-256): {sha256}',
  'mail.connection-change.check':
    'Wie een geaccepteerde sleutel heeft, kan inloggen als elk lid dat de verbinding gebruikt. Ken je deze wijziging niet, weiger die dan of schakel de verbinding uit.',
  'connection.not-tested':
    'De verbinding is niet getest sinds de instellingen zijn gewijzigd. Test die eerst.',
  'scope.connection': 'Verbindingen',
  'scope.connection.read': 'Verbindingen bekijken',
  'scope.connection.create': 'Verbindingen maken',
  'scope.connection.update': 'Verbindingen wijzigen en uitschakelen',
  'scope.connection.activate': 'Verbindingen activeren',
  'scope.connection.test': 'Verbindingen testen',
  'scope.connection.delete': 'Verbindingen verwijderen',
  'scope.domain': 'Domeinen',
  'scope.domain.read': 'Domeinen bekijken',
  'scope.domain.create': 'Domeinen toevoegen',
  'scope.domain.verify': 'Domeinen verifiëren',
  'scope.domain.delete': 'Domeinen verwijderen',
  'connection.enforced': 'Het inlogbeleid vereist deze verbinding. Maak single sign-on eerst optioneel.',
  'mail.emergency-entry.subject': 'Een eigenaar heeft ingelogd zonder single sign-on',
  'mail.emergency-entry.text':
    'Een eigenaar is {organization} binnengekomen met een tweede factor of toegangssleutel, zonder de provider die zij vereist.',
  'mail.emergency-entry.check':
    'Was dit niemand van jullie, beëindig dan de sessies van de eigenaren en bekijk het auditlogboek.',
  'scope.setup-link': 'Configuratielinks',
  'scope.setup-link.read': 'Configuratielinks bekijken',
  'scope.setup-link.create': 'Configuratielinks maken',
  'scope.setup-link.revoke': 'Configuratielinks intrekken',
  'setup-link.invalid':
    'De link is niet geldig: die is verlopen of ingetrokken. Vraag de organisatie om een nieuwe.',
  'setup-link.other-intent': 'De link is hier niet voor. Vraag de organisatie om een andere.',
  'setup-link.one-connection': 'De link heeft al een verbinding. Wijzig die.',
  'setup-link.one-directory': 'De link heeft al een directory.',
  'setup-link.active-domains':
    'De verbinding is actief. De domeinen worden gewijzigd door leden van de organisatie.',
  'setup-link.not-held': 'vereist {scope}, wat je niet hebt',
  'setup-link.too-many': 'Er kunnen {max} actieve configuratielinks zijn. Trek er eerst een in.',
  'setup-link.too-many-mails':
    'Dit adres heeft te veel configuratielinks gekregen. Probeer het over een uur opnieuw.',
  'mail.setup-link.subject': 'Single sign-on instellen',
  'mail.setup-link.an-organization': 'Een organisatie',
  'mail.setup-link.text':
    '{organization} vraagt je om de identiteitsprovider te verbinden. Je hebt geen account nodig.',
  'mail.setup-link.secret':
    'De link is zeven dagen geldig. Iedereen die hem heeft, kan de configuratie wijzigen: stuur hem niet door.',
  'mail.setup-link.unexpected': 'Verwacht je dit bericht niet, negeer het dan.',
  'mail.setup-link.open': 'Configuratie openen',
  'connection.only-certificate': 'Dit is het enige certificaat van de verbinding. Voeg eerst een ander toe.',
  'mail.certificate-expiring.subject': 'Een certificaat van je single sign-on verloopt',
  'mail.certificate-expiring.text':
    'Een certificaat van de identiteitsprovider van {organization} verloopt op {date}.',
  'mail.certificate-expiring.effect':
    'Als je provider er na die dag nog mee ondertekent, kunnen leden niet inloggen. Voeg voor die tijd het nieuwe certificaat toe aan de verbinding.',
  'mail.domain-lapsed.subject': 'Een domein is niet meer geverifieerd',
  'mail.domain-lapsed.your-organization': 'je organisatie',
  'mail.domain-lapsed.text':
    'Het record dat het domein {domain} van {organization} bewijst, ontbreekt al zeven dagen.',
  'mail.domain-lapsed.by-operator':
    'De operator van de dienst heeft het domein {domain} van {organization} ingetrokken.',
  'mail.domain-lapsed.effect':
    'Leden van wie het account is gekoppeld, kunnen nog inloggen. Nieuwe personen van dit domein niet. Herstel het record en verifieer dan het domein opnieuw.',
  'error.forbidden': 'Dit is niet toegestaan.',
  'error.conflict': 'Het verzoek past niet bij de huidige toestand.',
  'error.precondition-failed': 'Het onderdeel is gewijzigd sinds het is gelezen.',
  'tenant.name-differs': 'Voer de naam van de organisatie in.',
  'member.too-many-organizations':
    'Je zit in {max} organisaties, het maximum. Verlaat er een die je niet nodig hebt; waar je de laatste eigenaar bent, maak je eerst een ander lid eigenaar.',
  'role.key-taken': 'Er is al een rol met de sleutel {key}.',
  'role.too-many': 'Een organisatie kan {max} eigen rollen hebben. Verwijder er een die niet in gebruik is.',
  'role.unknown': 'Deze organisatie heeft geen rol {key}.',
  'role.named-exceeds-caller': 'De rol {key} heeft machtigingen die je zelf niet hebt.',
  'role.unknown-permission': 'Deze machtiging bestaat niet in organisaties.',
  'role.permission-not-held': 'Je hebt deze machtiging zelf niet.',
  'invitation.open-already':
    'Dit adres heeft al een openstaande uitnodiging. Verstuur die opnieuw, of trek die eerst in.',
  'invitation.member-already': 'Dit adres is al van een lid.',
  'invitation.too-many':
    'Naar dit adres zijn te veel uitnodigingen gestuurd. Probeer het over een uur opnieuw.',
  'mail.other-connections.your-organization': 'je organisatie',
  'mail.other-connections.subject': 'Inloggen via andere organisaties geeft toegang tot die van jou',
  'mail.other-connections.text':
    'Wie alleen via de provider van een andere organisatie is ingelogd, kan {organization} binnen. Bij nieuwe organisaties kan dat niet.',
  'mail.other-connections.change': 'Wil je dat weigeren, wijzig dan het inlogbeleid van je organisatie.',
  'tenant.mails-used-up':
    'Je organisatie heeft haar {max} e-mails van vandaag buiten haar geverifieerde domeinen verstuurd. Verifieer het domein, probeer het morgen opnieuw of vraag de operators van deze dienst om meer.',
  'tenant.too-many-today': 'Je kunt {max} organisaties per dag maken. Probeer het morgen opnieuw.',
  'invitation.too-many-open':
    'Je organisatie heeft {max} open uitnodigingen, het maximum. Trek er enkele in, wacht tot er enkele zijn geaccepteerd of vraag de operators van deze dienst om meer.',
  'email-change.too-many':
    'Je kunt {max} wijzigingen van je adres per dag aanvragen. Probeer het morgen opnieuw.',
  'invitation.account-already': 'Dit adres heeft een account. Log in om de uitnodiging te accepteren.',
  'invitation.not-valid':
    'De uitnodiging is niet meer geldig. Vraag het lid dat je heeft uitgenodigd om een nieuwe.',
  'error.invalid-credentials': 'Het e-mailadres of het wachtwoord is onjuist.',
  'error.email-not-verified': 'Het e-mailadres is nog niet geverifieerd.',
  'password.wrong': 'Het wachtwoord is onjuist.',
  'password.current-wrong': 'Het huidige wachtwoord is onjuist.',
  'password.no-recipient': 'Het account is geschorst, of heeft geen adres waar een link naartoe kan.',
  'password.too-many-mails':
    'Dit adres heeft te veel van deze e-mails gekregen. Wacht een uur en probeer het opnieuw.',
  'export.one-a-day':
    'Je hebt in de afgelopen dag al om je gegevens gevraagd. Gebruik die export, of vraag het later opnieuw.',
  'export.person-one-a-day':
    'In de afgelopen dag is al een export van deze persoon gestart. Probeer het later opnieuw.',
  'export.page.title': 'Wat over je wordt bewaard',
  'export.page.lead':
    'Stand van {time}. Geheimen, zoals je wachtwoord, zijn weggelaten. De beschrijvingen zijn in het Engels.',
  'export.page.entries': '{count, plural, =0 {Geen vermeldingen} one {# vermelding} other {# vermeldingen}}',
  'export.page.yes': 'ja',
  'export.page.no': 'nee',
  'export.not-ready': 'Je gegevens zijn nog niet klaar. Je krijgt een e-mail als het zover is.',
  'password.none': 'Dit account heeft geen wachtwoord. Log opnieuw in met een externe provider.',
  'password.link-not-valid': 'De link is niet meer geldig. Vraag een nieuwe aan.',
  'registration.wrong-password':
    'Geen registratie van dit adres heeft dit wachtwoord. Voer het wachtwoord in waarmee je je hebt geregistreerd.',
  'registration.link-not-valid': 'De link is niet meer geldig. Vraag een nieuwe aan.',
  'email-change.managed':
    'Een directory van je organisatie beheert dit adres. Vraag je beheerder om het daar te wijzigen.',
  'email-change.own-address': 'Dit is al het adres van je account.',
  'email-change.link-not-valid': 'De link is niet meer geldig. Vraag de wijziging opnieuw aan in je account.',
  'email-change.undo-not-valid': 'De link is niet meer geldig. Vraag een operator van deze dienst om hulp.',
  'error.not-a-member': 'Je bent geen lid van deze organisatie.',
  'sign-in.wrong-code': 'De code is onjuist, verlopen of al gebruikt. Vraag een nieuwe aan.',
  'sign-in.passkey-refused': 'Met deze toegangssleutel kun je niet inloggen.',
  'sign-in.challenge-not-valid': 'Het inloggen is verlopen of al afgerond. Log opnieuw in.',
  'error.invalid-second-factor': 'De tweede factor is onjuist of al gebruikt.',
  'authorize.refused.title': 'Deze app kan je niet inloggen',
  'authorize.refused.client':
    'De app is hier niet geregistreerd of is uitgeschakeld. Ga terug naar de app en begin opnieuw. Gebeurt het nog eens, meld het dan aan de beheerders van de app.',
  'authorize.refused.redirect-uri':
    'Het adres waarnaar de app terugkeert, is niet geregistreerd. Ga terug naar de app en begin opnieuw. Gebeurt het nog eens, meld het dan aan de beheerders van de app.',
  'authorize.refused.request':
    'Het verzoek van de app is onbekend, gebruikt of verlopen. Ga terug naar de app en begin opnieuw. Gebeurt het nog eens, meld het dan aan de beheerders van de app.',
  'authorize.answer.title': 'Ga verder naar de app',
  'authorize.answer.lead': 'Je browser gaat er automatisch naartoe. Zo niet, druk op de knop.',
  'authorize.answer.continue': 'Doorgaan',
  'logout.refused.title': 'Deze app kan je niet uitloggen',
  'logout.refused.client':
    'De app is hier niet geregistreerd of is uitgeschakeld. Je bent niet uitgelogd. Log uit op de pagina van je account. Gebeurt het nog eens, meld het dan aan de beheerders van de app.',
  'logout.refused.redirect-uri':
    'Het adres waarnaar de app terugkeert, is niet geregistreerd. Je bent niet uitgelogd. Log uit op de pagina van je account. Gebeurt het nog eens, meld het dan aan de beheerders van de app.',
  'logout.refused.hint':
    'Het verzoek noemt een andere app dan die waarbij je hebt ingelogd. Je bent niet uitgelogd. Log uit op de pagina van je account. Gebeurt het nog eens, meld het dan aan de beheerders van de app.',
  'device.wrong-code': 'Deze code is onbekend, gebruikt of verlopen. Kijk op het scherm van het apparaat.',
  'authenticator.too-many': 'Je hebt er al {max}. Verwijder er eerst een.',
  'authenticator.passkey-registered': 'Deze toegangssleutel is al geregistreerd.',
  'authenticator.none-yet': 'Voeg eerst een authenticator-app of toegangssleutel toe.',
  'authenticator.no-recovery':
    'Voeg een tweede toegangssleutel toe of maak herstelcodes, zodat je nog kunt inloggen als je er een kwijtraakt.',
  'authenticator.no-six-digits': 'Voer de zes cijfers van de code in.',
  'authenticator.no-recovery-code': 'Voer de tien tekens van een herstelcode in.',
  'authenticator.wrong-code': 'Dit is niet de huidige code van deze app.',
  'webhook.too-many': 'Er kunnen {max} abonnementen zijn. Verwijder er een die niet in gebruik is.',
  'webhook.unknown-type': 'Dit type gebeurtenissen bestaat niet.',
  'webhook.type-not-readable': 'Je mag geen gebeurtenissen van dit type lezen.',
  'webhook.needs-scope': 'Hiervoor is de machtiging {scope} nodig.',
  'webhook.since-expired': 'Het tijdstip is meer dan {days} dagen geleden.',
  'webhook.since-future': 'Het tijdstip ligt in de toekomst.',
  'webhook.disabled': 'Het abonnement is uitgeschakeld. Schakel het eerst in.',
  'webhook.delivery-not-finished': 'De bezorging is niet afgerond: die wordt hoe dan ook verstuurd.',
  'satellite.client-id-taken': 'Er is al een satelliet met de client-ID {clientId}.',
  'field.text': 'Voer een tekst van {min} tot {max} tekens in, zonder besturingstekens en niet leeg.',
  'field.password': 'Voer {min} tot {max} tekens in, zonder besturingstekens.',
  'field.email': 'Voer een e-mailadres in.',
  'field.integer': 'Voer een geheel getal van {min} tot {max} in.',
  'field.number': 'Voer een getal van {min} tot {max} in.',
  'field.boolean': 'De waarde moet true of false zijn.',
  'field.time': 'Voer een tijd in UTC in, zoals 2026-11-21T09:00:00Z.',
  'field.date': 'Voer een datum in, zoals 2026-11-21.',
  'field.list': 'Geef {min} tot {max} waarden op.',
  'directory.exceeds-caller':
    'Groepen van de directory geven rollen die jij niet kunt geven. Vraag het een lid dat dat wel kan.',
  'directory.exceeds-creator':
    'Groepen van de directory geven rollen die de maker van de link niet kan geven.',
  'directory.tokens-exceed':
    'Trek eerst deze tokens in en maak nieuwe, omdat de makers ervan de rollen niet kunnen geven: {tokens}.',
  'directory.token-stopped':
    'Het lid dat deze token heeft gemaakt, is vertrokken, geblokkeerd of zou hem niet meer kunnen maken. Maak een nieuwe token van de directory en voer hem in bij de identiteitsprovider.',
  'mail.directory-token-stopped.subject': 'Een directory kan geen wijzigingen meer sturen',
  'mail.directory-token-stopped.text':
    'Een token van een directory van {organization} wordt geweigerd: het lid dat hem heeft gemaakt, is vertrokken, geblokkeerd of zou hem niet meer kunnen maken.',
  'mail.directory-token-stopped.replace':
    'Maak een nieuwe token op de pagina van de directory en voer hem in bij je identiteitsprovider. Tot dan houden mensen die je daar deactiveert hier hun toegang.',
  'scope.directory': 'Directory’s',
  'scope.directory.read': 'Directory’s bekijken',
  'scope.directory.read.description':
    'Met de personen die ze hebben gestuurd en het logboek van hun aanroepen.',
  'scope.directory.create': 'Directory’s maken',
  'scope.directory.update': 'Directory’s en de rollen van hun groepen wijzigen',
  'scope.directory.delete': 'Directory’s verwijderen',
  'scope.directory-token': 'Tokens van directory’s',
  'scope.directory-token.create': 'Tokens van directory’s maken',
  'scope.directory-token.revoke': 'Tokens van directory’s intrekken',
  'scope.branding': 'Uiterlijk',
  'scope.branding.read': 'Het uiterlijk van de organisatie bekijken',
  'scope.branding.update': 'Het uiterlijk van de organisatie wijzigen',
  'scope.branding.update.description':
    'De weergavenaam, het logo, de kleur en de afzender van e-mails wijzigen.',
  'branding.looks-like-service':
    'Deze naam zou voor die van de dienst kunnen worden aangezien. Kies een andere.',
  'branding.low-contrast':
    'Het contrast met wit is {contrast} op 1, en {min} op 1 is nodig. Kies een donkerdere kleur.',
  'branding.logo-type': 'Kies een PNG- of WebP-afbeelding.',
  'branding.logo-bytes': 'De afbeelding mag hooguit {max} KiB groot zijn.',
  'branding.logo-pixels': 'De afbeelding mag hooguit {max} pixels breed en hoog zijn.',
  'branding.logo-animated': 'De afbeelding mag niet bewegen.',
  'branding.logo-damaged': 'De afbeelding is beschadigd, of bevat meer dan een afbeelding.',
  'support-access.not-on-request': 'Het inlogbeleid laat support niet op verzoek toe.',
  'support-access.not-granted': 'Support heeft geen toegang die kan worden beëindigd.',
  'mail.support-access.subject': 'Support heeft toegang tot je organisatie',
  'mail.support-access.text':
    'Een eigenaar heeft support toegang gegeven tot {organization}, tot {until}. Tot die tijd kan support handelen namens een lid.',
  'mail.support-access.end':
    'Het auditlogboek laat zien wat support doet. Je kunt de toegang op elk moment beëindigen.',
  'mail.support-access.your-organization': 'je organisatie',
  'mail.members-imported.subject': 'Support heeft leden toegevoegd aan je organisatie',
  'mail.members-imported.text':
    'Support heeft met een import mensen toegevoegd aan {organization}, met rollen die support heeft gekozen.',
  'mail.members-imported.end':
    'Het auditlogboek laat zien wie, en door wie. Heb je hier niet om gevraagd, verwijder hen dan en beëindig de toegang van support.',
  'scope.support-access': 'Toegang van support',
  'scope.support-access.read': 'Zien of support toegang heeft',
  'scope.support-access.grant': 'Support voor enkele uren toegang geven',
  'scope.support-access.end': 'De toegang van support beëindigen',
  'ability.impersonation': 'Support kan dit niet voor een persoon doen. Alleen de persoon zelf kan het.',
  'mail.impersonation.subject': 'Support heeft namens jou gehandeld',
  'mail.impersonation.text':
    'Iemand van support heeft namens jou gehandeld in {organization}, van {from} tot {to}.',
  'mail.impersonation.trail':
    'Je auditlogboek laat zien wat er is gedaan. Weet je niet waarom, vraag het dan je organisatie.',
  'mail.impersonation.your-organization': 'je organisatie',
  'impersonation.not-allowed': 'De organisatie laat support niet toe.',
  'impersonation.ended': 'Het handelen namens deze persoon is al beëindigd.',
  'scope.impersonation': 'Handelen namens een persoon',
  'scope.impersonation.start': 'Handelen namens een persoon',
  'scope.impersonation.end': 'Het handelen namens een persoon beëindigen',
  'error-page.invalid.title': 'Het verzoek is niet geldig',
  'error-page.invalid.lead': 'Ga terug en probeer het opnieuw.',
  'error-page.unauthenticated.title': 'Log eerst in',
  'error-page.unauthenticated.lead': 'Dit adres is voor ingelogde gebruikers.',
  'error-page.not-found.title': 'Pagina niet gevonden',
  'error-page.not-found.lead': 'Misschien is het adres verkeerd getypt of is de pagina verplaatst.',
  'error-page.too-many.title': 'Te veel verzoeken',
  'error-page.too-many.lead': 'Wacht een minuut en laad de pagina dan opnieuw.',
  'error-page.internal.title': 'Er ging bij ons iets mis',
  'error-page.internal.lead':
    'Probeer het later opnieuw. Gebeurt het weer, meld het dan met het nummer hieronder.',
  'error-page.unavailable.title': 'Dienst tijdelijk niet beschikbaar',
  'error-page.unavailable.lead': 'Laad de pagina over een minuut opnieuw.',
  'error-page.home': 'Naar de startpagina',
  'error-page.documentation': 'API-documentatie',
  'identity.page.unusable.title': 'Deze inlogpoging kan niet worden voltooid',
  'identity.page.unusable.lead':
    'Ze is verlopen, al gebruikt of in een andere browser begonnen. Log opnieuw in waar je bent begonnen.',
  'identity.page.not-available.title': 'Deze inlogmethode is niet beschikbaar',
  'identity.page.not-available.lead':
    'De identiteitsprovider is hier niet ingesteld. Ga terug en log op een andere manier in.',
  'identity.page.to-provider.title': 'Ga verder naar je identiteitsprovider',
  'identity.page.to-provider.lead': 'Je browser gaat er automatisch naartoe. Zo niet, druk op de knop.',
  'identity.page.to-provider.continue': 'Doorgaan',
  'identity.page.sign-out.title': 'Dit uitloggen kan niet worden voltooid',
  'identity.page.sign-out.lead':
    'Het verzoek van je identiteitsprovider is hier niet geldig. Log uit in de app.',
  'portal.description': 'Je account, je organisaties en je sessies.',
  'portal.no-script':
    'Deze pagina heeft JavaScript nodig. Sta het toe voor dit adres en laad de pagina dan opnieuw.',
  'worker.number-taken': 'Iemand anders in deze organisatie heeft dit nummer.',
  'worker.no-owner': 'Een werknemer zonder adres kan geen eigenaar zijn.',
  'worker.is-owner': 'Deze persoon is eigenaar. Neem eerst die rol weg.',
  'worker.own': 'U kunt dit niet voor uzelf doen. Vraag een ander lid.',
  'worker.owns-account': 'Deze persoon heeft een adres en wijzigt naam en adres zelf.',
  'worker.pin-temporary': 'Deze pincode is tijdelijk. Kies een nieuwe.',
  'worker.pin-guessable':
    'Kies een pincode die moeilijker te raden is: geen reeks, geen herhaling, niet uw nummer.',
  'station.other-network': 'Dit station is niet in het netwerk waarvoor het is ingesteld.',
  'station.pending': 'Het apparaat van dit station heeft zich nog niet geregistreerd.',
  'station.too-many': 'Er kunnen {max} stations zijn. Verwijder er een dat niet in gebruik is.',
  'station.code-refused': 'Deze code is onjuist, gebruikt of verlopen. Vraag een nieuwe.',
  'scope.worker': 'Werknemers',
  'scope.worker.read': 'Werknemers bekijken',
  'scope.worker.create': 'Werknemers toevoegen',
  'scope.worker.create.description': 'Leden zonder adres toevoegen, met rollen tot de eigen rechten.',
  'scope.worker.update': 'Werknemers wijzigen',
  'scope.worker.delete': 'Werknemers verwijderen',
  'scope.worker.suspend': 'Werknemers schorsen',
  'scope.worker.reinstate': 'Schorsing van werknemers opheffen',
  'scope.worker.reset-pin': 'Pincodes opnieuw instellen',
  'scope.worker.reset-pin.description':
    'Werknemers een tijdelijke pincode geven, bijvoorbeeld als zij de hunne vergeten zijn.',
  'scope.worker.issue-badge': 'Badges uitgeven',
  'scope.worker.revoke-badge': 'Badges intrekken',
  'scope.station': 'Stations',
  'scope.station.read': 'Stations bekijken',
  'scope.station.create': 'Stations aanmaken',
  'scope.station.create.description': 'Gedeelde apparaten instellen waarop leden zich aanmelden.',
  'scope.station.update': 'Stations wijzigen',
  'scope.station.delete': 'Stations verwijderen',
  'ability.station': 'Op een gedeeld station kan dit niet. Meld u aan op een eigen apparaat.',
};
