import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { explain } from '../../ui/explain.ts';
import { Notice } from '../../ui/notice.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { saveMembers } from './member-export.tsx';
import { nameOf } from './member-name.ts';
import { keys, type Member, type Role } from './organization-queries.ts';

const DEEDS = ['add-role', 'remove-role', 'suspend', 'remove'] as const;
type Deed = (typeof DEEDS)[number];

interface BarProps {
  readonly tenantId: string;
  readonly members: readonly Member[];
  readonly roles: readonly Role[];
  readonly onClear: () => void;
}

/** What can be done with the selected members. */
export function BulkBar({ tenantId, members, roles, onClear }: BarProps) {
  const [deed, setDeed] = useState<Deed | null>(null);
  return (
    <div className="bulk" role="toolbar" aria-label={text('bulk.label')}>
      <strong role="status">{text('bulk.selected', { count: members.length })}</strong>
      {DEEDS.map((one) => (
        <Button key={one} small onPress={() => setDeed(one)}>
          {text(`bulk.${one}`)}
        </Button>
      ))}
      <Button small onPress={() => saveMembers(members)}>
        {text('trail.export')}
      </Button>
      <Button small look="quiet" onPress={onClear}>
        {text('bulk.clear')}
      </Button>
      {deed !== null && (
        <BulkDialog
          tenantId={tenantId}
          deed={deed}
          members={members}
          roles={roles}
          onClose={() => setDeed(null)}
          onDone={onClear}
        />
      )}
    </div>
  );
}

interface Failure {
  readonly name: string;
  readonly why: string;
}

interface DialogProps extends Omit<BarProps, 'onClear'> {
  readonly deed: Deed;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Does it for one member after the other, and says for whom it was refused. */
function BulkDialog({ tenantId, deed, members, roles, onClose, onDone }: DialogProps) {
  const say = useToast();
  const [role, setRole] = useState(roles[0]?.key ?? '');
  const [done, setDone] = useState(0);
  const run = useMutation({
    mutationFn: async () => {
      const failures: Failure[] = [];
      for (const [n, member] of members.entries()) {
        const why = await doTo(tenantId, deed, member, role);
        if (why !== null) failures.push({ name: nameOf(member), why });
        setDone(n + 1);
      }
      return failures;
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: keys.members(tenantId) }),
    onSuccess: (failures) => {
      say(text(`bulk.${deed}.done`, { count: members.length - failures.length }));
      if (failures.length > 0) return;
      onClose();
      onDone();
    },
  });
  const isOfRoles = deed === 'add-role' || deed === 'remove-role';
  const failures = run.data ?? [];
  return (
    <Dialog
      title={text(`bulk.${deed}.title`, { count: members.length })}
      isOpen
      onClose={onClose}
      role={isOfRoles ? 'dialog' : 'alertdialog'}
    >
      {failures.length > 0 ? (
        <Failures failures={failures} />
      ) : isOfRoles ? (
        <SelectField
          label={text('members.role')}
          options={roles.map((one) => [one.key, nameOfRole(one)] as const)}
          value={role}
          onChange={setRole}
        />
      ) : (
        <p>{text(`members.${deed}.text`)}</p>
      )}
      {run.error && (
        <Notice kind="bad" title={explain(run.error).title}>
          <p>{explain(run.error).text}</p>
        </Notice>
      )}
      {run.isPending && <p role="status">{text('bulk.progress', { done, count: members.length })}</p>}
      <div className="buttons">
        <Button onPress={onClose}>{text(failures.length > 0 ? 'close' : 'cancel')}</Button>
        {failures.length === 0 && (
          <Button
            look={isOfRoles ? 'primary' : 'danger'}
            isPending={run.isPending}
            onPress={() => run.mutate()}
          >
            {text(`bulk.${deed}`)}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

/** Lists for whom it was refused, by the reason. */
function Failures({ failures }: { readonly failures: readonly Failure[] }) {
  return (
    <Notice kind="bad" title={text('bulk.refused', { count: failures.length })}>
      <ul className="bullets">
        {[...Map.groupBy(failures, ({ why }) => why)].map(([why, those]) => (
          <li key={why}>
            {those.map(({ name }) => name).join(', ')}: {why}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** @returns null if it was done, else why not; throws what would refuse the rest as well */
async function doTo(tenantId: string, deed: Deed, member: Member, role: string): Promise<string | null> {
  const params = { path: { id: tenantId, userId: member.userId } };
  try {
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
    return null;
  } catch (error) {
    const isOwn =
      error instanceof ProblemError &&
      ['validation-error', 'conflict', 'forbidden', 'not-found'].includes(error.code);
    if (!isOwn) throw error;
    return explain(error).text;
  }
}
