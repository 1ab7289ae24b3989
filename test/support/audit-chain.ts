import type { Type } from '@nestjs/common';
import { AnchorKeys } from '../../src/audit/anchors/anchor-keys.js';
import { firstIdAt, newId, type TenantId, type UserId } from '../../src/kernel/index.js';
import { ChainRepository } from '../../src/audit/chain/chain.repository.js';
import { Chainer } from '../../src/audit/chain/chainer.js';
import { hashOfEntry, NO_HASH, RECORD } from '../../src/audit/chain/entry-hash.js';
import { TrailSweep } from '../../src/audit/verification/trail-sweep.js';
import { VerificationRepository } from '../../src/audit/verification/verification.repository.js';
import {
  type Broken,
  type Verified,
  VerificationService,
} from '../../src/audit/verification/verification.service.js';
import { eventually, type TestApp } from './test-app.js';

/** Reasons for which all entries of a chain may be right. */
const OF_ANCHORS = /anchor|in no chain/i;

/** The chain of the audit trail of a new organization. */
export class AuditChain {
  private constructor(
    readonly app: TestApp,
    readonly tenantId: TenantId,
  ) {}

  /** Returns a chain with this number of entries. */
  static async of(app: TestApp, length: number): Promise<AuditChain> {
    const chain = new AuditChain(app, newId() as TenantId);
    await app.sql("INSERT INTO tenants (id, name) VALUES ($1, 'Chained')", [chain.tenantId]);
    await chain.record(length);
    await chain.grow();
    return chain;
  }

  /** Returns the chain of an organization that exists. */
  static existing(app: TestApp, id: string): AuditChain {
    return new AuditChain(app, id as TenantId);
  }

  /** Records events that are not chained yet. @param at time of the events, by their ids too */
  async record(count: number, details: object | null = null, at?: Date): Promise<UserId> {
    const actorId = newId() as UserId;
    const time = at && firstIdAt(at.getTime()).slice(0, 10);
    const ids = Array.from({ length: count }, () => (time ?? newId().slice(0, 10)) + newId().slice(10));
    await this.app.sql(
      `WITH detail AS (INSERT INTO audit_details (event_id, account_id, details) SELECT id, $3, $4::jsonb FROM unnest($2::text[]) AS id WHERE $4 IS NOT NULL)
       INSERT INTO audit_events (id, tenant_id, account_id, action, subject, impersonator_id, ticket, created_at)
       SELECT id, $1, $3, 'test.noted', 'iam/tenants/' || $1, $3, 'Support 1', coalesce($5, now()) FROM unnest($2::text[]) AS id`,
      [this.tenantId, ids, actorId, details && JSON.stringify(details), at ?? null],
    );
    return actorId;
  }

  /** Appends what waits. */
  async grow(): Promise<void> {
    await chainAll(this.app);
  }

  /** Verifies it, and that the pass over all chains finds its entries right only if they are. */
  async broken(...copies: string[]): Promise<Broken | null> {
    const get = <T>(type: Type<T>): T => this.app.app.get(type, { strict: false });
    const isSwept = async (): Promise<boolean> => {
      const chain = await get(VerificationRepository).findChain(this.tenantId);
      const keys = await get(AnchorKeys).load();
      const { right } = await get(TrailSweep).sweep(chain ? [chain] : [], keys, () => undefined);
      return right.has(this.tenantId);
    };
    const { broken } = await this.verify(...copies);
    const isOfEntries = broken !== null && !OF_ANCHORS.test(broken.reason);
    if ((await isSwept()) === isOfEntries) throw new Error(`The pass does not find: ${broken?.reason}.`);
    return broken;
  }

  /** Verifies it only, with copies of its anchors. */
  verify(...copies: string[]): Promise<Verified> {
    const verification = this.app.app.get(VerificationService, { strict: false });
    return verification.verify({ only: this.tenantId, copies }, () => undefined);
  }

  /** Changes rows as an owner of the database can. `$T` is the organization. */
  async tamper(...statements: string[]): Promise<void> {
    const text = statements.map((sql) => sql.replaceAll('$T', `'${this.tenantId}'`)).join('; ');
    await this.app.sql(`BEGIN; SET LOCAL session_replication_role = replica; ${text}; COMMIT`);
  }

  /** Computes every hash from the rows as they are now, as an owner of the database can. */
  async computeAgain(): Promise<void> {
    const rows = await this.app.sql<{ sequence: number; record: string }>(
      `SELECT n.sequence::int AS sequence, ${RECORD} AS record FROM audit_entries n JOIN audit_events e ON e.id = n.event_id
       WHERE n.tenant_id = $1 ORDER BY n.sequence`,
      [this.tenantId],
    );
    let hash = NO_HASH;
    for (const { sequence, record } of rows) {
      hash = hashOfEntry(hash, { sequence, record, detailsHash: null });
      await this.tamper(
        `UPDATE audit_entries SET hash = decode('${hash}', 'hex') WHERE tenant_id = $T AND sequence = ${sequence}`,
        `UPDATE audit_chains SET hash = decode('${hash}', 'hex') WHERE tenant_id = $T`,
      );
    }
  }

  /** Adds an event whose entry has the number of another one, and a hash that fits there. */
  async duplicate(sequence: number): Promise<void> {
    const id = `zz-${this.tenantId}`;
    await this.tamper(
      `INSERT INTO audit_events (id, tenant_id, account_id, action, xid) VALUES ('${id}', $T, 'x', 'test.noted', '3')`,
    );
    const [row] = await this.app.sql<{ record: string; before: string | null }>(
      `SELECT ${RECORD} AS record, (SELECT encode(hash, 'hex') FROM audit_entries WHERE tenant_id = $2 AND sequence = $3) AS before FROM audit_events e WHERE id = $1`,
      [id, this.tenantId, sequence - 1],
    );
    const link = { sequence, record: row?.record ?? '', detailsHash: null };
    const hash = hashOfEntry(row?.before ?? NO_HASH, link);
    await this.tamper(
      `INSERT INTO audit_entries (tenant_id, sequence, event_id, hash) VALUES ($T, ${sequence}, '${id}', decode('${hash}', 'hex'))`,
    );
  }

  /** Condition for the event of an entry. */
  eventOf(sequence: number): string {
    return `(SELECT event_id FROM audit_entries WHERE tenant_id = $T AND sequence = ${sequence})`;
  }

  async length(): Promise<number> {
    const rows = await this.app.sql('SELECT 1 FROM audit_entries WHERE tenant_id = $1', [this.tenantId]);
    return rows.length;
  }
}

/** Appends what waits to all chains. */
export async function chainAll({ app }: TestApp): Promise<void> {
  const [chainer, repository] = [
    app.get(Chainer, { strict: false }),
    app.get(ChainRepository, { strict: false }),
  ];
  await eventually('all events are chained', async () => {
    while (await chainer.append());
    return !(await repository.hasWaiting());
  });
}
