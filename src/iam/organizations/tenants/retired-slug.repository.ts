import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '../../../kernel/index.js';
import { RemovesExpired } from '../../../platform/cleanup/index.js';
import { KeyDerivation, keyedHash, keyedHashes } from '../../../platform/crypto/index.js';
import { Database } from '../../../platform/database/index.js';

/**
 * Days for which the slugs of a deleted organization stay reserved: bookmarks and links in mails of
 * its former members lead to the sign-in of the organization that has the slug.
 */
const RESERVED_DAYS = 730;
/**
 * Days for which an organization must have existed: an earlier one has few bookmarks, and could
 * otherwise be created and deleted to take names away from others.
 */
const MIN_AGE_DAYS = 30;

/** Slugs of organizations that are gone, current and former ones, by keyed hash. */
@Injectable()
@RemovesExpired({ table: 'retired_slugs', key: 'slug_key', when: 'expires_at < now()' })
export class RetiredSlugRepository {
  constructor(
    private readonly database: Database,
    @Inject(KeyDerivation) private readonly keys: KeyDerivation,
  ) {}

  /**
   * Reserves the slugs of organizations that have existed for {@link MIN_AGE_DAYS}, in the
   * transaction that removes them: a transaction that waits for one of them sees the reservation.
   */
  async retire(ids: readonly TenantId[]): Promise<void> {
    const slugs = await this.database.values<string | null>(
      `SELECT DISTINCT unnest(former_slugs || slug) FROM tenants
       WHERE id = ANY($1) AND created_at < now() - make_interval(days => $2)`,
      [ids, MIN_AGE_DAYS],
    );
    const hashes = slugs.flatMap((slug) => (slug === null ? [] : keyedHash(this.keys, 'retired-slug', slug)));
    if (hashes.length === 0) return;
    await this.database.rows(
      `INSERT INTO retired_slugs (slug_key, expires_at)
       SELECT slug_key, now() + make_interval(days => $2) FROM unnest($1::bytea[]) AS slug_key ORDER BY slug_key
       ON CONFLICT (slug_key) DO UPDATE SET expires_at = excluded.expires_at`,
      [hashes, RESERVED_DAYS],
    );
  }

  async isRetired(slug: string): Promise<boolean> {
    const hashes = keyedHashes(this.keys, 'retired-slug', slug);
    const sql = 'SELECT 1 FROM retired_slugs WHERE slug_key = ANY($1) AND expires_at > now() LIMIT 1';
    return (await this.database.row(sql, [hashes])) !== null;
  }
}
