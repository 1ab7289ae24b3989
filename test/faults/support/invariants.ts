type Sql = <T>(text: string, parameters?: readonly unknown[]) => Promise<T[]>;

/** Queries for states that no fault may leave: each finds operations done by half. */
const HALF_DONE: Readonly<Record<string, string>> = {
  'a session of an erased account':
    'SELECT s.id FROM sessions s JOIN accounts a ON a.id = s.account_id WHERE a.erased_at IS NOT NULL',
  'a session without a grant':
    'SELECT s.id FROM sessions s WHERE NOT EXISTS (SELECT 1 FROM grants g WHERE g.session_id = s.id)',
  'a living grant of an ended session':
    'SELECT g.id FROM grants g JOIN sessions s ON s.id = g.session_id WHERE s.ended_at IS NOT NULL AND g.ended_at IS NULL',
  'a session without an audit event':
    "SELECT s.id FROM sessions s WHERE NOT EXISTS (SELECT 1 FROM audit_events e WHERE e.action = 'session.started' AND e.subject = 'iam/sessions/' || s.id)",
  'an end of a session without an audit event':
    "SELECT s.id FROM sessions s WHERE s.ended_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audit_events e WHERE e.action IN ('session.ended', 'session.refresh-token-reused', 'session.satellite-code-reused') AND e.subject = 'iam/sessions/' || s.id)",
  'an account without an audit event':
    "SELECT a.id FROM accounts a WHERE NOT EXISTS (SELECT 1 FROM audit_events e WHERE e.account_id = a.id AND e.action LIKE '%created')",
  'an account whose address still waits to be verified':
    'SELECT p.email_key FROM pending_registrations p JOIN accounts a ON a.email_key = p.email_key WHERE p.created_at < a.created_at',
  'a tenant without an owner': `SELECT t.id FROM tenants t WHERE t.archived_at IS NULL AND NOT EXISTS (SELECT 1 FROM member_roles m
     JOIN roles r ON r.tenant_id = m.tenant_id AND r.id = m.role_id WHERE m.tenant_id = t.id AND r.key = 'owner')`,
  'a tenant without its three roles':
    'SELECT t.id FROM tenants t WHERE (SELECT count(*) FROM roles r WHERE r.tenant_id = t.id AND r.built_in) <> 3',
  'a member without a role':
    'SELECT m.user_id FROM members m WHERE NOT EXISTS (SELECT 1 FROM member_roles r WHERE r.tenant_id = m.tenant_id AND r.user_id = m.user_id)',
  'an accepted invitation without its member': `SELECT i.id FROM invitations i JOIN accounts a ON a.email_key = i.email_key
     WHERE i.accepted_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM members m WHERE m.tenant_id = i.tenant_id AND m.user_id = a.id)
       AND NOT EXISTS (SELECT 1 FROM audit_events e WHERE e.tenant_id = i.tenant_id AND e.subject = 'iam/members/' || a.id)`,
  'a grant that works in a tenant it has left': `SELECT g.id FROM grants g WHERE g.tenant_id IS NOT NULL AND g.ended_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM members m WHERE m.tenant_id = g.tenant_id AND m.user_id = g.account_id)`,
};

/** Queries for pending work, which must become empty when requests stop. */
const UNFINISHED: Readonly<Record<string, string>> = {
  'a mail that was not sent': 'SELECT id FROM outgoing_mails WHERE sealed IS NOT NULL AND expires_at > now()',
  'a job that is due':
    'SELECT id::text FROM graphile_worker.jobs WHERE run_at < now() AND attempts < max_attempts',
  'a job that failed finally': 'SELECT id::text FROM graphile_worker.jobs WHERE attempts >= max_attempts',
};

/** Lists everything done by half, one line each. */
export function halfDone(sql: Sql): Promise<string[]> {
  return findings(sql, HALF_DONE);
}

/** Lists all pending work, one line each. */
export function unfinished(sql: Sql): Promise<string[]> {
  return findings(sql, UNFINISHED);
}

async function findings(sql: Sql, queries: Readonly<Record<string, string>>): Promise<string[]> {
  const found: string[] = [];
  for (const [what, query] of Object.entries(queries)) {
    const rows = await sql<Record<string, unknown>>(`${query} LIMIT 5`);
    found.push(...rows.map((row) => `${what}: ${Object.values(row)[0]}`));
  }
  return found;
}
