import {
  CompactSign,
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  generateKeyPair,
} from 'jose';
import pg from 'pg';
import { AnchorService } from '../../src/audit/anchors/anchor.service.js';
import { Chainer } from '../../src/audit/chain/chainer.js';
import { TrailSweep } from '../../src/audit/verification/trail-sweep.js';
import { VerificationRepository } from '../../src/audit/verification/verification.repository.js';
import { ChainVerifier } from '../../src/audit/verification/chain-verifier.js';
import { VerificationService } from '../../src/audit/verification/verification.service.js';
import { ErasureService } from '../../src/iam/accounts/erasure/erasure.service.js';
import { newId, type UserId } from '../../src/kernel/index.js';
import { SigningKeyService } from '../../src/session/index.js';
import { AuditChain, chainAll } from '../support/audit-chain.js';
import { Organization, Person } from '../support/organization.js';
import { TestApp, withApp } from '../support/test-app.js';

const ROOT_SECRET = Buffer.alloc(32, 1).toString('base64');

describe('The chain of the audit trail', () => {
  const app = withApp({ ROOT_SECRET, PORTAL: 'off' });

  const chainer = () => app.app.get(Chainer, { strict: false });
  const verifyAll = () => app.app.get(VerificationService, { strict: false }).verify({}, () => undefined);

  it('has each event of organizations and of the platform once, in the order of the trail', async () => {
    const organization = await Organization.found(app);
    await chainAll(app);
    const chained = await app.sql<{ action: string }>(
      'SELECT e.action FROM audit_entries n JOIN audit_events e ON e.id = n.event_id WHERE n.tenant_id = $1 ORDER BY n.sequence',
      [organization.id],
    );
    expect(chained.map(({ action }) => action)).toEqual(['tenant.created']);
    const [counts] = await app.sql(
      "SELECT (SELECT count(*) FROM audit_events) AS events, (SELECT count(*) FROM audit_entries) AS entries, (SELECT count(*) FROM audit_events WHERE tenant_id IS NULL) = (SELECT count(*) FROM audit_entries WHERE tenant_id = '') AS platform",
    );
    expect(counts).toMatchObject({ entries: counts?.['events'], platform: true });
    expect(await verifyAll()).toMatchObject({
      broken: null,
      waiting: 0,
      entries: Number(counts?.['events']),
    });
  });

  describe('tells at which entry the trail was changed:', () => {
    it.each([
      ['id', "id = '01ZZZZZZZZZZZZZZZZZZZZZZZZ'", 'The event is missing.'],
      ['account_id', "account_id = 'x'"],
      ['action', "action = 'test.other'"],
      ['tenant_id', 'tenant_id = NULL'],
      ['subject', 'subject = NULL'],
      ['impersonator_id', 'impersonator_id = NULL'],
      ['ticket', "ticket = 'Support 2'"],
      ['xid', "xid = '0'"],
      ['created_at', "created_at = created_at + interval '1 microsecond'"],
    ])('%s of an event', async (_, change, reason = 'The event or the entry was changed.') => {
      const chain = await AuditChain.of(app, 3);
      await chain.tamper(`UPDATE audit_events SET ${change} WHERE id = ${chain.eventOf(2)}`);
      expect(await chain.broken()).toEqual({ organizationId: chain.tenantId, entry: 2, reason });
      await chain.tamper(`DELETE FROM audit_events WHERE id = '01ZZZZZZZZZZZZZZZZZZZZZZZZ'`);
    });

    it.each(['hash', 'details_hash'])('%s of an entry', async (column) => {
      const chain = await AuditChain.of(app, 3);
      await chain.tamper(
        `UPDATE audit_entries SET ${column} = sha256('x') WHERE tenant_id = $T AND sequence = 2`,
      );
      expect(await chain.broken()).toMatchObject({ entry: 2 });
    });

    it('hash of the recorded end', async () => {
      const chain = await AuditChain.of(app, 3);
      await chain.tamper("UPDATE audit_chains SET hash = sha256('x') WHERE tenant_id = $T");
      expect(await chain.broken()).toMatchObject({
        entry: 3,
        reason: 'The entry is not the recorded end of the chain.',
      });
    });

    it.each([1, 2, 3])('deletion of the event %d', async (sequence) => {
      const chain = await AuditChain.of(app, 3);
      await chain.tamper(`DELETE FROM audit_events WHERE id = ${chain.eventOf(sequence)}`);
      expect(await chain.broken()).toMatchObject({ entry: sequence, reason: 'The event is missing.' });
    });

    it.each([1, 2, 3])('deletion of the event %d with its entry', async (sequence) => {
      const chain = await AuditChain.of(app, 3);
      await chain.tamper(
        `DELETE FROM audit_events WHERE id = ${chain.eventOf(sequence)}`,
        `DELETE FROM audit_entries WHERE tenant_id = $T AND sequence = ${sequence}`,
      );
      expect(await chain.broken()).toMatchObject({ entry: sequence, reason: 'The entry is missing.' });
    });

    it('another order', async () => {
      const chain = await AuditChain.of(app, 4);
      await chain.tamper(
        `CREATE TEMP TABLE swapped AS SELECT sequence, event_id FROM audit_entries WHERE tenant_id = $T AND sequence IN (2, 3)`,
        `UPDATE audit_entries SET event_id = sequence::text WHERE tenant_id = $T AND sequence IN (2, 3)`,
        `UPDATE audit_entries n SET event_id = s.event_id FROM swapped s WHERE n.tenant_id = $T AND s.sequence = 5 - n.sequence`,
        `DROP TABLE swapped`,
      );
      expect(await chain.broken()).toMatchObject({ entry: 2 });
    });

    it('an event that was inserted behind the chain', async () => {
      const chain = await AuditChain.of(app, 3);
      const id = newId();
      const insert = `INSERT INTO audit_events (id, tenant_id, account_id, action, xid) VALUES ('${id}', $T, 'x', 'test.noted', '3')`;
      await chain.tamper(insert);
      expect(await chain.broken()).toEqual({
        organizationId: chain.tenantId,
        entry: null,
        reason: `The event ${id} is in no chain.`,
      });
      expect((await verifyAll()).broken).not.toBeNull();
      await chain.tamper(`DELETE FROM audit_events WHERE id = '${id}'`);
    });

    it('an entry that was inserted in the middle', async () => {
      const chain = await AuditChain.of(app, 3);
      await chain.tamper(
        'UPDATE audit_entries SET sequence = 4 WHERE tenant_id = $T AND sequence = 3',
        "INSERT INTO audit_events (id, tenant_id, account_id, action, xid) VALUES ('in-' || $T, $T, 'x', 'test.noted', '3')",
        "INSERT INTO audit_entries (tenant_id, sequence, event_id, hash) VALUES ($T, 3, 'in-' || $T, sha256('x'))",
        'UPDATE audit_chains SET last = 4 WHERE tenant_id = $T',
      );
      expect(await chain.broken()).toMatchObject({ entry: 3 });
    });

    it('an entry without an event, with the number that another one has', async () => {
      const chain = await AuditChain.of(app, 3);
      await chain.tamper(
        "INSERT INTO audit_entries (tenant_id, sequence, event_id, hash) VALUES ($T, 2, 'zz-' || $T, sha256('x'))",
      );
      expect(await chain.broken()).toMatchObject({ entry: 3, reason: 'The entry is missing.' });
      await chain.tamper("DELETE FROM audit_entries WHERE event_id = 'zz-' || $T");
    });

    it.each([1, 2, 3])(
      'an event with the number %d, which another one has, and with its hash',
      async (sequence) => {
        const chain = await AuditChain.of(app, 3);
        await chain.duplicate(sequence);
        expect(await chain.broken()).toMatchObject({ entry: sequence + 1, reason: 'The entry is missing.' });
        await chain.tamper(
          "DELETE FROM audit_entries WHERE event_id = 'zz-' || $T",
          "DELETE FROM audit_events WHERE id = 'zz-' || $T",
        );
      },
    );

    it('an end that was cut off', async () => {
      const chain = await AuditChain.of(app, 3);
      await chain.tamper(
        `DELETE FROM audit_events WHERE id = ${chain.eventOf(3)}`,
        'DELETE FROM audit_entries WHERE tenant_id = $T AND sequence = 3',
        'UPDATE audit_chains SET last = 2 WHERE tenant_id = $T',
      );
      expect(await chain.broken()).toMatchObject({ entry: 2 });
    });
  });

  describe('with details', () => {
    const DETAILS = { count: 5 };

    it('is complete after the erasure of the person, and keeps nothing to guess them by', async () => {
      const { id } = await Person.signUp(app);
      const chain = await AuditChain.of(app, 1);
      const events = await chain.record(2, DETAILS);
      await chain.tamper(
        `UPDATE audit_details SET account_id = '${id}' WHERE account_id = '${events}'`,
        `UPDATE audit_events SET account_id = '${id}' WHERE account_id = '${events}'`,
      );
      await chain.grow();
      expect(await chain.broken()).toBeNull();
      await app.app.get(ErasureService, { strict: false }).erase(id as UserId);
      expect(await app.sql('SELECT salt FROM audit_details WHERE account_id = $1', [id])).toEqual([]);
      const [{ kept } = { kept: 0 }] = await app.sql<{ kept: number }>(
        'SELECT count(*)::int AS kept FROM audit_entries WHERE tenant_id = $1 AND details_hash IS NOT NULL',
        [chain.tenantId],
      );
      expect(kept).toBe(2);
      expect(await chain.broken()).toBeNull();
    });

    it.each([
      ['changed', "UPDATE audit_details SET details = '{}'", 'The details of the event were changed.'],
      [
        'given another salt',
        'UPDATE audit_details SET salt = gen_random_uuid()',
        'The details of the event were changed.',
      ],
      [
        'left without their salt',
        'UPDATE audit_details SET salt = NULL',
        'The details of the event were changed.',
      ],
    ])('tells that they were %s', async (_, change, reason) => {
      const chain = await AuditChain.of(app, 1);
      await chain.record(1, DETAILS);
      await chain.grow();
      await chain.tamper(`${change} WHERE event_id = ${chain.eventOf(2)}`);
      expect(await chain.broken()).toMatchObject({ entry: 2, reason });
    });

    it('tells that they were added', async () => {
      const chain = await AuditChain.of(app, 2);
      await chain.tamper(
        `INSERT INTO audit_details (event_id, account_id, details) VALUES (${chain.eventOf(2)}, 'x', '{}')`,
      );
      expect(await chain.broken()).toMatchObject({
        entry: 2,
        reason: 'The details of the event were changed.',
      });
    });

    it('tells that they were deleted though their account exists', async () => {
      const { id } = await Person.signUp(app);
      const chain = await AuditChain.of(app, 1);
      const actorId = await chain.record(1, DETAILS);
      await chain.tamper(`UPDATE audit_events SET account_id = '${id}' WHERE account_id = '${actorId}'`);
      await chain.grow();
      await chain.tamper(`DELETE FROM audit_details WHERE event_id = ${chain.eventOf(2)}`);
      expect(await chain.broken()).toMatchObject({
        entry: 2,
        reason: 'The details of the event are missing, and its account was not erased.',
      });
    });
  });

  it('tells that details were deleted of an actor without an account', async () => {
    const chain = await AuditChain.of(app, 1);
    await chain.record(1, { count: 5 });
    await chain.grow();
    await chain.tamper(`DELETE FROM audit_details WHERE event_id = ${chain.eventOf(2)}`);
    expect(await chain.broken()).toMatchObject({
      entry: 2,
      reason: 'The details of the event are missing, and its account was not erased.',
    });
  });

  describe('with anchors', () => {
    const anchor = () => app.app.get(AnchorService, { strict: false }).anchor();
    const anchorsOf = async ({ tenantId }: AuditChain): Promise<string[]> => {
      const rows = await app.sql<{ jws: string }>(
        'SELECT jws FROM audit_anchors WHERE tenant_id = $1 ORDER BY sequence',
        [tenantId],
      );
      return rows.map(({ jws }) => jws);
    };
    const anchored = async (length: number): Promise<AuditChain> => {
      const chain = await AuditChain.of(app, length);
      await anchor();
      return chain;
    };

    it('signs the end of a chain that has grown, and of no other', async () => {
      const chain = await anchored(2);
      await anchor();
      const [jws = '', ...others] = await anchorsOf(chain);
      expect(others).toEqual([]);
      const [end] = await app.sql(
        "SELECT encode(hash, 'hex') AS hash FROM audit_chains WHERE tenant_id = $1",
        [chain.tenantId],
      );
      expect(decodeJwt(jws)).toEqual({
        iss: expect.any(String),
        iat: expect.any(Number),
        tenantId: chain.tenantId,
        sequence: 2,
        hash: end?.['hash'],
      });
      const keys = createLocalJWKSet((await app.get('/.well-known/jwks.json')).body as never);
      await compactVerify(jws, keys);
      expect(await chain.broken()).toBeNull();
      await chain.record(1);
      await chain.grow();
      await anchor();
      expect(await anchorsOf(chain)).toHaveLength(2);
      expect(await chain.broken()).toBeNull();
    });

    it('are no access tokens', async () => {
      const [jws = ''] = await anchorsOf(await anchored(1));
      expect((await app.get('/api/v1/iam/me', jws)).status).toBe(401);
    });

    it('tell of a chain that was computed again', async () => {
      const chain = await anchored(3);
      await chain.tamper(`UPDATE audit_events SET action = 'test.other' WHERE id = ${chain.eventOf(2)}`);
      await chain.computeAgain();
      expect(await chain.broken()).toEqual({
        organizationId: chain.tenantId,
        entry: 3,
        reason: 'The anchor has another hash.',
      });
    });

    it('tell of an end that was cut off', async () => {
      const chain = await anchored(3);
      const copies = await anchorsOf(chain);
      const cut = [
        `DELETE FROM audit_events WHERE id = ${chain.eventOf(3)}`,
        'DELETE FROM audit_entries WHERE tenant_id = $T AND sequence = 3',
        'UPDATE audit_chains SET last = 2, hash = (SELECT hash FROM audit_entries WHERE tenant_id = $T AND sequence = 2) WHERE tenant_id = $T',
      ];
      await chain.tamper(...cut);
      const missing = { entry: 3, reason: 'The entry is missing: an anchor has it.' };
      expect(await chain.broken()).toMatchObject(missing);
      await chain.tamper('DELETE FROM audit_anchors WHERE tenant_id = $T');
      expect(await chain.broken()).toBeNull();
      expect(await chain.broken(...copies)).toMatchObject(missing);
    });

    it('tell by their copies of a chain that was computed again with its anchors', async () => {
      const chain = await anchored(3);
      const copies = await anchorsOf(chain);
      await chain.tamper(
        `UPDATE audit_events SET action = 'test.other' WHERE id = ${chain.eventOf(2)}`,
        'DELETE FROM audit_anchors WHERE tenant_id = $T',
        'UPDATE audit_chains SET anchored = 0 WHERE tenant_id = $T',
      );
      await chain.computeAgain();
      await anchor();
      expect(await chain.broken()).toBeNull();
      expect(await chain.broken(...copies)).toMatchObject({
        entry: 3,
        reason: 'The anchor has another hash.',
      });
    });

    describe('that are forged', () => {
      const NOT_SIGNED = 'The anchor is not signed by this service.';
      const forge = async (chain: AuditChain, jws: string): Promise<void> =>
        chain.tamper(`UPDATE audit_anchors SET jws = '${jws}' WHERE tenant_id = $T`);

      it('are refused if another key has signed them, also one that was added to the database', async () => {
        const chain = await anchored(2);
        const [jws = ''] = await anchorsOf(chain);
        const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
        const forged = await new CompactSign(Buffer.from(JSON.stringify(decodeJwt(jws))))
          .setProtectedHeader({ alg: 'ES256', typ: 'audit-anchor+jwt', kid: 'forged' })
          .sign(privateKey);
        await forge(chain, forged);
        expect(await chain.broken()).toMatchObject({ entry: 2, reason: NOT_SIGNED });
        const key = JSON.stringify({ kid: 'forged', publicJwk: await exportJWK(publicKey) });
        await chain.tamper(`INSERT INTO audit_keys (kid, sealed_public_jwk) VALUES ('forged', '${key}')`);
        expect(await chain.broken()).toMatchObject({ entry: 2, reason: NOT_SIGNED });
        expect(await chain.broken(forged)).toEqual({ organizationId: null, entry: null, reason: NOT_SIGNED });
      });

      it('are refused if they are of another entry, another chain, or another type', async () => {
        const [chain, other] = [await anchored(2), await anchored(2)];
        const [ofOther = ''] = await anchorsOf(other);
        await forge(chain, ofOther);
        expect(await chain.broken()).toMatchObject({ entry: 2, reason: NOT_SIGNED });
        await other.tamper('UPDATE audit_anchors SET sequence = 1 WHERE tenant_id = $T');
        expect(await other.broken()).toMatchObject({ entry: 1, reason: NOT_SIGNED });
        const { accessToken } = await app.login(await app.register());
        await forge(chain, accessToken);
        expect(await chain.broken()).toMatchObject({ entry: 2, reason: NOT_SIGNED });
      });
    });

    it('are verified after a rotation, and after the end of the key', async () => {
      const chain = await anchored(1);
      const keys = app.app.get(SigningKeyService, { strict: false });
      const before = keys.current.kid;
      await keys.rotate(0);
      await app.sql('DELETE FROM signing_keys WHERE kid = $1', [before]);
      await chain.record(1);
      await chain.grow();
      await anchor();
      const [first = '', second = ''] = await anchorsOf(chain);
      expect(decodeProtectedHeader(first).kid).toBe(before);
      expect(decodeProtectedHeader(second).kid).toBe(keys.current.kid);
      expect(keys.current.kid).not.toBe(before);
      expect(await chain.broken(first)).toBeNull();
    });
  });

  it('has the event of a transaction that commits late, after those that others committed first', async () => {
    const chain = await AuditChain.of(app, 1);
    const late = new pg.Client({ connectionString: app.databaseUrl });
    await late.connect();
    try {
      await late.query('BEGIN');
      await late.query(
        "INSERT INTO audit_events (id, tenant_id, account_id, action) VALUES ($1, $2, $2, 'test.late')",
        [newId(), chain.tenantId],
      );
      await chain.record(2);
      await chainer().append();
      expect(await chain.length()).toBe(1);
      await late.query('COMMIT');
    } finally {
      await late.end();
    }
    await chain.grow();
    expect(await chain.length()).toBe(4);
    expect(await chain.broken()).toBeNull();
  });

  describe('is verified in parts:', () => {
    const verifier = () => app.app.get(ChainVerifier, { strict: false });
    const { entriesOfPart } = new ChainVerifier(null as never, null as never);
    beforeAll(() => void (verifier().entriesOfPart = 2));
    afterAll(() => void (verifier().entriesOfPart = entriesOfPart));

    it('it is right if each part follows the one before it', async () => {
      expect(await (await AuditChain.of(app, 7)).broken()).toBeNull();
    });

    it.each([2, 3, 4, 5, 6, 7])('an event that was changed is found, such as the %dth', async (entry) => {
      const chain = await AuditChain.of(app, 7);
      await chain.tamper(`UPDATE audit_events SET ticket = 'x' WHERE id = ${chain.eventOf(entry)}`);
      expect(await chain.broken()).toMatchObject({ entry });
    });

    it.each([2, 4, 5])('an entry that is missing is found, such as the %dth', async (entry) => {
      const chain = await AuditChain.of(app, 7);
      await chain.tamper(
        `DELETE FROM audit_events WHERE id = ${chain.eventOf(entry)}`,
        `DELETE FROM audit_entries WHERE tenant_id = $T AND sequence = ${entry}`,
      );
      expect(await chain.broken()).toMatchObject({ entry, reason: 'The entry is missing.' });
    });

    it('the first thing that is wrong is told', async () => {
      const chain = await AuditChain.of(app, 9);
      for (const entry of [7, 3, 5])
        await chain.tamper(`UPDATE audit_events SET ticket = 'x' WHERE id = ${chain.eventOf(entry)}`);
      expect(await chain.broken()).toMatchObject({ entry: 3 });
    });
  });

  describe('is verified with all others in parts of some events:', () => {
    let database: TestApp;
    beforeEach(async () => {
      database = await TestApp.start({ ROOT_SECRET, PORTAL: 'off' });
      database.app.get(TrailSweep, { strict: false }).eventsAtOnce = 3;
    });
    afterEach(() => database.stop());
    const verify = () => database.app.get(VerificationService, { strict: false }).verify({}, () => undefined);
    const removed = (table: string, key: string, chain: AuditChain, entry: number) =>
      `DELETE FROM ${table} WHERE ${key} = ${chain.eventOf(entry)}`;
    const nth = (n: number) =>
      `(SELECT id FROM audit_events WHERE tenant_id = $T ORDER BY id OFFSET ${n - 1} LIMIT 1)`;
    const changed = (chain: AuditChain, entry: number) =>
      `UPDATE audit_events SET ticket = 'x' WHERE id = ${chain.eventOf(entry)}`;

    it('it is right, also if events have another order than their ids', async () => {
      const [first, second] = [await AuditChain.of(database, 4), await AuditChain.of(database, 2)];
      await first.record(3, { count: 5 }, new Date(Date.now() - 3_600_000));
      await second.record(4);
      await first.grow();
      await first.record(2);
      await first.grow();
      const readChains = jest.spyOn(
        database.app.get(VerificationRepository, { strict: false }),
        'listEntries',
      );
      expect(await verify()).toMatchObject({ broken: null, chains: 2, entries: 15 });
      expect(readChains).not.toHaveBeenCalled();
    });

    it('the chain and the first entry that is wrong are told', async () => {
      const chains = [await AuditChain.of(database, 7), await AuditChain.of(database, 7)];
      const [, chain] = chains.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1));
      for (const entry of [6, 4])
        await chain?.tamper(`UPDATE audit_events SET ticket = 'x' WHERE id = ${chain.eventOf(entry)}`);
      expect(await verify()).toMatchObject({
        broken: { organizationId: chain?.tenantId, entry: 4 },
        entries: 7,
      });
    });

    it.each([1, 3, 4, 7])(
      'an event with the number %d, which another one has, is found',
      async (sequence) => {
        const chain = await AuditChain.of(database, 7);
        await chain.duplicate(sequence);
        expect(await verify()).toMatchObject({ broken: { entry: sequence + 1 } });
      },
    );

    // Three events are a part, so that the first one ends with the event of entry 3.
    it.each([
      [
        'the last event of a part is gone',
        3,
        (chain: AuditChain) => [removed('audit_events', 'id', chain, 3)],
      ],
      [
        'the first event of a part is gone',
        4,
        (chain: AuditChain) => [removed('audit_events', 'id', chain, 4)],
      ],
      [
        'the last entry of a part is gone',
        3,
        (chain: AuditChain) => [removed('audit_entries', 'event_id', chain, 3)],
      ],
      [
        'the first entry of a part is gone',
        4,
        (chain: AuditChain) => [removed('audit_entries', 'event_id', chain, 4)],
      ],
      [
        'the last event of a part is gone with its entry',
        3,
        (chain: AuditChain) => [
          removed('audit_events', 'id', chain, 3),
          'DELETE FROM audit_entries WHERE tenant_id = $T AND sequence = 3',
        ],
      ],
      [
        'the first event of a part is gone with its entry',
        4,
        (chain: AuditChain) => [
          removed('audit_events', 'id', chain, 4),
          'DELETE FROM audit_entries WHERE tenant_id = $T AND sequence = 4',
        ],
      ],
      ['the last event of a part is changed', 3, (chain: AuditChain) => [changed(chain, 3)]],
      ['the first event of a part is changed', 4, (chain: AuditChain) => [changed(chain, 4)]],
      [
        'both events at the border are exchanged',
        3,
        () => [
          "UPDATE audit_entries SET event_id = 'x' WHERE tenant_id = $T AND sequence = 3",
          `UPDATE audit_entries SET event_id = ${nth(3)} WHERE tenant_id = $T AND sequence = 4`,
          `UPDATE audit_entries SET event_id = ${nth(4)} WHERE tenant_id = $T AND sequence = 3`,
        ],
      ],
      [
        'both entries at the border are exchanged',
        3,
        () => [
          'UPDATE audit_entries SET sequence = -3 WHERE tenant_id = $T AND sequence = 3',
          'UPDATE audit_entries SET sequence = 3 WHERE tenant_id = $T AND sequence = 4',
          'UPDATE audit_entries SET sequence = 4 WHERE tenant_id = $T AND sequence = -3',
        ],
      ],
    ])('%s, which is found', async (_case, entry, statements) => {
      const chain = await AuditChain.of(database, 9);
      expect(await chain.broken()).toBeNull();
      await chain.tamper(...statements(chain));
      expect(await chain.broken()).toMatchObject({ entry });
      expect(await verify()).toMatchObject({ broken: { organizationId: chain.tenantId, entry } });
    });

    it('an end that was replaced by one more of another number is found', async () => {
      const chain = await AuditChain.of(database, 7);
      await chain.duplicate(2);
      await chain.tamper(
        `DELETE FROM audit_events WHERE id = ${chain.eventOf(7)}`,
        'DELETE FROM audit_entries WHERE tenant_id = $T AND sequence = 7',
      );
      expect(await verify()).toMatchObject({ broken: { entry: 3 } });
    });

    it('an event that is in no chain is found, and one that waits is none', async () => {
      const chain = await AuditChain.of(database, 7);
      await chain.record(1);
      expect(await verify()).toMatchObject({ broken: null, waiting: 1 });
      const id = newId();
      await chain.tamper(
        `INSERT INTO audit_events (id, tenant_id, account_id, action, xid) VALUES ('${id}', $T, 'x', 'test.noted', '3')`,
      );
      expect(await verify()).toMatchObject({ broken: { reason: `The event ${id} is in no chain.` } });
    });

    it.each([
      ['behind the end', '$T, 4'],
      ['before the start', '$T, 0'],
      ['in a chain that does not exist', "'none', 1"],
    ])('an event that was inserted with an entry %s is found', async (_, place) => {
      const chain = await AuditChain.of(database, 3);
      const id = newId();
      await chain.tamper(
        `INSERT INTO audit_events (id, tenant_id, account_id, action, xid) VALUES ('${id}', $T, 'x', 'test.noted', '3')`,
        `INSERT INTO audit_entries (tenant_id, sequence, event_id, hash) VALUES (${place}, '${id}', sha256('x'))`,
      );
      const broken = { entry: null, reason: `The event ${id} is in no chain.` };
      expect(await chain.broken()).toMatchObject(broken);
      expect((await verify()).broken).toMatchObject(broken);
      await chain.tamper(
        `DELETE FROM audit_entries WHERE event_id = '${id}'`,
        `DELETE FROM audit_events WHERE id = '${id}'`,
      );
    });

    it('a chain whose end was removed is found', async () => {
      const chain = await AuditChain.of(database, 3);
      const [end] = await database.sql(
        "SELECT encode(hash, 'hex') AS hash FROM audit_chains WHERE tenant_id = $1",
        [chain.tenantId],
      );
      await chain.tamper(
        'DELETE FROM audit_chains WHERE tenant_id = $T',
        `UPDATE audit_events SET ticket = 'x' WHERE id = ${chain.eventOf(2)}`,
      );
      const broken = { organizationId: chain.tenantId, reason: expect.stringContaining('is in no chain') };
      expect((await chain.verify()).broken).toMatchObject(broken);
      expect((await verify()).broken).toMatchObject(broken);
      await chain.tamper(
        `UPDATE audit_events SET ticket = 'Support 1' WHERE id = ${chain.eventOf(2)}`,
        `INSERT INTO audit_chains (tenant_id, last, hash) VALUES ($T, 3, decode('${end?.['hash']}', 'hex'))`,
      );
      expect(await chain.broken()).toBeNull();
    });

    it('chains that two organizations have exchanged are found', async () => {
      const [chain, other] = [await AuditChain.of(database, 3), await AuditChain.of(database, 3)];
      const exchange = ['audit_entries', 'audit_chains'].flatMap((table) => [
        `UPDATE ${table} SET tenant_id = 'x' WHERE tenant_id = $T`,
        `UPDATE ${table} SET tenant_id = $T WHERE tenant_id = '${other.tenantId}'`,
        `UPDATE ${table} SET tenant_id = '${other.tenantId}' WHERE tenant_id = 'x'`,
      ]);
      await chain.tamper(...exchange);
      const reason = expect.stringContaining('is in no chain');
      expect((await chain.verify()).broken).toMatchObject({ organizationId: chain.tenantId, reason });
      expect((await verify()).broken).toMatchObject({ reason });
      await chain.tamper(...exchange);
      expect(await chain.broken()).toBeNull();
    });

    /** Anchors a chain of three events, and removes all of it and what the statements remove. */
    async function anchoredAndRemoved(...others: readonly string[]) {
      const chain = await AuditChain.of(database, 3);
      await database.app.get(AnchorService, { strict: false }).anchor();
      const rows = await database.sql<{ jws: string }>('SELECT jws FROM audit_anchors');
      const tables = ['audit_events', 'audit_entries', 'audit_anchors', 'audit_chains'];
      await chain.tamper(...tables.map((table) => `DELETE FROM ${table} WHERE tenant_id = $T`), ...others);
      return { chain, copies: rows.map(({ jws }) => jws) };
    }

    it('a chain that was removed with all its events is found by a copy of its anchor', async () => {
      const { chain, copies } = await anchoredAndRemoved();
      const broken = {
        organizationId: chain.tenantId,
        entry: 3,
        reason: 'The entry is missing: an anchor has it.',
      };
      expect((await chain.verify(...copies)).broken).toEqual(broken);
      const verification = database.app.get(VerificationService, { strict: false });
      expect((await verification.verify({ copies }, () => undefined)).broken).toEqual(broken);
    });

    it('a chain that was removed with its organization is not missed', async () => {
      const { chain, copies } = await anchoredAndRemoved('DELETE FROM tenants WHERE id = $T');
      expect((await chain.verify(...copies)).broken).toBeNull();
    });

    it('an event that is in no chain is found also behind one of another organization', async () => {
      const [other, chain] = [await AuditChain.of(database, 1), await AuditChain.of(database, 1)];
      for (const { tenantId } of [other, chain])
        await chain.tamper(
          `INSERT INTO audit_events (id, tenant_id, account_id, action, xid) VALUES ('${newId()}', '${tenantId}', 'x', 'test.noted', '3')`,
        );
      for (const one of [other, chain])
        expect(await one.broken()).toMatchObject({ organizationId: one.tenantId, entry: null });
    });

    it('a copy of an anchor that is forged, or of another hash, is found', async () => {
      const chain = await AuditChain.of(database, 4);
      await database.app.get(AnchorService, { strict: false }).anchor();
      const [{ jws } = { jws: '' }] = await database.sql<{ jws: string }>('SELECT jws FROM audit_anchors');
      const verifyWith = (copy: string) =>
        database.app.get(VerificationService, { strict: false }).verify({ copies: [copy] }, () => undefined);
      expect((await verifyWith(jws)).broken).toBeNull();
      expect((await verifyWith(`${jws}x`)).broken).toMatchObject({ entry: null });
      await chain.tamper('DELETE FROM audit_anchors');
      await chain.computeAgain();
      expect((await verifyWith(jws)).broken).toBeNull();
      await chain.tamper(`UPDATE audit_events SET ticket = 'x' WHERE id = ${chain.eventOf(2)}`);
      await chain.computeAgain();
      expect((await verify()).broken).toBeNull();
      expect((await verifyWith(jws)).broken).toMatchObject({
        entry: 4,
        reason: 'The anchor has another hash.',
      });
    });
  });

  it('catches up after a pause with more than a batch', async () => {
    const chain = await AuditChain.of(app, 1);
    await chain.record(2_500);
    await chain.grow();
    expect(await chain.length()).toBe(2_501);
    expect(await chain.broken()).toBeNull();
  });

  it('grows by one replica at a time', async () => {
    const other = await TestApp.start({ ROOT_SECRET, PORTAL: 'off', DATABASE_URL: app.databaseUrl });
    const chain = await AuditChain.of(app, 1);
    try {
      for (let round = 0; round < 10; round += 1) {
        await chain.record(30);
        await Promise.all([chainAll(app), chainAll(other)]);
      }
    } finally {
      await other.stop();
    }
    expect(await chain.length()).toBe(301);
    expect(await chain.broken()).toBeNull();
  });

  it('ends with its organization', async () => {
    const chain = await AuditChain.of(app, 3);
    await chain.record(1);
    await chain.tamper(
      'UPDATE tenants SET archived_at = now(), deletes_at = now(), deletion_requested_by = $T, deletion_started_at = now() WHERE id = $T',
    );
    await chainAll(app);
    expect(await chain.length()).toBe(3);
    expect(await chain.broken()).toBeNull();
  });

  it('has each event once in a database that was restored into a cluster with lower transaction ids', async () => {
    const chain = await AuditChain.of(app, 2);
    await chain.record(1);
    await chain.tamper(
      'UPDATE audit_events SET xid = (9000000000 + xid::text::bigint)::text::xid8 WHERE tenant_id = $T AND id NOT IN (SELECT event_id FROM audit_entries)',
      "UPDATE audit_cursors SET xid = '9000000000'",
    );
    await chain.record(1);
    expect((await chain.verify()).broken).toBeNull(); // it waits, as after a replay of erasures
    // Rows of the other cluster stay ahead of the transactions of this one.
    for (let round = 0; round < 5; round += 1) while (await chainer().append());
    expect(await chain.length()).toBe(4);
    expect(await chain.broken()).toBeNull();
  });
});
