import { Inject, Injectable } from '@nestjs/common';
import { KeyDerivation, keyedHash } from '../../platform/crypto/index.js';
import { Database } from '../../platform/database/index.js';
import { Tidies } from '../../platform/housekeeping/index.js';
import { networkOf } from '../../platform/http/index.js';
import { Metrics, type Count } from '../../platform/observability/index.js';

/** From this failure on, the next try has to wait. */
const FREE_FAILURES = 5;
const LONGEST_WAIT_SECONDS = 30;
/** Failures are forgotten after a quiet hour. */
const MEMORY_SECONDS = 3_600;

/**
 * Slows down guessing per account and source network, so that a stranger elsewhere cannot keep the owner out. Kept for addresses
 * without an account too, and in the database, so that replicas count together.
 */
@Injectable()
export class LoginThrottle {
  private readonly refusals: Count;

  constructor(
    private readonly database: Database,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
    metrics: Metrics,
  ) {
    this.refusals = metrics.counter({
      name: 'gatehouse_logins_throttled_total',
      help: 'Logins that were refused whatever the password, as too many failures had come before.',
      labels: {},
    });
  }

  /** Whether tries from here have to wait; then the caller refuses this one. */
  async isBlocked(emailKey: string, ipAddress: string): Promise<boolean> {
    const row = await this.database.row(
      'SELECT 1 FROM login_throttles WHERE account_key = $1 AND network_key = $2 AND blocked_until > now()',
      this.key(emailKey, ipAddress),
    );
    if (row !== null) this.refusals.inc({});
    return row !== null;
  }

  /** Counts a wrong password. A try that was refused for being too early does not count, else anyone nearby could extend the wait for ever. */
  async recordFailure(emailKey: string, ipAddress: string): Promise<void> {
    await this.database.rows(
      `INSERT INTO login_throttles AS t (account_key, network_key, failures, blocked_until, expires_at)
       VALUES ($1, $2, 1, now(), now() + make_interval(secs => $5))
       ON CONFLICT (account_key, network_key) DO UPDATE SET
         failures = CASE WHEN t.expires_at < now() THEN 1 ELSE t.failures + 1 END,
         blocked_until = CASE WHEN t.expires_at >= now() AND t.failures + 1 >= $3
           THEN now() + make_interval(secs => least($4, power(2, least(t.failures + 1 - $3, 10)))) ELSE now() END,
         expires_at = now() + make_interval(secs => $5)`,
      [...this.key(emailKey, ipAddress), FREE_FAILURES, LONGEST_WAIT_SECONDS, MEMORY_SECONDS],
    );
  }

  /** The right password ends the count. */
  async clear(emailKey: string, ipAddress: string): Promise<void> {
    await this.database.rows(
      'DELETE FROM login_throttles WHERE account_key = $1 AND network_key = $2',
      this.key(emailKey, ipAddress),
    );
  }

  /** Forgets an address from every network. */
  async forget(emailKey: string): Promise<void> {
    await this.database.rows('DELETE FROM login_throttles WHERE account_key = $1', [
      this.key(emailKey, '')[0],
    ]);
  }

  private key(emailKey: string, ipAddress: string): [Buffer, Buffer] {
    const short = (text: string) => keyedHash(this.keys, 'login-throttle', text).subarray(0, 16);
    return [short(`account:${emailKey}`), short(`network:${networkOf(ipAddress)}`)];
  }

  @Tidies()
  async tidy(): Promise<void> {
    await this.database.removeInBatches({
      table: 'login_throttles',
      key: 'account_key, network_key',
      when: 'expires_at < now()',
    });
  }
}
