import { Injectable } from '@nestjs/common';
import { PersonalData } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { RemovesExpired } from '../../platform/cleanup/index.js';
import { columnsOf, Database } from '../../platform/database/index.js';
import { OnLifecycle } from '../../platform/lifecycle/index.js';
import { OPERATOR_NAME_OF_A, requestCounts } from '../operator-sql.js';
import { ErasureRequestEntity } from './erasure-request.entity.js';

/** Time in which a second operator can confirm an erasure. */
const VALID = "interval '24 hours'";

/** An erasure that waits, with the name of the operator who asked for it. */
export interface ErasureRequest extends ErasureRequestEntity {
  readonly operatorName: string | null;
}

const COLUMNS = `${columnsOf(ErasureRequestEntity, 'r')},
  (SELECT ${OPERATOR_NAME_OF_A} FROM accounts a WHERE a.id = r.operator_id) AS "operatorName"`;

/** Condition of a request that counts. */
export const COUNTS = requestCounts('platform:person:erase');

/** Erasures that wait for a second operator. */
@Injectable()
@RemovesExpired({ table: 'erasure_requests', key: 'account_id', when: 'expires_at < now()' })
export class ErasureRequestRepository {
  constructor(private readonly database: Database) {}

  /** Finds the request of an account that counts. */
  find(userId: UserId): Promise<ErasureRequest | null> {
    return this.database.row<ErasureRequest>(
      `SELECT ${COLUMNS} FROM erasure_requests r WHERE r.account_id = $1 AND ${COUNTS}`,
      [userId],
    );
  }

  /** Inserts a request, in place of one that no longer counts. */
  insert(userId: UserId, operatorId: UserId): Promise<ErasureRequest> {
    return this.database.getRow<ErasureRequest>(
      `INSERT INTO erasure_requests AS r (account_id, operator_id, expires_at) VALUES ($1, $2, now() + ${VALID})
       ON CONFLICT (account_id) DO UPDATE
       SET operator_id = excluded.operator_id, created_at = now(), expires_at = excluded.expires_at
       RETURNING ${COLUMNS}`,
      [userId, operatorId],
    );
  }

  @OnLifecycle('account.erased')
  async remove({ userId }: { readonly userId: UserId }): Promise<void> {
    await this.database.repository(ErasureRequestEntity).delete({ userId });
  }

  @PersonalData({
    part: 'erasureRequests',
    description: 'Requests of operators to erase your account.',
    fields: { createdAt: 'When it was asked for.', expiresAt: 'Until when it can be confirmed.' },
    tables: ['erasure_requests'],
  })
  requests(userId: UserId): Promise<object[]> {
    return this.database.rows(
      'SELECT created_at AS "createdAt", expires_at AS "expiresAt" FROM erasure_requests WHERE account_id = $1',
      [userId],
    );
  }
}
