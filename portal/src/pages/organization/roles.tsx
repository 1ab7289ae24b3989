import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { gatehouse } from '../../session/gatehouse.ts';
import { queryClient } from '../../session/queries.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/fields.tsx';
import { Form } from '../../ui/form.tsx';
import { Empty, List } from '../../ui/list.tsx';
import { Page } from '../../ui/page.tsx';
import { useToast } from '../../ui/toast.tsx';
import type { OrganizationProps } from './allowed.ts';
import { keys, subjectOf, useRoles, type Role } from './organization-queries.ts';
import { ScopeChoice } from './scope-choice.tsx';

type Doing =
  { readonly what: 'edit'; readonly role: Role | null } | { readonly what: 'delete'; readonly role: Role };

/** Lists and changes the roles of the organization. */
export function Roles({ tenantId, allowed }: OrganizationProps) {
  const roles = useRoles(tenantId);
  const [doing, setDoing] = useState<Doing | null>(null);
  const close = () => setDoing(null);
  return (
    <Page
      title="Roles"
      lead="A role is a set of permissions. Owner, admin and member are built in; make your own for whatever else people do here."
      action={
        allowed['iam:role:create'] && (
          <Button look="primary" onPress={() => setDoing({ what: 'edit', role: null })}>
            New role
          </Button>
        )
      }
    >
      <List query={roles} label="Roles" keyOf={({ id }) => id} empty={<Empty title="There are no roles" />}>
        {(role) => (
          <div className="item plain">
            <div className="what">
              <div className="row">
                <strong>{role.name}</strong>
                {role.builtIn && <Badge>Built in</Badge>}
              </div>
              <details className="small">
                <summary className="soft">
                  {role.scopes.length} {role.scopes.length === 1 ? 'permission' : 'permissions'}
                </summary>
                <ul>
                  {role.scopes.map((scope) => (
                    <li key={scope}>
                      <code>{scope}</code>
                    </li>
                  ))}
                </ul>
              </details>
            </div>
            <ActionMenu
              label={`What to do with the role ${role.name}`}
              subject={subjectOf('roles', role.id)}
              actions={[
                { label: 'Change', scope: 'iam:role:update', run: () => setDoing({ what: 'edit', role }) },
                {
                  label: 'Delete',
                  scope: 'iam:role:delete',
                  danger: true,
                  run: () => setDoing({ what: 'delete', role }),
                },
              ]}
            />
          </div>
        )}
      </List>
      {doing?.what === 'edit' && (
        <Edit tenantId={tenantId} role={doing.role} all={roles.data ?? []} onClose={close} />
      )}
      {doing?.what === 'delete' && <Delete tenantId={tenantId} role={doing.role} onClose={close} />}
    </Page>
  );
}

interface EditProps {
  readonly tenantId: string;
  /** Null for a new role. */
  readonly role: Role | null;
  readonly all: readonly Role[];
  readonly onClose: () => void;
}

function Edit({ tenantId, role, all, onClose }: EditProps) {
  const say = useToast();
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
      say(role ? `Role ${name} changed.` : `Role ${name} created.`);
    },
  });
  const submit = (values: FormData) =>
    save.mutate({
      key: String(values.get('key')),
      name: String(values.get('name')),
      scopes: values.getAll('scopes').map(String),
    });
  return (
    <Dialog title={role ? `Change ${role.name}` : 'New role'} isOpen onClose={onClose}>
      <Form error={save.error} onSubmit={submit}>
        <TextField
          label="Name"
          name="name"
          defaultValue={role?.name ?? ''}
          maxLength={100}
          isRequired
          autoFocus
        />
        {!role && (
          <TextField
            label="Key"
            name="key"
            pattern="[a-z][a-z0-9\-]{0,49}"
            maxLength={50}
            isRequired
            verbatim
            hint="What programs call it: small letters, digits and hyphens, such as night-shift. It stays."
          />
        )}
        <ScopeChoice all={all} chosen={role?.scopes ?? []} />
        <div className="buttons">
          <Button onPress={onClose}>Cancel</Button>
          <Button type="submit" look="primary" isPending={save.isPending}>
            {role ? 'Save' : 'Create the role'}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
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
      say(`The role ${role.name} is deleted.`);
    },
  });
  return (
    <ConfirmDialog title={`Delete ${role.name}?`} confirm="Delete" action={remove} isOpen onClose={onClose}>
      <p>No member has this role.</p>
    </ConfirmDialog>
  );
}
