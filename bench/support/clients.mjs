import { createHash } from 'node:crypto';

export const CLIENT_ID = 'bench';
export const CLIENT_SECRET = 'ghs_bench';
export const REDIRECT_URI = 'https://bench.example/callback';
export const CODE_VERIFIER = 'v'.repeat(43);
export const CODE_CHALLENGE = digestOf(CODE_VERIFIER).toString('base64url');

function digestOf(text) {
  return createHash('sha256').update(text).digest();
}

/** Satellite of all measured requests. */
export async function addSatellite(query) {
  await query(
    `INSERT INTO satellites (id, client_id, name, redirect_uris, secret_hash) VALUES ('01BENCHC000000000000000000', $1, 'Bench', ARRAY[$2], $3)`,
    [CLIENT_ID, REDIRECT_URI, digestOf(CLIENT_SECRET)],
  );
}

export const codeOf = (n) => `code-${n}`;

/** Creates codes of people's sessions that are valid for the whole measurement. */
export async function addCodes(query, first, count, people) {
  await query(
    `INSERT INTO one_time_codes (code_hash, purpose, client_id, session_id, account_id, redirect_uri, code_challenge, grant_id, expires_at)
     SELECT sha256(('code-' || n)::bytea), 'satellite', $1, s.id, s.account_id, $2, $3, '01' || upper(substr(md5(random()::text), 1, 24)), now() + interval '1 day'
     FROM generate_series($4::int, $5::int) n JOIN sessions s ON s.id = '01BENCHS' || lpad((n % $6::int)::text, 18, '0')`,
    [CLIENT_ID, REDIRECT_URI, CODE_CHALLENGE, first, first + count - 1, people],
  );
}
