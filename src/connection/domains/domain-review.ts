import { Injectable } from '@nestjs/common';
import { OwnerMails } from '../../iam/index.js';
import type { TenantId } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { type Emitter, Events } from '../../platform/events/index.js';
import { JobHandler, JobQueue } from '../../platform/jobs/index.js';
import { DomainLapsed } from '../connection.events.js';
import '../connection.messages.js';
import { DomainLookup } from './domain-lookup.js';
import { newDomainToken } from './domain-name.js';
import { type Domain, DomainRepository } from './domain.repository.js';
import { DomainService } from './domain.service.js';

const TELL_OWNERS = 'domains.tell-owners';
/** Lookups at the same time, each of two resolvers. */
const PARALLEL = 20;
/** Less than the ten minutes until the next run. */
const MAX_RUN_MS = 300_000;

interface ToTell {
  /** Whether an operator has withdrawn the domain. */
  readonly byOperator?: boolean;
  readonly tenantId: TenantId;
  readonly id: string;
}

/** Checks verified domains daily. One whose record is missing for seven days lapses. */
@Injectable()
export class DomainReview {
  private readonly lapsed: Emitter<DomainLapsed>;

  constructor(
    private readonly database: Database,
    private readonly domains: DomainRepository,
    private readonly service: DomainService,
    private readonly lookup: DomainLookup,
    private readonly jobs: JobQueue,
    private readonly mails: OwnerMails,
    events: Events,
  ) {
    this.lapsed = events.emitter(DomainLapsed);
  }

  /** Checks the domains that are due, until done or out of time. */
  @JobHandler({ task: 'review_domains', schedule: '*/10 * * * *' })
  async run(): Promise<void> {
    const until = performance.now() + MAX_RUN_MS;
    for (let claimed = PARALLEL; claimed === PARALLEL && performance.now() < until;) {
      const due = await this.domains.claimDue(PARALLEL);
      await Promise.all(due.map((domain) => this.check(domain)));
      claimed = due.length;
    }
  }

  /**
   * Withdraws a verified domain from its organization, for an operator who has settled whose it is:
   * another organization can verify it then. Its record needs a new value: that of before may still
   * be in the DNS.
   * @returns the organization that had it; null if none had
   */
  withdraw(name: string): Promise<TenantId | null> {
    return this.database.transaction(async () => {
      const domain = await this.domains.withdraw(name, newDomainToken());
      if (!domain) return null;
      await this.announceLapse(domain, { byOperator: true });
      return domain.tenantId;
    });
  }

  /** Mails the owners, unless the domain has been verified again. */
  @JobHandler({ task: TELL_OWNERS })
  async tell({ tenantId, id, byOperator = false }: ToTell): Promise<void> {
    await this.database.transaction(async () => {
      const domain = await this.domains.find(tenantId, id);
      if (domain?.status !== 'lapsed') return;
      const why = byOperator ? 'by-operator' : 'text';
      await this.mails.send(tenantId, { kind: 'domain-lapsed' }, (text, organization) => ({
        subject: text('mail.domain-lapsed.subject'),
        paragraphs: [
          text(`mail.domain-lapsed.${why}`, { organization, domain: domain.domain }),
          text('mail.domain-lapsed.effect'),
        ],
      }));
    });
  }

  /** Without an answer of the DNS, a domain stays as it is until the next day. */
  private async check(domain: Domain): Promise<void> {
    const { tenantId, id } = domain;
    const { verdict } = await this.lookup.check(domain);
    if (verdict === 'found') await this.domains.noteFound(tenantId, id);
    if (verdict === 'missing') await this.database.transaction(() => this.noteMissing(tenantId, id));
  }

  private async noteMissing(tenantId: TenantId, id: string): Promise<void> {
    if (await this.domains.noteMissing(tenantId, id)) await this.announceLapse({ tenantId, id });
  }

  private async announceLapse(
    { tenantId, id }: Pick<Domain, 'tenantId' | 'id'>,
    why: Pick<ToTell, 'byOperator'> = {},
  ): Promise<void> {
    await this.service.announce(tenantId, id);
    await this.lapsed.emit({
      tenantIds: [tenantId],
      subject: `iam/domains/${id}`,
      actorId: null,
      data: { domainId: id },
    });
    await this.jobs.add(TELL_OWNERS, { tenantId, id, ...why } satisfies ToTell);
  }
}
