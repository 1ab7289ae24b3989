import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { ProblemError, type components } from '@gatehouse/client';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkboxes.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { sentence } from '../../ui/explain.ts';
import { TextField } from '../../ui/fields.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { SelectField } from '../../ui/select-field.tsx';
import { useToast } from '../../ui/toast.tsx';
import { type PermissionModule, refreshAll } from './operator-queries.ts';

type Registered = components['schemas']['RegisteredPermissionDto'];

/** Who holds a permission without a role of the organization's own. */
const HOLDERS = { owner: [], admin: ['admin'], member: ['admin', 'member'] } as const;
type Holder = keyof typeof HOLDERS;

/** Who holds a permission of these built-in roles; owners hold each. */
export const holderOf = (roles: readonly string[]): Holder =>
  roles.includes('member') ? 'member' : roles.includes('admin') ? 'admin' : 'owner';

interface Row {
  readonly key: number;
  readonly entity: string;
  readonly title: string;
  readonly description: string;
  readonly holder: Holder;
  readonly allowedWhenArchived: boolean;
}

interface Props {
  /** Null for a new module. */
  readonly module: PermissionModule | null;
  readonly onClose: () => void;
}

/** Registers the permissions of a module, in place of those that it has. */
export function RegisterDialog({ module, onClose }: Props) {
  const say = useToast();
  const [name, setName] = useState(module?.module ?? '');
  const [rows, setRows] = useState<readonly Row[]>(() => rowsOf(module));
  const save = useMutation({
    mutationFn: (title: string) =>
      gatehouse.put('/api/v1/iam/permissions/{module}', {
        params: { path: { module: name } },
        body: { title, permissions: rows.map((row) => permissionOf(name, row)) },
      }),
    onSuccess: async (_, title) => {
      await refreshAll();
      onClose();
      say(text('operator.permissions.saved', { name: title }));
    },
  });
  const change = (key: number, fields: Partial<Row>) =>
    setRows(rows.map((row) => (row.key === key ? { ...row, ...fields } : row)));
  return (
    <Dialog
      title={
        module
          ? text('operator.permissions.change-title', { name: module.title })
          : text('operator.permissions.register')
      }
      isOpen
      onClose={onClose}
    >
      <Form
        error={save.error}
        trouble={troubleOf(save.error)}
        onSubmit={(values) => save.mutate(String(values.get('title')))}
      >
        <TextField
          label={text('operator.permissions.title')}
          name="title"
          defaultValue={module?.title ?? ''}
          maxLength={100}
          hint={text('operator.permissions.title.hint')}
          isRequired
          autoFocus
        />
        {!module && (
          <TextField
            label={text('operator.permissions.module')}
            name="module"
            value={name}
            onChange={setName}
            pattern="[a-z][a-z0-9\-]{0,63}"
            maxLength={64}
            hint={text('operator.permissions.module.hint')}
            isRequired
            verbatim
          />
        )}
        {rows.map((row, at) => (
          <PermissionRow
            key={row.key}
            number={at + 1}
            module={name}
            row={row}
            onChange={(fields) => change(row.key, fields)}
            onRemove={rows.length > 1 ? () => setRows(rows.filter(({ key }) => key !== row.key)) : undefined}
          />
        ))}
        <div>
          <Button
            small
            onPress={() => setRows([...rows, emptyRow(Math.max(...rows.map(({ key }) => key)) + 1)])}
          >
            {text('operator.permissions.add')}
          </Button>
        </div>
        <FormButtons
          submit={text(module ? 'save' : 'operator.permissions.register')}
          isPending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

interface RowProps {
  readonly number: number;
  readonly module: string;
  readonly row: Row;
  readonly onChange: (fields: Partial<Row>) => void;
  readonly onRemove: (() => void) | undefined;
}

function PermissionRow({ number, module, row, onChange, onRemove }: RowProps) {
  return (
    <div className="sheet section" role="group" aria-label={text('operator.permissions.number', { number })}>
      <h3>{text('operator.permissions.number', { number })}</h3>
      <TextField
        label={text('operator.permissions.scope')}
        value={row.entity}
        onChange={(entity) => onChange({ entity })}
        pattern="[a-z][a-z0-9\-]*:[a-z][a-z0-9\-]*"
        maxLength={130}
        hint={
          row.entity === ''
            ? text('operator.permissions.scope.example')
            : text('operator.permissions.scope.hint', { scope: `${module}:${row.entity}` })
        }
        isRequired
        verbatim
      />
      <TextField
        label={text('operator.permissions.what')}
        value={row.title}
        onChange={(title) => onChange({ title })}
        maxLength={100}
        isRequired
      />
      <TextField
        label={text('operator.permissions.description')}
        value={row.description}
        onChange={(description) => onChange({ description })}
        maxLength={300}
      />
      <SelectField
        label={text('operator.permissions.holders')}
        options={[
          ['owner', text('operator.permissions.holders.owner')],
          ['admin', text('operator.permissions.holders.admin')],
          ['member', text('operator.permissions.holders.member')],
        ]}
        value={row.holder}
        onChange={(holder) => onChange({ holder: holder as Holder })}
      />
      <Checkbox
        isSelected={row.allowedWhenArchived}
        onChange={(allowedWhenArchived) => onChange({ allowedWhenArchived })}
      >
        {text('operator.permissions.archived')}
      </Checkbox>
      {onRemove && (
        <div>
          <Button small aria-label={text('operator.permissions.leave-out-of', { number })} onPress={onRemove}>
            {text('operator.permissions.leave-out')}
          </Button>
        </div>
      )}
    </div>
  );
}

const emptyRow = (key: number): Row => ({
  key,
  entity: '',
  title: '',
  description: '',
  holder: 'admin',
  allowedWhenArchived: false,
});

const rowsOf = (module: PermissionModule | null): readonly Row[] =>
  module === null || module.permissions.length === 0
    ? [emptyRow(0)]
    : module.permissions.map(({ scope, title, description, roles, allowedWhenArchived }, key) => ({
        key,
        entity: scope.slice(module.module.length + 1),
        title,
        description: description ?? '',
        holder: holderOf(roles),
        allowedWhenArchived,
      }));

const permissionOf = (module: string, { entity, title, description, holder, ...row }: Row): Registered => ({
  scope: `${module}:${entity}`,
  title,
  description: description.trim() === '' ? null : description,
  roles: [...HOLDERS[holder]],
  allowedWhenArchived: row.allowedWhenArchived,
});

/** Names the permission of a violation, whose fields have no names of the service. */
function troubleOf(error: unknown) {
  const violations = error instanceof ProblemError ? error.violations : [];
  const first = violations.find(({ propertyPath }) => propertyPath.startsWith('permissions['));
  if (!first) return undefined;
  const number = Number(/\d+/.exec(first.propertyPath)?.[0] ?? 0) + 1;
  return (
    <Notice kind="bad" title={text('operator.permissions.number', { number })}>
      <p>{sentence(first.message)}</p>
    </Notice>
  );
}
