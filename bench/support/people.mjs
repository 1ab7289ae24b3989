/** Returns a predictable id: a letter for the type, and a number. */
export function idOf(kind, n) {
  return `01BENCH${kind}${String(n).padStart(18, '0')}`;
}

/** Returns the SQL expression of such an id. */
export const sqlId = (kind, n) => `'01BENCH${kind}' || lpad((${n})::text, 18, '0')`;

/** Number of people per organization. */
export const TENANT_SIZE = 10;

export const tenantOf = (n) => idOf('T', Math.floor(n / TENANT_SIZE));

/**
 * Fills a migrated database with people, numbered from 0, in organizations of ten: the first is
 * owner, the others are admins. Session `s`, and
 * its one grant, belong to person `s % people`.
 * @param query runs a statement
 * @param passwordHash hash of the password of all people
 */
export async function populate(query, { people, sessions = people, passwordHash = null }) {
  const ofPeople = `generate_series(0, ${people - 1}) n`;
  const ofSessions = `generate_series(0, ${sessions - 1}) n`;
  await query("SET session_replication_role = 'replica'"); // every reference is right: looking each up would take most of the time
  const tenant = sqlId('T', `n / ${TENANT_SIZE}`);
  await query(
    `INSERT INTO accounts (id, email, email_key, password_hash, first_name)
     SELECT ${sqlId('A', 'n')}, 'p' || n || '@bench.example', 'p' || n || '@bench.example', $1, 'Ada' FROM ${ofPeople}`,
    [passwordHash],
  );
  const tenants = `generate_series(0, ${Math.ceil(people / TENANT_SIZE) - 1}) n`;
  await query(
    `INSERT INTO tenants (id, name) SELECT ${sqlId('T', 'n')}, 'Organization ' || n FROM ${tenants}`,
  );
  for (const [kind, key] of [
    ['P', 'owner'],
    ['Q', 'admin'],
  ]) {
    await query(
      `INSERT INTO roles (tenant_id, id, key, name, scopes, built_in)
       SELECT ${sqlId('T', 'n')}, ${sqlId(kind, 'n')}, '${key}', '${key}', '{}', true FROM ${tenants}`,
    );
  }
  await query(
    `INSERT INTO members (tenant_id, user_id) SELECT ${tenant}, ${sqlId('A', 'n')} FROM ${ofPeople}`,
  );
  await query(
    `INSERT INTO member_roles (tenant_id, user_id, role_id)
     SELECT ${tenant}, ${sqlId('A', 'n')},
       CASE WHEN n % ${TENANT_SIZE} = 0 THEN ${sqlId('P', `n / ${TENANT_SIZE}`)} ELSE ${sqlId('Q', `n / ${TENANT_SIZE}`)} END FROM ${ofPeople}`,
  );
  await query(
    `INSERT INTO sessions (id, account_id, amr, ip_address, user_agent, expires_at)
     SELECT ${sqlId('S', 'n')}, ${sqlId('A', `n % ${people}`)}, '{pwd}', '192.0.2.1', 'bench', now() + interval '90 days' FROM ${ofSessions}`,
  );
  await query(
    `INSERT INTO grants (id, session_id, account_id, client_id, idle_expires_at)
     SELECT ${sqlId('G', 'n')}, ${sqlId('S', 'n')}, ${sqlId('A', `n % ${people}`)}, 'gatehouse', now() + interval '30 days' FROM ${ofSessions}`,
  );
  await query("SET session_replication_role = 'origin'");
  await query('VACUUM ANALYZE');
  await query('CHECKPOINT');
}
