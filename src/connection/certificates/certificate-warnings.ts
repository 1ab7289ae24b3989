import { Injectable } from '@nestjs/common';
import { TenantOwners } from '../../iam/index.js';
import { Database } from '../../platform/database/index.js';
import { type Emitter, Events } from '../../platform/events/index.js';
import { JobHandler } from '../../platform/jobs/index.js';
import { ExpiryNotices, quotedName } from '../../platform/mail/index.js';
import { ConnectionCertificateExpiring } from '../connection.events.js';
import { CertificateRepository, type ExpiringCertificate } from './certificate.repository.js';
import '../connection.messages.js';

/** Days before the end of a certificate at which the owners are warned. */
const WARNING_DAYS = [30, 14, 7, 1];
const DAY_MS = 86_400_000;
const MAX_OWNERS = 50;
const BATCH = 50;

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
    private readonly certificates: CertificateRepository,
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
        const due = await this.certificates.claimExpiring(WARNING_DAYS, BATCH);
        for (const certificate of due) await this.warn(certificate);
        return due.length;
      });
  }

  private async warn({ tenantId, connectionId, sha256, notAfter }: ExpiringCertificate): Promise<void> {
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
