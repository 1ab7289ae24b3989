import { Injectable } from '@nestjs/common';
import type { UserId } from '../../../kernel/index.js';
import { Database } from '../../../platform/database/index.js';
import { nameColumns } from '../person-name.js';
import { MAX_EXPORTED, PersonalData } from './personal-data.decorator.js';
import { ROLE_ENDS_OF_M, ROLE_KEYS_OF_M } from '../../organizations/members/member-sql.js';

/** What this module keeps about a person. */
@Injectable()
export class AccountDataRepository {
  constructor(private readonly database: Database) {}

  @PersonalData({
    part: 'account',
    description: 'Your account.',
    fields: {
      id: 'Number of the account.',
      email: 'Your address.',
      firstName: 'Your first name.',
      lastName: 'Your last name.',
      displayName: 'Your name as it is shown, if it is not first and last name.',
      company: 'Your company.',
      country: 'Your country.',
      marketingOptIn: 'Whether you agreed to marketing mails.',
      locale: 'Your language.',
      hasPassword: 'Whether you have a password. It is kept as a hash only.',
      createdAt: 'When the account was created.',
      suspendedAt: 'Since when it is suspended.',
      operatorRole: 'Your role as an operator of this service.',
      operatorScopes: 'Permissions to which that role is restricted.',
      operatorSince: 'Since when you are an operator.',
    },
    tables: ['accounts', 'operators', 'password_resets'],
  })
  account(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT a.id, a.email, ${nameColumns('a')}, a.company, a.country, a.marketing_opt_in AS "marketingOptIn", a.locale,
         a.password_hash IS NOT NULL AS "hasPassword", a.created_at AS "createdAt", a.suspended_at AS "suspendedAt",
         o.role AS "operatorRole", o.scopes AS "operatorScopes", o.created_at AS "operatorSince"
       FROM accounts a LEFT JOIN operators o ON o.account_id = a.id WHERE a.id = $1`,
      [userId],
    );
  }

  @PersonalData({
    part: 'addresses',
    description: 'Addresses that wait for your confirmation, and former ones that you can restore.',
    fields: { email: 'The address.', kind: '`new` or `former`.', expiresAt: 'When it is forgotten.' },
    tables: ['email_changes', 'email_undos'],
  })
  addresses(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT email, 'new' AS kind, expires_at AS "expiresAt" FROM email_changes WHERE account_id = $1
       UNION ALL SELECT email, 'former', expires_at FROM email_undos WHERE account_id = $1`,
      [userId],
    );
  }

  @PersonalData({
    part: 'memberships',
    description: 'Organizations of which you are a member.',
    fields: {
      tenantId: 'Number of the organization.',
      name: 'Its name.',
      roles: 'Your roles in it.',
      status: 'Whether your membership is active or suspended.',
      source: 'What made you a member: a person (`manual`), a connection or a directory.',
      joinedAt: 'When you became a member.',
      lastActiveAt: 'When you last worked in it.',
      until: 'When your membership ends.',
      roleEnds: 'When roles of yours end.',
    },
    tables: ['members', 'member_roles'],
  })
  memberships(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT m.tenant_id AS "tenantId", t.name, m.status, m.source, m.joined_at AS "joinedAt", m.last_active_at AS "lastActiveAt",
         m.until, ${ROLE_KEYS_OF_M} AS roles, ${ROLE_ENDS_OF_M} AS "roleEnds"
       FROM members m JOIN tenants t ON t.id = m.tenant_id WHERE m.user_id = $1 ORDER BY m.tenant_id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  @PersonalData({
    part: 'assignments',
    description: 'Your roles on single things of organizations.',
    fields: {
      tenantId: 'Number of the organization.',
      role: 'Your role on the thing.',
      thing: 'The thing.',
      until: 'When the role ends.',
      createdAt: 'When you got it.',
    },
    tables: ['role_assignments'],
  })
  assignments(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT a.tenant_id AS "tenantId", r.key AS role, a.thing, a.until, a.created_at AS "createdAt"
       FROM members m JOIN role_assignments a ON a.tenant_id = m.tenant_id AND a.user_id = m.user_id
         JOIN roles r ON r.tenant_id = a.tenant_id AND r.id = a.role_id
       WHERE m.user_id = $1 ORDER BY a.tenant_id, a.id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  @PersonalData({
    part: 'access-requests',
    description: 'Your requests for access in organizations.',
    fields: {
      tenantId: 'Number of the organization.',
      role: 'The role.',
      thing: 'The thing; null for the whole organization.',
      hours: 'For how many hours.',
      reason: 'Your reason.',
      status: 'What became of it.',
      createdAt: 'When you asked.',
      until: 'When the access ends.',
    },
    tables: ['access_requests'],
  })
  accessRequests(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT q.tenant_id AS "tenantId", r.key AS role, q.thing, q.hours, q.reason, q.status, q.created_at AS "createdAt", q.until
       FROM members m JOIN access_requests q ON q.tenant_id = m.tenant_id AND q.user_id = m.user_id
         JOIN roles r ON r.tenant_id = q.tenant_id AND r.id = q.role_id
       WHERE m.user_id = $1 ORDER BY q.tenant_id, q.id LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  @PersonalData({
    part: 'events',
    description: 'The audit trail of your account: what you did, and what was done to it. The newest 10,000.',
    fields: {
      id: 'Number of the event.',
      action: 'What happened.',
      tenantId: 'The organization in which it happened.',
      subject: 'What it happened to.',
      createdAt: 'When it happened.',
      details:
        'For failed sign-ins: how many there were, when, and a keyed hash of the network. For what a role on a thing allowed: the role and the thing.',
    },
    tables: ['audit_events', 'audit_details'],
  })
  events(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT e.id, e.action, e.tenant_id AS "tenantId", e.subject, e.created_at AS "createdAt",
         (SELECT d.details FROM audit_details d WHERE d.event_id = e.id) AS details
       FROM audit_events e WHERE e.account_id = $1 ORDER BY e.id DESC LIMIT ${MAX_EXPORTED}`,
      [userId],
    );
  }

  @PersonalData({
    part: 'exports',
    description: 'Exports like this one that you asked for.',
    fields: { createdAt: 'When you asked for it.', expiresAt: 'When it is deleted.' },
    tables: ['account_exports'],
  })
  exports(userId: UserId): Promise<object[]> {
    return this.database.rows(
      'SELECT created_at AS "createdAt", expires_at AS "expiresAt" FROM account_exports WHERE account_id = $1 ORDER BY id',
      [userId],
    );
  }
}
