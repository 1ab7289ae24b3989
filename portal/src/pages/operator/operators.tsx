import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Address } from '../../ui/address.tsx';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import {
  nameOf,
  type Operator,
  pathOfPerson,
  refreshAll,
  shownName,
  subjectOf,
  useOperators,
} from './operator-queries.ts';
import { rightsIn, RightsFields } from './operator-rights.tsx';

/** The operators themselves: who they are and what they may do, a further one, and one less. */
export function Operators() {
  const operators = useOperators();
  const [removed, setRemoved] = useState<Operator | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [changed, setChanged] = useState<Operator | null>(null);
  const say = useToast();
  const remove = useMutation({
    mutationFn: async () => {
      if (!removed) return;
      const params = { path: { userId: removed.userId } };
      await gatehouse.delete('/api/v1/operator/operators/{userId}', { params });
    },
    onSuccess: async () => {
      setRemoved(null);
      await refreshAll();
      say(text('operator.operators.removed'));
    },
  });
  return (
    <Page
      title={text('operator.operators')}
      lead={text('operator.operators.lead')}
      action={
        <Button look="primary" onPress={() => setAdding(true)}>
          {text('operator.operators.new')}
        </Button>
      }
    >
      <Table
        query={operators}
        label={text('operator.operators')}
        keyOf={({ userId }) => userId}
        columns={columnsOf(setChanged, setRemoved)}
        empty={<Empty title={text('operator.operators.none')} />}
      />
      {isAdding && <NewOperator onClose={() => setAdding(false)} />}
      {changed && <Change operator={changed} onClose={() => setChanged(null)} />}
      <ConfirmDialog
        title={text('operator.operators.remove-title', { name: removed ? nameOf(removed) : '' })}
        confirm={text('operator.operators.remove')}
        action={remove}
        isOpen={removed !== null}
        onClose={() => setRemoved(null)}
      >
        <p>{text('operator.operators.remove-text')}</p>
      </ConfirmDialog>
    </Page>
  );
}

const roleOf = ({ role, scopes }: Operator) => (
  <>
    {text(`operator.role.${role}`)}
    {scopes && (
      <span className="soft"> · {text('operator.operators.restricted', { count: scopes.length })}</span>
    )}
  </>
);

type Choose = (operator: Operator) => void;

const columnsOf = (onChange: Choose, onRemove: Choose): readonly Column<Operator>[] => [
  {
    key: 'name',
    label: text('name'),
    cell: (operator) => (
      <>
        <Link href={pathOfPerson(operator.userId)} className="name">
          {shownName(operator)}
        </Link>
        {operator.name !== null && operator.email !== null && (
          <span className="under">
            <Address value={operator.email} />
          </span>
        )}
        <span className="under">{roleOf(operator)}</span>
      </>
    ),
  },
  {
    key: 'email',
    label: text('members.email'),
    isWide: true,
    cell: ({ email }) => <span title={email ?? undefined}>{email ?? '–'}</span>,
  },
  {
    key: 'role',
    label: text('operator.role'),
    isWide: true,
    cell: roleOf,
  },
  {
    key: 'since',
    label: text('operator.people.since'),
    isWide: true,
    cell: ({ since }) => <Time value={since} />,
  },
  {
    key: 'actions',
    label: text('table.actions'),
    isLabelHidden: true,
    cell: (operator) => (
      <span className="end-cell">
        <ActionMenu
          label={text('operator.permissions.actions', { name: nameOf(operator) })}
          subject={subjectOf('operators', operator.userId)}
          actions={[
            {
              label: text('operator.operators.change'),
              scope: 'platform:operator:update',
              run: () => onChange(operator),
            },
            {
              label: text('operator.operators.remove'),
              scope: 'platform:operator:remove',
              danger: true,
              run: () => onRemove(operator),
            },
          ]}
        />
      </span>
    ),
  },
];

/** Changes what an operator may do. */
function Change({ operator, onClose }: { readonly operator: Operator; readonly onClose: () => void }) {
  const { userId, role, scopes } = operator;
  const say = useToast();
  const save = useMutation({
    mutationFn: (body: ReturnType<typeof rightsIn>) =>
      gatehouse.put('/api/v1/operator/operators/{userId}', { params: { path: { userId } }, body }),
    onSuccess: async () => {
      onClose();
      await refreshAll();
      say(text('operator.operators.changed'));
    },
  });
  return (
    <Dialog
      title={text('operator.operators.change-title', { name: nameOf(operator) })}
      isOpen
      onClose={onClose}
    >
      <Form error={save.error} onSubmit={(values) => save.mutate(rightsIn(values))}>
        <RightsFields given={{ role, scopes }} />
        <FormButtons submit={text('save')} isPending={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

const SUPPORT = { role: 'support', scopes: null } as const;

function NewOperator({ onClose }: { readonly onClose: () => void }) {
  const say = useToast();
  const add = useMutation({
    mutationFn: (values: FormData) =>
      gatehouse.post('/api/v1/operator/operators', {
        body: { email: String(values.get('email')), ...rightsIn(values) },
      }),
    onSuccess: async () => {
      onClose();
      await refreshAll();
      say(text('operator.operators.added'));
    },
  });
  return (
    <Dialog title={text('operator.operators.new')} isOpen onClose={onClose}>
      <Form error={add.error} onSubmit={(values) => add.mutate(values)}>
        <TextField
          label={text('email')}
          name="email"
          type="email"
          hint={text('operator.operators.email-hint')}
          verbatim
          isRequired
        />
        <RightsFields given={SUPPORT} />
        <FormButtons submit={text('operator.operators.add')} isPending={add.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}
