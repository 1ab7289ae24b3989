import { Injectable } from '@nestjs/common';
import { newId, type TenantId, type UserId } from '../../kernel/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import { Database, TenantDatabase } from '../../platform/database/index.js';
import type { Message } from '../../platform/messages/index.js';
import type { Attributes } from '../rules/rule-match.js';
import { TestEntity } from './test.entity.js';

/** Minutes in which a test has to be finished. */
const WAITING_MINUTES = 15;
/** Hours for which the result, with the attributes of the person, can be read. */
const RESULT_HOURS = 24;

/** One check of a test. */
export interface TestStep {
  /** Lower case, with hyphens: `signature`. */
  readonly name: string;
  readonly verdict: 'passed' | 'failed' | 'skipped';
  readonly detail: Message;
}

export interface TestResult {
  readonly steps: readonly TestStep[];
  /** As received, for the person to compare. */
  readonly attributes: Attributes;
  /** Keys of the roles that would follow. */
  readonly roles: readonly string[];
}

/** A test, and its result once it is finished. */
export interface ConnectionTest extends Pick<
  TestEntity,
  'id' | 'tenantId' | 'connectionId' | 'createdBy' | 'settingsVersion' | 'status'
> {
  readonly result: TestResult | null;
}

type Row = Omit<ConnectionTest, 'result'> & { readonly sealedResult: string | null };

const COLUMNS = `tenant_id AS "tenantId", id, connection_id AS "connectionId", created_by AS "createdBy",
  settings_version AS "settingsVersion", status, sealed_result AS "sealedResult"`;

/** Test sign-ins of connections. */
@Injectable()
export class ConnectionTestRepository {
  private readonly sealer: Sealer;

  constructor(
    private readonly database: Database,
    private readonly tenants: TenantDatabase,
    keys: KeyDerivation,
  ) {
    this.sealer = new Sealer(keys, 'connection-test');
  }

  /**
   * Begins a test of the settings of a version.
   * @param createdBy the person; null for a set-up link
   * @returns the id of the test
   */
  async begin(
    { tenantId, id, settingsVersion }: { tenantId: TenantId; id: string; settingsVersion: number },
    createdBy: UserId | null,
  ): Promise<string> {
    const testId = newId();
    await this.tenants.of(TestEntity).insert(tenantId, {
      id: testId,
      connectionId: id,
      createdBy,
      settingsVersion,
      expiresAt: new Date(Date.now() + WAITING_MINUTES * 60_000),
    });
    return testId;
  }

  /** Finds a test that has not expired, of any organization: the state of a flow names it. */
  async find(testId: string): Promise<ConnectionTest | null> {
    const row = await this.database.row<Row>(
      `SELECT ${COLUMNS} FROM connection_tests WHERE id = $1 AND expires_at > now()`,
      [testId],
    );
    return row && this.toTest(row);
  }

  /** Finds a test of a connection that has not expired. */
  async findOf(tenantId: TenantId, connectionId: string, testId: string): Promise<ConnectionTest | null> {
    const row = await this.tenants.row<Row>(
      tenantId,
      `SELECT ${COLUMNS} FROM connection_tests WHERE tenant_id = $1 AND connection_id = $2 AND id = $3 AND expires_at > now()`,
      [connectionId, testId],
    );
    return row && this.toTest(row);
  }

  /**
   * Finishes a waiting test. One that has passed lets the connection be activated, unless its
   * settings have changed since the test began.
   * @returns false if the test is finished already, or has expired
   */
  finish(
    { tenantId, id, connectionId }: Pick<ConnectionTest, 'tenantId' | 'id' | 'connectionId'>,
    passed: boolean,
    result: TestResult,
  ): Promise<boolean> {
    return this.database.transaction(async () => {
      const test = await this.tenants.row<{ version: number; createdBy: UserId | null }>(
        tenantId,
        `UPDATE connection_tests SET status = $3, sealed_result = $4, expires_at = now() + make_interval(hours => $5)
         WHERE tenant_id = $1 AND id = $2 AND status = 'waiting' AND expires_at > now()
         RETURNING settings_version AS version, created_by AS "createdBy"`,
        [id, passed ? 'passed' : 'failed', this.sealer.seal(JSON.stringify(result)), RESULT_HOURS],
      );
      if (!test) return false;
      if (passed)
        await this.tenants.rows(
          tenantId,
          `UPDATE connections SET tested_version = $3, tested_at = now(), tested_by = $4
           WHERE tenant_id = $1 AND id = $2 AND settings_version = $3`,
          [connectionId, test.version, test.createdBy],
        );
      return true;
    });
  }

  /** Returns whether a person has tested an active connection since a time, as it is set now. */
  async hasTestedActive(tenantId: TenantId, userId: UserId, since: Date): Promise<boolean> {
    const row = await this.tenants.row(
      tenantId,
      `SELECT 1 FROM connections WHERE tenant_id = $1 AND status = 'active' AND tested_version = settings_version
         AND tested_by = $2 AND tested_at > $3 LIMIT 1`,
      [userId, since],
    );
    return row !== null;
  }

  async deleteOfPerson(userId: UserId): Promise<void> {
    await this.database.rows('DELETE FROM connection_tests WHERE created_by = $1', [userId]);
  }

  private toTest({ sealedResult, ...test }: Row): ConnectionTest {
    const result = sealedResult === null ? null : (JSON.parse(this.sealer.open(sealedResult)) as TestResult);
    return { ...test, result };
  }
}
