import { useState } from 'react';
import type { Scope } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { BulkBar, BulkDialog } from '../../ui/bulk.tsx';
import { Button } from '../../ui/button.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { useMayTry } from './allowed.ts';
import { saveMembers } from './member-export.tsx';
import { nameOf } from './member-name.ts';
import { keys, type Member, type Role } from './organization-queries.ts';

/** Scope of each deed. */
const SCOPES = {
  'add-role': 'iam:member:update',
  'remove-role': 'iam:member:update',
  suspend: 'iam:member:suspend',
  remove: 'iam:member:remove',
} as const satisfies Record<string, Scope>;
type Deed = keyof typeof SCOPES;
const DEEDS = Object.keys(SCOPES) as Deed[];
const ASKED = [...new Set(Object.values(SCOPES))];

const isRoleDeed = (deed: Deed): deed is 'add-role' | 'remove-role' =>
  deed === 'add-role' || deed === 'remove-role';

/** Keeps the members for whom a deed was chosen: the list changes while it is done. */
interface Doing {
  readonly deed: Deed;
  readonly members: readonly Member[];
}

interface BarProps {
  readonly tenantId: string;
  readonly members: readonly Member[];
  readonly roles: readonly Role[];
  readonly onClear: () => void;
}

/** What can be done with the selected members. */
export function MemberBar({ tenantId, members, roles, onClear }: BarProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const may = useMayTry(tenantId, ASKED, members.length > 0);
  return (
    <>
      <BulkBar label={text('bulk.label')} count={members.length} onClear={onClear}>
        {DEEDS.filter((deed) => may(SCOPES[deed])).map((deed) => (
          <Button
            key={deed}
            small
            isDisabled={isRoleDeed(deed) && roles.length === 0}
            onPress={() => setDoing({ deed, members })}
          >
            {text(`bulk.${deed}`)}
          </Button>
        ))}
        <Button small onPress={() => saveMembers(members)}>
          {text('trail.export')}
        </Button>
      </BulkBar>
      {doing && (
        <Ask tenantId={tenantId} roles={roles} {...doing} onClose={() => setDoing(null)} onDone={onClear} />
      )}
    </>
  );
}

interface AskProps extends Doing, Pick<BarProps, 'tenantId' | 'roles'> {
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function Ask({ tenantId, roles, deed, members, onClose, onDone }: AskProps) {
  const [role, setRole] = useState(roles[0]?.key ?? '');
  const isOfRoles = isRoleDeed(deed);
  return (
    <BulkDialog
      title={text(`bulk.${deed}.title`, { count: members.length })}
      confirm={text(`bulk.${deed}`)}
      isDanger={!isOfRoles}
      items={members}
      nameOf={nameOf}
      act={(member) => doTo(tenantId, deed, member, role)}
      said={(count) => text(`bulk.${deed}.done`, { count })}
      refused={(count) => text('bulk.refused', { count })}
      onSettled={() => queryClient.invalidateQueries({ queryKey: keys.members(tenantId) })}
      onClose={onClose}
      onDone={onDone}
    >
      {isOfRoles ? (
        <SelectField
          label={text('members.role')}
          options={roles.map((one) => [one.key, nameOfRole(one)] as const)}
          value={role}
          onChange={setRole}
        />
      ) : (
        <p>{text(`members.${deed}.text`)}</p>
      )}
    </BulkDialog>
  );
}

async function doTo(tenantId: string, deed: Deed, member: Member, role: string): Promise<void> {
  const params = { path: { id: tenantId, userId: member.userId } };
  if (deed === 'suspend') {
    if (member.status === 'active')
      await gatehouse.post('/api/v1/iam/tenants/{id}/members/{userId}/suspend', { params });
  } else if (deed === 'remove') {
    await gatehouse.delete('/api/v1/iam/tenants/{id}/members/{userId}', { params });
  } else {
    const others = member.roles.filter((key) => key !== role);
    const roles = deed === 'add-role' ? [...others, role] : others;
    await gatehouse.patch('/api/v1/iam/tenants/{id}/members/{userId}', { params, body: { roles } });
  }
}
