import { useState } from 'react';
import { text } from '../../messages/index.ts';
import { Button } from '../../ui/button.tsx';
import { Checkbox, CheckboxGroup } from '../../ui/checkboxes.tsx';
import { folded } from '../../ui/folded.ts';
import { SearchField } from '../../ui/search-field.tsx';
import type { Permission } from './organization-queries.ts';

interface Props {
  readonly permissions: readonly Permission[];
  readonly chosen: readonly string[];
  /** For a role: at least one, and only what the user can give. */
  readonly forRole?: boolean;
}

/** Selects permissions, in their groups. What the search hides stays chosen. */
export function ScopeChoice({ permissions, chosen, forRole = false }: Props) {
  const [value, setValue] = useState(chosen);
  const [search, setSearch] = useState('');
  const words = folded(search).split(/\s+/);
  const isFound = (permission: Permission) => words.every((word) => searchedText(permission).includes(word));
  const groups = [...Map.groupBy(permissions, ({ group }) => group)];
  return (
    <div className="stack tight">
      <SearchField label={text('permissions.search')} onSearch={setSearch} />
      <CheckboxGroup
        label={text('permissions')}
        name="scopes"
        value={[...value]}
        onChange={setValue}
        isRequired={forRole}
        missing={text('tester.choose')}
        wide
      >
        {!permissions.some(isFound) && <p className="soft">{text('permissions.no-match')}</p>}
        {groups.map(([group, items]) => {
          const found = items.filter(isFound);
          const scopes = found.flatMap(({ scope, givable }) => (givable || !forRole ? [scope] : []));
          const rest = value.filter((scope) => !scopes.includes(scope));
          const isAll = scopes.every((scope) => value.includes(scope));
          return (
            <section key={group} className="permission-group" aria-label={group} hidden={found.length === 0}>
              <div className="row">
                <strong>{group}</strong>
                <Button
                  look="link"
                  aria-label={text(isAll ? 'permissions.none-of' : 'permissions.all-of', { group })}
                  onPress={() => setValue(isAll ? rest : [...rest, ...scopes])}
                >
                  {text(isAll ? 'permissions.none' : 'permissions.all')}
                </Button>
              </div>
              {items.map((permission) => (
                <div key={permission.scope} hidden={!isFound(permission)}>
                  <Choice permission={permission} isDisabled={forRole && !permission.givable} />
                </div>
              ))}
            </section>
          );
        })}
      </CheckboxGroup>
    </div>
  );
}

function Choice({
  permission: { scope, title, description },
  isDisabled,
}: {
  readonly permission: Permission;
  readonly isDisabled: boolean;
}) {
  return (
    <Checkbox value={scope} isDisabled={isDisabled}>
      {title} <code className="small soft">{scope}</code>
      {description !== null && <span className="small soft line">{description}</span>}
      {isDisabled && <span className="small soft line">{text('permissions.not-held')}</span>}
    </Checkbox>
  );
}

const searchedText = ({ scope, title, description, group }: Permission): string =>
  folded([scope, title, description, group].join(' '));
