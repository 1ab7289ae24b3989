import { ulid } from 'ulid';
import { DomainLookup } from '../../../src/connection/domains/domain-lookup.js';
import { DomainReview } from '../../../src/connection/domains/domain-review.js';
import { Database } from '../../../src/platform/database/index.js';
import { DnsServer } from '../../support/dns-server.js';
import { Organization } from '../../support/organization.js';
import { eventually, itemsOf, TestApp } from '../../support/test-app.js';
import { describeWith } from '../../support/tools.js';

interface Domain {
  readonly id: string;
  readonly name: string;
  readonly record: { readonly name: string; readonly value: string };
}

describeWith(['dnsmasq'], 'Domains of an organization', () => {
  let dns: DnsServer;
  let app: TestApp;
  let a: Organization;
  let b: Organization;
  beforeAll(async () => {
    dns = await DnsServer.start([]);
    app = await TestApp.start({ PORTAL: 'off', DNS_SERVERS: dns.address });
    a = await Organization.found(app);
    b = await Organization.found(app);
  });
  afterAll(async () => {
    await app.stop();
    await dns.stop();
  });

  const newName = () => `${ulid().toLowerCase()}.example`;
  const add = async (organization: Organization, name = newName()): Promise<Domain> => {
    const { status, body } = await organization.call('POST', '/domains', { name });
    expect([status, body]).toEqual([201, expect.anything()]);
    return body as unknown as Domain;
  };
  const verify = (organization: Organization, { id }: Domain) =>
    organization.call('POST', `/domains/${id}/verify`);
  const read = async (organization: Organization, { id }: Domain) =>
    (await organization.call('GET', `/domains/${id}`)).body;
  const publish = (...domains: Domain[]) =>
    dns.restart(domains.map(({ record }) => `txt-record=${record.name},${record.value}`));
  const eventsOf = async ({ id }: Domain) => {
    const rows = await app.sql('SELECT type FROM events WHERE subject = $1 ORDER BY seq', [
      `iam/domains/${id}`,
    ]);
    return rows.map(({ type }) => type);
  };
  const actionsOf = async (organization: Organization, { id }: Domain) =>
    itemsOf<{ action: string }>(
      await organization.call('GET', `/audit-events?subject=iam/domains/${id}`),
    ).map(({ action }) => action);
  /** Runs the daily check as if the days had passed. */
  const review = async (days: number) => {
    await app.sql(
      `UPDATE tenant_domains SET checked_at = checked_at - make_interval(days => $1),
         missing_since = missing_since - make_interval(days => $1)`,
      [days],
    );
    await app.app.get(DomainReview, { strict: false }).run();
  };

  it('are verified by their record, outside of transactions', async () => {
    const domain = await add(a, 'Bücher.Example.');
    expect(domain).toEqual({
      id: expect.any(String),
      name: 'xn--bcher-kva.example',
      status: 'pending',
      record: {
        type: 'TXT',
        name: '_gatehouse.xn--bcher-kva.example',
        value: expect.stringMatching(/^gatehouse-verification=[0-9a-f]{40}$/),
      },
      verifiedAt: null,
      checkedAt: null,
    });
    await publish(domain);
    const inTransaction: boolean[] = [];
    const check = DomainLookup.prototype.check;
    const spy = jest.spyOn(DomainLookup.prototype, 'check').mockImplementation(function (
      this: DomainLookup,
      one,
    ) {
      inTransaction.push(app.app.get(Database, { strict: false }).inTransaction);
      return check.call(this, one);
    });
    const { status, body } = await verify(a, domain);
    spy.mockRestore();
    expect([status, body]).toEqual([200, expect.objectContaining({ status: 'verified' })]);
    expect(body['verifiedAt']).toEqual(expect.any(String));
    expect(inTransaction).toEqual([false]);
    expect((await verify(a, domain)).body['verifiedAt']).toBe(body['verifiedAt']);
    expect(await eventsOf(domain)).toEqual(['iam.domain.added', 'iam.domain.verified']);
    expect(await actionsOf(a, domain)).toEqual(['domain.verified', 'domain.added']);
  });

  it('are not verified by another value, and the records that were found are named', async () => {
    const domain = await add(a);
    const missing = await verify(a, domain);
    expect([missing.status, missing.body['detail']]).toEqual([409, expect.stringContaining('no TXT record')]);
    await dns.restart([`txt-record=${domain.record.name},gatehouse-verification=of-others`]);
    const wrong = await verify(a, domain);
    expect(wrong.status).toBe(409);
    expect(wrong.body['detail']).toContain('"gatehouse-verification=of-others"');
    expect(await read(a, domain)).toMatchObject({ status: 'pending' });
    await dns.stop();
    expect((await verify(a, domain)).status).toBe(503);
    await dns.restart([]);
  });

  it.each(['co.uk', '192.0.2.1', 'gmail.com', 'github.io', 'no domain', 'a/b.example'])(
    'cannot be %s',
    async (name) => {
      const { status, body } = await a.call('POST', '/domains', { name });
      expect([status, body]).toMatchObject([400, { violations: [{ propertyPath: 'name' }] }]);
    },
  );

  it('are of one organization once verified: the first wins', async () => {
    const name = newName();
    const [ofA, ofB] = [await add(a, name), await add(b, name)];
    expect((await a.call('POST', '/domains', { name })).status).toBe(409);
    await publish(ofA, ofB);
    const answers = await Promise.all([verify(a, ofA), verify(b, ofB)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const [{ count } = { count: 0 }] = await app.sql(
      "SELECT count(*)::int AS count FROM tenant_domains WHERE domain = $1 AND status = 'verified'",
      [name],
    );
    expect(count).toBe(1);
  });

  it('lapse after the record was missing for a week, and then another organization may verify them', async () => {
    const name = newName();
    const [ofA, ofB] = [await add(a, name), await add(b, name)];
    await publish(ofA, ofB);
    await verify(a, ofA);
    await publish(ofB);
    await review(2);
    await review(6);
    expect(await read(a, ofA)).toMatchObject({ status: 'verified' });
    expect((await verify(b, ofB)).status).toBe(409);
    await publish(ofA, ofB);
    await review(2); // the record is back: the days count again
    await publish(ofB);
    await review(2);
    await review(6);
    expect(await read(a, ofA)).toMatchObject({ status: 'verified' });
    await review(2);
    expect(await read(a, ofA)).toMatchObject({ status: 'lapsed' });
    expect((await eventsOf(ofA)).at(-1)).toBe('iam.domain.lapsed');
    await eventually('the owner is told', async () =>
      (await app.mails(a.owner.person.email)).some((mail) => mail.includes('no longer verified')),
    );
    expect((await verify(b, ofB)).status).toBe(200);
  });

  it('are withdrawn by an operator, whose word lets another organization verify them', async () => {
    const name = newName();
    const [ofA, ofB] = [await add(a, name), await add(b, name)];
    await publish(ofA, ofB);
    await verify(a, ofA);
    expect((await verify(b, ofB)).status).toBe(409);
    const withdraw = (domain: string) => app.command('domain:withdraw', '--domain', domain);
    expect(await withdraw(newName())).toMatchObject({ withdrawnFrom: null });
    expect(await withdraw(name.toUpperCase())).toEqual({ domain: name, withdrawnFrom: a.id });
    expect(await read(a, ofA)).toMatchObject({ status: 'lapsed' });
    expect((await eventsOf(ofA)).at(-1)).toBe('iam.domain.lapsed');
    await eventually('the owner is told by whom', async () =>
      (await app.mails(a.owner.person.email)).some((mail) => mail.includes('The operator of the service')),
    );
    await review(9);
    expect(await read(a, ofA)).toMatchObject({ status: 'lapsed' });
    // The record of before is still in the DNS: it proves nothing any more.
    expect((await verify(a, ofA)).status).toBe(409);
    const renewed = await read(a, ofA);
    expect(renewed['record']).not.toEqual(ofA['record']);
    expect((await verify(b, ofB)).status).toBe(200);
    expect((await verify(a, ofA)).status).toBe(409);
  });

  it('stay withdrawn if they are verified again by a lookup of before', async () => {
    const domain = await add(a);
    await publish(domain);
    expect((await verify(a, domain)).status).toBe(200);
    const spy = jest.spyOn(DomainLookup.prototype, 'check').mockImplementation(async ({ domain: name }) => {
      await app.command('domain:withdraw', '--domain', name);
      return { verdict: 'found', others: [] };
    });
    expect((await verify(a, domain)).status).toBe(409);
    spy.mockRestore();
    expect(await read(a, domain)).toMatchObject({ status: 'lapsed' });
  });

  it('are checked once a day, while they are verified', async () => {
    const [verified, pending] = [await add(a), await add(a)];
    await publish(verified);
    await verify(a, verified);
    const asked = jest.spyOn(DomainLookup.prototype, 'check');
    const isAsked = async (hours: number) => {
      asked.mockClear();
      await app.sql('UPDATE tenant_domains SET checked_at = now() - make_interval(hours => $1)', [hours]);
      await app.app.get(DomainReview, { strict: false }).run();
      return [verified, pending].map(({ name }) => asked.mock.calls.some(([{ domain }]) => domain === name));
    };
    expect(await isAsked(23)).toEqual([false, false]);
    expect(await isAsked(25)).toEqual([true, false]);
    asked.mockRestore();
  });

  it('stay verified while the DNS does not answer', async () => {
    const domain = await add(a);
    await publish(domain);
    await verify(a, domain);
    const spy = jest
      .spyOn(DomainLookup.prototype, 'check')
      .mockResolvedValue({ verdict: 'unknown', others: [] });
    for (const days of [2, 6, 9]) await review(days);
    spy.mockRestore();
    expect(await read(a, domain)).toMatchObject({ status: 'verified' });
  });

  it('cannot be removed while a connection uses them', async () => {
    const domain = await add(a);
    const connection = ulid();
    await app.sql(
      "INSERT INTO connections (tenant_id, id, kind, name, provisioning) VALUES ($1, $2, 'saml', 'Provider', '{}')",
      [a.id, connection],
    );
    await app.sql(
      'INSERT INTO connection_domains (tenant_id, connection_id, domain_id) VALUES ($1, $2, $3)',
      [a.id, connection, domain.id],
    );
    const refused = await a.call('DELETE', `/domains/${domain.id}`);
    expect([refused.status, refused.body['code']]).toEqual([403, 'state_forbids']);
    await app.sql('DELETE FROM connection_domains WHERE connection_id = $1', [connection]);
    expect((await a.call('DELETE', `/domains/${domain.id}`)).status).toBe(204);
    expect(await actionsOf(a, domain)).toEqual(['domain.removed', 'domain.added']);
  });

  it('are removed one at a time, and are a hundred at most', async () => {
    const organization = await Organization.found(app);
    const [first, second] = [await add(organization), await add(organization)];
    expect((await organization.call('DELETE', `/domains/${first.id}`)).status).toBe(204);
    expect(itemsOf(await organization.call('GET', '/domains'))).toEqual([
      expect.objectContaining({ id: second.id }),
    ]);
    await app.sql(
      `INSERT INTO tenant_domains (tenant_id, id, domain, token)
       SELECT $1, 'domain-' || n, n || '.example', 'domain-' || n FROM generate_series(1, 98) n`,
      [organization.id],
    );
    await add(organization);
    expect(await organization.call('POST', '/domains', { name: newName() })).toMatchObject({
      status: 409,
      body: { detail: 'There can be 100 domains. Remove one that is not in use.' },
    });
  });

  it('of another organization do not exist', async () => {
    const domain = await add(b);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/verify'],
      ['DELETE', ''],
    ] as const)
      expect((await a.call(method, `/domains/${domain.id}${path}`)).status).toBe(404);
    expect(itemsOf<{ id: string }>(await a.call('GET', '/domains')).map(({ id }) => id)).not.toContain(
      domain.id,
    );
  });
});
