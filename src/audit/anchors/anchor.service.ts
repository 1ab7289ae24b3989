import { Inject, Injectable } from '@nestjs/common';
import type { TenantId } from '../../kernel/index.js';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { PLATFORM } from '../../platform/events/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { signJwt } from '../../session/index.js';
import { ANCHOR_TYPE, type AnchorClaims } from './anchor.js';
import { AnchorKeys } from './anchor-keys.js';
import { AnchorRepository } from './anchor.repository.js';

/** Chains that are looked at in one statement. */
const BATCH = 500;

/** Signs the end of each chain once a day, so that a copy outside the database proves it. */
@Injectable()
export class AnchorService {
  constructor(
    private readonly repository: AnchorRepository,
    private readonly keys: AnchorKeys,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {}

  /** Signs the ends of the chains that have grown. */
  @JobHandler({ task: 'anchor_audit_trail', schedule: '7 0 * * *' })
  async anchor(): Promise<void> {
    const key = await this.keys.prepare();
    let after: TenantId | null = null;
    for (;;) {
      const ends = await this.repository.listEnds(after, BATCH);
      const grown = ends.filter(({ last, anchored }) => last > anchored);
      const iat = Math.floor(Date.now() / 1_000);
      const anchors = grown.map(({ tenantId, last: sequence, hash }) => {
        const organizationId = tenantId === PLATFORM ? null : tenantId;
        const claims = { iss: this.settings.PUBLIC_URL, iat, tenantId: organizationId, sequence, hash };
        return { tenantId, sequence, jws: signJwt(key, ANCHOR_TYPE, claims satisfies AnchorClaims) };
      });
      if (anchors.length > 0) await this.repository.insert(anchors);
      after = ends.at(-1)?.tenantId ?? null;
      if (ends.length < BATCH) return;
    }
  }
}
