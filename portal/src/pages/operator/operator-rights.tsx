import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { SelectField } from '../../ui/select-field.tsx';
import { ScopeChoice } from '../organization/scope-choice.tsx';
import { useOperatorPermissions } from './operator-queries.ts';

type Role = 'support' | 'admin';

/** What an operator may do. */
interface Rights {
  readonly role: Role;
  readonly scopes: string[] | null;
}

interface Props {
  readonly given: { readonly role: Role; readonly scopes: readonly string[] | null };
}

/** Selects role and permissions of an operator, for {@link rightsIn}. */
export function RightsFields({ given }: Props) {
  const [role, setRole] = useState<string>(given.role);
  const [extent, setExtent] = useState(given.scopes === null ? 'all' : 'some');
  const permissions = useOperatorPermissions();
  const ofRole = (permissions ?? [])
    .filter((permission) => role === 'admin' || permission.role === role)
    .map((permission) => ({ ...permission, description: null, givable: true }));
  const known = ofRole.map(({ scope }) => scope);
  return (
    <>
      <SelectField
        label={text('operator.role')}
        name="role"
        options={[
          ['support', text('operator.role.support')],
          ['admin', text('operator.role.admin')],
        ]}
        value={role}
        onChange={setRole}
        hint={text('operator.role.hint')}
      />
      <SelectField
        label={text('operator.operators.extent')}
        name="extent"
        options={[
          ['all', text('operator.operators.all')],
          ['some', text('operator.operators.some')],
        ]}
        value={extent}
        onChange={setExtent}
        hint={text('operator.operators.extent.hint')}
      />
      {extent === 'some' && permissions && (
        <ScopeChoice
          key={role}
          permissions={ofRole}
          chosen={(given.scopes ?? []).filter((scope) => known.includes(scope))}
          forRole
        />
      )}
    </>
  );
}

/** Reads what was selected. */
export function rightsIn(values: FormData): Rights {
  return {
    role: values.get('role') === 'admin' ? 'admin' : 'support',
    scopes: values.get('extent') === 'some' ? values.getAll('scopes').map(String) : null,
  };
}
