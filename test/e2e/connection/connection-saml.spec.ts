import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ulid } from 'ulid';
import { CertificateWarnings } from '../../../src/connection/certificates/certificate-warnings.js';
import { ConnectionDirectory } from '../../../src/connection/connections/connection-directory.js';
import { MetadataRefresh } from '../../../src/connection/metadata/metadata-refresh.js';
import { inSeconds, LabKey, requestIn, SamlStandIn } from '../../lab/saml-stand-in.js';
import { LabConnection, samlSettings } from '../../support/connection.js';
import { ExternalVisitor, signInTraces } from '../../support/external.js';
import { Organization } from '../../support/organization.js';
import { eventually, TestApp } from '../../support/test-app.js';

const REDIRECT = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect';

/** Metadata of a provider with these signing certificates. */
const metadataOf = (
  lab: SamlStandIn,
  keys: readonly LabKey[],
  changes: { entityId?: string; more?: string } = {},
) =>
  `<md:EntityDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${changes.entityId ?? lab.issuer}" ${changes.more ?? ''}>
  <!-- of the lab --><md:IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol">${keys
    .map(
      ({ certificate }, n) =>
        `<md:KeyDescriptor ${n === 0 ? 'use="signing"' : ''}><ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><ds:X509Data><ds:X509Certificate>${certificate.replace(/-----[A-Z ]+-----|\s/g, '')}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>`,
    )
    .join('')}
  <md:SingleSignOnService Binding="${REDIRECT}" Location="${lab.entryPoint}"/></md:IDPSSODescriptor></md:EntityDescriptor>`;

const fingerprintOf = ({ certificate }: LabKey) =>
  new X509Certificate(certificate).fingerprint256.replaceAll(':', '').toLowerCase();

describe('A connection by SAML', () => {
  const lab = new SamlStandIn();
  const [second, third] = [new LabKey('Second'), new LabKey('Third')];
  let app: TestApp;
  let organization: Organization;
  let server: Server;
  let answer = { status: 200, body: '' };
  let asked = 0;
  let askedAt = '';
  /** Runs before an answer, if there is one. */
  let whileAsked: (() => Promise<unknown>) | null = null;
  let metadataUrl: string;
  beforeAll(async () => {
    server = createServer(({ url = '' }, response) => {
      asked += 1;
      askedAt = url;
      const { status, body } = answer;
      const end = () => response.writeHead(status, { location: 'http://127.0.0.1/' }).end(body);
      if (whileAsked === null) end();
      else whileAsked().then(end, (error: unknown) => response.destroy(error as Error));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    metadataUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/metadata`;
    app = await TestApp.start({ PORTAL: 'off', CONNECTION_TRUSTED_HOSTS: '127.0.0.1' });
    organization = await Organization.found(app);
  });
  afterAll(async () => {
    await app.stop();
    server.close();
  });

  const signIn = async (connection: LabConnection, key: LabKey = lab.key) => {
    const words = { attributes: { email: `${ulid().toLowerCase()}@${connection.domain}` } };
    const sign = { key: key.privateKey, certificate: key.certificate };
    const { fragment } = await connection.bring(
      lab.answer(await connection.start(), ulid(), { words, sign }),
    );
    return fragment['error'] ?? 'signed in';
  };
  /** Signs in by an authentication of days ago, which the provider reports a second time too. */
  const signInAged = async (connection: LabConnection, days: number, request: object = {}) => {
    const authnInstant = inSeconds(-days * 86_400 - 120);
    const attributes = { email: `${ulid().toLowerCase()}@${connection.domain}` };
    const post = async (url: string) =>
      connection.bring(lab.answer(url, ulid(), { words: { attributes, authnInstant } }));
    const first = await post(await connection.start(request));
    if (!first.returnUri.startsWith(lab.entryPoint)) return first.fragment['error'] ?? 'signed in';
    return (await post(first.returnUri)).fragment['error'] ?? 'signed in after a second request';
  };
  const active = async () => {
    const connection = await LabConnection.active(organization, samlSettings(lab));
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    return connection;
  };
  const byUrl = async () => {
    answer = { status: 200, body: metadataOf(lab, [lab.key]) };
    const connection = await LabConnection.active(organization, {
      kind: 'saml',
      settings: { metadataUrl },
    } as never);
    await connection.call('PATCH', '', { provisioning: { justInTime: true } });
    return connection;
  };
  const certificatesOf = async (connection: LabConnection) =>
    ((await connection.call('GET')).body['certificates'] as unknown as { sha256: string }[]).map(
      ({ sha256 }) => sha256,
    );
  const createWith = (settings: object, further: object = {}) =>
    organization.call('POST', '/connections', { kind: 'saml', name: 'Provider', settings, ...further });
  const violationOf = async (settings: object) => {
    const { status, body } = await createWith(settings);
    return [status, (body['violations'] as { propertyPath: string }[] | undefined)?.[0]?.propertyPath];
  };

  describe('limits the age of authentications', () => {
    const limited = async (settings: object) => {
      const { settings: usual } = samlSettings(lab);
      const given = { kind: 'saml' as const, settings: { ...usual, ...settings } };
      const connection = await LabConnection.active(organization, given);
      await connection.call('PATCH', '', { provisioning: { justInTime: true } });
      return connection;
    };

    it('to a day, unless its settings say otherwise', async () => {
      const connection = await limited({});
      expect((await connection.call('GET')).body['settings']).not.toHaveProperty('authnInstantMaxAge');
      expect([await signInAged(connection, 0), await signInAged(connection, 2)]).toEqual([
        'signed in',
        'invalid_response',
      ]);
    });

    it('to its own limit', async () => {
      const authnInstantMaxAge = 3 * 86_400;
      const connection = await limited({ authnInstantMaxAge });
      expect((await connection.call('GET')).body['settings']).toMatchObject({ authnInstantMaxAge });
      expect([await signInAged(connection, 2), await signInAged(connection, 4)]).toEqual([
        'signed in',
        'invalid_response',
      ]);
    });

    it('not at all for null, as Google Workspace needs it, and still as a client asks', async () => {
      const connection = await limited({ authnInstantMaxAge: null });
      expect((await connection.call('GET')).body['settings']).toMatchObject({ authnInstantMaxAge: null });
      expect(await signInAged(connection, 40)).toBe('signed in');
      expect(await signInAged(connection, 40, { maxAge: 600 })).toBe('invalid_response');
    });

    it('by the settings that are changed, and keeps it through other changes', async () => {
      const connection = await limited({});
      const change = async (settings: object) =>
        (await connection.call('PATCH', '', { settings })).body['settings'];
      expect(await change({ authnInstantMaxAge: null })).toMatchObject({ authnInstantMaxAge: null });
      expect(await change({ signRequests: false })).toMatchObject({ authnInstantMaxAge: null });
      expect(await change({ authnInstantMaxAge: 3_600 })).toMatchObject({ authnInstantMaxAge: 3_600 });
    });

    it.each([0, 59, -1, 31_536_001, 60.5, '600'])('to no %p', async (authnInstantMaxAge) => {
      const { settings } = samlSettings(lab);
      expect(await violationOf({ ...settings, authnInstantMaxAge })).toEqual([
        400,
        'settings.authnInstantMaxAge',
      ]);
    });
  });

  describe('rolls its certificates over', () => {
    it('accepts a certificate beside the earlier one without a new test, and refuses it once it is deleted', async () => {
      const connection = await active();
      expect(await signIn(connection, second)).toBe('invalid_response');
      const added = await connection.call('POST', '/certificates', { certificate: second.certificate });
      expect(added).toMatchObject({ status: 201, body: { sha256: fingerprintOf(second), lastUsedAt: null } });
      expect((await connection.call('GET')).body['status']).toBe('active');
      expect([await signIn(connection), await signIn(connection, second)]).toEqual([
        'signed in',
        'signed in',
      ]);
      const path = `/certificates/${fingerprintOf(lab.key)}`;
      expect((await connection.call('DELETE', path)).status).toBe(204);
      expect((await connection.call('DELETE', path)).status).toBe(404);
      expect([await signIn(connection), await signIn(connection, second)]).toEqual([
        'invalid_response',
        'signed in',
      ]);
    });

    it('tells which certificate has signed, so that the one that is no longer used can be deleted', async () => {
      const connection = await active();
      await connection.call('POST', '/certificates', { certificate: second.certificate });
      const used = async () => {
        const { body } = await connection.call('GET');
        const certificates = body['certificates'] as unknown as {
          sha256: string;
          lastUsedAt: string | null;
        }[];
        return new Map(certificates.map(({ sha256, lastUsedAt }) => [sha256, lastUsedAt !== null]));
      };
      const [first, next] = [fingerprintOf(lab.key), fingerprintOf(second)];
      await signIn(connection, new LabKey('stranger'));
      expect(await used()).toEqual(
        new Map([
          [first, false],
          [next, false],
        ]),
      );
      await signIn(connection, second);
      expect(await used()).toEqual(
        new Map([
          [first, false],
          [next, true],
        ]),
      );
      await signIn(connection);
      expect(await used()).toEqual(
        new Map([
          [first, true],
          [next, true],
        ]),
      );
    });

    it('keeps the only certificate', async () => {
      const connection = await active();
      const { status } = await connection.call('DELETE', `/certificates/${fingerprintOf(lab.key)}`);
      expect([status, await signIn(connection)]).toEqual([409, 'signed in']);
    });

    it('refuses a text that is no certificate, a connection by OpenID Connect, and another organization', async () => {
      const connection = await active();
      expect((await connection.call('POST', '/certificates', { certificate: 'none' })).status).toBe(400);
      const { body } = await organization.call('POST', '/connections', {
        kind: 'oidc',
        name: 'Okta',
        settings: { issuer: 'https://idp.example.com', clientId: 'gatehouse', clientSecret: 'secret' },
      });
      const certificate = { certificate: second.certificate };
      const ofOidc = await organization.call(
        'POST',
        `/connections/${String(body['id'])}/certificates`,
        certificate,
      );
      expect(ofOidc.status).toBe(409);
      const other = await Organization.found(app);
      expect(
        (await other.call('POST', `/connections/${connection.id}/certificates`, certificate)).status,
      ).toBe(404);
    });

    it('warns the owners 30, 14, 7 and 1 days before the end, once each', async () => {
      const connection = await active();
      const setEnd = (days: number) =>
        app.sql(
          `UPDATE connection_certificates SET not_after = now() + make_interval(days => $2, hours => 1), warn_at = now() WHERE connection_id = $1`,
          [connection.id, days],
        );
      const warned = async () => {
        await app.app.get(CertificateWarnings, { strict: false }).run();
        const [{ count }] = (await app.sql(
          `SELECT count(*)::int AS count FROM events WHERE type = 'iam.connection.certificate-expiring' AND subject = $1`,
          [`iam/connections/${connection.id}`],
        )) as [{ count: number }];
        return count;
      };
      await setEnd(29);
      expect(await warned()).toBe(1);
      expect(await warned()).toBe(1);
      const [{ in: days }] = (await app.sql(
        `SELECT extract(day FROM warn_at - now())::int AS in FROM connection_certificates WHERE connection_id = $1`,
        [connection.id],
      )) as [{ in: number }];
      expect(days).toBe(15);
      await setEnd(0);
      expect(await warned()).toBe(2);
      const left = await app.sql(
        'SELECT 1 FROM connection_certificates WHERE connection_id = $1 AND warn_at IS NOT NULL',
        [connection.id],
      );
      expect(left).toEqual([]);
    });
  });

  describe('takes its settings from metadata', () => {
    it('of a text, with all signing keys, those without a use included', async () => {
      const { status, body } = await createWith({ metadata: metadataOf(lab, [lab.key, second]) });
      expect([status, body]).toEqual([201, expect.anything()]);
      expect(body).toMatchObject({
        settings: { entityId: lab.issuer, ssoUrl: lab.entryPoint, metadataUrl: null },
        certificates: [lab.key, second]
          .map((key) => ({ sha256: fingerprintOf(key) }))
          .toSorted((one, other) => one.sha256.localeCompare(other.sha256)),
      });
    });

    it.each([
      ['a DOCTYPE', (xml: string) => `<!DOCTYPE x [<!ENTITY y "z">]>${xml}`],
      ['another kind of document', () => '<html></html>'],
      ['text that is not well-formed', (xml: string) => xml.replace('</md:IDPSSODescriptor>', '')],
      ['no certificate', (xml: string) => xml.replace(/<md:KeyDescriptor.*?<\/md:KeyDescriptor>/s, '')],
      ['no address by redirect', (xml: string) => xml.replace(REDIRECT, 'urn:other')],
      [
        'an end in the past',
        (xml: string) => xml.replace('entityID', 'validUntil="2020-01-01T00:00:00Z" entityID'),
      ],
      [
        'two providers',
        (xml: string) =>
          `<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">${xml}${xml}</md:EntitiesDescriptor>`,
      ],
      [
        'a provider of another protocol',
        (xml: string) => xml.replace('SAML:2.0:protocol', 'SAML:1.1:protocol'),
      ],
      [
        'a provider that is described twice',
        (xml: string) => xml.replace(/<md:IDPSSODescriptor.*<\/md:IDPSSODescriptor>/s, '$&$&'),
      ],
      ['a private address', (xml: string) => xml.replace(lab.entryPoint, 'https://10.0.0.1/sso')],
    ])('refuses %s', async (_, spoil) => {
      const [status] = await violationOf({ metadata: spoil(metadataOf(lab, [lab.key])) });
      expect(status).toBe(400);
    });

    it('of an address, and refuses one that cannot be reached, without a word of its response', async () => {
      const connection = await byUrl();
      expect(await signIn(connection)).toBe('signed in');
      for (const refused of [
        'http://idp.example.com/',
        'https://169.254.169.254/',
        'https://user@idp.example.com/',
      ])
        expect(await violationOf({ metadataUrl: refused })).toEqual([400, 'settings.metadataUrl']);
      answer = { status: 200, body: 'canary-of-the-response' };
      const { status, body } = await createWith({ metadataUrl });
      expect([status, JSON.stringify(body)]).toEqual([400, expect.not.stringContaining('canary')]);
      answer = { status: 302, body: '' };
      expect((await createWith({ metadataUrl })).status).toBe(400);
      answer = { status: 500, body: metadataOf(lab, [lab.key]) };
      expect((await createWith({ metadataUrl })).status).toBe(400);
    });

    it('or from what is entered, and not from both', async () => {
      answer = { status: 200, body: metadataOf(lab, [lab.key]) };
      expect(await violationOf({ metadataUrl, entityId: 'other' })).toEqual([400, 'settings.entityId']);
      const metadata = metadataOf(lab, [lab.key]);
      expect(await violationOf({ metadataUrl, metadata })).toEqual([400, 'settings.metadata']);
    });

    it('once and for all if an administrator enters them by hand afterwards', async () => {
      const connection = await byUrl();
      const { body } = await connection.call('PATCH', '', {
        settings: { ssoUrl: 'https://idp.example.com/new' },
      });
      expect(body['settings']).toMatchObject({ metadataUrl: null, ssoUrl: 'https://idp.example.com/new' });
      expect((await connection.call('POST', '/refresh-metadata')).status).toBe(409);
    });
  });

  describe('refreshes its metadata', () => {
    const isDue = (connection: LabConnection) =>
      app.sql(
        "UPDATE saml_connections SET next_fetch_at = now(), fetched_at = now() - interval '1 day' WHERE connection_id = $1",
        [connection.id],
      );

    it('daily: a new certificate is accepted, one that is gone is retired', async () => {
      const connection = await byUrl();
      await isDue(connection);
      answer = { status: 200, body: metadataOf(lab, [lab.key, second]) };
      await app.app.get(MetadataRefresh, { strict: false }).run();
      expect((await certificatesOf(connection)).length).toBe(2);
      await isDue(connection);
      answer = { status: 200, body: metadataOf(lab, [second]) };
      await app.app.get(MetadataRefresh, { strict: false }).run();
      expect(await certificatesOf(connection)).toEqual([fingerprintOf(second)]);
      expect([await signIn(connection), await signIn(connection, second)]).toEqual([
        'invalid_response',
        'signed in',
      ]);
      const before = asked;
      await app.app.get(MetadataRefresh, { strict: false }).run();
      expect(asked).toBe(before);
      // What was retired is no known certificate: it could be one that was stolen.
      await isDue(connection);
      answer = { status: 200, body: metadataOf(lab, [lab.key]) };
      await app.app.get(MetadataRefresh, { strict: false }).run();
      expect(await certificatesOf(connection)).toEqual([fingerprintOf(second)]);
      expect((await connection.call('GET')).body['lastError']).toBe('metadata_not_refreshed');
      // With a known one, it counts again.
      await isDue(connection);
      answer = { status: 200, body: metadataOf(lab, [lab.key, second]) };
      await app.app.get(MetadataRefresh, { strict: false }).run();
      expect([await signIn(connection), await signIn(connection, second)]).toEqual([
        'signed in',
        'signed in',
      ]);
    });

    it('daily, of each connection by one replica', async () => {
      const connection = await byUrl();
      await isDue(connection);
      const before = asked;
      const other = app.app.get(MetadataRefresh, { strict: false });
      whileAsked = () => {
        whileAsked = null;
        return other.run();
      };
      await app.app.get(MetadataRefresh, { strict: false }).run();
      expect([asked, whileAsked]).toEqual([before + 1, null]);
    });

    it('daily: what an administrator has added stays', async () => {
      const connection = await byUrl();
      await connection.call('POST', '/certificates', { certificate: third.certificate });
      await isDue(connection);
      answer = { status: 200, body: metadataOf(lab, [lab.key, second]) };
      await app.app.get(MetadataRefresh, { strict: false }).run();
      const expected = [lab.key, second, third].map((one) => fingerprintOf(one));
      expect((await certificatesOf(connection)).toSorted()).toEqual(expected.toSorted());
    });

    it('after a signature by an unknown key: once, and the sign-in goes on', async () => {
      const connection = await byUrl();
      await isDue(connection);
      await app.sql(
        "UPDATE saml_connections SET next_fetch_at = now() + interval '1 day' WHERE connection_id = $1",
        [connection.id],
      );
      answer = { status: 200, body: metadataOf(lab, [lab.key, second]) };
      const before = asked;
      expect(await signIn(connection, second)).toBe('signed in');
      expect(asked).toBe(before + 1);
      expect(await signIn(connection, third)).toBe('invalid_response');
      expect(asked).toBe(before + 1); // within ten minutes
    });

    it.each([
      [
        'of another entity',
        409,
        () => metadataOf(lab, [lab.key, third], { entityId: 'https://other.example' }),
      ],
      ['without any known key', 409, () => metadataOf(lab, [third])],
      ['that is none', 503, () => '<html></html>'],
    ])('but takes nothing from metadata %s', async (_, status, body) => {
      const connection = await byUrl();
      const before = await certificatesOf(connection);
      await isDue(connection);
      answer = { status: 200, body: body() };
      await app.app.get(MetadataRefresh, { strict: false }).run();
      expect(await certificatesOf(connection)).toEqual(before);
      expect((await connection.call('GET')).body['lastError']).toBe('metadata_not_refreshed');
      expect((await connection.call('POST', '/refresh-metadata')).status).toBe(status);
      expect([await signIn(connection), await signIn(connection, third)]).toEqual([
        'signed in',
        'invalid_response',
      ]);
    });

    it('on request, at its own address alone', async () => {
      const connection = await byUrl();
      const settings = { metadataUrl: `${metadataUrl}/other` };
      expect((await connection.call('POST', '/refresh-metadata', { settings })).status).toBe(200);
      expect(askedAt).toBe('/metadata');
    });

    it.each(['daily', 'on request'])(
      '%s, but not from an address that is replaced while it answers',
      async (when) => {
        const connection = await byUrl();
        await isDue(connection);
        answer = { status: 200, body: metadataOf(lab, [lab.key, second]) };
        const before = await certificatesOf(connection);
        whileAsked = () =>
          app.sql(
            "UPDATE saml_connections SET metadata_url = metadata_url || '/new' WHERE connection_id = $1",
            [connection.id],
          );
        if (when === 'daily') await app.app.get(MetadataRefresh, { strict: false }).run();
        else expect((await connection.call('POST', '/refresh-metadata')).status).toBe(409);
        whileAsked = null;
        expect([askedAt, await certificatesOf(connection)]).toEqual(['/metadata', before]);
      },
    );

    it('on request, but not from an address that is removed while it answers', async () => {
      const connection = await byUrl();
      whileAsked = () =>
        app.sql('UPDATE saml_connections SET metadata_url = NULL WHERE connection_id = $1', [connection.id]);
      expect((await connection.call('POST', '/refresh-metadata')).status).toBe(409);
      whileAsked = null;
    });

    it('on request, once an administrator has added a certificate of the new ones', async () => {
      const connection = await byUrl();
      answer = { status: 200, body: metadataOf(lab, [second, third]) };
      expect((await connection.call('POST', '/refresh-metadata')).status).toBe(409);
      await connection.call('POST', '/certificates', { certificate: third.certificate });
      const { status, body } = await connection.call('POST', '/refresh-metadata');
      expect([status, (body['certificates'] as unknown as object[]).length]).toEqual([200, 2]);
      const { email } = connection.organization.owner.person;
      await eventually('the owners are told by whom', async () =>
        (await app.mails(email, 0)).some((mail) => {
          const text = mail.replaceAll(/=\r?\n/g, '');
          return text.includes(`By: ${email}`) && text.includes(fingerprintOf(second));
        }),
      );
      expect([await signIn(connection), await signIn(connection, second)]).toEqual([
        'invalid_response',
        'signed in',
      ]);
    });
  });

  describe('whose metadata expires', () => {
    const LATER = { more: 'validUntil="2100-01-01T00:00:00Z"' };
    const byText = () =>
      LabConnection.active(organization, {
        kind: 'saml',
        settings: { metadata: metadataOf(lab, [lab.key], LATER) },
      } as never);
    const expire = async (connection: LabConnection) => {
      await app.sql(
        `UPDATE saml_connections SET metadata_valid_until = now() - interval '1 second', fetched_at = now() - interval '1 day' WHERE connection_id = $1`,
        [connection.id],
      );
      await connection.call('PATCH', '', { name: 'Changed' }); // announces the change
    };
    const startOf = ({ id }: LabConnection) => new ExternalVisitor(app, 'saml').start({ connectionId: id });
    const isRefused = (connection: LabConnection) =>
      eventually('the end to count', async () => (await startOf(connection)).status === 503);
    const errorOf = async (connection: LabConnection) => (await connection.call('GET')).body['lastError'];

    it('starts and ends no sign-in from then on, and says why to its administrators', async () => {
      const connection = await byText();
      await connection.call('PATCH', '', { provisioning: { justInTime: true } });
      expect(await signIn(connection)).toBe('signed in');
      const started = await connection.start();
      await expire(connection);
      expect(await errorOf(connection)).toBe('metadata_expired');
      await isRefused(connection);
      const words = { attributes: { email: `eve@${connection.domain}` } };
      const { fragment } = await connection.bring(lab.answer(started, ulid(), { words }));
      expect(fragment['error']).toBe('provider_unavailable');
      expect(await connection.call('POST', '/tests')).toMatchObject({
        status: 503,
        body: { detail: expect.stringContaining('expired') },
      });
      const { body } = await organization.call(
        'GET',
        `/audit-events?subject=iam/connections/${connection.id}`,
      );
      const refusal = { action: 'connection.refused-metadata', actorId: connection.id };
      expect(body['items']).toEqual(expect.arrayContaining([expect.objectContaining(refusal)]));
    });

    it('signs people in again by new metadata, and not by other settings beside the expired', async () => {
      const connection = await byText();
      await expire(connection);
      const tested = async (settings: object) => {
        expect((await connection.call('PATCH', '', { settings })).status).toBe(200);
        await connection.pretendTest();
        expect((await connection.call('POST', '/activate')).status).toBe(200);
      };
      await tested({ signRequests: false });
      await isRefused(connection);
      await tested({ metadata: metadataOf(lab, [lab.key], LATER) });
      await eventually('the new metadata', async () => (await startOf(connection)).status === 200);
      expect(await errorOf(connection)).not.toBe('metadata_expired');
    });

    it('reads it again at its address, once in ten minutes', async () => {
      const connection = await byUrl();
      await expire(connection);
      answer = { status: 200, body: metadataOf(lab, [lab.key], LATER) };
      await eventually('the address to be read', async () => {
        const before = asked;
        return (await startOf(connection)).status === 200 && asked === before + 1;
      });
      expect(await signIn(connection)).toBe('signed in');
      const before = asked;
      answer = {
        status: 200,
        body: metadataOf(lab, [lab.key], { more: 'validUntil="2020-01-01T00:00:00Z"' }),
      };
      await expire(connection);
      await eventually('the end to count', async () => (await startOf(connection)).status === 503);
      expect((await startOf(connection)).status).toBe(503);
      expect(asked).toBe(before + 1);
    });

    it('is refreshed before its end', async () => {
      const connection = await byUrl();
      const inTwoHours = new Date(Date.now() + 7_200_000).toISOString();
      answer = { status: 200, body: metadataOf(lab, [lab.key], { more: `validUntil="${inTwoHours}"` }) };
      const announced = jest.spyOn(app.app.get(ConnectionDirectory, { strict: false }), 'announce');
      for (const what of ['another end', 'the same']) {
        expect((await connection.call('POST', '/refresh-metadata')).status).toBe(200);
        expect([what, announced.mock.calls]).toEqual([what, [[connection.id]]]);
      }
      announced.mockRestore();
      const [{ minutes }] = (await app.sql(
        `SELECT extract(epoch FROM next_fetch_at - now()) / 60 AS minutes FROM saml_connections WHERE connection_id = $1`,
        [connection.id],
      )) as [{ minutes: string }];
      expect(Number(minutes)).toBeGreaterThan(30);
      expect(Number(minutes)).toBeLessThanOrEqual(60);
    });
  });

  it('signs its requests unless the settings say otherwise', async () => {
    const connection = await active();
    expect(new URL(await connection.start()).searchParams.has('Signature')).toBe(true);
    await connection.call('PATCH', '', { settings: { signRequests: false } });
    await connection.pretendTest();
    await connection.call('POST', '/activate');
    expect(new URL(await connection.start()).searchParams.has('Signature')).toBe(false);
    expect((await connection.call('GET')).body['settings']).toMatchObject({ signRequests: false });
  });

  describe('and a response that the provider sends by itself', () => {
    const unsolicited = async (connection: LabConnection, twist: object = {}) => {
      const words = {
        inResponseTo: null,
        confirmationInResponseTo: null,
        attributes: { email: `eve@${connection.domain}` },
      };
      const form = lab.answer(await connection.start(), ulid(), {
        ...twist,
        words: { ...words, ...(twist as { words?: object }).words },
      });
      return { SAMLResponse: form.SAMLResponse, RelayState: 'https://evil.example/' };
    };
    const created = async () => {
      const { accounts, sessions, external_identities: identities } = await signInTraces(app);
      return { accounts, sessions, identities };
    };
    const allowed = async () => {
      const connection = await active();
      expect((await connection.call('PATCH', '', { idpInitiated: true })).body['idpInitiated']).toBe(true);
      return connection;
    };

    it('is refused, unless the connection allows it', async () => {
      const connection = await active();
      const before = await created();
      expect(await connection.bring(await unsolicited(connection))).toMatchObject({
        status: 400,
        returnUri: '',
      });
      expect(await created()).toEqual(before);
    });

    it('signs no person in, but starts a sign-in by the connection in the app', async () => {
      const connection = await allowed();
      const before = await created();
      const landing = await connection.bring(await unsolicited(connection));
      expect(landing.status).toBe(303);
      const page = new URL(landing.returnUri);
      expect(page.pathname).toMatch(/\/sign-in$/);
      expect(Object.fromEntries(page.searchParams)).toEqual({ connection: connection.id, kind: 'saml' });
      expect(landing.fragment).toEqual({});
      expect(landing.headers.getSetCookie()).toEqual([]);
      expect(await created()).toEqual(before);
    });

    it('counts once', async () => {
      const connection = await allowed();
      const form = await unsolicited(connection);
      expect((await connection.bring(form)).status).toBe(303);
      expect((await connection.bring(form)).status).toBe(400);
    });

    it.each([
      ['unsigned', { sign: { assertion: false } }],
      ['signed by another key', { sign: { key: third.privateKey } }],
      ['for another audience', { words: { audience: 'https://other.example' } }],
      ['for another recipient', { words: { recipient: 'https://other.example' } }],
      ['of another issuer', { words: { issuer: 'https://other.example' } }],
      ['expired', { words: { confirmationUntil: '2020-01-01T00:00:00Z' } }],
      ['that answers a request', { words: { confirmationInResponseTo: '_some' } }],
      ['whose envelope answers a request', { words: { inResponseTo: '_some' } }],
      [
        'that answers a request in all its parts',
        { words: { inResponseTo: '_some', confirmationInResponseTo: '_some' } },
      ],
      ['that reports a failure', { words: { status: 'Requester' } }],
    ])('is refused %s', async (_, twist) => {
      const connection = await allowed();
      expect(await connection.bring(await unsolicited(connection, twist))).toMatchObject({
        status: 400,
        returnUri: '',
      });
    });

    it('is refused at another connection, and once the connection is disabled', async () => {
      const [connection, other] = [await allowed(), await allowed()];
      const form = await unsolicited(connection);
      expect((await other.bring(form)).status).toBe(400);
      await connection.call('POST', '/disable');
      expect((await connection.bring(form)).status).toBe(400);
    });

    it('is refused once the metadata has expired', async () => {
      const connection = await allowed();
      const form = await unsolicited(connection);
      await app.sql(
        "UPDATE saml_connections SET metadata_valid_until = now() - interval '1 second' WHERE connection_id = $1",
        [connection.id],
      );
      await connection.call('PATCH', '', { name: 'Changed' });
      const start = () => new ExternalVisitor(app, 'saml').start({ connectionId: connection.id });
      await eventually('the end to count', async () => (await start()).status === 503);
      expect((await connection.bring(form)).status).toBe(400);
    });

    it('completes no flow that was started', async () => {
      const connection = await allowed();
      const address = await connection.start();
      const form = { ...(await unsolicited(connection)), RelayState: requestIn(address).relayState };
      expect((await connection.bring(form)).fragment['error']).toBe('invalid_response');
    });

    it('is a setting of SAML alone', async () => {
      const { status, body } = await organization.call('POST', '/connections', {
        kind: 'oidc',
        name: 'Okta',
        settings: { issuer: 'https://idp.example.com', clientId: 'gatehouse', clientSecret: 'secret' },
        idpInitiated: true,
      });
      expect([status, body['violations']]).toEqual([
        400,
        [expect.objectContaining({ propertyPath: 'idpInitiated' })],
      ]);
    });
  });
});
