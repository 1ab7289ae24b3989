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

interface BarProps {
  readonly tenantId: string;
  readonly members: readonly Member[];
  readonly roles: readonly Role[];
  readonly onClear: () => void;
}

/** What can be done with the selected members. */
export function MemberBar({ tenantId, members, roles, onClear }: BarProps) {
  const [deed, setDeed] = useState<Deed | null>(null);
  const [chosen, setChosen] = useState('');
  const may = useMayTry(tenantId, ASKED);
  const role = chosen || (roles[0]?.key ?? '');
  const open = (one: Deed) => {
    setChosen('');
    setDeed(one);
  };
  const isOfRoles = deed !== null && isRoleDeed(deed);
  return (
    <BulkBar label={text('bulk.label')} count={members.length} onClear={onClear}>
      {DEEDS.filter((one) => may(SCOPES[one])).map((one) => (
        <Button key={one} small isDisabled={isRoleDeed(one) && role === ''} onPress={() => open(one)}>
          {text(`bulk.${one}`)}
        </Button>
      ))}
      <Button small onPress={() => saveMembers(members)}>
        {text('trail.export')}
      </Button>
      {deed !== null && (
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
          onClose={() => setDeed(null)}
          onDone={onClear}
        >
          {isOfRoles ? (
            <SelectField
              label={text('members.role')}
              options={roles.map((one) => [one.key, nameOfRole(one)] as const)}
              value={role}
              onChange={setChosen}
            />
          ) : (
            <p>{text(`members.${deed}.text`)}</p>
          )}
        </BulkDialog>
      )}
    </BulkBar>
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
