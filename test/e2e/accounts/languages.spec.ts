import PostalMime from 'postal-mime';
import { Organization, Person } from '../../support/organization.js';
import { withApp } from '../../support/test-app.js';

const PASSWORD = 'correct horse battery';

const ME = '/api/v1/iam/me';
const MEMBER_REMOVE = 'iam:member:remove';
const LAST_OWNER = {
  en: 'The last owner can be neither removed nor demoted. Make another member an owner first.',
  de: 'Der letzte Inhaber kann weder entfernt noch herabgestuft werden. Machen Sie zuerst ein anderes Mitglied zum Inhaber.',
  es: 'No se puede quitar ni degradar al último propietario. Convierte antes a otro miembro en propietario.',
  fr: 'Le dernier propriétaire ne peut être ni retiré ni rétrogradé. Nommez d’abord un autre membre propriétaire.',
  nl: 'De laatste eigenaar kan niet worden verwijderd of de rol verliezen. Maak eerst een ander lid eigenaar.',
  pl: 'Ostatniego właściciela nie można usunąć ani odebrać mu tej roli. Najpierw nadaj rolę właściciela innemu członkowi.',
  tr: 'Son sahip kaldırılamaz ve sahiplik rolü geri alınamaz. Önce başka bir üyeyi sahip yapın.',
};

describe('The language of a person', () => {
  const app = withApp();

  const asking = (language: string) => ({ headers: { 'accept-language': language } });
  let people = 0;
  const newAddress = () => `person${(people += 1)}.${Date.now()}@example.com`;
  const mailsTo = async (email: string, count: number) =>
    Promise.all((await app.mails(email, count)).map((mail) => PostalMime.parse(mail)));
  const subjects = async (email: string, count: number) =>
    (await mailsTo(email, count)).map(({ subject }) => subject);
  const register = async (email: string, language?: string) => {
    const body = { email, password: PASSWORD, firstName: 'Ada' };
    await app.call('POST', '/api/v1/iam/auth/register', body, language ? asking(language) : {});
    const token = await app.mailedToken(email);
    await app.post('verify-email', { token });
    return app.login({ email, password: PASSWORD });
  };
  const setLocale = (token: string, locale: unknown) => app.call('PATCH', ME, { locale }, { token });

  describe('in mails', () => {
    it('is that of the registration', async () => {
      const email = newAddress();
      const { accessToken } = await register(email, 'fr-CA, de;q=0.5');
      const [mail] = await mailsTo(email, 1);
      expect(mail).toMatchObject({
        subject: 'Confirmez votre adresse e-mail',
        text: expect.stringContaining('Si ce n’était pas vous, refusez l’inscription.') as string,
        html: expect.stringMatching(/<html lang="fr">[^]*Ou copiez cette adresse :/) as string,
      });
      expect((await app.get(ME, accessToken)).body).toMatchObject({ locale: 'fr' });
      await app.post('request-password-reset', { email });
      expect(await subjects(email, 2)).toContain('Réinitialisez votre mot de passe');
    });

    it.each([
      ['pl', 'Potwierdź swój adres e-mail', 'Jeśli to nie Ty, odrzuć rejestrację.'],
      ['tr', 'E-posta adresinizi doğrulayın', 'Bu siz değilseniz kaydı reddedin.'],
    ])('is %s where the registration asks for it', async (language, subject, text) => {
      const email = newAddress();
      await register(email, language);
      const [mail] = await mailsTo(email, 1);
      expect(mail).toMatchObject({
        subject,
        text: expect.stringContaining(text) as string,
        html: expect.stringContaining(`<html lang="${language}">`) as string,
      });
    });

    it('is English where a request names none that texts exist in', async () => {
      const email = newAddress();
      const { accessToken } = await register(email, 'xx, tlh;q=0.5');
      expect(await subjects(email, 1)).toEqual(['Verify your email address']);
      expect((await app.get(ME, accessToken)).body).toMatchObject({ locale: null });
    });

    it('is that of the request, for a person without one', async () => {
      const email = newAddress();
      await register(email);
      const body = { email };
      await app.call('POST', '/api/v1/iam/auth/request-password-reset', body, asking('de-AT'));
      expect(await subjects(email, 2)).toContain('Setzen Sie Ihr Passwort zurück');
    });

    it('is that of the person, whatever the request asks for', async () => {
      const email = newAddress();
      const { accessToken } = await register(email);
      expect((await setLocale(accessToken, 'de-CH')).body).toMatchObject({ locale: 'de-CH' });
      const body = { email, password: PASSWORD, firstName: 'Ada' };
      await app.call('POST', '/api/v1/iam/auth/register', body, asking('fr'));
      expect(await subjects(email, 2)).toContain('Sie haben bereits ein Konto');
    });

    it('of a resent link is that of the registration, else of the request', async () => {
      const email = newAddress();
      await app.post('register', { email, password: PASSWORD, firstName: 'Ada' });
      await app.mails(email, 1);
      await app.call('POST', '/api/v1/iam/auth/resend-verification', { email }, asking('de'));
      expect(await subjects(email, 2)).toContain('Bestätigen Sie Ihre E-Mail-Adresse');
    });

    it('of an invitation is that of the request', async () => {
      const { path, owner } = await Organization.found(app);
      const email = newAddress();
      const invitation = { email, roles: ['member'] };
      await app.call('POST', `${path}/invitations`, invitation, { token: owner.token, ...asking('fr') });
      expect(await subjects(email, 1)).toEqual(['Vous avez reçu une invitation']);
    });
  });

  describe('in reasons', () => {
    it.each([
      ['de', 'de-AT'],
      ['es', 'es-MX, es;q=0.9'],
      ['fr', 'de;q=0.8, fr;q=0.9'],
      ['fr', 'de;q=0, sv, fr'],
      ['nl', 'nl-BE'],
      ['en', 'sv, *'],
      ['pl', 'pl-PL, en;q=0.7'],
      ['tr', 'tr, de;q=0.9'],
      ['en', 'x'.repeat(2_000)],
    ] as const)('is %s for the header %s: probe and command agree', async (language, header) => {
      const { path, owner } = await Organization.found(app);
      const subject = `gatehouse:///iam/members/${owner.person.id}`;
      const options = { token: owner.token, ...asking(header) };
      const probe = { scopes: [MEMBER_REMOVE], subject };
      const { body } = await app.call('POST', '/api/auth/can', probe, options);
      const denial = { code: 'state_forbids', reason: LAST_OWNER[language] };
      expect(body).toEqual({ [MEMBER_REMOVE]: { allowed: false, ...denial } });
      const command = await app.call('DELETE', `${path}/members/${owner.person.id}`, undefined, options);
      expect(command).toMatchObject({ status: 403, body: { code: denial.code, detail: denial.reason } });
    });

    it('is that of the person, whatever the request asks for, from the next request on', async () => {
      const { owner } = await Organization.found(app);
      const subject = `gatehouse:///iam/members/${owner.person.id}`;
      const probe = { scopes: [MEMBER_REMOVE], subject };
      const reason = async () => {
        const options = { token: owner.token, ...asking('fr') };
        const { body } = await app.call('POST', '/api/auth/can', probe, options);
        return (body as Record<string, { reason?: string }>)[MEMBER_REMOVE]?.reason;
      };
      await setLocale(owner.token, 'de');
      expect(await reason()).toBe(LAST_OWNER.de);
      await setLocale(owner.token, null);
      expect(await reason()).toBe(LAST_OWNER.fr);
    });
  });

  describe('in problems', () => {
    it.each([
      ['de', 'Für diese Adresse gibt es bereits eine offene Einladung.'],
      ['es', 'Esta dirección ya tiene una invitación pendiente'],
      ['fr', 'Cette adresse a déjà une invitation en cours.'],
      ['nl', 'Dit adres heeft al een openstaande uitnodiging'],
      ['pl', 'Ten adres ma już otwarte zaproszenie.'],
      ['tr', 'Bu adresin zaten açık bir daveti var.'],
      ['en', 'This address has an open invitation already.'],
    ])('is %s in the detail', async (language, detail) => {
      const { path, owner } = await Organization.found(app);
      const body = { email: newAddress(), roles: ['member'] };
      const options = { token: owner.token, ...asking(language) };
      const invite = () => app.call('POST', `${path}/invitations`, body, options);
      expect((await invite()).status).toBe(201);
      expect((await invite()).body).toMatchObject({
        title: 'Conflict',
        detail: expect.stringContaining(detail) as string,
      });
    });

    it('is that of the request in the detail of a code, without a sign-in', async () => {
      const body = { email: newAddress(), password: PASSWORD };
      const login = await app.call('POST', '/api/v1/iam/auth/login', body, asking('de'));
      expect(login).toMatchObject({
        status: 401,
        body: { detail: 'Die E-Mail-Adresse oder das Passwort ist falsch.' },
      });
    });

    it('is that of the request in violations, with their values', async () => {
      const body = { email: 'ada', password: 'short', firstName: 'Ada' };
      const refused = await app.call('POST', '/api/v1/iam/auth/register', body, asking('fr'));
      expect(refused.body['violations']).toEqual([
        { propertyPath: 'email', message: 'Saisissez une adresse e-mail.' },
        {
          propertyPath: 'password',
          message: 'Saisissez de 8 à 1024 caractères, sans caractère de contrôle.',
        },
      ]);
    });

    it('is that of the person in violations that a service finds', async () => {
      const { path, owner } = await Organization.found(app);
      await setLocale(owner.token, 'de');
      const body = { email: newAddress(), roles: ['member', 'pilot'] };
      const refused = await app.call('POST', `${path}/invitations`, body, { token: owner.token });
      expect(refused.body['violations']).toEqual([
        { propertyPath: 'roles[1]', message: 'In dieser Organisation gibt es keine Rolle pilot.' },
      ]);
    });
  });

  it.each(['xx', 'sv', 'DE', 'd', '', 'de_AT', 'de-' + 'x'.repeat(40), 7, ['de'], 'en-u'])(
    'cannot be %j',
    async (locale) => {
      const person = await Person.signUp(app);
      const { status, body } = await setLocale(person.token, locale);
      expect(status).toBe(400);
      expect(body['violations']).toEqual([expect.objectContaining({ propertyPath: 'locale' })]);
    },
  );

  it('is forgotten with the account', async () => {
    const person = await Person.signUp(app);
    await setLocale(person.token, 'de');
    const erased = await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token: person.token });
    expect(erased.status).toBe(204);
    expect(await app.sql('SELECT locale FROM accounts WHERE id = $1', [person.id])).toEqual([
      { locale: null },
    ]);
  });
});
