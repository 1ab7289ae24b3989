import { Injectable } from '@nestjs/common';
import { MemberAuthority } from '../members/member-authority.js';
import type { JudgedOffer } from './partnership.repository.js';

/** Says which offers are open: only those that their maker could make now (ADR 79). */
@Injectable()
export class OfferValidity {
  constructor(private readonly authority: MemberAuthority) {}

  /**
   * Gives each offer that its maker could not make now the status of one whose time has passed: a
   * removed member must not come back by an organization of theirs.
   * @param lock keeps it so until the open transaction ends
   */
  async settle<T extends JudgedOffer>(found: readonly T[], lock = false): Promise<T[]> {
    const offers = found.filter(({ status }) => status === 'offered');
    const begun = offers.map(({ createdBy: actorId, ...offer }) => ({ ...offer, actorId }));
    const open = await this.authority.filterGivable(begun, ['iam:partnership:create'], lock);
    const ids = new Set(open.map(({ id }) => id));
    const isOver = ({ id, status }: T): boolean => status === 'offered' && !ids.has(id);
    return found.map((one) => (isOver(one) ? { ...one, status: 'expired' } : one));
  }
}
