import { AbilityPolicy, Scope, type EntityPolicy, type LoadContext } from '../../ability/index.js';
import type { Principal } from '../../platform/http/index.js';
import { TenantLock } from '../tenants/tenant-lock.js';
import { MemberRepository, type JudgedMember } from './member.repository.js';

/** A member, and whether the caller is an owner. */
interface Judged extends JudgedMember {
  readonly callerIsOwner: boolean;
}

const LAST_OWNER = 'The last owner can be neither removed nor demoted. Make somebody else an owner first.';
const OWNERS_ONLY = 'Only an owner can do this to an owner.';

/** What may be done with the members of an organization. */
@AbilityPolicy({ module: 'iam', entity: 'member', collection: 'members' })
export class MemberPolicy implements EntityPolicy<Judged> {
  constructor(
    private readonly members: MemberRepository,
    private readonly tenantLock: TenantLock,
  ) {}

  async load(ids: readonly string[], { principal, lock }: LoadContext): Promise<Map<string, Judged>> {
    const { tenantId, userId } = principal;
    if (tenantId === null) return new Map();
    const found = await this.members.findJudged(tenantId, [...ids, userId], lock);
    const callerIsOwner = found.some((member) => member.userId === userId && member.isOwner);
    return new Map(found.map((member) => [member.userId, { ...member, callerIsOwner }]));
  }

  lock(principal: Principal): Promise<void> {
    return this.tenantLock.take(principal);
  }

  @Scope('read', { whenClosed: true, on: 'tenants', roles: ['admin', 'member'] })
  read(): true {
    return true;
  }

  @Scope('update')
  update(member: Judged, { userId }: Principal): true | string {
    if (member.isLastOwner) return LAST_OWNER;
    if (member.userId === userId) return 'You cannot change your own roles. Ask another owner or admin.';
    return !member.isOwner || member.callerIsOwner || OWNERS_ONLY;
  }

  @Scope('remove')
  remove(member: Judged): true | string {
    if (member.isLastOwner) return LAST_OWNER;
    return !member.isOwner || member.callerIsOwner || OWNERS_ONLY;
  }
}
