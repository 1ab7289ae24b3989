import { Injectable } from '@nestjs/common';
import { PersonalData } from '../iam/index.js';
import type { UserId } from '../kernel/index.js';
import { Database } from '../platform/database/index.js';

/** What this module keeps about a person. */
@Injectable()
export class FrontlineDataRepository {
  constructor(private readonly database: Database) {}

  @PersonalData({
    part: 'workplaces',
    description: 'Your numbers in organizations, by which you sign in at shared stations.',
    fields: {
      tenantId: 'The organization.',
      number: 'Your number in it.',
      until: 'When your sign-ins at stations end.',
      hasPin: 'Whether you have a PIN. It is kept as a hash only.',
      badgeExpiresAt: 'When your badge ends. It is kept as a hash only.',
      lastSignInAt: 'When you last signed in at a station.',
      createdAt: 'When you got the number.',
      stations: 'Stations where you were the last to sign in.',
    },
    tables: ['workers', 'stations'],
  })
  workplaces(userId: UserId): Promise<object[]> {
    return this.database.rows(
      `SELECT w.tenant_id AS "tenantId", w.number, w.until, w.pin_hash IS NOT NULL AS "hasPin",
         w.badge_expires_at AS "badgeExpiresAt", w.last_sign_in_at AS "lastSignInAt", w.created_at AS "createdAt",
         ARRAY(SELECT s.name FROM stations s WHERE s.tenant_id = w.tenant_id AND s.user_id = w.user_id ORDER BY s.id) AS stations
       FROM members m JOIN workers w ON w.tenant_id = m.tenant_id AND w.user_id = m.user_id WHERE m.user_id = $1 ORDER BY w.tenant_id`,
      [userId],
    );
  }
}
