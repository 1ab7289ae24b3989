import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { text } from '../../messages/index.ts';
import { gatehouse } from '../../session/gatehouse.ts';
import { PAGE_PATHS, pathIn } from '../../session/paths.ts';
import { queryClient } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { folded } from '../../ui/folded.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { nameOfRole } from '../../ui/role-name.ts';
import { SearchField } from '../../ui/search-field.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { useToast } from '../../ui/toast.tsx';
import { useWholeTable } from '../../ui/whole-table.ts';
import type { Allowed, OrganizationProps } from './allowed.ts';
import {
  keys,
  subjectOf,
  usePermissions,
  useRoles,
  type Permission,
  type Role,
} from './organization-queries.ts';
import { PermissionFolds, ScopeChoice } from './scope-choice.tsx';

type Doing =
  | { readonly what: 'edit'; readonly role: Role | null }
  | { readonly what: 'read' | 'delete'; readonly role: Role };

const typeOf = ({ builtIn }: Role): string => text(builtIn ? 'roles.built-in' : 'roles.own');

/** Lists and changes the roles of the organization. */
export function Roles({ tenantId, allowed }: OrganizationProps) {
  const { table } = useWholeTable(useRoles(tenantId), {
    by: {
      name: nameOfRole,
      key: ({ key }) => key,
      permissions: ({ scopes }) => String(scopes.length),
      type: typeOf,
    },
    first: 'name',
    textOf: (role) => `${nameOfRole(role)} ${role.key}`,
  });
  const permissions = usePermissions(tenantId);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title={text('roles')}
      lead={text('roles.lead')}
      action={
        allowed['iam:role:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'edit', role: null })}>
            {text('roles.new')}
          </Button>
        )
      }
    >
      <div className="filters" role="search">
        <SearchField label={text('roles.search')} isKept />
      </div>
      <Table
        {...table}
        label={text('roles')}
        count={(count) => text('roles.count', { count })}
        keyOf={({ id }) => id}
        columns={columnsOf(tenantId, allowed, setDoing)}
        empty={<Empty title={text('roles.none-found')} />}
      />
      {doing?.what === 'read' && permissions && (
        <Permissions role={doing.role} permissions={permissions} onClose={close} />
      )}
      {doing?.what === 'edit' && permissions && (
        <Edit tenantId={tenantId} role={doing.role} permissions={permissions} onClose={close} />
      )}
      {doing?.what === 'delete' && <Delete tenantId={tenantId} role={doing.role} onClose={close} />}
    </Page>
  );
}

const columnsOf = (tenantId: string, allowed: Allowed, onDo: (doing: Doing) => void): Column<Role>[] => [
  {
    key: 'name',
    label: text('name'),
    sort: 'name',
    cell: (role) => (
      <>
        <strong>{nameOfRole(role)}</strong>
        <span className="under">{typeOf(role)}</span>
      </>
    ),
  },
  { key: 'key', label: text('roles.key'), sort: 'key', isWide: true, cell: ({ key }) => <code>{key}</code> },
  {
    key: 'permissions',
    label: text('permissions'),
    sort: 'permissions',
    cell: (role) => (
      <Button look="link" onPress={() => onDo({ what: 'read', role })}>
        {text('roles.permissions', { count: role.scopes.length })}
      </Button>
    ),
  },
  { key: 'type', label: text('roles.type'), sort: 'type', isWide: true, cell: typeOf },
  ...(allowed['iam:member:read'] ? [columnOfMembers(tenantId)] : []),
  {
    key: 'menu',
    label: text('table.actions'),
    isLabelHidden: true,
    cell: (role) => (
      <span className="end-cell">
        <ActionMenu
          label={text('roles.actions', { name: role.name })}
          subject={subjectOf('roles', role.id)}
          actions={[
            {
              label: text('roles.change'),
              scope: 'iam:role:update',
              run: () => onDo({ what: 'edit', role }),
            },
            {
              label: text('roles.delete'),
              scope: 'iam:role:delete',
              danger: true,
              run: () => onDo({ what: 'delete', role }),
            },
          ]}
        />
      </span>
    ),
  },
];

const columnOfMembers = (tenantId: string): Column<Role> => ({
  key: 'members',
  label: text('nav.members'),
  isWide: true,
  cell: (role) => (
    <Link href={`${pathIn(PAGE_PATHS.members, tenantId)}?role=${encodeURIComponent(role.key)}`}>
      {text('roles.members')}
      <span className="unseen"> {nameOfRole(role)}</span>
    </Link>
  ),
});

interface PermissionsProps {
  readonly role: Role;
  readonly permissions: readonly Permission[];
  readonly onClose: () => void;
}

/** What a role permits, in the groups of its permissions. */
function Permissions({ role, permissions, onClose }: PermissionsProps) {
  return (
    <Dialog title={text('roles.permissions.title', { name: nameOfRole(role) })} isOpen onClose={onClose}>
      <PermissionFolds permissions={permissions.filter(({ scope }) => role.scopes.includes(scope))} />
      <div className="buttons">
        <Button onPress={onClose}>{text('close')}</Button>
      </div>
    </Dialog>
  );
}

interface EditProps {
  readonly tenantId: string;
  /** Null for a new role. */
  readonly role: Role | null;
  readonly permissions: readonly Permission[];
  readonly onClose: () => void;
}

function Edit({ tenantId, role, permissions, onClose }: EditProps) {
  const say = useToast();
  const [name, setName] = useState(role?.name ?? '');
  const [key, setKey] = useState<string | null>(null); // until it is typed, it follows the name
  const save = useMutation({
    mutationFn: async ({ key, ...body }: { key: string; name: string; scopes: string[] }) => {
      const path = { id: tenantId, roleId: role?.id ?? '' };
      if (role) await gatehouse.patch('/api/v1/iam/tenants/{id}/roles/{roleId}', { params: { path }, body });
      else
        await gatehouse.post('/api/v1/iam/tenants/{id}/roles', { params: { path }, body: { key, ...body } });
    },
    onSuccess: async (_, { name }) => {
      await queryClient.invalidateQueries({ queryKey: keys.roles(tenantId) });
      onClose();
      say(text(role ? 'roles.changed' : 'roles.created', { name }));
    },
  });
  const submit = (values: FormData) =>
    save.mutate({
      key: String(values.get('key')),
      name: String(values.get('name')),
      scopes: values.getAll('scopes').map(String),
    });
  return (
    <Dialog
      title={role ? text('roles.change.title', { name: role.name }) : text('roles.new')}
      isOpen
      onClose={onClose}
    >
      <Form error={save.error} onSubmit={submit}>
        <TextField
          label={text('name')}
          name="name"
          value={name}
          onChange={setName}
          maxLength={100}
          isRequired
          autoFocus
        />
        {!role && (
          <TextField
            label={text('roles.key')}
            name="key"
            value={key ?? keyOf(name)}
            onChange={setKey}
            pattern="[a-z][a-z0-9\-]{0,49}"
            maxLength={50}
            isRequired
            verbatim
            hint={text('roles.key.hint')}
          />
        )}
        <ScopeChoice permissions={permissions} chosen={role?.scopes ?? []} forRole />
        <FormButtons
          submit={text(role ? 'save' : 'roles.create')}
          isPending={save.isPending}
          onCancel={onClose}
        />
      </Form>
    </Dialog>
  );
}

/** Suggests the key of a role by its name. */
function keyOf(name: string): string {
  const key = folded(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+/, '');
  return key.slice(0, 50).replace(/-$/, '');
}

function Delete({ tenantId, role, onClose }: { tenantId: string; role: Role; onClose: () => void }) {
  const say = useToast();
  const remove = useMutation({
    mutationFn: () =>
      gatehouse.delete('/api/v1/iam/tenants/{id}/roles/{roleId}', {
        params: { path: { id: tenantId, roleId: role.id } },
      }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keys.roles(tenantId) });
      onClose();
      say(text('roles.deleted', { name: role.name }));
    },
  });
  return (
    <ConfirmDialog
      title={text('roles.delete.title', { name: role.name })}
      confirm={text('roles.delete')}
      action={remove}
      isOpen
      onClose={onClose}
    >
      <p>{text('roles.delete.text')}</p>
    </ConfirmDialog>
  );
}
