import { Injectable } from '@nestjs/common';
import { TenantOwners } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Database, prepared } from '../../platform/database/index.js';
import { type Emitter, Events } from '../../platform/events/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { ExpiryNotices, quotedName } from '../../platform/mail/index.js';
import { ConnectionCertificateExpiring } from '../connection.events.js';
import '../connection.messages.js';

/** Days before the end of a certificate at which the owners are warned. */
const WARNING_DAYS = [30, 14, 7, 1];
const DAY_MS = 86_400_000;
const MAX_OWNERS = 50;
const BATCH = 50;

interface Due {
  readonly tenantId: TenantId;
  readonly connectionId: string;
  readonly sha256: string;
  readonly notAfter: Date;
}

/** Returns the time of the next warning of a certificate; null if none is left. */
export function firstWarning(notAfter: Date, now = Date.now()): Date | null {
  const times = WARNING_DAYS.map((days) => notAfter.getTime() - days * DAY_MS);
  const next = times.find((time) => time > now);
  return next === undefined ? null : new Date(next);
}

/** Warns the owners of an organization before a certificate of a connection expires. */
@Injectable()
export class CertificateWarnings {
  private readonly expiring: Emitter<ConnectionCertificateExpiring>;

  constructor(
    private readonly database: Database,
    private readonly owners: TenantOwners,
    private readonly notices: ExpiryNotices,
    events: Events,
  ) {
    this.expiring = events.emitter(ConnectionCertificateExpiring);
  }

  @JobHandler({ task: 'warn_of_certificates', schedule: '*/10 * * * *' })
  async run(): Promise<void> {
    for (let count = BATCH; count === BATCH;)
      count = await this.database.transaction(async () => {
        const due = await this.claim();
        for (const certificate of due) await this.warn(certificate);
        return due.length;
      });
  }

  /** Claims due warnings, and sets the time of the next one of each. */
  private async claim(): Promise<Due[]> {
    return this.database.rows<Due>(
      prepared(`UPDATE connection_certificates SET warn_at = (
           SELECT min(not_after - make_interval(days => d)) FROM unnest($2::int[]) d WHERE not_after - make_interval(days => d) > now())
         WHERE (tenant_id, connection_id, sha256) IN (
           SELECT tenant_id, connection_id, sha256 FROM connection_certificates WHERE warn_at <= now()
           ORDER BY warn_at LIMIT $1 FOR UPDATE SKIP LOCKED)
         RETURNING tenant_id AS "tenantId", connection_id AS "connectionId", sha256, not_after AS "notAfter"`),
      [BATCH, WARNING_DAYS],
    );
  }

  private async warn({ tenantId, connectionId, sha256, notAfter }: Due): Promise<void> {
    await this.expiring.emit({
      tenantIds: [tenantId],
      subject: `iam/connections/${connectionId}`,
      actorId: null,
      data: { connectionId, sha256, notAfter: notAfter.toISOString() },
    });
    const found = await this.owners.find(tenantId, MAX_OWNERS);
    for (const owner of found?.owners ?? [])
      await this.notices.send(
        { ...owner, look: found?.look },
        'certificate-expiring',
        notAfter,
        (text, date) => {
          const organization = quotedName(found?.name ?? '') ?? text('mail.domain-lapsed.your-organization');
          return {
            subject: text('mail.certificate-expiring.subject'),
            paragraphs: [
              text('mail.certificate-expiring.text', { organization, date }),
              text('mail.certificate-expiring.effect'),
            ],
          };
        },
      );
  }
}
