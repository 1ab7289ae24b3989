import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextArea, TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRoles, type Role } from '../organization-queries.ts';
import { RoleChoice, roleNames } from '../role-choice.tsx';
import {
  pathOf,
  refreshRules,
  useMayChangeNow,
  useRules,
  type Connection,
  type Rule,
} from './connection-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

const RULES = '/api/v1/iam/tenants/{id}/connections/{connectionId}/rules';
const OPERATORS = ['equals', 'contains', 'matches'] as const satisfies readonly Rule['operator'][];
/** Attribute that most rules are about. */
const GROUPS = 'groups';

interface Props {
  readonly tenantId: string;
  readonly connection: Connection;
}

/** Shows, changes and tries which roles the attributes of a person give. */
export function Rules({ tenantId, connection: { id } }: Props) {
  const mayChangeNow = useMayChangeNow(tenantId, id).data;
  const [isWanted, setWanted] = useState(false);
  const isRead = isWanted || mayChangeNow === true;
  const rules = useRules(tenantId, id, isRead);
  const roles = useRoles(tenantId).data ?? [];
  const [doing, setDoing] = useState<'add' | 'try' | null>(null);
  const given = rules.data ?? [];
  const close = () => setDoing(null);
  return (
    <section className="stack" aria-labelledby="connection-rules">
      <div className="row">
        <h2 id="connection-rules">{text('connections.rules')}</h2>
        {rules.data && (
          <>
            <Button small onPress={() => setDoing('add')}>
              {text('connections.rules.new')}
            </Button>
            <Button small onPress={() => setDoing('try')}>
              {text('connections.rules.try')}
            </Button>
          </>
        )}
      </div>
      <p className="soft small">{text('connections.rules.text')}</p>
      {rules.error && <ErrorNotice error={rules.error} onRetry={() => inBackground(rules.refetch())} />}
      {mayChangeNow === false && !isWanted && !rules.data && (
        <div>
          <Button small onPress={() => setWanted(true)}>
            {text('connections.rules.show')}
          </Button>
        </div>
      )}
      {isRead && rules.isPending && <Skeleton label={text('connections.rules')} rows={1} />}
      {rules.data && given.length === 0 && <p className="soft small">{text('connections.rules.none')}</p>}
      {given.length > 0 && (
        <ul className="list" aria-label={text('connections.rules')}>
          {given.map((rule) => (
            <li key={JSON.stringify(rule)}>
              <RuleItem
                tenantId={tenantId}
                id={id}
                rule={rule}
                roles={roles}
                others={given.filter((other) => other !== rule)}
              />
            </li>
          ))}
        </ul>
      )}
      {doing === 'add' && <NewRule tenantId={tenantId} id={id} roles={roles} given={given} onClose={close} />}
      {doing === 'try' && <TryRules tenantId={tenantId} id={id} roles={roles} onClose={close} />}
    </section>
  );
}

/** A rule as a sentence: which values of which attribute. */
const conditionOf = ({ attribute, operator, value }: Rule): string =>
  text(`connections.rules.${operator}.sentence`, { attribute, value });

interface ItemProps {
  readonly tenantId: string;
  readonly id: string;
  readonly rule: Rule;
  readonly roles: readonly Role[];
  /** The rules that stay without this one. */
  readonly others: readonly Rule[];
}

function RuleItem({ tenantId, id, rule, roles, others }: ItemProps) {
  const say = useToast();
  const remove = useReplace(tenantId, id, () => say(text('connections.rules.removed')));
  return (
    <div className="item plain">
      <span className="what">
        <strong>{conditionOf(rule)}</strong>
        <span className="small">{roleNames(roles, rule.roles).join(', ')}</span>
        {remove.error && <ErrorNotice error={remove.error} />}
      </span>
      <span className="end">
        <Button
          small
          isPending={remove.isPending}
          aria-label={text('connections.rules.remove-of', { value: rule.value })}
          onPress={() => remove.mutate(others)}
        >
          {text('connections.rules.remove')}
        </Button>
      </span>
    </div>
  );
}

interface NewProps {
  readonly tenantId: string;
  readonly id: string;
  readonly roles: readonly Role[];
  readonly given: readonly Rule[];
  readonly onClose: () => void;
}

function NewRule({ tenantId, id, roles, given, onClose }: NewProps) {
  const say = useToast();
  const [operator, setOperator] = useState<Rule['operator']>('equals');
  const save = useReplace(tenantId, id, () => {
    onClose();
    say(text('connections.rules.added'));
  });
  return (
    <Dialog title={text('connections.rules.new')} isOpen onClose={onClose}>
      <Form
        error={save.error}
        onSubmit={(values) =>
          save.mutate([
            ...given,
            {
              attribute: String(values.get('attribute')).trim(),
              operator,
              value: String(values.get('value')),
              roles: values.getAll('roles').map(String),
            },
          ])
        }
      >
        <TextField
          label={text('connections.rules.attribute')}
          name="attribute"
          hint={text('connections.rules.attribute.hint')}
          maxLength={200}
          defaultValue={GROUPS}
          isRequired
          verbatim
        />
        <SelectField
          label={text('connections.rules.operator')}
          options={OPERATORS.map((one) => [one, text(`connections.rules.${one}`)])}
          value={operator}
          onChange={(one) => setOperator(one as Rule['operator'])}
        />
        <TextField
          label={text('connections.rules.value')}
          name="value"
          hint={text('connections.rules.value.hint')}
          maxLength={500}
          isRequired
          autoFocus
          verbatim
        />
        <RoleChoice roles={roles} chosen={[]} />
        <FormButtons submit={text('connections.rules.add')} isPending={save.isPending} onCancel={onClose} />
      </Form>
    </Dialog>
  );
}

/** Shows what a sign-in with some attributes would give. Changes nothing. */
function TryRules({ tenantId, id, roles, onClose }: Omit<NewProps, 'given'>) {
  const preview = useMutation({
    mutationFn: async (values: FormData) => {
      const sample = String(values.get('values')).split('\n');
      const attribute = {
        name: String(values.get('attribute')).trim(),
        values: sample.map((value) => value.trim()).filter((value) => value !== ''),
      };
      const body = { attributes: [attribute] };
      return (await gatehouse.post(`${RULES}/preview`, { params: pathOf(tenantId, id), body })).data;
    },
  });
  const { data } = preview;
  return (
    <Dialog title={text('connections.rules.try')} isOpen onClose={onClose}>
      <Form error={preview.error} onSubmit={(values) => preview.mutate(values)}>
        <TextField
          label={text('connections.rules.attribute')}
          name="attribute"
          maxLength={200}
          defaultValue={GROUPS}
          isRequired
          verbatim
        />
        <TextArea
          label={text('connections.rules.values')}
          name="values"
          hint={text('connections.rules.values.hint')}
          isRequired
          autoFocus
        />
        <div role="status">
          {data && (
            <Notice kind={data.outcome === 'admitted' ? 'good' : 'care'}>
              <p>
                {data.outcome === 'refused'
                  ? text('connections.rules.refused')
                  : text('connections.rules.gives', { roles: roleNames(roles, data.roles).join(', ') })}
              </p>
            </Notice>
          )}
        </div>
        <div className="buttons">
          <Button onPress={onClose}>{text('connections.rules.close')}</Button>
          <Button type="submit" isPending={preview.isPending}>
            {text('connections.rules.check')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

/** Replaces the rules of a connection. */
function useReplace(tenantId: string, id: string, onDone: () => void) {
  return useMutation({
    mutationFn: (rules: readonly Rule[]) =>
      gatehouse.put(RULES, { params: pathOf(tenantId, id), body: { items: [...rules] } }),
    onSuccess: async () => {
      await refreshRules(tenantId, id);
      onDone();
    },
  });
}
