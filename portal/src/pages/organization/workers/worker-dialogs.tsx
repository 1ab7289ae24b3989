import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { ConfirmDialog, Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { dayOf, endOfDay } from '../../../ui/day.ts';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form, textOf } from '../../../ui/form.tsx';
import { ShownOnce } from '../../../ui/shown-once.tsx';
import { Copyable } from '../../../ui/copyable.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRoles } from '../organization-queries.ts';
import { RoleChoice } from '../role-choice.tsx';
import { BadgeSheet, type PrintableBadge } from './badge-sheet.tsx';
import { issueBadge, nameOf, ONE, readWorkersAgain, type Worker } from './worker-queries.ts';

interface Props {
  readonly tenantId: string;
  readonly worker: Worker;
  readonly onClose: () => void;
}

/** Changes number, names, roles, the end, and, of a person without one, the address. */
export function ChangeWorker({ tenantId, worker, onClose }: Props) {
  const { data: roles } = useRoles(tenantId);
  const say = useToast();
  const ownsAccount = worker.email !== null;
  const change = useMutation({
    mutationFn: (values: FormData) => {
      const until = textOf(values, 'until');
      const email = textOf(values, 'email');
      return gatehouse.patch(ONE, {
        params: { path: { id: tenantId, userId: worker.userId } },
        body: {
          number: String(values.get('number')).trim(),
          roles: values.getAll('roles').map(String),
          until: until === undefined ? null : endOfDay(until),
          ...(!ownsAccount && {
            firstName: String(values.get('firstName')),
            lastName: textOf(values, 'lastName') ?? null,
            ...(email !== undefined && { email }),
          }),
        },
      });
    },
    onSuccess: async () => {
      await readWorkersAgain(tenantId);
      onClose();
      say(text('workers.changed', { name: nameOf(worker) }));
    },
  });
  return (
    <Dialog title={text('workers.change.title', { name: nameOf(worker) })} isOpen onClose={onClose}>
      <Form error={change.error} onSubmit={(values) => change.mutate(values)}>
        <TextField
          label={text('workers.number')}
          name="number"
          defaultValue={worker.number}
          maxLength={64}
          isRequired
          verbatim
        />
        {!ownsAccount && (
          <>
            <TextField
              label={text('first-name')}
              name="firstName"
              defaultValue={worker.firstName ?? ''}
              maxLength={100}
              isRequired
            />
            <TextField
              label={text('last-name')}
              name="lastName"
              defaultValue={worker.lastName ?? ''}
              maxLength={100}
            />
            <TextField
              label={text('workers.email')}
              name="email"
              type="email"
              hint={text('workers.email.hint')}
              maxLength={254}
            />
          </>
        )}
        <TextField
          label={text('workers.until')}
          name="until"
          type="date"
          hint={text('workers.until.hint')}
          defaultValue={worker.until === null ? '' : dayOf(worker.until)}
        />
        {roles && <RoleChoice roles={roles.filter(({ key }) => key !== 'owner')} chosen={worker.roles} />}
        <FormButtons submit={text('save')} isPending={change.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Gives a temporary PIN, which is shown once; or asks for a second member, where two have to. */
export function ResetPin({ tenantId, worker, onClose }: Props) {
  const name = nameOf(worker);
  const reset = useMutation({
    mutationFn: async () =>
      (
        await gatehouse.post(`${ONE}/pin-reset`, {
          params: { path: { id: tenantId, userId: worker.userId } },
        })
      ).data,
    onSuccess: () => readWorkersAgain(tenantId),
  });
  if (reset.data?.temporaryPin === null)
    return (
      <ShownOnce
        title={text('workers.pin.asked')}
        lead={text('workers.pin.asked.text', { name })}
        onClose={onClose}
      >
        {null}
      </ShownOnce>
    );
  if (reset.data)
    return (
      <ShownOnce
        title={text('workers.pin.new', { name })}
        lead={text('workers.pin.new.text')}
        onClose={onClose}
      >
        <Copyable label={text('workers.pin.temporary')} value={reset.data.temporaryPin} />
      </ShownOnce>
    );
  return (
    <ConfirmDialog
      title={text('workers.pin.title', { name })}
      confirm={text('workers.pin.reset')}
      action={reset}
      isOpen
      onClose={onClose}
    >
      <p>{text('workers.pin.text')}</p>
    </ConfirmDialog>
  );
}

/** Issues a badge, which is shown once. */
export function IssueBadge({ tenantId, worker, onClose }: Props) {
  const issue = useMutation({
    mutationFn: () => issueBadge(tenantId, worker.userId),
    onSuccess: () => readWorkersAgain(tenantId),
  });
  if (issue.data !== undefined)
    return <BadgeSheet badges={[{ worker, badge: issue.data }]} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={text('workers.badge.title', { name: nameOf(worker) })}
      confirm={text('workers.badge.issue')}
      action={issue}
      isOpen
      onClose={onClose}
    >
      <p>{text(worker.badge === null ? 'workers.badge.first' : 'workers.badge.again')}</p>
    </ConfirmDialog>
  );
}

interface IssueAllProps {
  readonly tenantId: string;
  /** People of the list who have no badge. */
  readonly workers: readonly Worker[];
  readonly onClose: () => void;
}

/** Issues badges for many, and shows them as sheets. */
export function IssueBadges({ tenantId, workers, onClose }: IssueAllProps) {
  const [issued, setIssued] = useState<readonly PrintableBadge[]>([]);
  const issue = useMutation({
    mutationFn: async () => {
      for (const worker of workers) {
        const badge = await issueBadge(tenantId, worker.userId);
        setIssued((before) => [...before, { worker, badge }]);
      }
    },
    onSettled: () => readWorkersAgain(tenantId),
  });
  // After an error too: badges that are issued already cannot be read again.
  if (!issue.isPending && issued.length > 0) return <BadgeSheet badges={issued} onClose={onClose} />;
  return (
    <ConfirmDialog
      title={text('workers.badges.issue.title', { count: workers.length })}
      confirm={text('workers.badges.issue')}
      action={issue}
      isOpen
      onClose={onClose}
    >
      <p>{text('workers.badges.issue.text')}</p>
      {issue.isPending && (
        <p role="status">{text('workers.badges.issuing', { done: issued.length, count: workers.length })}</p>
      )}
    </ConfirmDialog>
  );
}

/** Commands that have no result to show. */
export const COMMANDS = {
  'revoke-badge': (params: Params) => gatehouse.delete(`${ONE}/badge`, { params }),
  'sign-out': (params: Params) => gatehouse.post(`${ONE}/sign-out`, { params }),
  suspend: (params: Params) => gatehouse.post(`${ONE}/suspend`, { params }),
  reinstate: (params: Params) => gatehouse.post(`${ONE}/reinstate`, { params }),
  remove: (params: Params) => gatehouse.delete(ONE, { params }),
};
interface Params {
  readonly path: { readonly id: string; readonly userId: string };
}
export type Command = keyof typeof COMMANDS;

/** Asks before a command that has no result to show. */
export function DoWithWorker({ tenantId, worker, what, onClose }: Props & { readonly what: Command }) {
  const name = nameOf(worker);
  const say = useToast();
  const command = useMutation({
    mutationFn: async () => {
      await COMMANDS[what]({ path: { id: tenantId, userId: worker.userId } });
    },
    onSuccess: async () => {
      await readWorkersAgain(tenantId);
      onClose();
      say(text(`workers.done.${what}`, { name }));
    },
  });
  return (
    <ConfirmDialog
      title={text(`workers.${what}.title`, { name })}
      confirm={text(`workers.${what}`)}
      action={command}
      isOpen
      onClose={onClose}
    >
      <p>{text(`workers.${what}.text`)}</p>
    </ConfirmDialog>
  );
}
