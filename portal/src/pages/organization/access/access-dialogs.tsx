import { useMutation } from '@tanstack/react-query';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { queryClient } from '../../../session/queries.ts';
import { dayOf, endOfDay, endOfField } from '../../../ui/day.ts';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { nameOf } from '../member-name.ts';
import { keys, type Member } from '../organization-queries.ts';
import { ASSIGNMENTS } from './access-queries.ts';
import { readRole, RoleOnThing } from './role-on-thing.tsx';

const MEMBER = '/api/v1/iam/tenants/{id}/members/{userId}';

interface Props {
  readonly tenantId: string;
  readonly member: Member;
  readonly onClose: () => void;
}

/** A role that a member holds, in the organization or on a thing. */
export interface Held {
  readonly role: string;
  /** Name of the role. */
  readonly name: string;
  /** Id of the assignment; null for a role in the organization. */
  readonly assignmentId: string | null;
}

const readAgain = (tenantId: string) => queryClient.invalidateQueries({ queryKey: keys.members(tenantId) });

/** Gives a member a role, in the organization or on a thing, for good or until a day. */
export function GiveAccess({
  tenantId,
  member,
  maySearch,
  onClose,
}: Props & { readonly maySearch: boolean }) {
  const say = useToast();
  const give = useMutation({
    mutationFn: async (values: FormData) => {
      const { role, on } = readRole(values);
      const day = textOf(values, 'until');
      const end = day === undefined ? {} : { until: endOfDay(day) };
      const params = { path: { id: tenantId, userId: member.userId } };
      if (on !== undefined) await gatehouse.post(ASSIGNMENTS, { params, body: { role, on, ...end } });
      else {
        const others = member.roles.filter((key) => key !== role);
        await gatehouse.patch(MEMBER, { params, body: { roles: [...others, { key: role, ...end }] } });
      }
    },
    onSuccess: async () => {
      await readAgain(tenantId);
      onClose();
      say(text('member.access.given', { name: nameOf(member) }));
    },
  });
  return (
    <Dialog title={text('member.access.give.title', { name: nameOf(member) })} isOpen onClose={onClose}>
      <Form error={give.error} onSubmit={(values) => give.mutate(values)}>
        <RoleOnThing tenantId={tenantId} maySearch={maySearch} />
        <TextField
          label={text('member.access.until')}
          name="until"
          type="date"
          hint={text('member.access.until.hint')}
        />
        <FormButtons submit={text('member.access.give')} isPending={give.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Ends a role of a member, in the organization or on a thing. */
export function EndRole({
  tenantId,
  member,
  held: { role, name, assignmentId },
  onClose,
}: Props & { readonly held: Held }) {
  const say = useToast();
  const end = useMutation({
    mutationFn: async () => {
      const path = { id: tenantId, userId: member.userId };
      if (assignmentId === null) {
        const roles = member.roles.filter((key) => key !== role);
        await gatehouse.patch(MEMBER, { params: { path }, body: { roles } });
      } else
        await gatehouse.delete(`${ASSIGNMENTS}/{assignmentId}`, {
          params: { path: { ...path, assignmentId } },
        });
    },
    onSuccess: async () => {
      await readAgain(tenantId);
      onClose();
      say(text('member.access.ended', { role: name }));
    },
  });
  return (
    <ConfirmDialog
      title={text('member.access.end.title', { role: name, name: nameOf(member) })}
      confirm={text('member.access.end')}
      action={end}
      isOpen
      onClose={onClose}
    >
      <p>{text('member.access.end.text')}</p>
    </ConfirmDialog>
  );
}

/** Sets the day after which a member has no access any more, or none. */
export function ChangeEnd({ tenantId, member, onClose }: Props) {
  const say = useToast();
  const change = useMutation({
    mutationFn: async (values: FormData) => {
      const until = endOfField(textOf(values, 'until'), member.until);
      await gatehouse.patch(MEMBER, {
        params: { path: { id: tenantId, userId: member.userId } },
        body: { until },
      });
    },
    onSuccess: async () => {
      await readAgain(tenantId);
      onClose();
      say(text('member.access.end-changed', { name: nameOf(member) }));
    },
  });
  return (
    <Dialog title={text('member.access.change-end')} isOpen onClose={onClose}>
      <Form error={change.error} onSubmit={(values) => change.mutate(values)}>
        <TextField
          label={text('member.until')}
          name="until"
          type="date"
          hint={text('member.access.until.hint')}
          defaultValue={member.until === null ? '' : dayOf(member.until)}
        />
        <FormButtons submit={text('save')} isPending={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
