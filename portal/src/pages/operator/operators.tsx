import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { rich, text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Avatar, Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty, List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { Time } from '../../ui/time.tsx';
import { useToast } from '../../ui/toast.tsx';
import { nameOf, refreshAll, useOperators } from './operator-queries.ts';

type Role = 'support' | 'admin';

/** The operators themselves: who they are, a further one, and one less. */
export function Operators() {
  const operators = useOperators();
  const [removed, setRemoved] = useState<{ readonly userId: string; readonly name: string } | null>(null);
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
    <Page title={text('operator.operators')} lead={text('operator.operators.lead')}>
      <List
        query={operators}
        label={text('operator.operators')}
        keyOf={({ userId }) => userId}
        empty={<Empty title={text('operator.operators.none')} />}
      >
        {(operator) => {
          const name = nameOf(operator);
          return (
            <div className="item">
              <Avatar name={name} />
              <span className="what">
                <span className="row">
                  <strong>{name}</strong>
                  <Badge>{text(`operator.role.${operator.role}`)}</Badge>
                </span>
                <span className="soft small">
                  {rich('operator.since', { time: () => <Time value={operator.since} /> })}
                </span>
              </span>
              <span className="end wraps">
                <Button
                  small
                  aria-label={text('operator.operators.remove-of', { name })}
                  onPress={() => setRemoved({ userId: operator.userId, name })}
                >
                  {text('operator.operators.remove')}
                </Button>
              </span>
            </div>
          );
        }}
      </List>
      <NewOperator />
      <ConfirmDialog
        title={text('operator.operators.remove-title', { name: removed?.name ?? '' })}
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

function NewOperator() {
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('support');
  const say = useToast();
  const add = useMutation({
    mutationFn: () => gatehouse.post('/api/v1/operator/operators', { body: { email, role } }),
    onSuccess: async () => {
      setEmail('');
      await refreshAll();
      say(text('operator.operators.added'));
    },
  });
  return (
    <section className="sheet section" aria-labelledby="new-operator">
      <h2 id="new-operator">{text('operator.operators.new')}</h2>
      <Form error={add.error} onSubmit={() => add.mutate()}>
        <TextField
          label={text('email')}
          name="email"
          type="email"
          value={email}
          onChange={setEmail}
          hint={text('operator.operators.email-hint')}
          verbatim
          isRequired
        />
        <SelectField
          label={text('operator.role')}
          options={[
            ['support', text('operator.role.support')],
            ['admin', text('operator.role.admin')],
          ]}
          value={role}
          onChange={(value) => setRole(value as Role)}
          hint={text('operator.role.hint')}
        />
        <Button type="submit" isPending={add.isPending}>
          {text('operator.operators.add')}
        </Button>
      </Form>
    </section>
  );
}
