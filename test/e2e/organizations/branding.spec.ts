import { pngOf, WEBP } from '../../support/images.js';
import { Organization } from '../../support/organization.js';
import { withApp } from '../../support/test-app.js';

const OPTIONS = 'sign-in-options';

describe('The look of an organization', () => {
  let organization: Organization;
  let counter = 0;
  const app = withApp({ MFA_ISSUER: 'Harbour Sign-in' });
  beforeEach(async () => {
    organization = await Organization.found(app);
  });

  const set = (body: object, of = organization) => of.call('PUT', '/branding', body);
  const setLogo = async (bytes: Buffer, of = organization) =>
    String((await set({ logo: bytes.toString('base64') }, of)).body['logoUrl']);
  const fetchLogo = (path: string) => fetch(new URL(path, app.url));
  const lookOf = async ({ id }: { readonly id: string }) =>
    (await app.post(OPTIONS, { organization: id })).body['branding'];
  const invite = async (): Promise<{ readonly mail: string; readonly email: string }> => {
    const email = `branded-${(counter += 1)}@example.com`;
    await organization.call('POST', '/invitations', { email, roles: ['member'] });
    const [mail = ''] = await app.mails(email);
    return { mail: mail.replace(/=\r?\n/g, '').replace(/\r?\n[ \t]+/g, ' '), email };
  };

  it('is that of the service until it is set, and changes field by field', async () => {
    const nothing = {
      displayName: null,
      logoUrl: null,
      accentColor: null,
      accentColorDark: null,
      supportUrl: null,
      mailSenderName: null,
    };
    expect((await organization.call('GET', '/branding')).body).toEqual(nothing);
    expect(await lookOf(organization)).toBeUndefined();
    await set({ displayName: 'Lovelace', accentColor: '#7A1FA2' });
    const { status, body } = await set({
      supportUrl: 'https://help.example.com/',
      mailSenderName: 'Ada & Co',
    });
    expect([status, body]).toEqual([
      200,
      {
        ...nothing,
        displayName: 'Lovelace',
        accentColor: '#7a1fa2',
        accentColorDark: expect.stringMatching(/^#[0-9a-f]{6}$/),
        supportUrl: 'https://help.example.com/',
        mailSenderName: 'Ada & Co',
      },
    ]);
    const url = await setLogo(pngOf());
    expect((await set({ displayName: null, logo: null })).body).toMatchObject({
      displayName: null,
      logoUrl: null,
      accentColor: '#7a1fa2',
    });
    expect((await fetchLogo(url)).status).toBe(404);
  });

  it.each<[string, object, string, string]>([
    ['an SVG', { logo: Buffer.from('<svg/>').toString('base64') }, 'logo', 'must be a PNG or WebP image'],
    [
      'a page behind a PNG',
      { logo: Buffer.concat([pngOf(), Buffer.from('<script>')]).toString('base64') },
      'logo',
      'is damaged, or holds more than an image',
    ],
    [
      'a PNG of 10,000 × 10,000 pixels',
      { logo: pngOf({ width: 10_000, height: 10_000, pixels: Buffer.alloc(9) }).toString('base64') },
      'logo',
      'must be at most 1024 pixels wide and high',
    ],
    [
      'no base64',
      { logo: 'data:image/png;base64,AAAA' },
      'logo',
      'must be an image of at most 256 KiB in base64',
    ],
    [
      'a color of low contrast',
      { accentColor: '#777777' },
      'accentColor',
      'has a contrast of 4.4 to 1 with white, where 4.5 to 1 is needed: choose a darker color',
    ],
    [
      'another kind of color',
      { accentColor: 'red' },
      'accentColor',
      expect.stringContaining('#0b6b6b') as string,
    ],
    [
      'a script as support',
      { supportUrl: 'javascript:alert(1)' },
      'supportUrl',
      expect.any(String) as string,
    ],
    [
      'support without encryption',
      { supportUrl: 'http://a.example' },
      'supportUrl',
      expect.any(String) as string,
    ],
  ])('is refused with %s', async (_name, body, propertyPath, message) => {
    expect(await set(body)).toMatchObject({ status: 400, body: { violations: [{ propertyPath, message }] } });
  });

  it('takes a large logo from members, and nothing large from others', async () => {
    const logo = 'A'.repeat(200_000);
    expect(await set({ logo })).toMatchObject({ status: 400 });
    const anonymous = await app.call('PUT', `${organization.path}/branding`, { logo });
    expect(anonymous.status).toBe(401);
    expect(await set({ logo: 'A'.repeat(400_000) })).toMatchObject({ status: 413 });
    expect(await organization.call('PATCH', '', { name: 'A'.repeat(70_000) })).toMatchObject({ status: 413 });
  });

  it('serves the logo without a sign-in, as the image that it is', async () => {
    for (const [bytes, type] of [
      [pngOf(), 'image/png'],
      [WEBP, 'image/webp'],
    ] as const) {
      const answer = await fetchLogo(await setLogo(bytes));
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'cache-control': 'public, max-age=31536000, immutable',
        'content-security-policy': expect.stringContaining("default-src 'none'"),
      });
      expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true);
    }
  });

  it('has another address for another image, and never the image of another organization', async () => {
    const other = await Organization.found(app);
    const [mine, theirs] = [await setLogo(pngOf()), await setLogo(pngOf({ color: [0, 0, 0] }), other)];
    expect(await setLogo(pngOf({ color: [9, 9, 9] }))).not.toBe(mine);
    const hash = theirs.split('/').at(-1);
    expect((await fetchLogo(`/api/v1/iam/auth/logos/${organization.id}/${hash}`)).status).toBe(404);
    await set({ displayName: 'Only mine' });
    expect(await lookOf(other)).toEqual({
      name: 'Lovelace Logistics',
      logoUrl: theirs,
      accentColor: null,
      accentColorDark: null,
      supportUrl: null,
    });
    expect((await other.call('GET', '/branding')).body).toMatchObject({ displayName: null });
  });

  it('is shown by the id of an active organization alone', async () => {
    await set({ displayName: 'Shown' });
    expect(await lookOf(organization)).toMatchObject({ name: 'Shown' });
    expect((await app.post(OPTIONS, { email: organization.owner.person.email })).body).not.toHaveProperty(
      'branding',
    );
    expect(await lookOf({ id: '01K3V9D7Q8Z4X5N6M7P8R9S0T3' })).toBeUndefined();
    await organization.call('POST', '/archive');
    expect(await lookOf(organization)).toBeUndefined();
    expect(await set({ displayName: 'Later' })).toMatchObject({ status: 403 });
  });

  it('is shown on an invitation, and in its mail', async () => {
    await set({ displayName: 'Lovelace', mailSenderName: 'Lovelace', accentColor: '#7a1fa2' });
    const { mail, email } = await invite();
    expect(mail).toMatch(/^From: Lovelace via Gatehouse </m);
    expect(mail).toContain('background:#7a1fa2');
    const { body } = await app.post('invitation-preview', { token: await app.mailedToken(email) });
    expect(body['branding']).toMatchObject({ name: 'Lovelace', accentColor: '#7a1fa2' });
  });

  it('cannot make a mail name an address, or another sender than the service', async () => {
    await set({ mailSenderName: 'bank.example <pay@bank.example>' });
    expect((await invite()).mail).toMatch(/^From: [^<\n.@]* via Gatehouse <[^<\n]*>\r?$/m);
    await set({ mailSenderName: '@@@' });
    expect((await invite()).mail).toMatch(/^From: Gatehouse </m);
  });

  it.each([
    'Gatehouse',
    'GATEHOUSE Security',
    'The gate-house team',
    'G a t e h o u s e',
    'Gat\u0435house', // a Cyrillic letter
    'G4tehous3',
    'G\u00e2tehouse',
    '\uff27atehouse', // fullwidth
    'Gate\u200bhouse', // an invisible space
    'Harbour Sign-in', // MFA_ISSUER
  ])('cannot be taken for the service: %s', async (name) => {
    for (const field of ['displayName', 'mailSenderName'])
      expect(await set({ [field]: name })).toMatchObject({
        status: 400,
        body: { violations: [{ propertyPath: field }] },
      });
    // As it was set before such names were refused.
    await set({ mailSenderName: 'Lovelace', displayName: 'Lovelace' });
    await app.sql('UPDATE brandings SET mail_sender_name = $1 WHERE tenant_id = $2', [name, organization.id]);
    const { mail } = await invite();
    expect(mail).toMatch(/^From: "?Gatehouse"? </m);
  });

  it('may name a gate, or a house', async () => {
    const names = { displayName: 'House of the Golden Gate', mailSenderName: 'Gate 17' };
    expect(await set(names)).toMatchObject({ status: 200, body: names });
  });

  it('is of one organization alone, in mails of two to one person', async () => {
    const other = await Organization.found(app);
    const looks = [
      { of: organization, mailSenderName: 'Turing', accentColor: '#7a1fa2' },
      { of: other, mailSenderName: 'Hopper', accentColor: '#0b5a2b' },
    ];
    for (const { of, ...look } of looks) await set(look, of);
    const email = `branded-${(counter += 1)}@example.com`;
    for (const { of } of looks) await of.call('POST', '/invitations', { email, roles: ['member'] });
    const mails = (await app.mails(email, 2)).map((mail) => mail.replace(/=\r?\n/g, ''));
    for (const [n, { mailSenderName, accentColor }] of looks.entries()) {
      const own = mails.filter((mail) => mail.includes(`${mailSenderName} via Gatehouse`));
      expect(own).toHaveLength(1);
      expect(own[0]).toContain(accentColor);
      const foreign = looks[1 - n];
      expect(own[0]).not.toContain(foreign?.mailSenderName);
      expect(own[0]).not.toContain(foreign?.accentColor);
    }
  });

  it('is changed by owners and administrators', async () => {
    const [admin, member] = [await organization.join('admin'), await organization.join('member')];
    const call = (token: string, method: string, body?: object) =>
      organization.call(method, '/branding', body, token);
    expect((await call(admin.token, 'PUT', { displayName: 'By an admin' })).status).toBe(200);
    expect((await call(member.token, 'GET')).status).toBe(403);
    expect((await call(member.token, 'PUT', { displayName: 'By a member' })).status).toBe(403);
    const trail = await organization.call('GET', '/audit-events');
    expect(JSON.stringify(trail.body)).toContain('branding.changed');
  });
});
