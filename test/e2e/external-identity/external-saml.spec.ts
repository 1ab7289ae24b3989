import { randomBytes, X509Certificate } from 'node:crypto';
import { inSeconds, LabKey, SamlStandIn, type Twist } from '../../lab/saml-stand-in.js';
import { ExternalVisitor } from '../../support/external.js';
import { pkce } from '../../support/satellite.js';
import { createDatabase, TestApp } from '../../support/test-app.js';

const ROOT_SECRET = randomBytes(32).toString('base64');
const CONSUMER = 'http://gatehouse.test/api/iam/auth/external/saml/callback';
const METADATA = 'http://gatehouse.test/api/iam/auth/external/saml/metadata';

/** A value that says its type, by a prefix that is declared further out and seen in no name. */
const typed = (xml: string): string =>
  xml
    .replace('<saml:Assertion ', '<saml:Assertion xmlns:xs="http://www.w3.org/2001/XMLSchema" ')
    .replace(
      '</saml:Assertion>',
      '<saml:AttributeStatement><saml:Attribute Name="mail"><saml:AttributeValue xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:type="xs:string">ada@example.com</saml:AttributeValue></saml:Attribute></saml:AttributeStatement></saml:Assertion>',
    );

describe('Sign-in by SAML', () => {
  const lab = new SamlStandIn();
  let app: TestApp;
  let visitor: ExternalVisitor;
  beforeAll(async () => {
    app = await TestApp.start({ ...lab.settings, ROOT_SECRET, EXTERNAL_SAML_DOMAINS: 'example.com' });
    visitor = new ExternalVisitor(app, 'saml');
  });
  afterAll(() => app.stop());

  const begin = async (body: object = {}): Promise<{ state: string; authorizationUrl: string }> => {
    const { status, body: started } = await visitor.start(body);
    expect(status).toBe(200);
    return started as unknown as { state: string; authorizationUrl: string };
  };
  const signIn = async (nameId: string, attributes: Record<string, string> = {}) => {
    const { authorizationUrl } = await begin();
    return visitor.post(lab.answer(authorizationUrl, nameId, { words: { attributes } }));
  };
  const accountOf = async (token: string | undefined) =>
    (await app.get('/api/v1/iam/me', token)).body as Record<string, unknown>;
  const metadata = async () => {
    const response = await fetch(`${app.url}/api/iam/auth/external/saml/metadata`);
    return { response, xml: await response.text() };
  };
  const certificateIn = (xml: string): string =>
    new X509Certificate(
      Buffer.from(/<ds:X509Certificate>([^<]*)</.exec(xml)?.[1] ?? '', 'base64'),
    ).toString();

  it('signs a newcomer in, with tokens in the fragment', async () => {
    const { state, authorizationUrl } = await begin();
    const answer = lab.answer(authorizationUrl, 'newcomer', {
      words: { attributes: { email: 'ada@example.com', givenName: 'Ada' } },
    });
    const landing = await visitor.post(answer);
    expect(landing).toMatchObject({
      status: 303,
      returnUri: 'http://gatehouse.test',
      fragment: { token_type: 'Bearer', expires_in: '600', state },
    });
    expect(await accountOf(landing.fragment['access_token'])).toMatchObject({
      email: 'ada@example.com',
      emailVerified: true,
      firstName: 'Ada',
    });
  });

  it('knows the same NameID again', async () => {
    const first = await accountOf((await signIn('regular')).fragment['access_token']);
    const again = await accountOf((await signIn('regular')).fragment['access_token']);
    expect(again['id']).toBe(first['id']);
  });

  it('takes NameIDs as they are: another case or a space more is another person', async () => {
    const names = ['exact', 'Exact', ' exact', 'exact '];
    const ids = new Set<unknown>();
    for (const name of names) ids.add((await accountOf((await signIn(name)).fragment['access_token']))['id']);
    expect(ids.size).toBe(names.length);
  });

  it('reads no attribute but those it knows (SAML-13)', async () => {
    const first = await accountOf((await signIn('plain')).fragment['access_token']);
    const landing = await signIn('plain', {
      ['__proto__']: 'admin',
      nameID: 'admin',
      issuer: 'https://evil.example',
      isAdmin: 'true',
    });
    expect((await accountOf(landing.fragment['access_token']))['id']).toBe(first['id']);
  });

  it.each(['\u0085', '\u2028'])(
    'verifies the signature of a text with the character %j, which the parser takes for a line end',
    async (end) => {
      const { authorizationUrl } = await begin();
      const reference = `&#${end.codePointAt(0)};`;
      const landing = await visitor.post(
        lab.answer(authorizationUrl, 'lines', {
          words: { attributes: { title: `Head${end}of lines` } },
          before: (xml) => xml.replaceAll(end, reference), // as the parser of the signer keeps it
          after: (xml) => xml.replaceAll(reference, end),
        }),
      );
      expect(landing.fragment).toHaveProperty('access_token');
    },
  );

  it('takes the NameID for the address where it says that it is one', async () => {
    const { authorizationUrl } = await begin();
    const landing = await visitor.post(
      lab.answer(authorizationUrl, 'grace@example.com', {
        words: { nameIdAttributes: 'Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress"' },
      }),
    );
    expect(await accountOf(landing.fragment['access_token'])).toMatchObject({ email: 'grace@example.com' });
  });

  it('takes a NameID that says to be something else for no address', async () => {
    const { authorizationUrl } = await begin();
    const landing = await visitor.post(
      lab.answer(authorizationUrl, 'hopper@example.com', {
        words: { nameIdAttributes: 'Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"' },
      }),
    );
    expect(await accountOf(landing.fragment['access_token'])).toMatchObject({ email: null });
  });

  it('ends in a code where the page asked for one', async () => {
    const { codeVerifier, codeChallenge } = pkce();
    const { authorizationUrl } = await begin({ codeChallenge });
    const { fragment } = await visitor.post(lab.answer(authorizationUrl, 'coder'));
    expect(fragment).not.toHaveProperty('access_token');
    const redeemed = await app.call('POST', '/api/v1/iam/auth/external/token', {
      code: fragment['code'],
      codeVerifier,
    });
    expect(redeemed.status).toBe(200);
  });

  it('links an identity to the account that is signed in, and forgets the flow with the account', async () => {
    const known = await app.register();
    const { accessToken: token } = await app.login(known);
    const link = () => app.call('POST', '/api/v1/iam/me/identities/saml/link', {}, { token });
    const { body } = await link();
    const landing = await visitor.post(lab.answer(String(body['authorizationUrl']), 'linked'));
    expect(await visitor.redeem(token, landing)).toMatchObject({ status: 201, body: { kind: 'saml' } });
    const { id } = await accountOf(token);
    expect(await accountOf((await signIn('linked')).fragment['access_token'])).toMatchObject({ id });
    const left = () => app.sql('SELECT 1 FROM external_states WHERE account_id = $1', [id]);
    expect(await left()).not.toEqual([]);
    expect((await app.call('DELETE', '/api/v1/iam/auth/account', undefined, { token })).status).toBe(204);
    expect(await left()).toEqual([]);
  });

  it('keeps one key for all replicas', async () => {
    const [row] = await app.sql<{ sealed: string }>(
      'SELECT sealed_private_key AS sealed FROM connection_keys',
    );
    expect(row?.sealed).not.toContain('PRIVATE KEY');
    const before = certificateIn((await metadata()).xml);
    const replica = await TestApp.start({
      ...lab.settings,
      DATABASE_URL: app.databaseUrl,
      ROOT_SECRET,
    });
    const response = await fetch(`${replica.url}/api/iam/auth/external/saml/metadata`);
    expect(certificateIn(await response.text())).toBe(before);
    await replica.stop();
  });

  it('keeps its key while the root secret is changed, and needs the old one no more then', async () => {
    const DATABASE_URL = await createDatabase();
    const next = randomBytes(32).toString('base64');
    const signingWith = async (secrets: Record<string, string>) => {
      const replica = await TestApp.start({ ...lab.settings, DATABASE_URL, ...secrets });
      const response = await fetch(`${replica.url}/api/iam/auth/external/saml/metadata`);
      const certificate = certificateIn(await response.text());
      const { body } = await new ExternalVisitor(replica, 'saml').start();
      expect(lab.read(String(body['authorizationUrl']), certificate)).toMatchObject({ signed: true });
      await replica.sql('DELETE FROM signing_keys'); // keys of access tokens are replaced, and not sealed again
      await replica.stop();
      return certificate;
    };
    const before = await signingWith({ ROOT_SECRET });
    expect(await signingWith({ ROOT_SECRET: next, ROOT_SECRET_PREVIOUS: ROOT_SECRET })).toBe(before);
    expect(await signingWith({ ROOT_SECRET: next })).toBe(before);
  });

  it('sends a signed request that fits a RelayState', async () => {
    const { authorizationUrl } = await begin();
    const request = lab.read(authorizationUrl, certificateIn((await metadata()).xml));
    expect(request).toMatchObject({ signed: true, consumer: CONSUMER });
    expect(request.id).toMatch(/^_[\w-]{43}$/);
    expect(Buffer.byteLength(request.relayState)).toBeLessThanOrEqual(80);
    expect(request.xml).toContain(`>${METADATA}</saml:Issuer>`);
    expect(authorizationUrl.startsWith(`${lab.entryPoint}&`)).toBe(true);
  });

  it('publishes metadata', async () => {
    const { response, xml } = await metadata();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/samlmetadata+xml; charset=utf-8');
    expect(xml).toContain(`entityID="${METADATA}"`);
    expect(xml).toMatch(/AuthnRequestsSigned="true"/);
    expect(xml).toMatch(/WantAssertionsSigned="true"/);
    expect(xml).toContain(
      `<AssertionConsumerService index="1" isDefault="true" Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${CONSUMER}"/>`,
    );
    const certificate = new X509Certificate(certificateIn(xml));
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.publicKey.asymmetricKeyDetails).toMatchObject({ modulusLength: 3_072 });
  });

  it('accepts a response that is signed as well', async () => {
    const { authorizationUrl } = await begin();
    const landing = await visitor.post(
      lab.answer(authorizationUrl, 'both-signed', { sign: { response: true } }),
    );
    expect(landing.fragment).toHaveProperty('access_token');
  });

  const RSA_PSS = 'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1';
  const SHA512 = 'http://www.w3.org/2001/04/xmlenc#sha512';
  const signings: readonly (readonly [string, Twist])[] = [
    ['with RSA and SHA-512', { sign: { algorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512' } }],
    ['with RSASSA-PSS', { sign: { algorithm: RSA_PSS } }],
    ['over a SHA-512 digest', { sign: { digest: SHA512, response: true } }],
    ['with prefixes that count by name', { sign: { prefixes: ['xs', 'saml'] }, before: typed }],
    ['over lines that end as on Windows', { before: (xml) => xml.replaceAll('><', '>\r\n<') }],
  ];
  it.each(signings)('accepts what is signed %s', async (_name, twist) => {
    const { authorizationUrl } = await begin();
    const { fragment } = await visitor.post(lab.answer(authorizationUrl, 'signer', twist));
    expect(fragment).toHaveProperty('access_token');
  });

  it('accepts what any of the configured certificates has signed, and nothing else', async () => {
    const [before, next, other] = [lab.key, new LabKey('Next'), new LabKey('Other')];
    const EXTERNAL_SAML_IDP_CERT = `${before.certificate}${next.certificate}`;
    const changing = await TestApp.start({ ...lab.settings, EXTERNAL_SAML_IDP_CERT });
    const there = new ExternalVisitor(changing, 'saml');
    const signedBy = async ({ privateKey: key }: LabKey) => {
      const { body } = await there.start();
      return (await there.post(lab.answer(String(body['authorizationUrl']), 'ada', { sign: { key } })))
        .fragment;
    };
    expect(await signedBy(before)).toHaveProperty('access_token');
    expect(await signedBy(next)).toHaveProperty('access_token');
    expect(await signedBy(other)).toMatchObject({ error: 'invalid_response' });
    await changing.stop();
  });

  describe('when the person authenticated too long ago', () => {
    const yesterday = () => ({ words: { authnInstant: inSeconds(-86_400 - 90) } });
    const answerOld = async (nameId: string) => {
      const { authorizationUrl, state } = await begin();
      return { state, first: await visitor.post(lab.answer(authorizationUrl, nameId, yesterday())) };
    };

    it('requests a new authentication from the identity provider, in the same flow', async () => {
      const { first, state } = await answerOld('old-hand');
      expect(first).toMatchObject({ status: 303, fragment: {} });
      const request = lab.read(first.returnUri, certificateIn((await metadata()).xml));
      expect(request).toMatchObject({ signed: true, consumer: CONSUMER });
      expect(request.xml).toContain('ForceAuthn="true"');
      const { fragment } = await visitor.post(lab.answer(first.returnUri, 'old-hand'));
      expect(fragment).toMatchObject({ access_token: expect.any(String), state });
    });

    it('refuses who has not even then, and asks no third time', async () => {
      const { first } = await answerOld('stubborn');
      const second = await visitor.post(lab.answer(first.returnUri, 'stubborn', yesterday()));
      expect(second.fragment).toMatchObject({ error: 'invalid_response' });
    });

    it('takes no answer to the first question for one to the second', async () => {
      const { first } = await answerOld('impatient');
      const { authorizationUrl } = await begin();
      const { SAMLResponse } = lab.answer(authorizationUrl, 'impatient');
      const RelayState = new URL(first.returnUri).searchParams.get('RelayState') ?? '';
      const { fragment } = await visitor.post({ SAMLResponse, RelayState });
      expect(fragment).toMatchObject({ error: 'invalid_response' });
    });

    it('asks once more as well where the client wants it more recent than the deployment', async () => {
      const answer = (url: string, seconds: number) =>
        visitor.post(lab.answer(url, 'an-hour-ago', { words: { authnInstant: inSeconds(-seconds) } }));
      const { authorizationUrl } = await begin({ maxAge: 600 });
      const first = await answer(authorizationUrl, 700);
      expect(first.returnUri).toContain('SAMLRequest=');
      expect((await answer(first.returnUri, 700)).fragment).toMatchObject({ error: 'invalid_response' });
      expect((await answer(first.returnUri, 60)).fragment).toHaveProperty('access_token');
      const patient = await begin();
      expect((await answer(patient.authorizationUrl, 700)).fragment).toHaveProperty('access_token');
    });

    it('goes by the earliest time that it says', async () => {
      const { authorizationUrl } = await begin();
      const landing = await visitor.post(
        lab.answer(authorizationUrl, 'twice', {
          before: (xml) =>
            xml.replace(
              /<saml:AuthnStatement.*?<\/saml:AuthnStatement>/,
              (statement) =>
                statement +
                statement.replace(/AuthnInstant="[^"]*"/, `AuthnInstant="${inSeconds(-100_000)}"`),
            ),
        }),
      );
      expect(landing.returnUri).toContain('SAMLRequest=');
    });

    it('leaves it at that for as long as the deployment says', async () => {
      const patient = await TestApp.start({ ...lab.settings, EXTERNAL_SAML_MAX_AUTH_AGE: '172800' });
      const there = new ExternalVisitor(patient, 'saml');
      const { body } = await there.start();
      const { fragment } = await there.post(lab.answer(String(body['authorizationUrl']), 'ada', yesterday()));
      expect(fragment).toHaveProperty('access_token');
      await patient.stop();
    });
  });

  it('ignores addresses of domains that are not the connection’s (SAML-14)', async () => {
    const landing = await signIn('stranger', { email: 'boss@other.com' });
    expect(await accountOf(landing.fragment['access_token'])).toMatchObject({
      email: null,
      emailVerified: false,
    });
  });

  it('links to an account whose address the connection is the authority for', async () => {
    const known = await app.register();
    const before = await accountOf((await app.login(known)).accessToken);
    const landing = await signIn('colleague', { email: known.email });
    expect((await accountOf(landing.fragment['access_token']))['id']).toBe(before['id']);
  });
});

describe('SAML that is not configured', () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await TestApp.start();
  });
  afterAll(() => app.stop());

  it('does not exist', async () => {
    const visitor = new ExternalVisitor(app, 'saml');
    expect((await visitor.start()).status).toBe(404);
    expect((await visitor.post({ SAMLResponse: 'PHg+', RelayState: 'x' })).status).toBe(404);
    expect((await app.get('/api/iam/auth/external/saml/metadata')).status).toBe(404);
    expect(await app.sql('SELECT 1 FROM connection_keys')).toEqual([]);
  });
});
