import type { Texts } from '../platform/messages/index.js';

/** Polish. */
export const pl: Texts = {
  'mail.copy-address': 'Możesz też skopiować ten adres:',
  'ability.unknown-scope': 'Nie ma takiego uprawnienia.',
  'ability.tenant-required': 'Najpierw wybierz organizację.',
  'ability.scope-not-held': 'Twoje role nie obejmują tego uprawnienia.',
  'ability.people-only': 'To jest przeznaczone dla osób. Konto usługi nie może tego zrobić.',
  'ability.key-without-scope': 'Ten klucz nie ma tego uprawnienia. Role jego konta mogą je mieć.',
  'ability.client-without-scope': 'Ta aplikacja nie ma tego uprawnienia. Spróbuj w aplikacji głównej.',
  'ability.subject-mismatch': 'Obiekt nie jest typu, którego dotyczy to uprawnienie.',
  'ability.subject-not-found': 'Tego obiektu nie ma w tej organizacji.',
  'ability.second-factor-required':
    'Do tego potrzebny jest drugi składnik. Potwierdź swoim lub najpierw go dodaj.',
  'ability.passkey-required': 'Do tego potrzebny jest klucz dostępu. Potwierdź swoim lub najpierw go dodaj.',
  'ability.tenant-second-factor':
    'Ta organizacja wymaga drugiego składnika. Potwierdź swoim lub najpierw go dodaj.',
  'ability.tenant-connection': 'Zaloguj się przez dostawcę swojej organizacji. Organizacja tego wymaga.',
  'ability.tenant-passkey': 'Ta organizacja wymaga klucza dostępu. Potwierdź swoim lub najpierw go dodaj.',
  'ability.tenant-sign-in-too-old':
    'Od Twojego ostatniego logowania minęło za dużo czasu jak na wymagania tej organizacji. Potwierdź swoją tożsamość, a potem spróbuj ponownie.',
  'ability.own-proof':
    'Zalogowano tylko przez organizację. Potwierdź hasłem lub drugim składnikiem albo ustaw hasło przez e-mail.',
  'ability.tenant-other-connection':
    'Zalogowano tylko przez inną organizację. Potwierdź hasłem lub drugim składnikiem albo ustaw hasło przez e-mail.',
  'ability.key-without-sso':
    'Ten klucz utworzono bez logowania jednokrotnego, którego organizacja teraz wymaga. Zaloguj się w ten sposób i utwórz nowy.',
  'ability.key-too-weak':
    'Ten klucz utworzono przy słabszym logowaniu, niż wymaga teraz organizacja. Utwórz nowy.',
  'ability.tenant-session-too-old': 'Twoja sesja jest za stara dla tej organizacji. Zaloguj się ponownie.',
  'ability.authentication-insufficient':
    'Od Twojego ostatniego logowania minęło za dużo czasu. Potwierdź swoją tożsamość, a potem spróbuj ponownie.',
  'session.ended': 'Sesja jest już zakończona.',
  'satellite.public': 'Ten klient nie ma klucza tajnego.',
  'satellite.disabled': 'Satelita jest już wyłączony.',
  'satellite.not-disabled': 'Satelita nie jest wyłączony.',
  'identity.only-sign-in':
    'To Twoja jedyna metoda logowania. Najpierw ustaw hasło lub połącz inną tożsamość.',
  'tenant.archived': 'Organizacja jest zarchiwizowana. Najpierw ją przywróć.',
  'tenant.archived-already': 'Organizacja jest już zarchiwizowana.',
  'tenant.not-archived': 'Organizacja nie jest zarchiwizowana.',
  'tenant.deletion-scheduled-already': 'Usunięcie organizacji jest już zaplanowane.',
  'tenant.deletion-not-scheduled': 'Usunięcie organizacji nie jest zaplanowane.',
  'tenant.slug-reserved': 'Ta nazwa jest zastrzeżona dla usługi. Wybierz inną.',
  'tenant.slug-taken': 'Inna organizacja ma tę nazwę w swoim adresie. Wybierz inną.',
  'tenant.owners-only': 'Tylko właściciel może przekazać własność.',
  'tenant.last-owner-leaves':
    'Ostatni właściciel nie może opuścić organizacji. Najpierw nadaj rolę właściciela innemu członkowi.',
  'member.last-owner':
    'Ostatniego właściciela nie można usunąć ani odebrać mu tej roli. Najpierw nadaj rolę właściciela innemu członkowi.',
  'member.last-owner-suspended':
    'Ostatniego właściciela nie można zawiesić. Najpierw nadaj rolę właściciela innemu członkowi.',
  'member.suspended-already': 'Członkostwo jest już zawieszone.',
  'member.not-suspended': 'Członkostwo nie jest zawieszone.',
  'member.own-roles': 'Nie możesz zmieniać własnych ról. Poproś innego właściciela lub administratora.',
  'member.owners-only': 'W przypadku właściciela może to zrobić tylko inny właściciel.',
  'member.exceeds-caller': 'Ten członek ma uprawnienia, których nie masz. Poproś członka, który je ma.',
  'role.built-in': 'Wbudowanej roli nie można zmienić ani usunąć.',
  'role.exceeds-caller': 'Ta rola zawiera uprawnienia, których nie masz.',
  'role.in-use':
    'Ta rola jest używana. Najpierw odbierz ją członkom i kontom usług oraz unieważnij zaproszenia z tą rolą.',
  'assignment.owner': 'Właściciel ma całą organizację. Wybierz inną rolę.',
  'assignment.past': 'musi być w przyszłości',
  'assignment.unknown-thing': 'Organizacja nie ma takiej rzeczy.',
  'assignment.too-many': 'Członek może mieć role dla {max} rzeczy. Najpierw zakończ niektóre.',
  'invitation.accepted': 'Zaproszenie zostało już przyjęte.',
  'invitation.revoked': 'Zaproszenie zostało już unieważnione.',
  'invitation.expired': 'Zaproszenie wygasło.',
  'invitation.lacks-role': 'Rola z zaproszenia została usunięta. Zaproś ten adres ponownie, z innymi rolami.',
  'invitation.owners-only': 'Tylko właściciel może nadać rolę właściciela.',
  'invitation.exceeds-caller': 'Zaproszenie daje uprawnienia, których nie masz. Poproś członka, który je ma.',
  'sign-in-policy.sso-not-tested':
    'Najpierw samodzielnie przetestuj aktywne połączenie. Test musi być zaliczony w ciągu ostatniej doby.',
  'sign-in-policy.sso-no-emergency-owner':
    'Na wypadek awarii właściciel musi mieć drugi składnik lub klucz dostępu i zalogować się nim w ciągu ostatnich 90 dni.',
  'sign-in-policy.own-sign-in':
    'Twoje logowanie nie spełnia tych zasad. Zaloguj się zgodnie z nimi, a potem je ustaw.',
  'invitation.other-address': 'Zaproszenie wysłano na inny adres. Zaloguj się na konto z tym adresem.',
  'mail.invitation.subject': 'Masz zaproszenie',
  'mail.invitation.invited':
    'Masz zaproszenie do organizacji {organization}. Zaloguj się, używając tego adresu e-mail, lub najpierw załóż dla niego konto, a potem przyjmij zaproszenie w ciągu siedmiu dni.',
  'mail.invitation.invited-without-name':
    'Masz zaproszenie do organizacji. Zaloguj się, używając tego adresu e-mail, lub najpierw załóż dla niego konto, a potem przyjmij zaproszenie w ciągu siedmiu dni.',
  'mail.invitation.unexpected': 'Jeśli nie spodziewasz się zaproszenia, zignoruj tę wiadomość.',
  'mail.invitation.accept': 'Przyjmij zaproszenie',
  'mail.ownership-transferred.subject': 'Organizacja została przekazana',
  'mail.ownership-transferred.done':
    'Inny członek zastąpił Cię jako właściciel organizacji {organization}. Nadal jesteś jej członkiem.',
  'mail.ownership-transferred.without-name':
    'Inny członek zastąpił Cię jako właściciel organizacji. Nadal jesteś jej członkiem.',
  'mail.ownership-transferred.what-now': 'Jeśli to nie Ty, zmień hasło i poproś właściciela o pomoc.',
  'mail.ownership-received.subject': 'Jesteś właścicielem organizacji',
  'mail.ownership-received.done': 'Właściciel przekazał Ci własność organizacji {organization}.',
  'mail.ownership-received.without-name': 'Właściciel przekazał Ci własność organizacji.',
  'mail.ownership-received.what-now':
    'Możesz w niej wszystko: zarządzać członkami i rolami, zarchiwizować ją i usunąć.',
  'mail.tenant-deletion.subject': 'Organizacja zostanie usunięta',
  'mail.tenant-deletion.scheduled':
    'Właściciel zaplanował usunięcie organizacji {organization}. Termin: {time}.',
  'mail.tenant-deletion.scheduled-without-name':
    'Właściciel zaplanował usunięcie jednej z Twoich organizacji. Termin: {time}.',
  'mail.tenant-deletion.what-goes':
    'Usunięte zostanie wszystko: członkowie, role, zaproszenia i dziennik audytu. Konta pozostaną. Tego nie można cofnąć.',
  'mail.tenant-deletion.cancel':
    'Do tego czasu każdy właściciel może anulować usunięcie lub przywrócić organizację.',
  'password.common': 'To hasło jest na liście haseł, które atakujący sprawdzają najpierw. Wybierz inne.',
  'password.own-words':
    'To hasło to Twój adres, imię lub organizacja, a takie atakujący sprawdzają najpierw. Wybierz inne.',
  'mail.go-to-app': 'Przejdź do aplikacji',
  'mail.verification.subject': 'Potwierdź swój adres e-mail',
  'mail.verification.registered':
    'Na ten adres e-mail zarejestrowano konto (czas: {registeredAt}). Podane imię: {name}.',
  'mail.verification.registered-without-name':
    'Na ten adres e-mail zarejestrowano konto (czas: {registeredAt}). Podanego imienia nie można tu pokazać.',
  'mail.verification.was-you':
    'Jeśli to Ty, potwierdź adres w ciągu 24 godzin. Potrzebne będzie wybrane przez Ciebie hasło.',
  'mail.verification.was-not-you': 'Jeśli to nie Ty, odrzuć rejestrację. Konto wtedy nie powstanie.',
  'mail.verification.verify': 'Potwierdź ten adres',
  'mail.verification.refuse': 'To nie ja',
  'mail.already-registered.subject': 'Masz już konto',
  'mail.already-registered.was-you':
    'Ktoś próbował zarejestrować konto na ten adres e-mail, ale konto z tym adresem już istnieje. Jeśli to Ty, zaloguj się lub zresetuj hasło, jeśli go nie pamiętasz.',
  'mail.already-registered.was-not-you': 'Jeśli to nie Ty, nie musisz nic robić. Nic się nie zmieniło.',
  'mail.already-registered.sign-in': 'Przejdź do logowania',
  'mail.choose-password.subject': 'Wybierz hasło do swojego konta',
  'mail.choose-password.ready':
    'Twój adres e-mail jest potwierdzony, a konto gotowe. Ten adres zarejestrowano z różnymi hasłami, więc żadne z nich nie obowiązuje.',
  'mail.choose-password.within':
    'Wybierz hasło w ciągu godziny. Później poproś o nowy link, wybierając „Nie pamiętasz hasła?” na stronie logowania.',
  'mail.choose-password.choose': 'Wybierz hasło',
  'mail.password-reset.subject': 'Zresetuj hasło',
  'mail.password-reset.was-you':
    'Ktoś poprosił o zresetowanie hasła do Twojego konta. Jeśli to Ty, wybierz nowe: link działa raz, przez godzinę.',
  'mail.password-reset.was-not-you': 'Jeśli to nie Ty, zignoruj tę wiadomość. Twoje hasło się nie zmieni.',
  'mail.password-reset.choose': 'Wybierz nowe hasło',
  'mail.new-password-required.subject': 'Wybierz nowe hasło',
  'mail.new-password-required.removed':
    'Pomoc techniczna tej usługi prosi Cię o wybranie nowego hasła. Poprzednie już nie działa, a Twoje urządzenia zostały wylogowane.',
  'mail.new-password-required.within':
    'Link działa raz, przez godzinę. Później poproś o nowy, wybierając „Nie pamiętasz hasła?” na stronie logowania.',
  'mail.export-ready.subject': 'Twoje dane są gotowe',
  'mail.export-ready.ready':
    'Na Twoją prośbę zebraliśmy wszystko, co ta usługa o Tobie przechowuje. Zaloguj się, aby pobrać dane w ciągu siedmiu dni.',
  'mail.export-ready.was-not-you':
    'Jeśli to nie Twoja prośba, zmień hasło i zakończ sesje, których nie rozpoznajesz.',
  'mail.export-ready.by-support':
    'Pomoc techniczna tej usługi zebrała dla Ciebie wszystko, co usługa przechowuje na Twój temat. Zaloguj się, aby pobrać te dane w ciągu siedmiu dni.',
  'mail.export-ready.for-you-alone':
    'Tylko Ty możesz je otworzyć. Pomoc techniczna nie ma takiej możliwości.',
  'mail.password-changed.subject': 'Twoje hasło zostało zmienione',
  'mail.password-changed.changed':
    'Hasło do Twojego konta zostało zmienione, a urządzenia zalogowane wcześniej zostały wylogowane.',
  'mail.password-changed.was-not-you':
    'Jeśli to nie Ty, natychmiast zresetuj hasło i powiadom administratora.',
  'mail.confirm-email.subject': 'Potwierdź nowy adres e-mail',
  'mail.confirm-email.asked': 'Ktoś chce od teraz używać tego adresu e-mail do swojego konta.',
  'mail.confirm-email.was-you':
    'Jeśli to Ty, potwierdź adres w ciągu 24 godzin. Od tej chwili będziesz się nim logować.',
  'mail.confirm-email.was-not-you':
    'Jeśli to nie Ty, zignoruj tę wiadomość i nie otwieraj linku. Nic się wtedy nie zmieni.',
  'mail.confirm-email.confirm': 'Potwierdź ten adres',
  'mail.email-taken.subject': 'Ten adres e-mail ma już konto',
  'mail.email-taken.asked':
    'Ktoś chciał użyć tego adresu e-mail do innego konta. Adres należy do Twojego konta, więc nic się nie zmieniło.',
  'mail.email-taken.was-you':
    'Jeśli to Ty, po prostu zaloguj się tym adresem. Jeden adres może mieć tylko jedno konto.',
  'mail.email-taken.was-not-you': 'Jeśli to nie Ty, nie musisz nic robić.',
  'mail.email-changed.subject': 'Adres e-mail Twojego konta został zmieniony',
  'mail.email-changed.changed':
    'Twoje konto ma teraz inny adres e-mail. Logujesz się tym adresem i na niego przychodzą wiadomości.',
  'mail.email-changed.was-not-you':
    'Jeśli to nie Ty, przywróć ten adres w ciągu siedmiu dni. Wszystkie urządzenia zostaną wylogowane i wybierzesz nowe hasło.',
  'mail.email-changed.undo': 'Przywróć ten adres',
  'mail.email-restored.subject': 'Twój adres e-mail został przywrócony',
  'mail.email-restored.restored':
    'Twoje konto ma znowu ten adres e-mail. Wszystkie urządzenia zostały wylogowane, a hasło usunięte.',
  'mail.email-restored.choose':
    'Wybierz nowe hasło w ciągu godziny. Później poproś o nowy link, wybierając „Nie pamiętasz hasła?” na stronie logowania. Następnie usuń klucze dostępu i aplikacje uwierzytelniające, których nie rozpoznajesz, i utwórz nowe kody odzyskiwania.',
  'mail.email-code.within': 'Kod jest ważny dziesięć minut i działa raz. Nie podawaj go nikomu.',
  'mail.sign-in-code.subject': 'Twój kod logowania',
  'mail.sign-in-code.code': 'Twój kod logowania: {code}',
  'mail.sign-in-code.was-not-you':
    'Link działa w przeglądarce, w której go zamówiono. Jeśli to nie Ty, zignoruj tę wiadomość.',
  'mail.sign-in-code.sign-in': 'Zaloguj się',
  'mail.step-up-code.subject': 'Potwierdź swoją tożsamość',
  'mail.step-up-code.code': 'Twój kod potwierdzający tożsamość: {code}',
  'mail.step-up-code.was-not-you':
    'O kod poprosiła osoba zalogowana na Twoje konto. Jeśli to nie Ty, wyloguj wszystkie urządzenia.',
  'mail.new-network.subject': 'Nowe logowanie na Twoje konto',
  'mail.new-network.signed-in':
    'Ktoś zalogował się na Twoje konto z sieci, z której wcześniej nie korzystano.',
  'mail.new-network.time': 'Czas: {time}',
  'mail.new-network.browser': 'Przeglądarka: {device}',
  'mail.new-network.address': 'Adres IP: {ipAddress}',
  'mail.new-network.was-not-you':
    'Jeśli to Ty, nie musisz nic robić. Jeśli to nie Ty, natychmiast zresetuj hasło: to wyloguje wszystkie urządzenia.',
  'mail.account-erased.subject': 'Twoje konto zostało usunięte',
  'mail.account-erased.erased':
    'Twoje konto zostało usunięte na prośbę osoby, która była na nie zalogowana. Usunięto wszystkie zapisane w nim dane osobowe. Tego nie można cofnąć.',
  'mail.account-erased.was-not-you':
    'Jeśli to nie Ty, ktoś inny miał dostęp do Twojego konta. Powiadom operatora tej usługi i zmień hasło w innych serwisach, w których go używasz.',
  'mail.account-erased.last':
    'To ostatnia wiadomość dotycząca tego konta. W każdej chwili możesz zarejestrować się ponownie z tym samym adresem.',
  'mail.identity-linked.subject': 'Nowa metoda logowania',
  'mail.identity-linked.linked': 'Możesz teraz logować się na swoje konto przez {provider}.',
  'mail.identity-linked.was-not-you':
    'Jeśli to nie Ty, zaloguj się, odłącz tę metodę w sekcji „Metody logowania” i zmień hasło.',
  'mail.identities-removed.subject': 'Usunięto metody logowania',
  'mail.identities-removed.removed':
    'Twoje hasło zostało zresetowane. Te metody logowania odłączono na wypadek, gdyby dodała je inna osoba: {providers}.',
  'mail.identities-removed.link-again':
    'Aby znów z nich korzystać, zaloguj się nowym hasłem i połącz je w sekcji „Metody logowania”.',
  'mail.identity-unlinked.subject': 'Usunięto metodę logowania',
  'mail.identity-unlinked.unlinked': 'Nie możesz już logować się na swoje konto przez {provider}.',
  'mail.identity-unlinked.was-not-you':
    'Jeśli to nie Ty, zresetuj hasło: to wyloguje wszystkie urządzenia. Potem połącz tę metodę ponownie w sekcji „Metody logowania”.',
  'scope.tenant': 'Organizacja',
  'scope.tenant.read': 'Wyświetlanie organizacji',
  'scope.tenant.read.description': 'Widok jej nazwy i stanu.',
  'scope.tenant.update': 'Zmiana nazwy organizacji',
  'scope.tenant.update.description': 'Zmiana nazwy dla wszystkich członków.',
  'scope.tenant.archive': 'Archiwizowanie organizacji',
  'scope.tenant.archive.description': 'Zablokowanie wszelkich zmian w organizacji. Można ją przywrócić.',
  'scope.tenant.restore': 'Przywracanie organizacji',
  'scope.tenant.restore.description': 'Ponowne zezwolenie na zmiany w zarchiwizowanej organizacji.',
  'scope.tenant.delete': 'Usuwanie organizacji',
  'scope.tenant.delete.description': 'Zaplanowanie usunięcia zarchiwizowanej organizacji.',
  'scope.tenant.read-deletion': 'Wyświetlanie planu usunięcia',
  'scope.tenant.read-deletion.description': 'Widok tego, co i kiedy zostanie usunięte.',
  'scope.tenant.cancel-deletion': 'Anulowanie usunięcia',
  'scope.tenant.cancel-deletion.description': 'Zachowanie organizacji, której usunięcie jest zaplanowane.',
  'scope.tenant.transfer-ownership': 'Przekazywanie własności',
  'scope.tenant.transfer-ownership.description': 'Nadanie roli właściciela innemu członkowi zamiast sobie.',
  'scope.tenant.leave': 'Opuszczanie organizacji',
  'scope.tenant.leave.description': 'Zakończenie własnego członkostwa.',
  'scope.sign-in-policy': 'Zasady logowania',
  'scope.sign-in-policy.read': 'Wyświetlanie zasad logowania',
  'scope.sign-in-policy.read.description':
    'Widok tego, co członkowie muszą potwierdzić i ilu z nich nie mogłoby wejść.',
  'scope.sign-in-policy.update': 'Zmiana zasad logowania',
  'scope.sign-in-policy.update.description':
    'Wymaganie drugiego składnika i niedawnego logowania od wszystkich członków.',
  'scope.member': 'Członkowie',
  'scope.member.read': 'Wyświetlanie członków',
  'scope.member.read.description': 'Widok nazw, adresów, ról i ostatniej aktywności.',
  'scope.member.update': 'Zmiana ról członków',
  'scope.member.update.description': 'Nadawanie i odbieranie ról w granicach własnych uprawnień.',
  'scope.member.remove': 'Usuwanie członków',
  'scope.member.remove.description': 'Zakończenie członkostwa innych osób.',
  'scope.member.suspend': 'Zawieszanie członków',
  'scope.member.suspend.description': 'Odebranie członkom dostępu bez kończenia członkostwa.',
  'scope.member.restore': 'Przywracanie członków',
  'scope.member.restore.description': 'Ponowne nadanie dostępu zawieszonym członkom.',
  'scope.role': 'Role',
  'scope.role.read': 'Wyświetlanie ról',
  'scope.role.read.description': 'Widok wszystkich ról i ich uprawnień.',
  'scope.role.create': 'Tworzenie ról',
  'scope.role.create.description': 'Dodawanie ról z uprawnieniami, które się posiada.',
  'scope.role.update': 'Zmiana ról',
  'scope.role.update.description': 'Zmiana nazwy i uprawnień własnych ról organizacji.',
  'scope.role.delete': 'Usuwanie ról',
  'scope.role.delete.description': 'Usuwanie nieużywanych ról.',
  'scope.invitation': 'Zaproszenia',
  'scope.invitation.read': 'Wyświetlanie zaproszeń',
  'scope.invitation.read.description': 'Widok tego, kogo zaproszono i z jakimi rolami.',
  'scope.invitation.create': 'Zapraszanie osób',
  'scope.invitation.create.description': 'Zapraszanie adresów z rolami, które można nadać.',
  'scope.invitation.resend': 'Ponowne wysyłanie zaproszeń',
  'scope.invitation.resend.description': 'Wysłanie nowego linku; poprzedni przestaje działać.',
  'scope.invitation.revoke': 'Unieważnianie zaproszeń',
  'scope.invitation.revoke.description': 'Zakończenie zaproszenia, zanim zostanie przyjęte.',
  'scope.audit': 'Dziennik audytu',
  'scope.audit.read': 'Wyświetlanie dziennika audytu',
  'scope.audit.read.description': 'Widok tego, kto i co zmienił w organizacji.',
  'operator.exists': 'Ta osoba jest już operatorem. Zmień zamiast tego, co operator może robić.',
  'operator.last-admin':
    'Ostatni administrator bez ograniczeń nie może ich dostać. Najpierw nadaj takie prawa innej osobie.',
  'scope.permission': 'Uprawnienia innych usług',
  'scope.permission.read': 'Wyświetlanie uprawnień innych usług',
  'scope.permission.register': 'Rejestrowanie uprawnień innych usług',
  'scope.permission.remove': 'Usuwanie uprawnień innych usług',
  'permission.module-declared': 'Tę nazwę ma już moduł usługi. Wybierz inną.',
  'permission.not-registered': 'Pod tą nazwą nie zarejestrowano uprawnień.',
  'permission.too-many-modules': 'Jest już {max} modułów. Najpierw usuń jeden.',
  'permission.of-other-module': 'musi zaczynać się od {module}:',
  'permission.twice': 'jest już na liście',
  'scope.operator': 'Operatorzy',
  'scope.operator.read': 'Wyświetlanie operatorów',
  'scope.operator.create': 'Nadawanie roli operatora',
  'operator.scope-not-of-role': 'Ta rola nie ma tego uprawnienia.',
  'operator.scope-of-whole-admins': 'Tylko administratorzy bez ograniczeń mają to uprawnienie.',
  'scope.operator.update': 'Zmiana uprawnień operatorów',
  'scope.operator.remove': 'Usuwanie operatorów',
  'scope.client': 'Aplikacje organizacji',
  'scope.client.read': 'Wyświetlanie aplikacji, do których logują się członkowie',
  'scope.client.create': 'Rejestrowanie aplikacji dla członków',
  'scope.client.update': 'Zmiana aplikacji członków',
  'scope.client.rotate-secret': 'Wymiana kluczy tajnych aplikacji',
  'scope.client.delete': 'Usuwanie aplikacji członków',
  'scope.satellite': 'Satelity',
  'scope.satellite.read': 'Wyświetlanie satelitów',
  'scope.satellite.create': 'Rejestrowanie satelitów',
  'scope.satellite.update': 'Zmiana satelitów',
  'scope.satellite.rotate-secret': 'Wymiana kluczy tajnych satelitów',
  'scope.satellite.disable': 'Wyłączanie satelitów',
  'scope.satellite.enable': 'Włączanie satelitów',
  'mail.session-traces.subject': 'Co utworzyły Twoje wcześniejsze sesje',
  'mail.session-traces.left': 'To dodano do Twojego konta w sesji i pozostaje po niej:',
  'mail.session-traces.authenticator-app': 'Aplikacja uwierzytelniająca {name}, {date}',
  'mail.session-traces.passkey': 'Klucz dostępu {name}, {date}',
  'mail.session-traces.trusted-device': 'Zaufane urządzenie, {date}',
  'mail.session-traces.identity': 'Logowanie przez dostawcę, {date}',
  'mail.session-traces.personal-key': 'Własny klucz {name}, {date}',
  'mail.session-traces.end':
    'Jeśli coś nie jest Twoje, jednym naciśnięciem zakończ to, co utworzyła ta sesja.',
  'mail.session-traces.see': 'Zobacz, co utworzyły sesje',
  'scope.session': 'Sesje',
  'scope.session.end': 'Kończenie własnych sesji',
  'scope.identity': 'Połączone tożsamości',
  'scope.identity.unlink': 'Odłączanie własnych tożsamości',
  'authenticator.required-by-organization':
    'Wymaga tego jedna z Twoich organizacji. Najpierw dodaj inny składnik lub opuść tę organizację.',
  'authenticator.of-other-organization':
    'Liczy się w innej organizacji. Aby go zmienić, zaloguj się własną metodą lub tak, jak wymaga tamta organizacja.',
  'mail.authenticators.was-not-you':
    'Jeśli to nie Ty, zaloguj się, usuń to, czego nie rozpoznajesz, i natychmiast zmień hasło.',
  'mail.authenticators.see': 'Sprawdź ustawienia zabezpieczeń',
  'mail.totp-added.subject': 'Dodano aplikację uwierzytelniającą',
  'mail.totp-added.text':
    'Do Twojego konta dodano aplikację uwierzytelniającą. Przy logowaniu trzeba teraz podać jej kod.',
  'mail.passkey-added.subject': 'Dodano klucz dostępu',
  'mail.passkey-added.text': 'Do Twojego konta dodano klucz dostępu. Można się nim logować.',
  'mail.totp-removed.subject': 'Usunięto aplikację uwierzytelniającą',
  'mail.totp-removed.text': 'Z Twojego konta usunięto aplikację uwierzytelniającą.',
  'mail.passkey-removed.subject': 'Usunięto klucz dostępu',
  'mail.passkey-removed.text': 'Z Twojego konta usunięto klucz dostępu.',
  'mail.totp-renamed.subject': 'Zmieniono nazwę aplikacji uwierzytelniającej',
  'mail.totp-renamed.text': 'Aplikacja uwierzytelniająca Twojego konta ma nową nazwę.',
  'mail.passkey-renamed.subject': 'Zmieniono nazwę klucza dostępu',
  'mail.passkey-renamed.text': 'Klucz dostępu Twojego konta ma nową nazwę.',
  'mail.trusted-device-removed.subject': 'Urządzenie nie jest już zaufane',
  'mail.trusted-device-removed.text':
    'Usunięto zaufane urządzenie. Przy następnym logowaniu na nim trzeba podać drugi składnik.',
  'mail.recovery-codes-renewed.subject': 'Nowe kody odzyskiwania',
  'mail.recovery-codes-renewed.text':
    'Utworzono nowe kody odzyskiwania do Twojego konta. Poprzednie już nie działają.',
  'mail.recovery-code-used.subject': 'Użyto kodu odzyskiwania',
  'mail.recovery-code-used.text':
    'Użyto kodu odzyskiwania Twojego konta. {left, plural, =0 {Nie został żaden: utwórz nowe.} one {Został # kod.} few {Zostały # kody.} many {Zostało # kodów.} other {Zostało # kodu.}}',
  'mail.totp-blocked.subject': 'Zablokowano aplikację uwierzytelniającą',
  'mail.totp-blocked.text':
    'Po Twoim haśle podano zbyt wiele błędnych kodów. Kody z aplikacji uwierzytelniającej będą odrzucane, dopóki nie użyjesz kodu odzyskiwania lub klucza dostępu. Zmień hasło.',
  'mail.authenticators-reset-scheduled.subject': 'Drugie składniki Twojego konta zostaną usunięte',
  'mail.authenticators-reset-scheduled.text':
    'Pomoc techniczna otrzymała prośbę o usunięcie drugich składników Twojego konta: aplikacji uwierzytelniających, kluczy dostępu i kodów odzyskiwania. Termin usunięcia: {time}. Od tej chwili do zalogowania wystarczy hasło lub dostawca.',
  'mail.authenticators-reset-scheduled.reason': 'Powód zapisany przez pomoc techniczną: {reason}',
  'mail.authenticators-reset-scheduled.cancel':
    'Jeśli to nie Twoja prośba, anuluj ją teraz i zmień hasło: ktoś inny może próbować wejść na Twoje konto.',
  'mail.authenticators-reset-scheduled.action': 'Anuluj usunięcie',
  'mail.authenticators-reset.subject': 'Usunięto drugie składniki',
  'mail.authenticators-reset.text':
    'Drugie składniki Twojego konta zostały usunięte zgodnie z prośbą do pomocy technicznej. Dodaj teraz nowy.',
  'mail.authenticators-reset-cancelled.subject': 'Drugie składniki pozostają',
  'mail.authenticators-reset-cancelled.text':
    'Usunięcie drugich składników Twojego konta zostało anulowane. Nic się nie zmieniło.',
  'person.no-second-factor': 'Ta osoba nie ma drugiego składnika.',
  'person.reset-pending': 'Reset dla tej osoby już czeka. Poczekaj na niego lub poproś o jego anulowanie.',
  'job.running': 'Zadanie jest w toku. Poczekaj na koniec tej próby.',
  'job.not-failed': 'Zadanie nie zakończyło się błędem. Uruchomi się w swoim czasie.',
  'scope.import': 'Import',
  'scope.import.create': 'Import osób z innego systemu',
  'scope.job': 'Zadania',
  'scope.job.read': 'Wyświetlanie zadań w kolejce',
  'scope.job.retry': 'Ponowne uruchamianie nieudanych zadań',
  'scope.operated-tenant': 'Organizacje platformy',
  'scope.operated-tenant.read': 'Wyszukiwanie i wyświetlanie organizacji',
  'scope.operated-tenant.export': 'Eksport danych przechowywanych o organizacjach',
  'scope.operated-tenant.limit': 'Zmiana limitów organizacji',
  'scope.operated-tenant.archive': 'Archiwizowanie organizacji',
  'scope.operated-tenant.restore': 'Przywracanie zarchiwizowanych organizacji',
  'scope.platform-audit': 'Dziennik audytu platformy',
  'scope.platform-audit.read': 'Wyświetlanie dziennika audytu platformy',
  'scope.person': 'Osoby',
  'person.operator': 'Ta osoba jest operatorem. Najpierw odbierz jej tę rolę.',
  'person.exceeds-caller': 'Ten operator ma uprawnienia, których Ty nie masz. Poproś operatora, który je ma.',
  'person.erasure-requested': 'To Twoja prośba o usunięcie. Musi ją potwierdzić inny operator.',
  'person.appointed-lately':
    'Za krótko jesteś operatorem, aby być jedną z dwóch osób: musi minąć doba, a prośba musi być późniejsza.',
  'person.no-erasure': 'Nie ma oczekującej prośby o usunięcie tej osoby.',
  'mail.not-resendable': 'Tej wiadomości nie można wysłać ponownie: oczekuje, wygasła lub została wycofana.',
  'mail.link-void':
    'Link lub kod z tej wiadomości został użyty lub zastąpiony. Trzeba poprosić o nową wiadomość.',
  'mail.resent-enough': 'W ciągu godziny do tej osoby wysłano pięć takich wiadomości. Poczekaj.',
  'person.suspended': 'Konto jest zawieszone. Najpierw je przywróć.',
  'person.not-suspended': 'Konto nie jest zawieszone.',
  'person.no-address': 'Ta osoba nie ma adresu, na który można wysłać wiadomość.',
  'person.no-password': 'Ta osoba nie ma hasła.',
  'scope.person.read': 'Wyszukiwanie osób i wyświetlanie ich kont',
  'scope.person.suspend': 'Zawieszanie kont',
  'scope.person.restore': 'Przywracanie zawieszonych kont',
  'scope.person.end-sessions': 'Kończenie sesji osób',
  'scope.person.send-password-reset': 'Wysyłanie osobom linku do zresetowania hasła',
  'scope.person.require-new-password': 'Wymaganie nowych haseł',
  'scope.person.export': 'Rozpoczynanie eksportu danych, który odczyta tylko dana osoba',
  'scope.person.erase': 'Usuwanie kont',
  'scope.person.keep': 'Wycofywanie próśb o usunięcie kont',
  'scope.person.resend-mail': 'Ponowne wysyłanie wiadomości do osób',
  'scope.person.reset-authenticators': 'Resetowanie drugich składników osób',
  'mail.password-removed.subject': 'Usunięto hasło',
  'mail.password-removed.text': 'Z Twojego konta usunięto hasło. Logujesz się kluczami dostępu.',
  'scope.webhook-subscription': 'Webhooki',
  'scope.webhook-subscription.read': 'Wyświetlanie webhooków',
  'scope.webhook-subscription.create': 'Tworzenie webhooków',
  'scope.webhook-subscription.update': 'Zmiana webhooków',
  'scope.webhook-subscription.delete': 'Usuwanie webhooków',
  'scope.webhook-subscription.rotate': 'Wymiana kluczy tajnych webhooków',
  'scope.webhook-subscription.test': 'Wysyłanie zdarzeń testowych',
  'scope.webhook-delivery': 'Dostarczenia webhooków',
  'scope.webhook-delivery.read': 'Wyświetlanie dostarczeń i ich prób',
  'scope.webhook-delivery.redeliver': 'Ponowne dostarczanie',
  'scope.webhook-event': 'Zdarzenia',
  'scope.webhook-event.read': 'Odczyt zdarzeń',
  'scope.operator-webhook': 'Webhooki platformy',
  'scope.operator-webhook.read': 'Wyświetlanie webhooków, dostarczeń i zdarzeń platformy',
  'scope.operator-webhook.rotate': 'Wymiana kluczy tajnych webhooków platformy',
  'scope.operator-webhook.manage': 'Zarządzanie webhookami platformy',
  'service-account.exceeds-caller':
    'To konto usługi ma uprawnienia, których nie masz. Poproś członka, który je ma.',
  'service-account.disabled-already': 'Konto usługi jest już wyłączone.',
  'service-account.not-disabled': 'Konto usługi nie jest wyłączone.',
  'scope.service-account': 'Konta usług',
  'scope.service-account.read': 'Wyświetlanie kont usług',
  'scope.service-account.create': 'Tworzenie kont usług',
  'scope.service-account.create.description':
    'Dodawanie członków będących programami, z rolami w granicach własnych uprawnień.',
  'scope.service-account.update': 'Zmiana kont usług',
  'scope.service-account.delete': 'Usuwanie kont usług',
  'scope.service-account.disable': 'Wyłączanie kont usług',
  'scope.service-account.disable.description': 'Odrzucanie ich kluczy bez usuwania kont.',
  'scope.service-account.enable': 'Włączanie kont usług',
  'mail.platform-key-expiring.subject': 'Klucz platformy wygasa',
  'mail.platform-key-expiring.text': 'Klucz „{name}” konta usługi platformy wygasa. Data: {date}.',
  'mail.platform-key-expiring.replace': 'Utwórz nowy dla programu, który go używa, a potem unieważnij ten.',
  'mail.leaked-key.subject': 'Znaleziono klucz w publicznym miejscu',
  'mail.leaked-key.text':
    'Zgłoszono, że klucz „{name}” znaleziono w publicznym miejscu. Został unieważniony.',
  'mail.leaked-key.replace':
    'Utwórz nowy klucz dla programu, który z niego korzystał, i ustal, kto mógł go odczytać.',
  'personal-key.forbidden': 'Ta organizacja nie pozwala na klucze członków. Poproś o konto usługi.',
  'scope.key-policy': 'Zasady dotyczące kluczy',
  'scope.key-policy.read': 'Wyświetlanie zasad dotyczących kluczy',
  'scope.key-policy.update': 'Zmiana zasad dotyczących kluczy',
  'scope.key-policy.update.description':
    'Ograniczenie czasu ważności kluczy i decyzja, czy członkowie mają własne klucze.',
  'scope.trust-rule': 'Obciążenia',
  'scope.trust-rule.read': 'Wyświetlanie zaufanych obciążeń',
  'scope.trust-rule.create': 'Nadawanie zaufania obciążeniom',
  'scope.trust-rule.delete': 'Odbieranie zaufania obciążeniom',
  'scope.api-key': 'Klucze kont usług',
  'scope.api-key.read': 'Wyświetlanie kluczy',
  'scope.api-key.create': 'Tworzenie kluczy',
  'scope.api-key.create.description': 'Klucz działa z rolami swojego konta usługi.',
  'scope.api-key.revoke': 'Unieważnianie kluczy',
  'mail.webhook-disabled.subject': 'Webhook został wyłączony',
  'mail.webhook-disabled.your-organization': 'Twojej organizacji',
  'mail.webhook-disabled.text': 'Webhook w {organization} wysyłający do {host} został wyłączony.',
  'mail.webhook-disabled.of-platform': 'Webhook platformy wysyłający do {host} został wyłączony.',
  'mail.webhook-disabled.enable':
    'Sprawdź przyczynę w jego dostarczeniach i włącz go ponownie, gdy odbiorca zacznie przyjmować zdarzenia.',
  'domain.in-use': 'Tej domeny używa połączenie. Najpierw usuń domenę z połączenia.',
  'connection-test.passed': 'Poprawnie.',
  'connection-test.skipped': 'Nie sprawdzono, ponieważ wcześniejszy test się nie powiódł.',
  'connection-test.provider.failed':
    'Dostawca nie odpowiedział w ciągu pięciu sekund. Sprawdź wystawcę i to, czy jego adres jest osiągalny.',
  'connection-test.code.failed':
    'Dostawca odmówił wymiany kodu. Sprawdź identyfikator klienta i klucz tajny klienta.',
  'connection-test.code.denied': 'Dostawca odmówił logowania. Sprawdź, czy aplikacja jest Ci przypisana.',
  'connection-test.code.invalid':
    'Odpowiedź dostawcy nie jest zgodna z OpenID Connect. Sprawdź typ aplikacji u dostawcy.',
  'connection-test.nonce.failed': 'Token ID dotyczy innego logowania. Rozpocznij test ponownie.',
  'connection-test.response.failed': 'Odpowiedź nie jest odpowiedzią SAML, którą można bezpiecznie odczytać.',
  'connection-test.response.encrypted':
    'Asercja jest zaszyfrowana. Włącz szyfrowanie w połączeniu lub wyłącz je u dostawcy.',
  'connection-test.response.not-encrypted':
    'Asercja nie jest zaszyfrowana. Włącz szyfrowanie u dostawcy lub wyłącz je w połączeniu.',
  'connection-test.response.decryption':
    'Nie można odszyfrować asercji. Zaimportuj u dostawcy ponownie metadane tego połączenia i wybierz AES-GCM z RSA-OAEP.',
  'connection-test.response.status': 'Dostawca odmówił logowania. Sprawdź, czy aplikacja jest Ci przypisana.',
  'connection-test.issuer.failed':
    'Wystawca nie zgadza się z ustawieniami. Porównaj je dokładnie, łącznie z końcowymi ukośnikami.',
  'connection-test.recipient.failed':
    'Odpowiedź jest przeznaczona dla innego adresu. Wpisz u dostawcy adres URL usługi ACS tego połączenia.',
  'connection-test.request.failed':
    'Odpowiedź nie odpowiada żadnemu żądaniu z tego testu. Rozpocznij logowanie od testu, a nie u dostawcy.',
  'connection-test.times.authentication':
    'Dostawca podaje stare logowanie (AuthnInstant), choć zażądano nowego. Zwiększ lub usuń limit authnInstantMaxAge, czego wymaga Google Workspace.',
  'connection-test.times.failed':
    'Czasy w odpowiedzi się nie zgadzają: wygasła, nie jest jeszcze ważna lub zegar dostawcy jest źle ustawiony.',
  'connection-test.times.confirmation':
    'Potwierdzenie podmiotu nie jest typu bearer lub wygasło. Sprawdź zegar dostawcy.',
  'connection-test.audience.failed':
    'Odpowiedź jest przeznaczona dla innej aplikacji. Wpisz u dostawcy identyfikator jednostki lub identyfikator klienta tego połączenia.',
  'connection-test.audience.others':
    'Token ID jest też dla innych aplikacji. Jeśli im ufasz, wpisz je w trustedAudiences.',
  'connection-test.signature.failed':
    'Podpis jest nieprawidłowy. Porównaj certyfikat podpisywania lub klucze z tymi u dostawcy.',
  'connection-test.signature.missing': 'Asercja nie jest podpisana. Włącz jej podpisywanie u dostawcy.',
  'connection-test.signature.algorithm':
    'Algorytm podpisu jest niedozwolony. Wybierz u dostawcy RSA z SHA-256 lub silniejszym skrótem.',
  'connection-test.subject.failed':
    'Brakuje NameID albo jest on tymczasowy lub należy do innej strony. Wybierz trwały NameID lub adres.',
  'connection-test.subject.other': 'Dane UserInfo dotyczą innej osoby niż token ID. Sprawdź dostawcę.',
  'connection-test.claim.missing':
    'W tokenie ID brakuje {claim}. Dodaj to do danych wysyłanych przez dostawcę.',
  'connection-test.domain.none':
    'Połączenie nie ma zweryfikowanej domeny. Zweryfikuj domenę i przypisz ją do połączenia.',
  'connection-test.domain.missing':
    'Dostawca nie wysłał adresu z żadnej z tych domen: {domains}. Dodaj adres do wysyłanych danych.',
  'connection-test.domain.failed': 'Adres nie należy do żadnej z tych domen: {domains}.',
  'connection-test.attributes.passed': 'Otrzymano: {count}.',
  'connection-test.roles.passed': 'Wynikające role: {roles}.',
  'connection-test.roles.incomplete':
    'Dostawca nie przesłał wszystkich grup albo jest ich za dużo do porównania. Takie logowanie nie zmienia ról. Ustaw u dostawcy wysyłanie tylko grup przypisanych do aplikacji.',
  'connection-test.roles.none':
    'Nie wynika żadna rola: osoby nie są dodawane przy logowaniu lub nie pasuje żadna reguła.',
  'connection.active-already': 'Połączenie jest już aktywne.',
  'connection.exceeds-caller':
    'Przez to połączenie mogą się logować osoby z większymi uprawnieniami niż Twoje. Poproś właściciela o zmianę.',
  'setup-link.exceeds-creator':
    'Przez to połączenie mogą się logować osoby z większymi uprawnieniami niż twórca linku. Poproś właściciela o nowy link.',
  'connection.owners-only': 'Tylko właściciel może to potwierdzić lub odrzucić.',
  'connection.change-outdated': 'Ustawienia zmieniły się od czasu prośby. Odrzuć ją i poproś o nową.',
  'connection.requester-ended':
    'Osoba, która o to poprosiła, nie może już zmieniać połączenia, albo link konfiguracyjny został unieważniony. Odrzuć zmianę.',
  'connection.too-many-waiting':
    'Dziesięć zmian już czeka. Właściciel musi najpierw potwierdzić lub odrzucić jedną z nich.',
  'scope.connection.confirm': 'Potwierdzanie zmian połączeń',
  'mail.connection-change.waits-subject': 'Zmiana logowania jednokrotnego czeka na właściciela',
  'mail.connection-change.applied-subject': 'Zmieniono logowanie jednokrotne',
  'mail.connection-change.waits':
    'Poproszono o zmianę połączenia organizacji {organization}. Nic się nie zmieni, dopóki właściciel nie potwierdzi jej na stronie połączenia.',
  'mail.connection-change.applied': 'Połączenie organizacji {organization} akceptuje od teraz coś innego.',
  'mail.connection-change.actor': 'Przez: {actor}',
  'mail.connection-change.by-member': 'członek',
  'mail.connection-change.by-setup-link': 'link konfiguracyjny',
  'mail.connection-change.by-provider': 'metadane dostawcy',
  'mail.connection-change.added': 'Nowy certyfikat (SHA-256): {sha256}',
  'mail.connection-change.removed': 'Usunięty certyfikat (SHA-256): {sha256}',
  'mail.connection-change.check':
    'Posiadacz akceptowanego klucza może się zalogować jako każdy członek, który używa połączenia. Jeśli nie znasz tej zmiany, odrzuć ją lub wyłącz połączenie.',
  'connection.not-tested': 'Połączenia nie testowano od ostatniej zmiany ustawień. Najpierw je przetestuj.',
  'scope.connection': 'Połączenia',
  'scope.connection.read': 'Wyświetlanie połączeń',
  'scope.connection.create': 'Tworzenie połączeń',
  'scope.connection.update': 'Zmiana i wyłączanie połączeń',
  'scope.connection.activate': 'Aktywowanie połączeń',
  'scope.connection.test': 'Testowanie połączeń',
  'scope.connection.delete': 'Usuwanie połączeń',
  'scope.domain': 'Domeny',
  'scope.domain.read': 'Wyświetlanie domen',
  'scope.domain.create': 'Dodawanie domen',
  'scope.domain.verify': 'Weryfikowanie domen',
  'scope.domain.delete': 'Usuwanie domen',
  'connection.enforced':
    'Zasady logowania wymagają tego połączenia. Najpierw ustaw logowanie jednokrotne jako opcjonalne.',
  'mail.emergency-entry.subject': 'Właściciel zalogował się bez logowania jednokrotnego',
  'mail.emergency-entry.text':
    'Właściciel zalogował się do {organization} drugim składnikiem lub kluczem dostępu, bez wymaganego dostawcy.',
  'mail.emergency-entry.check': 'Jeśli to nikt z Was, zakończ sesje właścicieli i sprawdź dziennik audytu.',
  'scope.setup-link': 'Linki do konfiguracji',
  'scope.setup-link.read': 'Wyświetlanie linków do konfiguracji',
  'scope.setup-link.create': 'Tworzenie linków do konfiguracji',
  'scope.setup-link.revoke': 'Unieważnianie linków do konfiguracji',
  'setup-link.invalid': 'Link jest nieważny: wygasł lub został unieważniony. Poproś organizację o nowy.',
  'setup-link.other-intent': 'Link do tego nie służy. Poproś organizację o inny.',
  'setup-link.one-connection': 'Link ma już swoje połączenie. Zmień je.',
  'setup-link.one-directory': 'Link ma już swój katalog.',
  'setup-link.active-domains': 'Połączenie jest aktywne. Jego domeny zmieniają członkowie organizacji.',
  'setup-link.not-held': 'wymaga uprawnienia {scope}, którego nie masz',
  'setup-link.too-many':
    'Maksymalna liczba aktywnych linków do konfiguracji: {max}. Najpierw unieważnij jeden.',
  'setup-link.too-many-mails':
    'Na ten adres wysłano zbyt wiele linków do konfiguracji. Spróbuj ponownie za godzinę.',
  'mail.setup-link.subject': 'Skonfiguruj logowanie jednokrotne',
  'mail.setup-link.an-organization': 'Pewna organizacja',
  'mail.setup-link.text':
    '{organization} prosi o podłączenie swojego dostawcy tożsamości. Nie potrzebujesz konta.',
  'mail.setup-link.secret':
    'Link jest ważny siedem dni. Każdy, kto go ma, może zmienić konfigurację: nie przekazuj go dalej.',
  'mail.setup-link.unexpected': 'Jeśli nie spodziewasz się tej wiadomości, zignoruj ją.',
  'mail.setup-link.open': 'Otwórz konfigurację',
  'connection.only-certificate': 'To jedyny certyfikat połączenia. Najpierw dodaj inny.',
  'mail.certificate-expiring.subject': 'Certyfikat Twojego logowania jednokrotnego wygasa',
  'mail.certificate-expiring.text': 'Certyfikat dostawcy tożsamości {organization} wygasa. Data: {date}.',
  'mail.certificate-expiring.effect':
    'Jeśli dostawca będzie nim podpisywać po tym dniu, członkowie nie będą mogli się zalogować. Wcześniej dodaj do połączenia nowy certyfikat.',
  'mail.domain-lapsed.subject': 'Domena nie jest już zweryfikowana',
  'mail.domain-lapsed.your-organization': 'Twojej organizacji',
  'mail.domain-lapsed.text':
    'Rekordu potwierdzającego domenę {domain} w {organization} brakuje od siedmiu dni.',
  'mail.domain-lapsed.by-operator': 'Operator usługi odebrał {organization} domenę {domain}.',
  'mail.domain-lapsed.effect':
    'Członkowie z połączonym logowaniem nadal mogą się logować. Nowe osoby z tej domeny nie mogą. Przywróć rekord, a potem zweryfikuj domenę ponownie.',
  'error.forbidden': 'To jest niedozwolone.',
  'error.conflict': 'Żądanie jest sprzeczne z bieżącym stanem.',
  'error.precondition-failed': 'Element zmienił się od czasu odczytania.',
  'tenant.name-differs': 'Wpisz nazwę organizacji.',
  'member.too-many-organizations':
    'Należysz do maksymalnej liczby organizacji: {max}. Opuść tę, której nie potrzebujesz; jeśli jesteś jej ostatnim właścicielem, najpierw nadaj tę rolę innemu członkowi.',
  'role.key-taken': 'Rola z kluczem {key} już istnieje.',
  'role.too-many': 'Maksymalna liczba własnych ról organizacji: {max}. Usuń nieużywaną.',
  'role.unknown': 'W tej organizacji nie ma roli {key}.',
  'role.named-exceeds-caller': 'Rola {key} zawiera uprawnienia, których nie masz.',
  'role.unknown-permission': 'Organizacje nie mają takiego uprawnienia.',
  'role.permission-not-held': 'Nie masz tego uprawnienia.',
  'invitation.open-already':
    'Ten adres ma już otwarte zaproszenie. Wyślij je ponownie lub najpierw je unieważnij.',
  'invitation.member-already': 'Ten adres należy już do członka.',
  'invitation.too-many': 'Na ten adres wysłano zbyt wiele zaproszeń. Spróbuj ponownie za godzinę.',
  'mail.other-connections.your-organization': 'Twoja organizacja',
  'mail.other-connections.subject': 'Logowania innych organizacji otwierają Twoją',
  'mail.other-connections.text':
    'Osoby zalogowane tylko przez dostawcę innej organizacji mogą wejść do: {organization}. W nowych organizacjach nie mogą.',
  'mail.other-connections.change': 'Aby je odrzucać, zmień zasady logowania swojej organizacji.',
  'tenant.mails-used-up':
    'Twoja organizacja wysłała dziś już maksymalną liczbę wiadomości poza swoje zweryfikowane domeny ({max}). Zweryfikuj domenę, spróbuj jutro lub poproś operatorów tej usługi o więcej.',
  'tenant.too-many-today':
    'Maksymalna liczba organizacji, które możesz utworzyć w ciągu dnia: {max}. Spróbuj jutro.',
  'invitation.too-many-open':
    'Twoja organizacja ma maksymalną liczbę otwartych zaproszeń ({max}). Cofnij niektóre, poczekaj na ich przyjęcie lub poproś operatorów tej usługi o więcej.',
  'email-change.too-many':
    'Maksymalna liczba zmian adresu, o które możesz poprosić w ciągu dnia: {max}. Spróbuj jutro.',
  'invitation.not-valid': 'Zaproszenie nie jest już ważne. Poproś o nowe członka, który Cię zaprosił.',
  'error.invalid-credentials': 'Adres e-mail lub hasło jest nieprawidłowe.',
  'error.email-not-verified': 'Adres e-mail nie został jeszcze potwierdzony.',
  'password.wrong': 'Hasło jest nieprawidłowe.',
  'password.current-wrong': 'Bieżące hasło jest nieprawidłowe.',
  'password.no-recipient': 'Konto jest zawieszone lub nie ma adresu, na który można wysłać link.',
  'password.too-many-mails':
    'Na ten adres wysłano zbyt wiele takich wiadomości. Poczekaj godzinę, a potem spróbuj ponownie.',
  'export.one-a-day':
    'W ciągu ostatniej doby poproszono już o Twoje dane. Użyj tamtego eksportu lub poproś ponownie później.',
  'export.person-one-a-day':
    'W ciągu ostatniej doby rozpoczęto już eksport danych tej osoby. Spróbuj ponownie później.',
  'export.page.title': 'Co jest przechowywane na Twój temat',
  'export.page.lead': 'Stan na {time}. Pominięto dane tajne, takie jak hasło. Opisy są w języku angielskim.',
  'export.page.entries':
    '{count, plural, =0 {Brak wpisów} one {# wpis} few {# wpisy} many {# wpisów} other {# wpisu}}',
  'export.page.yes': 'tak',
  'export.page.no': 'nie',
  'export.not-ready': 'Twoje dane nie są jeszcze gotowe. Powiadomi Cię o tym wiadomość e-mail.',
  'password.none': 'To konto nie ma hasła. Zaloguj się ponownie przez zewnętrznego dostawcę.',
  'password.link-not-valid': 'Link nie jest już ważny. Poproś o nowy.',
  'registration.wrong-password':
    'Żadna rejestracja tego adresu nie ma tego hasła. Wpisz hasło wybrane przy rejestracji.',
  'registration.link-not-valid': 'Link nie jest już ważny. Poproś o nowy.',
  'email-change.managed':
    'Tym adresem zarządza katalog Twojej organizacji. Poproś administratora o zmianę w katalogu.',
  'email-change.own-address': 'To już jest adres Twojego konta.',
  'email-change.link-not-valid': 'Link nie jest już ważny. Poproś o zmianę ponownie na swoim koncie.',
  'email-change.undo-not-valid': 'Link nie jest już ważny. Poproś o pomoc operatora tej usługi.',
  'error.not-a-member': 'Nie należysz do tej organizacji.',
  'sign-in.wrong-code': 'Kod jest błędny, wygasł lub został użyty. Poproś o nowy.',
  'sign-in.passkey-refused': 'Tego klucza dostępu nie można użyć do logowania.',
  'sign-in.challenge-not-valid': 'Logowanie wygasło lub zostało zakończone. Zaloguj się ponownie.',
  'error.invalid-second-factor': 'Drugi składnik jest błędny lub został już użyty.',
  'authorize.refused.title': 'Ta aplikacja nie może Cię zalogować',
  'authorize.refused.client':
    'Aplikacja nie jest tu zarejestrowana lub jest wyłączona. Wróć do niej i zacznij od nowa. Jeśli to się powtórzy, powiadom osoby, które ją prowadzą.',
  'authorize.refused.redirect-uri':
    'Adres, na który wraca aplikacja, nie jest zarejestrowany. Wróć do aplikacji i zacznij od nowa. Jeśli to się powtórzy, powiadom osoby, które ją prowadzą.',
  'authorize.refused.request':
    'Żądanie aplikacji jest nieznane, użyte lub wygasło. Wróć do aplikacji i zacznij od nowa. Jeśli to się powtórzy, powiadom osoby, które ją prowadzą.',
  'authorize.answer.title': 'Przejdź do aplikacji',
  'authorize.answer.lead': 'Przeglądarka przejdzie tam automatycznie. Jeśli nie, naciśnij przycisk.',
  'authorize.answer.continue': 'Dalej',
  'logout.refused.title': 'Ta aplikacja nie może Cię wylogować',
  'logout.refused.client':
    'Aplikacja nie jest tu zarejestrowana lub jest wyłączona. Wylogowanie się nie odbyło. Wyloguj się na stronie swojego konta. Jeśli to się powtórzy, powiadom osoby, które prowadzą aplikację.',
  'logout.refused.redirect-uri':
    'Adres, na który wraca aplikacja, nie jest zarejestrowany. Wylogowanie się nie odbyło. Wyloguj się na stronie swojego konta. Jeśli to się powtórzy, powiadom osoby, które prowadzą aplikację.',
  'logout.refused.hint':
    'Żądanie wskazuje inną aplikację niż ta, do której się logujesz. Wylogowanie się nie odbyło. Wyloguj się na stronie swojego konta. Jeśli to się powtórzy, powiadom osoby, które prowadzą aplikację.',
  'device.wrong-code': 'Ten kod jest nieznany, użyty lub wygasł. Sprawdź ekran urządzenia.',
  'authenticator.too-many': 'Osiągnięto maksymalną liczbę: {max}. Najpierw usuń jeden składnik.',
  'authenticator.passkey-registered': 'Ten klucz dostępu jest już zarejestrowany.',
  'authenticator.none-yet': 'Najpierw dodaj aplikację uwierzytelniającą lub klucz dostępu.',
  'authenticator.no-recovery':
    'Dodaj drugi klucz dostępu lub utwórz kody odzyskiwania, aby móc się zalogować po utracie jednego z nich.',
  'authenticator.no-six-digits': 'Wpisz sześć cyfr kodu.',
  'authenticator.no-recovery-code': 'Wpisz dziesięć znaków kodu odzyskiwania.',
  'authenticator.wrong-code': 'To nie jest bieżący kod tej aplikacji.',
  'webhook.too-many': 'Maksymalna liczba subskrypcji: {max}. Usuń nieużywaną.',
  'webhook.unknown-type': 'Nie ma takiego typu zdarzeń.',
  'webhook.type-not-readable': 'Nie możesz odczytywać zdarzeń tego typu.',
  'webhook.needs-scope': 'Wymaga to uprawnienia {scope}.',
  'webhook.since-expired': 'Od podanego czasu minęło więcej niż {days} dni.',
  'webhook.since-future': 'Podany czas jest w przyszłości.',
  'webhook.disabled': 'Subskrypcja jest wyłączona. Najpierw ją włącz.',
  'webhook.delivery-not-finished': 'Dostarczanie nie jest zakończone: zdarzenie i tak zostanie wysłane.',
  'satellite.client-id-taken': 'Satelita o identyfikatorze klienta {clientId} już istnieje.',
  'field.text':
    'Wpisz tekst o długości od {min} do {max} znaków, bez znaków sterujących i nie tylko ze spacji.',
  'field.password': 'Wpisz od {min} do {max} znaków, bez znaków sterujących.',
  'field.email': 'Wpisz adres e-mail.',
  'field.integer': 'Wpisz liczbę całkowitą od {min} do {max}.',
  'field.number': 'Wpisz liczbę od {min} do {max}.',
  'field.boolean': 'Wartość musi być true lub false.',
  'field.time': 'Wpisz czas w UTC, na przykład 2026-11-21T09:00:00Z.',
  'field.date': 'Wpisz datę, na przykład 2026-11-21.',
  'field.list': 'Podaj od {min} do {max} elementów.',
  'directory.exceeds-caller':
    'Grupy katalogu dają role, których nie możesz nadać. Poproś członka, który może.',
  'directory.exceeds-creator': 'Grupy katalogu dają role, których twórca linku nie może nadać.',
  'directory.tokens-exceed':
    'Najpierw unieważnij te tokeny i utwórz nowe, ponieważ ich twórcy nie mogą nadać tych ról: {tokens}.',
  'directory.token-stopped':
    'Osoba, która utworzyła ten token, odeszła, jest zawieszona lub nie mogłaby go już utworzyć. Utwórz nowy token katalogu i wpisz go u dostawcy tożsamości.',
  'mail.directory-token-stopped.subject': 'Katalog nie może już przesyłać zmian',
  'mail.directory-token-stopped.text':
    'Token katalogu {organization} jest odrzucany: osoba, która go utworzyła, odeszła, jest zawieszona lub nie mogłaby go już utworzyć.',
  'mail.directory-token-stopped.replace':
    'Utwórz nowy token na stronie katalogu i wpisz go u swojego dostawcy tożsamości. Do tego czasu osoby, które tam wyłączysz, zachowają tutaj dostęp.',
  'scope.directory': 'Katalogi',
  'scope.directory.read': 'Wyświetlanie katalogów',
  'scope.directory.read.description': 'Razem z osobami, które przesłały, i dziennikiem ich wywołań.',
  'scope.directory.create': 'Tworzenie katalogów',
  'scope.directory.update': 'Zmiana katalogów i ról ich grup',
  'scope.directory.delete': 'Usuwanie katalogów',
  'scope.directory-token': 'Tokeny katalogów',
  'scope.directory-token.create': 'Tworzenie tokenów katalogów',
  'scope.directory-token.revoke': 'Unieważnianie tokenów katalogów',
  'scope.branding': 'Wygląd',
  'scope.branding.read': 'Wyświetlanie wyglądu organizacji',
  'scope.branding.update': 'Zmiana wyglądu organizacji',
  'scope.branding.update.description': 'Zmiana wyświetlanej nazwy, logo, koloru i nadawcy wiadomości.',
  'branding.looks-like-service': 'Tę nazwę można pomylić z nazwą usługi. Wybierz inną.',
  'branding.low-contrast':
    'Kontrast z bielą wynosi {contrast} do 1, a potrzeba {min} do 1. Wybierz ciemniejszy kolor.',
  'branding.logo-type': 'Wybierz obraz PNG lub WebP.',
  'branding.logo-bytes': 'Obraz może mieć najwyżej {max} KiB.',
  'branding.logo-pixels': 'Obraz może mieć najwyżej {max} pikseli szerokości i wysokości.',
  'branding.logo-animated': 'Obraz nie może być animowany.',
  'branding.logo-damaged': 'Obraz jest uszkodzony lub zawiera coś więcej niż obraz.',
  'support-access.not-on-request': 'Zasady logowania nie pozwalają na dostęp pomocy technicznej na żądanie.',
  'support-access.not-granted': 'Pomoc techniczna nie ma dostępu, który można zakończyć.',
  'mail.support-access.subject': 'Pomoc techniczna może wejść do Twojej organizacji',
  'mail.support-access.text':
    'Właściciel dał pomocy technicznej dostęp do {organization}. Koniec dostępu: {until}. Do tego czasu pomoc techniczna może działać w imieniu członka.',
  'mail.support-access.end':
    'Dziennik audytu pokazuje, co robi pomoc techniczna. Dostęp możesz zakończyć w każdej chwili.',
  'mail.support-access.your-organization': 'Twojej organizacji',
  'mail.members-imported.subject': 'Pomoc techniczna dodała członków do Twojej organizacji',
  'mail.members-imported.text':
    'Pomoc techniczna dodała przez import osoby do {organization}, z wybranymi przez siebie rolami.',
  'mail.members-imported.end':
    'Dziennik audytu pokazuje kogo i kto to zrobił. Jeśli o to nie prosisz, usuń te osoby i zakończ dostęp pomocy technicznej.',
  'scope.support-access': 'Dostęp pomocy technicznej',
  'scope.support-access.read': 'Sprawdzanie, czy pomoc techniczna ma dostęp',
  'scope.support-access.grant': 'Nadawanie pomocy technicznej dostępu na kilka godzin',
  'scope.support-access.end': 'Kończenie dostępu pomocy technicznej',
  'ability.impersonation':
    'Pomoc techniczna nie może tego zrobić za inną osobę. Może to zrobić tylko ona sama.',
  'mail.impersonation.subject': 'Pomoc techniczna działała w Twoim imieniu',
  'mail.impersonation.text':
    'Pracownik pomocy technicznej działał w Twoim imieniu w {organization}. Początek: {from}, koniec: {to}.',
  'mail.impersonation.trail':
    'Twój dziennik audytu pokazuje, co zrobiono. Jeśli nie znasz powodu, zapytaj swoją organizację.',
  'mail.impersonation.your-organization': 'Twojej organizacji',
  'impersonation.not-allowed': 'Organizacja nie pozwala na dostęp pomocy technicznej.',
  'impersonation.ended': 'Działanie w imieniu tej osoby już się zakończyło.',
  'scope.impersonation': 'Działanie w imieniu innej osoby',
  'scope.impersonation.start': 'Działanie w imieniu innej osoby – rozpoczęcie',
  'scope.impersonation.end': 'Działanie w imieniu innej osoby – zakończenie',
  'error-page.invalid.title': 'Żądanie jest nieprawidłowe',
  'error-page.invalid.lead': 'Wróć i spróbuj ponownie.',
  'error-page.unauthenticated.title': 'Najpierw się zaloguj',
  'error-page.unauthenticated.lead': 'Ten adres jest dla zalogowanych użytkowników.',
  'error-page.not-found.title': 'Nie znaleziono strony',
  'error-page.not-found.lead': 'Adres może zawierać błąd albo strona została przeniesiona.',
  'error-page.too-many.title': 'Zbyt wiele żądań',
  'error-page.too-many.lead': 'Poczekaj minutę, a potem wczytaj stronę ponownie.',
  'error-page.internal.title': 'Coś poszło nie tak po naszej stronie',
  'error-page.internal.lead':
    'Spróbuj ponownie później. Jeśli błąd się powtórzy, zgłoś go z numerem poniżej.',
  'error-page.unavailable.title': 'Usługa chwilowo niedostępna',
  'error-page.unavailable.lead': 'Wczytaj stronę ponownie za minutę.',
  'error-page.home': 'Strona główna',
  'error-page.documentation': 'Dokumentacja API',
  'identity.page.unusable.title': 'Nie można dokończyć tego logowania',
  'identity.page.unusable.lead':
    'Wygasło, zostało już użyte albo rozpoczęto je w innej przeglądarce. Zaloguj się ponownie tam, gdzie je rozpoczęto.',
  'identity.page.not-available.title': 'Ta metoda logowania jest niedostępna',
  'identity.page.not-available.lead':
    'Dostawca tożsamości nie jest tu skonfigurowany. Wróć i zaloguj się w inny sposób.',
  'identity.page.to-provider.title': 'Przejdź do swojego dostawcy tożsamości',
  'identity.page.to-provider.lead': 'Przeglądarka przejdzie tam automatycznie. Jeśli nie, naciśnij przycisk.',
  'identity.page.to-provider.continue': 'Dalej',
  'identity.page.sign-out.title': 'Nie można dokończyć tego wylogowania',
  'identity.page.sign-out.lead':
    'Żądanie twojego dostawcy tożsamości jest tu nieprawidłowe. Wyloguj się w aplikacji.',
  'portal.description': 'Twoje konto, organizacje i sesje.',
  'portal.no-script':
    'Ta strona wymaga JavaScriptu. Zezwól na niego dla tego adresu, a potem wczytaj stronę ponownie.',
  'worker.number-taken': 'Inna osoba w tej organizacji ma ten numer.',
  'worker.no-owner': 'Pracownik bez adresu nie może być właścicielem.',
  'worker.is-owner': 'Ta osoba jest właścicielem. Najpierw odbierz jej tę rolę.',
  'worker.own': 'Nie można zrobić tego dla siebie. Poproś innego członka.',
  'worker.owns-account': 'Ta osoba ma adres i sama zmienia imię oraz adres.',
  'worker.pin-temporary': 'Ten PIN jest tymczasowy. Wybierz nowy.',
  'worker.pin-guessable': 'Wybierz PIN trudniejszy do odgadnięcia: bez ciągów, powtórzeń i Twojego numeru.',
  'station.other-network': 'To stanowisko nie jest w sieci, dla której je skonfigurowano.',
  'station.pending': 'Urządzenie tego stanowiska jeszcze się nie zarejestrowało.',
  'station.too-many': 'Stanowisk może być {max}. Usuń nieużywane.',
  'station.code-refused': 'Ten kod jest błędny, użyty lub wygasł. Poproś o nowy.',
  'scope.worker': 'Pracownicy',
  'scope.worker.read': 'Wyświetlanie pracowników',
  'scope.worker.create': 'Dodawanie pracowników',
  'scope.worker.create.description':
    'Dodawanie członków bez adresu, z rolami w granicach własnych uprawnień.',
  'scope.worker.update': 'Zmienianie pracowników',
  'scope.worker.delete': 'Usuwanie pracowników',
  'scope.worker.suspend': 'Zawieszanie pracowników',
  'scope.worker.reinstate': 'Przywracanie pracowników',
  'scope.worker.reset-pin': 'Resetowanie PIN-ów',
  'scope.worker.reset-pin.description':
    'Nadawanie pracownikom tymczasowego PIN-u, na przykład gdy zapomną swojego.',
  'scope.worker.issue-badge': 'Wydawanie identyfikatorów',
  'scope.worker.revoke-badge': 'Unieważnianie identyfikatorów',
  'scope.station': 'Stanowiska',
  'scope.station.read': 'Wyświetlanie stanowisk',
  'scope.station.create': 'Tworzenie stanowisk',
  'scope.station.create.description': 'Konfigurowanie wspólnych urządzeń, na których logują się członkowie.',
  'scope.station.update': 'Zmienianie stanowisk',
  'scope.station.delete': 'Usuwanie stanowisk',
  'ability.station': 'Na wspólnym stanowisku nie można tego zrobić. Zaloguj się na własnym urządzeniu.',
};
