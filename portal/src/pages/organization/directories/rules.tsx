import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { text } from '../../../messages/index.ts';
import { gatehouse } from '../../../session/gatehouse.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/fields.tsx';
import { FormButtons } from '../../../ui/form-buttons.tsx';
import { Form } from '../../../ui/form.tsx';
import { Skeleton } from '../../../ui/list.tsx';
import { ErrorNotice, Notice } from '../../../ui/notice.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useRoles, type Role } from '../organization-queries.ts';
import { RoleChoice, roleNames } from '../role-choice.tsx';
import {
  pathOf,
  previewRules,
  refreshDirectories,
  useRules,
  type Directory,
  type Rule,
  type ShownRule,
} from './directory-queries.ts';
import { inBackground } from '../../../session/in-background.ts';

const RULES = '/api/v1/iam/tenants/{id}/directories/{directoryId}/rules';

interface Props {
  readonly tenantId: string;
  readonly directory: Directory;
  readonly mayChange: boolean;
}

/** Shows and changes which roles the groups of a directory give. */
export function Rules({ tenantId, directory, mayChange }: Props) {
  const rules = useRules(tenantId, directory.id, mayChange);
  const roles = useRoles(tenantId).data ?? [];
  const [isAdding, setAdding] = useState(false);
  const given = rules.data ?? [];
  return (
    <section className="stack" aria-labelledby="directory-rules">
      <div className="row">
        <h2 id="directory-rules">{text('directories.rules')}</h2>
        {mayChange && rules.data && (
          <Button small onPress={() => setAdding(true)}>
            {text('directories.rules.new')}
          </Button>
        )}
      </div>
      <p className="soft small">{text('directories.rules.text')}</p>
      {rules.error && <ErrorNotice error={rules.error} onRetry={() => inBackground(rules.refetch())} />}
      {rules.isPending && <Skeleton label={text('directories.rules')} rows={1} />}
      {given.length > 0 && (
        <ul className="list" aria-label={text('directories.rules')}>
          {given.map((rule) => (
            <li key={`${rule.group} ${rule.on?.join() ?? ''}`}>
              <RuleItem
                tenantId={tenantId}
                directory={directory}
                rule={rule}
                roles={roles}
                others={mayChange ? given.filter((other) => other !== rule) : null}
              />
            </li>
          ))}
        </ul>
      )}
      {isAdding && (
        <NewRule
          tenantId={tenantId}
          directory={directory}
          roles={roles}
          given={given}
          onClose={() => setAdding(false)}
        />
      )}
    </section>
  );
}

interface ItemProps {
  readonly tenantId: string;
  readonly directory: Directory;
  readonly rule: ShownRule;
  readonly roles: readonly Role[];
  /** The rules that stay without this one; null if the user cannot remove it. */
  readonly others: readonly Rule[] | null;
}

function RuleItem({ tenantId, directory, rule, roles, others }: ItemProps) {
  const say = useToast();
  const remove = useReplace(tenantId, directory, () =>
    say(text('directories.rules.removed', { group: rule.group })),
  );
  return (
    <div className="item plain">
      <span className="what">
        <strong>{rule.group}</strong>
        <span className="small">{roleNames(roles, rule.roles).join(', ')}</span>
        {rule.on && (
          <span className="small">{text('directories.rules.things', { things: rule.on.join(', ') })}</span>
        )}
        <span className="soft small">{effectOf(rule)}</span>
        {remove.error && <ErrorNotice error={remove.error} />}
      </span>
      {others && (
        <span className="end">
          <Button
            small
            isPending={remove.isPending}
            aria-label={text('directories.rules.remove-of', { group: rule.group })}
            onPress={() => remove.mutate(others)}
          >
            {text('directories.rules.remove')}
          </Button>
        </span>
      )}
    </div>
  );
}

/** What a rule does now, in words. */
function effectOf({ groupId, members }: ShownRule): string | null {
  if (groupId === null) return text('directories.rules.no-group');
  return members === undefined ? null : text('directories.rules.members', { count: members });
}

interface NewProps {
  readonly tenantId: string;
  readonly directory: Directory;
  readonly roles: readonly Role[];
  readonly given: readonly Rule[];
  readonly onClose: () => void;
}

/** Shows what a rule would do, then adds it. */
function NewRule({ tenantId, directory, roles, given, onClose }: NewProps) {
  const say = useToast();
  const preview = useMutation({
    mutationFn: async (rule: Rule) => (await previewRules(tenantId, directory.id, [...given, rule])).at(-1),
  });
  const save = useReplace(tenantId, directory, () => {
    onClose();
    say(text('directories.rules.added'));
  });
  const rule = preview.data;
  if (rule)
    return (
      <Dialog title={text('directories.rules.new')} isOpen onClose={onClose}>
        <p>
          {text('directories.rules.preview', {
            group: rule.group,
            roles: roleNames(roles, rule.roles).join(', '),
          })}
        </p>
        <Notice>
          <p>{effectOf(rule)}</p>
        </Notice>
        {save.error && <ErrorNotice error={save.error} />}
        <div className="buttons">
          <Button onPress={() => preview.reset()}>{text('directories.rules.back')}</Button>
          <Button look="primary" isPending={save.isPending} onPress={() => save.mutate([...given, rule])}>
            {text('directories.rules.add')}
          </Button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title={text('directories.rules.new')} isOpen onClose={onClose}>
      <Form
        error={preview.error}
        onSubmit={(values) =>
          preview.mutate({ group: String(values.get('group')), roles: values.getAll('roles').map(String) })
        }
      >
        <TextField
          label={text('directories.rules.group')}
          name="group"
          hint={text('directories.rules.group.hint')}
          maxLength={255}
          isRequired
          autoFocus
          verbatim
        />
        <RoleChoice roles={roles} chosen={[]} />
        <FormButtons
          submit={text('directories.rules.check')}
          isPending={preview.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Replaces the rules of a directory. */
function useReplace(tenantId: string, { id }: Directory, onDone: () => void) {
  return useMutation({
    mutationFn: (rules: readonly Rule[]) =>
      gatehouse.put(RULES, {
        params: pathOf(tenantId, id),
        body: { rules: rules.map(({ group, roles, on = null }) => ({ group, roles: [...roles], on })) },
      }),
    onSuccess: async () => {
      await refreshDirectories(tenantId);
      onDone();
    },
  });
}
