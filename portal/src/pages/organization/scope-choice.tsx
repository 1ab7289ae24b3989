import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, CheckboxGroup } from '../../ui/checkboxes.tsx';
import { Folds } from '../../ui/folds.tsx';
import type { Permission } from './organization-queries.ts';

interface Props {
  readonly permissions: readonly Permission[];
  readonly chosen: readonly string[];
  /** For a role: at least one, and only what the user can give. */
  readonly forRole?: boolean;
}

const entryOf = ({ scope, title, description, group }: Permission) => ({
  id: scope,
  group,
  words: [title, description, group],
});

/** Shows permissions, in their groups. */
export const PermissionFolds = ({ permissions }: Pick<Props, 'permissions'>) => (
  <Folds
    items={permissions}
    entryOf={entryOf}
    label={text('permissions.search')}
    noMatch={text('permissions.no-match')}
  >
    {(permission) => <Words permission={permission} />}
  </Folds>
);

/** Selects permissions, in their groups. */
export function ScopeChoice({ permissions, chosen, forRole = false }: Props) {
  const [value, setValue] = useState(chosen);
  const selectAll = (group: string, found: readonly Permission[]) => {
    const scopes = found.flatMap(({ scope, givable }) => (givable || !forRole ? [scope] : []));
    const rest = value.filter((scope) => !scopes.includes(scope));
    const isAll = scopes.every((scope) => value.includes(scope));
    return (
      <Button
        look="link"
        aria-label={text(isAll ? 'permissions.none-of' : 'permissions.all-of', { group })}
        onPress={() => setValue(isAll ? rest : [...rest, ...scopes])}
      >
        {text(isAll ? 'permissions.none' : 'permissions.all')}
      </Button>
    );
  };
  return (
    <Folds
      items={permissions}
      entryOf={entryOf}
      label={text('permissions.search')}
      noMatch={text('permissions.no-match')}
      isSelected={({ scope }) => value.includes(scope)}
      head={selectAll}
      frame={(groups) => (
        <CheckboxGroup
          label={text('permissions')}
          name="scopes"
          value={[...value]}
          onChange={setValue}
          isRequired={forRole}
          missing={text('tester.choose')}
          wide
        >
          {groups}
        </CheckboxGroup>
      )}
    >
      {(permission) => <Choice permission={permission} isDisabled={forRole && !permission.givable} />}
    </Folds>
  );
}

function Words({ permission: { scope, title, description } }: { readonly permission: Permission }) {
  return (
    <>
      {title} <code className="small soft">{scope}</code>
      {description !== null && <span className="small soft line">{description}</span>}
    </>
  );
}

function Choice({
  permission,
  isDisabled,
}: {
  readonly permission: Permission;
  readonly isDisabled: boolean;
}) {
  return (
    <Checkbox value={permission.scope} isDisabled={isDisabled}>
      <Words permission={permission} />
      {isDisabled && <span className="small soft line">{text('permissions.not-held')}</span>}
    </Checkbox>
  );
}
