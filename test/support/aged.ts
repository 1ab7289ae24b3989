import { ulid } from 'ulid';
import type { Person } from './organization.js';
import type { ServiceClient } from './test-app.js';

/** Database rows of sessions and tokens whose sign-in is this long ago. */
export async function signedInAgo(
  service: ServiceClient,
  { sessionId, refreshToken }: Pick<Person, 'sessionId' | 'refreshToken'>,
  seconds = 660,
): Promise<{ readonly accessToken: string; readonly refreshToken: string }> {
  await service.sql(
    `UPDATE sessions SET created_at = created_at - make_interval(secs => $2), confirmed_at = confirmed_at - make_interval(secs => $2),
       aal2_at = aal2_at - make_interval(secs => $2), phr_at = phr_at - make_interval(secs => $2) WHERE id = $1`,
    [sessionId, seconds],
  );
  const { status, body } = await service.post('refresh', { refreshToken });
  if (status !== 200) throw new Error(`The refresh answered ${status}.`);
  return body as unknown as { accessToken: string; refreshToken: string };
}

/**
 * Gives a session an id of this long ago, as if it had begun then, in all rows that name it.
 * @returns tokens of the session
 */
export async function beganAgo(
  service: ServiceClient,
  { sessionId, refreshToken }: Pick<Person, 'sessionId' | 'refreshToken'>,
  seconds: number,
): Promise<{ readonly accessToken: string; readonly refreshToken: string }> {
  await service.sql(
    `WITH s AS (UPDATE sessions SET id = $2 WHERE id = $1), g AS (UPDATE grants SET session_id = $2 WHERE session_id = $1)
     UPDATE session_evidence SET session_id = $2 WHERE session_id = $1`,
    [sessionId, ulid(Date.now() - seconds * 1_000)],
  );
  const { status, body } = await service.post('refresh', { refreshToken });
  if (status !== 200) throw new Error(`The refresh answered ${status}.`);
  return body as unknown as { accessToken: string; refreshToken: string };
}

/** Returns the claims of an access token. */
export function claimsOf(accessToken: unknown): Record<string, unknown> {
  const [, payload = ''] = String(accessToken).split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
}
