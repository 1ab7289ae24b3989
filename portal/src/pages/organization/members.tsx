import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../session/paths.ts';
import { queryClient, useMe } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty, List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { OrganizationProps } from './allowed.ts';
import { keys, subjectOf, useMembers, useRoles, type Member } from './organization-queries.ts';
import { RoleChoice, roleNames } from './role-choice.tsx';

type Doing = { readonly what: 'roles' | 'remove'; readonly member: Member };

export const nameOf = ({ firstName, email, userId }: Member): string =>
  firstName ?? email ?? `Unknown (${userId.slice(-6)})`;

/** Lists members, with their roles. */
export function Members({ tenantId, allowed }: OrganizationProps) {
  const members = useMembers(tenantId);
  const { data: roles = [] } = useRoles(tenantId);
  const { data: me } = useMe();
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title="Members"
      lead="Who works here, and as what."
      action={
        allowed['iam:invitation:create'] && (
          <Link href={`${pathIn(PAGE_PATHS.invitations, tenantId)}?new`} className="button primary">
            Invite a person
          </Link>
        )
      }
    >
      <List
        query={members}
        label="Members"
        keyOf={({ userId }) => userId}
        empty={<Empty title="No members" />}
      >
        {(member) => (
          <div className="item">
            <Avatar name={nameOf(member)} />
            <div className="what">
              <div className="row">
                <strong>{nameOf(member)}</strong>
                {member.userId === me?.id && <Badge>You</Badge>}
              </div>
              <span className="soft small">
                {member.email} · joined <Time value={member.joinedAt} />
              </span>
              <div className="chips">
                {roleNames(roles, member.roles).map((name) => (
                  <Badge key={name} kind={name === 'Owner' ? 'good' : ''}>
                    {name}
                  </Badge>
                ))}
              </div>
            </div>
            <ActionMenu
              label={`What to do with ${nameOf(member)}`}
              subject={subjectOf('members', member.userId)}
              actions={[
                {
                  label: 'Change roles',
                  scope: 'iam:member:update',
                  run: () => setDoing({ what: 'roles', member }),
                },
                {
                  label: 'Remove from the organization',
                  scope: 'iam:member:remove',
                  danger: true,
                  run: () => setDoing({ what: 'remove', member }),
                },
              ]}
            />
          </div>
        )}
      </List>
      {doing?.what === 'roles' && <ChangeRoles tenantId={tenantId} member={doing.member} onClose={close} />}
      {doing?.what === 'remove' && <Remove tenantId={tenantId} member={doing.member} onClose={close} />}
    </Page>
  );
}

interface DoingProps {
  readonly tenantId: string;
  readonly member: Member;
  readonly onClose: () => void;
}

function ChangeRoles({ tenantId, member, onClose }: DoingProps) {
  const { data: roles = [] } = useRoles(tenantId);
  const say = useToast();
  const change = useMutation({
    mutationFn: (chosen: string[]) =>
      gatehouse.patch('/api/v1/iam/tenants/{id}/members/{userId}', {
        params: { path: { id: tenantId, userId: member.userId } },
        body: { roles: chosen },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.members(tenantId) });
      onClose();
      say(`The roles of ${nameOf(member)} are changed. They count from the next request on.`);
    },
  });
  return (
    <Dialog title={`Roles of ${nameOf(member)}`} isOpen onClose={onClose}>
      <Form error={change.error} onSubmit={(values) => change.mutate(values.getAll('roles').map(String))}>
        <RoleChoice roles={roles} chosen={member.roles} />
        <div className="buttons">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={change.isPending}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function Remove({ tenantId, member, onClose }: DoingProps) {
  const say = useToast();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/members/{userId}', {
        params: { path: { id: tenantId, userId: member.userId } },
      }),
    onSuccess: async () => {
      onClose();
      say(`${nameOf(member)} is not a member any more.`);
      await queryClient.invalidateQueries({ queryKey: keys.members(tenantId) });
    },
  });
  return (
    <ConfirmDialog
      title={`Remove ${nameOf(member)}?`}
      confirm="Remove"
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>
        They lose access to the organization at once, on every device. To come back, they need an invitation.
      </p>
    </ConfirmDialog>
  );
}
