import { useMutation } from '@tanstack/react-query';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { useToast } from '../../ui/toast.tsx';
import { nameOf } from './member-name.ts';
import { keys, useRoles, type Member } from './organization-queries.ts';
import { RoleChoice } from './role-choice.tsx';

interface DoingProps {
  readonly tenantId: string;
  readonly member: Member;
  readonly onClose: () => void;
}

export function ChangeRoles({ tenantId, member, onClose }: DoingProps) {
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
      say(text('members.roles-changed', { name: nameOf(member) }));
    },
  });
  return (
    <Dialog title={text('members.roles-of', { name: nameOf(member) })} isOpen onClose={onClose}>
      <Form error={change.error} onSubmit={(values) => change.mutate(values.getAll('roles').map(String))}>
        <RoleChoice roles={roles} chosen={member.roles} />
        <FormButtons submit={text('save')} isPending={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

export function Suspend({ tenantId, member, onClose }: DoingProps) {
  const say = useToast();
  const suspend = useMutation({
    mutationFn: () =>
      gatehouse.post('/api/v1/iam/tenants/{id}/members/{userId}/suspend', {
        params: { path: { id: tenantId, userId: member.userId } },
      }),
    onSuccess: async () => {
      onClose();
      say(text('members.suspended.done', { name: nameOf(member) }));
      await queryClient.invalidateQueries({ queryKey: keys.members(tenantId) });
    },
  });
  return (
    <ConfirmDialog
      title={text('members.suspend.title', { name: nameOf(member) })}
      confirm={text('members.suspend.confirm')}
      action={suspend}
      isOpen
      onClose={onClose}
    >
      <p>{text('members.suspend.text')}</p>
    </ConfirmDialog>
  );
}

export function Remove({ tenantId, member, onClose }: DoingProps) {
  const say = useToast();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/members/{userId}', {
        params: { path: { id: tenantId, userId: member.userId } },
      }),
    onSuccess: async () => {
      onClose();
      say(text('members.removed', { name: nameOf(member) }));
      await queryClient.invalidateQueries({ queryKey: keys.members(tenantId) });
    },
  });
  return (
    <ConfirmDialog
      title={text('members.remove.title', { name: nameOf(member) })}
      confirm={text('members.remove.confirm')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text('members.remove.text')}</p>
    </ConfirmDialog>
  );
}
