import { createHash } from 'node:crypto';
import { ulid } from 'ulid';
import { inSeconds, SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { ExternalVisitor } from '../../support/external.js';
import { Organization } from '../../support/organization.js';
import { type Answer, withApp } from '../../support/test-app.js';

const SETUP = '/api/v1/iam/setup';
const BINDING = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-';

/** Metadata of the provider with an address for each of these bindings, as JumpCloud exports it. */
const metadataOf = ({ issuer, key, entryPoint }: SamlStandIn, bindings: readonly string[]) =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${issuer}"><md:IDPSSODescriptor WantAuthnRequestsSigned="false" protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><md:KeyDescriptor use="signing"><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${key.certificate.replace(/-----[A-Z ]+-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor><md:NameIDFormat>urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified</md:NameIDFormat>${bindings
    .map((binding) => `<md:SingleSignOnService Binding="${BINDING}${binding}" Location="${entryPoint}"/>`)
    .join('')}</md:IDPSSODescriptor></md:EntityDescriptor>`;

describe('A connection to a provider that takes only HTTP-POST', () => {
  const lab = new SamlStandIn();
  let organization: Organization;
  let connection: LabConnection;
  const byMetadata = (...bindings: string[]) =>
    ({ kind: 'saml', settings: { metadata: metadataOf(lab, bindings) } }) as never;
  const app = withApp({ PORTAL: 'off', EXTERNAL_BROWSER_BINDING: 'cookie' });
  beforeAll(async () => {
    organization = await Organization.found(app);
    connection = await LabConnection.active(organization, byMetadata('POST'));
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
  });

  const certificateOf = async ({ id }: LabConnection) => {
    const metadata = await (await fetch(`${app.url}/api/iam/auth/external/saml/metadata/${id}`)).text();
    const base64 = /use="signing"[^]*?<(?:ds:)?X509Certificate>([^<]*)</.exec(metadata)?.[1] ?? '';
    return `-----BEGIN CERTIFICATE-----\n${base64.replace(/\s/g, '').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  };
  /** Opens an address of the service, whose public name no DNS server knows. */
  const fetchHere = (address: URL | string, headers: Record<string, string> = {}) => {
    const { pathname, search } = new URL(address);
    return fetch(`${app.url}${pathname}${search}`, { headers });
  };
  /** Opens our page and reads its form, whose signature the provider verifies. */
  const openAt = async (of: LabConnection, address: string) => {
    const page = await fetchHere(address);
    expect(page.status).toBe(200);
    return lab.readForm(await page.text(), await certificateOf(of));
  };
  const wordsFor = (of: LabConnection) => ({ attributes: { email: `${ulid().toLowerCase()}@${of.domain}` } });
  const settingsOf = async (of: LabConnection) => (await of.call('GET')).body['settings'];
  const violationOf = ({ status, body }: Answer) => [
    status,
    (body['violations'] as { propertyPath: string }[] | undefined)?.[0]?.propertyPath,
  ];

  it('takes its metadata (twentyhq/twenty#21051, SAML-Toolkits/java-saml#116), and prefers redirect', async () => {
    expect(await settingsOf(connection)).toMatchObject({ ssoUrl: lab.entryPoint, ssoBinding: 'post' });
    const both = await LabConnection.create(organization, byMetadata('POST', 'Redirect'));
    expect(await settingsOf(both)).toMatchObject({ ssoUrl: lab.entryPoint, ssoBinding: 'redirect' });
    expect(await both.call('POST', '/tests')).toMatchObject({
      body: { authorizationUrl: expect.stringContaining(`${lab.entryPoint}&SAMLRequest=`) },
    });
    await both.call('PATCH', '', { settings: { metadata: metadataOf(lab, ['POST']) } });
    expect(await settingsOf(both)).toMatchObject({ ssoBinding: 'post' });
  });

  it('refuses metadata without either, and a binding next to metadata', async () => {
    const create = (settings: object) =>
      organization.call('POST', '/connections', { kind: 'saml', name: 'Provider', settings });
    const soap = { metadata: metadataOf(lab, ['Artifact']) };
    expect(violationOf(await create(soap))).toEqual([400, 'settings.metadata']);
    const twice = { metadata: metadataOf(lab, ['POST']), ssoBinding: 'post' };
    expect(violationOf(await create(twice))).toEqual([400, 'settings.ssoBinding']);
    const { settings } = samlSettings(lab);
    expect(violationOf(await create({ ...settings, ssoBinding: 'soap' }))).toEqual([
      400,
      'settings.ssoBinding',
    ]);
  });

  it('keeps the binding that is entered by hand through other changes', async () => {
    const { kind, settings } = samlSettings(lab);
    const byHand = await LabConnection.create(organization, {
      kind,
      settings: { ...settings, ssoBinding: 'post' },
    } as never);
    await byHand.call('PATCH', '', { settings: { signRequests: false } });
    expect(await settingsOf(byHand)).toMatchObject({ ssoBinding: 'post', signRequests: false });
    await byHand.call('PATCH', '', { settings: { ssoBinding: 'redirect' } });
    expect(await settingsOf(byHand)).toMatchObject({ ssoBinding: 'redirect' });
  });

  it('signs a person in by a signed form, in the browser that started', async () => {
    const browser = ExternalVisitor.browser(app, 'saml');
    const { body } = await browser.start({ connectionId: connection.id });
    const address = String(body['authorizationUrl']);
    expect(address).toMatch(new RegExp(`/api/iam/auth/external/saml/request/${connection.id}\\?request=`));
    const asked = await openAt(connection, address);
    expect(asked).toMatchObject({ consumer: expect.stringContaining(connection.id) });
    expect(Buffer.byteLength(asked.relayState)).toBeLessThanOrEqual(80);
    const answer = lab.answer(asked, ulid(), { words: wordsFor(connection) });
    const { returnUri } = await connection.bring(answer);
    expect(returnUri).toContain('/callback'); // by GET, which carries the cookie
    expect((await ExternalVisitor.browser(app, 'saml').open(returnUri)).status).toBe(400);
    expect((await browser.open(returnUri)).fragment).toHaveProperty('access_token');
  });

  it('asks for a new authentication by a form too', async () => {
    const asked = await openAt(connection, await connection.start());
    const words = { ...wordsFor(connection), authnInstant: inSeconds(-200_000) };
    const { status, returnUri, headers } = await connection.bring(lab.answer(asked, 'ada', { words }));
    expect([status, returnUri]).toEqual([303, expect.stringContaining('/saml/request/')]);
    const again = await openAt(connection, String(headers.get('location')));
    expect(again.xml).toContain('ForceAuthn="true"');
    expect(again.relayState).toBe(asked.relayState);
    const fresh = lab.answer(again, 'ada', { words: wordsFor(connection) });
    expect((await connection.bring(fresh)).fragment).toHaveProperty('access_token');
  });

  it('sends no signature if requests are not signed', async () => {
    const unsigned = await LabConnection.create(organization, byMetadata('POST'));
    await unsigned.call('PATCH', '', { settings: { signRequests: false } });
    const { body } = await unsigned.call('POST', '/tests');
    const page = await (await fetchHere(String(body['authorizationUrl']))).text();
    const request = /name="SAMLRequest" value="([^"]*)"/.exec(page)?.[1]?.replaceAll('&#61;', '=') ?? '';
    expect(Buffer.from(request, 'base64').toString()).toMatch(/^<\?xml[^]*<samlp:AuthnRequest/);
    expect(Buffer.from(request, 'base64').toString()).not.toContain('Signature');
  });

  it('passes its test', async () => {
    const draft = await LabConnection.create(organization, byMetadata('POST'));
    const { body } = await draft.call('POST', '/tests');
    const asked = await openAt(draft, String(body['authorizationUrl']));
    await draft.bring(lab.answer(asked, 'ada', { words: wordsFor(draft) }));
    expect(await draft.call('GET', `/tests/${String(body['testId'])}`)).toMatchObject({
      body: { status: 'passed' },
    });
    expect((await draft.call('POST', '/activate')).status).toBe(200);
  });

  it('is set up by a link', async () => {
    const { body: link } = await organization.call('POST', '/setup-links', { intents: ['sso'] });
    const use = (method: string, path: string, body?: object) =>
      app.call(method, `${SETUP}${path}`, body, { token: String(link['url']).split('/').at(-1) ?? '' });
    const given = { name: 'JumpCloud', ...(byMetadata('POST') as object) };
    expect(await use('POST', '/connection', given)).toMatchObject({
      status: 201,
      body: { settings: { ssoBinding: 'post' } },
    });
    const { body: test } = await use('POST', '/connection/tests');
    expect(test['authorizationUrl']).toContain('/saml/request/');
  });

  describe('has a page', () => {
    const open = async (change: (address: URL) => void = () => undefined) => {
      const address = new URL(await connection.start());
      change(address);
      return fetchHere(address, { accept: 'text/html', 'accept-language': 'de' });
    };

    it('in the language of the person, that runs its script and none else', async () => {
      const page = await open();
      const html = await page.text();
      expect(html).toContain('<h1>Weiter zu Ihrem Identitätsanbieter</h1>');
      expect(html).toMatch(/<form method="post"[^]*<button class="button">Weiter<\/button>/);
      const [, script = ''] = /<script>([^]*?)<\/script>/.exec(html) ?? [];
      const policy = (page.headers.get('content-security-policy') ?? '').split('; ');
      const hash = createHash('sha256').update(script).digest('base64');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          `script-src 'sha256-${hash}'`,
          'form-action https://idp.example.com https:',
          "frame-ancestors 'none'",
        ]),
      );
      expect(page.headers.get('cache-control')).toBe('no-store');
    });

    it('for no request that is changed, missing or of another connection', async () => {
      const other = await LabConnection.active(organization, byMetadata('POST'));
      const refused = await Promise.all([
        open(({ searchParams }) => searchParams.set('request', `${searchParams.get('request') ?? ''}AA`)),
        open(({ searchParams }) => searchParams.set('request', 'x')),
        open((address) => (address.pathname = address.pathname.replace(connection.id, other.id))),
        open(({ searchParams }) => searchParams.delete('request')),
        open((address) => (address.pathname = address.pathname.replace(connection.id, ulid()))),
      ]);
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 404]);
      expect(await refused[0].text()).toContain('Diese Anmeldung kann nicht abgeschlossen werden');
    });

    it('for ten minutes', async () => {
      const address = await connection.start();
      const later = Date.now() + 600_000;
      const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
      try {
        expect((await fetchHere(address)).status).toBe(400);
      } finally {
        clock.mockRestore();
      }
    });
  });
});
