import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'wouter';
import { text, type MessageId } from '../../messages/index.ts';
import { startActing } from '../../session/acting.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS } from '../../session/paths.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { nameOf, type OperatedPerson, refreshAll, subjectOf } from './operator-queries.ts';

const COMMANDS = [
  'suspend',
  'restore',
  'end-sessions',
  'send-password-reset',
  'require-new-password',
  'export',
] as const;
type Command = (typeof COMMANDS)[number];
type Doing = Command | 'reset-authenticators' | 'act' | 'erase';

interface Props {
  readonly person: OperatedPerson;
}

/** Menu of the actions for a person. */
export function PersonCommands({ person }: Props) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  const command = COMMANDS.find((one) => one === doing);
  return (
    <>
      <ActionMenu
        label={text('operator.commands')}
        subject={subjectOf('people', person.userId)}
        actions={[
          ...COMMANDS.map((each) => ({
            label: text(`operator.do.${each}`),
            scope: `platform:person:${each}` as const,
            run: () => setDoing(each),
          })),
          {
            label: text('operator.do.reset-authenticators'),
            scope: 'platform:person:reset-authenticators',
            run: () => setDoing('reset-authenticators'),
          },
          {
            label: text('operator.do.act'),
            // Whom an operator may act as, the start decides.
            scope: 'platform:person:read',
            run: () => setDoing('act'),
          },
          {
            label: text('operator.do.erase'),
            scope: 'platform:person:erase',
            danger: true,
            run: () => setDoing('erase'),
          },
        ]}
      />
      {command !== undefined && <Confirm person={person} command={command} onClose={close} />}
      {doing === 'reset-authenticators' && <ResetFactors person={person} onClose={close} />}
      {doing === 'act' && <Act person={person} onClose={close} />}
      {doing === 'erase' && <Erase person={person} onClose={close} />}
    </>
  );
}

interface DialogProps extends Props {
  readonly onClose: () => void;
}

async function run(command: Command, userId: string): Promise<void> {
  const params = { path: { userId } };
  await gatehouse.post(`/api/v1/operator/people/{userId}/${command}`, { params });
}

function Confirm({ person, command, onClose }: DialogProps & { readonly command: Command }) {
  const say = useToast();
  const action = useMutation({
    mutationFn: () => run(command, person.userId),
    onSuccess: async () => {
      onClose();
      await refreshAll();
      say(text('operator.done'));
    },
  });
  const name = nameOf(person);
  return (
    <ConfirmDialog
      title={text('operator.confirm', { what: text(`operator.do.${command}`), name })}
      confirm={text(`operator.do.${command}`)}
      action={action}
      isOpen
      onClose={onClose}
    >
      <p>{text(`operator.about.${command}` satisfies MessageId)}</p>
    </ConfirmDialog>
  );
}

function ResetFactors({ person, onClose }: DialogProps) {
  const say = useToast();
  const reset = useMutation({
    mutationFn: (reason: string) =>
      gatehouse.post('/api/v1/operator/people/{userId}/reset-authenticators', {
        params: { path: { userId: person.userId } },
        body: { reason },
      }),
    onSuccess: async () => {
      onClose();
      await refreshAll();
      say(text('operator.done'));
    },
  });
  return (
    <Dialog title={text('operator.do.reset-authenticators')} isOpen onClose={onClose}>
      <p>{text('operator.about.reset-authenticators')}</p>
      <Form error={reset.error} onSubmit={(values) => reset.mutate(String(values.get('reason')))}>
        <Reason max={200} />
        <FormButtons
          submit={text('operator.do.reset-authenticators')}
          isPending={reset.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

function Act({ person, onClose }: DialogProps) {
  const { userId } = person;
  const memberships = person.memberships.filter(({ letsSupportIn }) => letsSupportIn);
  const why = person.memberships.length === 0 ? 'operator.act.nowhere' : 'operator.act.not-let-in';
  const [tenantId, setTenantId] = useState(memberships[0]?.tenantId ?? '');
  const act = useMutation({
    mutationFn: async (values: FormData) => {
      const ticket = String(values.get('ticket')).trim();
      const given = { reason: String(values.get('reason')), ...(ticket !== '' && { ticket }) };
      const body = { userId, tenantId, ...given };
      const { data } = await gatehouse.post('/api/v1/operator/impersonations', { body });
      const { accessToken, sessionId, expiresIn } = data;
      startActing({ accessToken, sessionId, tenantId, expiresAt: Date.now() + expiresIn * 1_000 });
    },
  });
  return (
    <Dialog title={text('operator.do.act')} isOpen onClose={onClose}>
      <p>{text(memberships.length === 0 ? why : 'operator.about.act')}</p>
      {memberships.length > 0 && (
        <Form error={act.error} onSubmit={(values) => act.mutate(values)}>
          <SelectField
            label={text('operator.organization')}
            options={memberships.map((one) => [one.tenantId, one.name] as const)}
            value={tenantId}
            onChange={setTenantId}
          />
          <Reason max={500} />
          <TextField
            label={text('operator.ticket')}
            name="ticket"
            maxLength={100}
            autoComplete="off"
            hint={text('operator.ticket.hint')}
            verbatim
          />
          <FormButtons submit={text('operator.do.act')} isPending={act.isPending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  );
}

function Erase({ person, onClose }: DialogProps) {
  const [, navigate] = useLocation();
  const say = useToast();
  const [typed, setTyped] = useState('');
  const word = person.email ?? person.userId;
  const erase = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/operator/people/{userId}', { params: { path: { userId: person.userId } } }),
    onSuccess: async ({ status }) => {
      if (status === 202) {
        onClose();
        await refreshAll();
        say(text('operator.erasure'));
        return;
      }
      navigate(PAGE_PATHS.operatorPeople, { replace: true });
      say(text('operator.erased'));
    },
  });
  return (
    <Dialog title={text('operator.do.erase')} role="alertdialog" isOpen onClose={onClose}>
      <p>{text('operator.about.erase')}</p>
      <Form error={erase.error} onSubmit={() => erase.mutate()}>
        <TextField
          label={text('erasure.type', { word })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          verbatim
          isRequired
        />
        <div className="buttons">
          <Button onPress={onClose}>{text('cancel')}</Button>
          <Button
            type="submit"
            look="danger"
            isPending={erase.isPending}
            isDisabled={typed.trim().toLowerCase() !== word.toLowerCase()}
          >
            {text('operator.do.erase')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

const Reason = ({ max }: { readonly max: number }) => (
  <TextField
    label={text('operator.reason')}
    name="reason"
    maxLength={max}
    hint={text('operator.reason.hint')}
    isRequired
  />
);
