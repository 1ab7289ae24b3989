import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useSearchParams } from 'wouter';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty, List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { OrganizationProps } from './allowed.ts';
import { keys, subjectOf, useInvitations, useRoles, type Invitation } from './organization-queries.ts';
import { RoleChoice, roleNames } from './role-choice.tsx';

const STATUS = {
  open: ['Waiting', 'care'],
  accepted: ['Accepted', 'good'],
  revoked: ['Revoked', ''],
  expired: ['Expired', ''],
} as const;

/** Lists and creates invitations. */
export function Invitations({ tenantId, allowed }: OrganizationProps) {
  const invitations = useInvitations(tenantId);
  const { data: roles = [] } = useRoles(tenantId);
  const [search, setSearch] = useSearchParams();
  const [revoking, setRevoking] = useState<Invitation | null>(null);
  const inviting = search.has('new') && allowed['iam:invitation:create'];
  const invite = () => setSearch({ new: '' });
  const close = () => setSearch({}, { replace: true });
  const button = (
    <Button look="primary" onPress={invite}>
      Invite a person
    </Button>
  );
  return (
    <Page
      title="Invitations"
      lead="An invitation goes to one address and expires after seven days."
      action={allowed['iam:invitation:create'] && button}
    >
      <List
        query={invitations}
        label="Invitations"
        keyOf={({ id }) => id}
        empty={
          <Empty title="No invitations yet">
            <p>An invited person gets a mail with a link, and becomes a member by accepting.</p>
          </Empty>
        }
      >
        {(invitation) => {
          const [label, kind] = STATUS[invitation.status];
          return (
            <div className="item">
              <Avatar name={invitation.email} />
              <div className="what">
                <strong>{invitation.email}</strong>
                <span className="soft small">
                  As {roleNames(roles, invitation.roles).join(', ')} · sent{' '}
                  <Time value={invitation.createdAt} />
                </span>
                <div className="chips">
                  <Badge kind={kind}>{label}</Badge>
                </div>
              </div>
              <ActionMenu
                label={`What to do with the invitation of ${invitation.email}`}
                subject={subjectOf('invitations', invitation.id)}
                actions={[
                  {
                    label: 'Revoke',
                    scope: 'iam:invitation:revoke',
                    danger: true,
                    run: () => setRevoking(invitation),
                  },
                ]}
              />
            </div>
          );
        }}
      </List>
      {inviting && <Invite tenantId={tenantId} onClose={close} />}
      {revoking && <Revoke tenantId={tenantId} invitation={revoking} onClose={() => setRevoking(null)} />}
    </Page>
  );
}

function Invite({ tenantId, onClose }: { readonly tenantId: string; readonly onClose: () => void }) {
  const { data: roles } = useRoles(tenantId);
  const say = useToast();
  const invite = useMutation({
    mutationFn: (body: { email: string; roles: string[] }) =>
      gatehouse.post('/api/v1/iam/tenants/{id}/invitations', { params: { path: { id: tenantId } }, body }),
    onSuccess: async (_, { email }) => {
      await queryClient.invalidateQueries({ queryKey: keys.invitations(tenantId) });
      onClose();
      say(`The invitation to ${email} has been sent.`);
    },
  });
  const send = (values: FormData) =>
    invite.mutate({ email: String(values.get('email')), roles: values.getAll('roles').map(String) });
  return (
    <Dialog title="Invite a person" isOpen onClose={onClose}>
      <Form error={invite.error} onSubmit={send}>
        <TextField label="E-mail address" name="email" type="email" autoComplete="off" isRequired autoFocus />
        {roles && <RoleChoice roles={roles} />}
        <div className="buttons">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={invite.isPending}>
            Send the invitation
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

interface RevokeProps {
  readonly tenantId: string;
  readonly invitation: Invitation;
  readonly onClose: () => void;
}

function Revoke({ tenantId, invitation, onClose }: RevokeProps) {
  const say = useToast();
  const revoke = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/invitations/{invitationId}', {
        params: { path: { id: tenantId, invitationId: invitation.id } },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.invitations(tenantId) });
      onClose();
      say('The invitation is revoked.');
    },
  });
  return (
    <ConfirmDialog title="Revoke the invitation?" confirm="Revoke" action={revoke} isOpen onClose={onClose}>
      <p>The link that {invitation.email} was sent stops working.</p>
    </ConfirmDialog>
  );
}
