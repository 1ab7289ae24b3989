import type { TestApp } from './test-app.js';

/** Values of what is counted, each with its usual number in an hour. */
const USUAL: readonly (readonly [name: string, value: string, usual: number])[] = [
  ['sign-up', 'account', 3],
  ['sign-in', 'password', 14],
  ['sign-in', 'passkey', 9],
  ['sign-in', 'connection', 22],
  ['sign-in', 'email_code', 3],
  ['sign-in-refused', 'invalid-credentials', 5],
  ['sign-in-refused', 'invalid-second-factor', 2],
  ['sign-in-refused', 'not_provisioned', 1],
  ['second-factor', 'totp', 8],
  ['second-factor', 'passkey', 6],
  ['second-factor', 'refused', 1],
  ['factor', 'totp-added', 2],
  ['factor', 'passkey-added', 3],
  ['factor', 'totp-removed', 1],
  ['member', 'joined', 0.8],
  ['member', 'left', 0.55],
  ['mail', 'sent', 40],
  ['mail', 'deferred', 4],
  ['mail', 'refused', 0.2],
  ['job', 'done', 60],
  ['job', 'failed', 1],
  ['delivery', 'delivered', 80],
  ['delivery', 'refused', 5],
  ['delivery', 'unreachable', 2],
  ['scim', 'done', 30],
  ['scim', 'refused', 2],
  ['logout-token', 'sent', 12],
  ['logout-token', 'postponed', 1],
];

/**
 * Adds counts of the last thirty days: more by day than by night, fewer at weekends.
 * @param tenantId the empty text for the platform
 */
export async function seedHistory(app: Pick<TestApp, 'sql'>, tenantId: string): Promise<void> {
  await app.sql(
    `INSERT INTO activity_counts AS c (tenant_id, span, name, starts_at, source, value, count)
     SELECT $1, s.span, u.name, date_trunc(s.span, h.at, 'UTC'), '', u.value, sum(round(u.usual
         * (0.15 + greatest(0, sin(pi() * (extract(hour FROM h.at)::float8 - 5) / 14)))
         * CASE WHEN extract(isodow FROM h.at) > 5 THEN 0.3 ELSE 1 END
         * (0.6 + 0.8 * abs(hashtext(u.value || h.at::text) % 1000) / 1000.0))::bigint)
     FROM unnest($2::text[], $3::text[], $4::float8[]) AS u (name, value, usual)
       CROSS JOIN generate_series(date_trunc('hour', now()) - interval '29 days', date_trunc('hour', now()), interval '1 hour') AS h (at)
       CROSS JOIN (VALUES ('hour'), ('day')) AS s (span)
     GROUP BY 1, 2, 3, 4, 5, 6
     ON CONFLICT (tenant_id, span, name, starts_at, source, value) DO UPDATE SET count = c.count + excluded.count`,
    [
      tenantId,
      USUAL.map(([name]) => name),
      USUAL.map(([, value]) => value),
      USUAL.map(([, , usual]) => usual),
    ],
  );
}
