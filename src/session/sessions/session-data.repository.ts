import { Injectable } from '@nestjs/common';
import { MAX_EXPORTED, PersonalData } from '../../iam/index.js';
import type { UserId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';

/** What this module keeps about a person. */
@Injectable()
export class SessionDataRepository {
  constructor(private readonly database: Database) {}

  @PersonalData({
    part: 'sessions',
    description: 'Sign-ins of your account in browsers and apps.',
    fields: {
      id: 'Number of the session.',
      createdAt: 'When you signed in.',
      endedAt: 'When it ended.',
      expiresAt: 'When it ends at the latest.',
      userAgent: 'The browser or app, as it names itself.',
      ipAddress: 'The address from which you signed in.',
      amr: 'How you signed in (RFC 8176).',
      clients: 'Sites and apps that share the session, with the organization and the last use.',
    },
    tables: ['sessions', 'grants', 'session_evidence', 'upstream_sessions'],
  })
  sessions(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT s.id, s.created_at AS "createdAt", s.ended_at AS "endedAt", s.expires_at AS "expiresAt",
         s.user_agent AS "userAgent", s.ip_address AS "ipAddress", s.amr,
         (SELECT coalesce(json_agg(json_build_object('clientId', g.client_id, 'tenantId', g.tenant_id, 'lastUsedAt', g.last_used_at)), '[]')
          FROM grants g WHERE g.session_id = s.id) AS clients
       FROM sessions s WHERE s.account_id = $1 ORDER BY s.id DESC LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  @PersonalData({
    part: 'impersonations',
    description: 'Sessions in which support acted as you.',
    fields: {
      tenantId: 'The organization in which it did.',
      reason: 'Why.',
      ticket: 'Number of the case at support.',
      startedAt: 'When it began.',
      endedAt: 'When it ended.',
      expiresAt: 'When it would have ended at the latest.',
    },
    tables: ['impersonations'],
  })
  impersonations(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT tenant_id AS "tenantId", reason, ticket, created_at AS "startedAt", ended_at AS "endedAt", expires_at AS "expiresAt"
       FROM impersonations WHERE account_id = $1 ORDER BY id DESC LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  @PersonalData({
    part: 'networks',
    description: 'Networks from which you have signed in, as keyed hashes that do not tell the address.',
    fields: { network: 'The hash.', expiresAt: 'When it is forgotten.' },
    tables: ['known_networks'],
  })
  networks(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT encode(network_key, 'hex') AS network, expires_at AS "expiresAt" FROM known_networks WHERE account_id = $1`,
      [userId],
    );
  }
}
