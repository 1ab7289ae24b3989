import { randomBytes } from 'node:crypto';
import { ulid } from 'ulid';
import { CleanupService } from '../../../src/platform/cleanup/cleanup.js';
import { CertifiedProvider } from '../../lab/certified-provider.js';
import { encrypted } from '../../lab/saml-encryption.js';
import { SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { CookieJar } from '../../support/cookie-jar.js';
import { Organization } from '../../support/organization.js';
import { wayOut } from '../../support/redirects.js';
import { eventually, TestApp } from '../../support/test-app.js';

jest.setTimeout(120_000); // two replicas, which read the keys every five seconds, and keys of RSA

const METADATA = '/api/iam/auth/external/saml/metadata';
const JWKS = '/api/iam/auth/external/oidc/jwks';

/** Returns the certificates of a use in metadata, in its order. */
const certificatesIn = (xml: string, use: string): string[] =>
  [
    ...xml.matchAll(
      new RegExp(`<KeyDescriptor use="${use}">[^]*?<ds:X509Certificate>([^<]*)</ds:X509Certificate>`, 'g'),
    ),
  ].map(([, text]) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`);

describe('The keys of the service at identity providers', () => {
  const lab = new SamlStandIn();
  const ROOT_SECRET = randomBytes(32).toString('base64');
  const providers: CertifiedProvider[] = [];
  let app: TestApp;
  let replica: TestApp;
  let organization: Organization;
  let saml: LabConnection;
  let oidc: LabConnection;
  let provider: CertifiedProvider;
  let redirectUri: string;
  /** Certificate and kid of the first key, and those of the next one. */
  let first: { certificate: string; kid: string };
  let next: { certificate: string; kid: string };

  beforeAll(async () => {
    const settings = { PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1', ROOT_SECRET };
    app = await TestApp.start(settings);
    organization = await Organization.found(app);
    // Later, because each replica has its own folder for mails.
    replica = await TestApp.start({ ...settings, DATABASE_URL: app.databaseUrl });
    const { kind, settings: usual } = samlSettings(lab);
    saml = await LabConnection.active(organization, {
      kind,
      settings: { ...usual, wantEncryptedAssertions: true } as never,
    });
    provider = await CertifiedProvider.start('http://gatehouse.test/', {
      authentication: 'private_key_jwt',
    });
    providers.push(provider);
    const { issuer, clientId } = provider;
    oidc = await LabConnection.active(organization, {
      kind: 'oidc',
      settings: { issuer, clientId, clientAuthentication: 'private_key_jwt' } as never,
    });
    for (const connection of [saml, oidc])
      await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    provider.person = { ...provider.person, email: `ada@${oidc.domain}` };
    const { serviceProvider } = (await oidc.call('GET')).body;
    redirectUri = (serviceProvider as unknown as Record<string, string>)['redirectUri'] ?? '';
    first = { certificate: (await metadata(app)).signing[0] ?? '', kid: (await kids(app))[0] ?? '' };
  });
  afterAll(async () => {
    await Promise.all([app.stop(), replica.stop()]);
    await Promise.all(providers.map((one) => one.close()));
  });

  const both = () => [app, replica];
  const metadata = async ({ url }: TestApp) => {
    const xml = await (await fetch(`${url}${METADATA}/${saml.id}`)).text();
    return { signing: certificatesIn(xml, 'signing'), encryption: certificatesIn(xml, 'encryption') };
  };
  const kids = async ({ url }: TestApp) =>
    ((await (await fetch(`${url}${JWKS}`)).json()) as { keys: { kid: string }[] }).keys.map(({ kid }) => kid);
  /** The same connection by another replica. */
  const at = (connection: LabConnection, service: TestApp) =>
    Object.create(connection, {
      organization: { value: Object.create(organization, { service: { value: service } }) },
    }) as LabConnection;
  /** Signs in by SAML. @returns which certificate has signed the request, and the outcome */
  const signInBySaml = async (service: TestApp, certificate: string) => {
    const connection = at(saml, service);
    const address = await connection.start();
    const words = { attributes: { email: `${ulid().toLowerCase()}@${saml.domain}` } };
    const answer = lab.answer(address, ulid(), { words, after: encrypted(certificate) });
    const { fragment } = await connection.bring(answer);
    const signedBy = [first, next].findIndex((key) => key && lab.read(address, key.certificate).signed);
    return { signedBy: ['first', 'next'][signedBy], error: fragment['error'] ?? null };
  };
  const signInByOidc = async (service: TestApp) => {
    const connection = at(oidc, service);
    const { fragment } = await connection.bring(
      new URL(await wayOut(await connection.start(), new CookieJar())),
    );
    return fragment['error'] ?? null;
  };
  /** The provider fetches our JWK Set at its next request, and then uses it for five minutes. */
  const forgetJwks = () => provider.register(redirectUri, { jwks_uri: `${app.url}${JWKS}` });
  const age = (seconds: number) =>
    app.sql('UPDATE connection_keys SET signs_from = signs_from - make_interval(secs => $1)', [seconds]);
  const cleanUp = () => app.app.get(CleanupService, { strict: false }).run();
  const listed = async () => {
    const { items } = (await app.command('connection-keys:list')) as {
      items: { kid: string; kind: string; status: string }[];
    };
    return items.map(({ kind, status }) => `${kind} ${status}`).toSorted();
  };
  const rotate = (...words: string[]) =>
    app.command('connection-keys:rotate', ...words) as Promise<{ kid: string; signsFrom: Date }>;

  it('are one of each kind at the beginning, on every replica', async () => {
    for (const service of both()) {
      expect(await metadata(service)).toEqual({
        signing: [first.certificate],
        encryption: [first.certificate],
      });
      expect(await kids(service)).toEqual([first.kid]);
    }
    expect(await listed()).toEqual(['oidc signing', 'saml signing']);
    const [row] = await app.sql<{ row: string }>('SELECT r::text AS row FROM connection_keys r LIMIT 1');
    expect(row?.row).not.toContain('PRIVATE KEY');
  });

  it('are published before they sign, and decrypt from then on', async () => {
    const [ofSaml, ofOidc] = [await rotate('--kind', 'saml'), await rotate('--kind', 'oidc')];
    expect(ofSaml.signsFrom.getTime()).toBeGreaterThan(Date.now() + 29 * 86_400_000);
    for (const service of both())
      await eventually('the next keys are published', async () => {
        return (await kids(service)).length === 2 && (await metadata(service)).signing.length === 2;
      });
    const [, certificate = ''] = (await metadata(app)).signing;
    next = { certificate, kid: ofOidc.kid };
    for (const service of both()) {
      expect(await kids(service)).toEqual([first.kid, next.kid]);
      const order = [first.certificate, next.certificate];
      expect(await metadata(service)).toEqual({ signing: order, encryption: order });
      for (const key of [first, next])
        expect(await signInBySaml(service, key.certificate)).toEqual({ signedBy: 'first', error: null });
    }
    forgetJwks();
    expect(await signInByOidc(app)).toBeNull();
    expect(await listed()).toEqual(['oidc published', 'oidc signing', 'saml published', 'saml signing']);
  });

  it('are added one at a time', async () => {
    await expect(rotate('--kind', 'saml')).rejects.toThrow('published already');
    await expect(rotate('--kind', 'other')).rejects.toThrow('--kind');
    for (const days of ['366', '', ' ', '1e1', '-1', '0x1'])
      await expect(rotate('--kind', 'saml', '--days', days)).rejects.toThrow('--days');
  });

  it('take over while people sign in, and no sign-in fails', async () => {
    await age(30 * 86_400);
    const outcomes: unknown[] = [];
    for (const service of both())
      await eventually('the next keys sign', async () => {
        const { signedBy, error } = await signInBySaml(service, first.certificate);
        // The provider has not fetched our JWK Set since the next key was published.
        outcomes.push(error, await signInByOidc(service));
        return signedBy === 'next';
      });
    expect(outcomes.filter((error) => error !== null)).toEqual([]);
    for (const service of both()) {
      const order = [next.certificate, first.certificate];
      await eventually('the next key is the first one of the metadata', async () => {
        return (await metadata(service)).signing[0] === next.certificate;
      });
      expect(await metadata(service)).toEqual({ signing: order, encryption: [next.certificate] });
      await eventually('the next key is the first one of the JWK Set', async () => {
        return (await kids(service)).join() === [next.kid, first.kid].join();
      });
      expect(await signInBySaml(service, first.certificate)).toEqual({ signedBy: 'next', error: null });
    }
    const { keys } = (await (await fetch(`${app.url}${JWKS}`)).json()) as { keys: { kid: string }[] };
    for (const [kid, error] of [
      [first.kid, 'invalid_response'],
      [next.kid, null],
    ] as const) {
      provider.register(redirectUri, { jwks: { keys: keys.filter((key) => key.kid === kid) } });
      for (const service of both()) expect(await signInByOidc(service)).toBe(error);
    }
    expect(await listed()).toEqual(['oidc retired', 'oidc signing', 'saml retired', 'saml signing']);
  });

  it('decrypt for thirty days after their successor signs, and then are gone', async () => {
    await age(30 * 86_400 - 3_600);
    await cleanUp();
    expect((await listed()).length).toBe(4);
    await age(3_601);
    await cleanUp();
    for (const service of both()) {
      await eventually('the first keys are gone', async () => {
        return (await kids(service)).length === 1 && (await metadata(service)).signing.length === 1;
      });
      expect(await metadata(service)).toEqual({
        signing: [next.certificate],
        encryption: [next.certificate],
      });
      expect(await signInBySaml(service, first.certificate)).toMatchObject({ error: 'invalid_response' });
      expect(await signInBySaml(service, next.certificate)).toEqual({ signedBy: 'next', error: null });
    }
    await age(365 * 86_400);
    await cleanUp();
    expect(await listed()).toEqual(['oidc signing', 'saml signing']);
  });

  it('are removed by a command, unless they sign', async () => {
    const remove = (kid: string) => app.command('connection-keys:remove', '--kid', kid);
    await expect(remove(next.kid)).rejects.toThrow('This key signs');
    await expect(remove(first.kid)).rejects.toThrow();
    const inVain = await rotate('--kind', 'oidc');
    expect(await remove(inVain.kid)).toEqual({ kid: inVain.kid });
    const leaked = next.kid;
    const { kid } = await rotate('--kind', 'oidc', '--days', '0');
    expect(await remove(leaked)).toEqual({ kid: leaked });
    for (const service of both())
      await eventually('the leaked key is gone', async () => (await kids(service)).join() === kid);
  });
});
