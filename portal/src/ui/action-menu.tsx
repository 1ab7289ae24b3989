import { useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover, Text } from 'react-aria-components';
import type { Scope, Verdicts } from '@gatehouse/client';
import { gatehouse } from '../session/gatehouse.ts';
import { Dots } from './icons.tsx';
import { useToast } from './toast.tsx';
import { inBackground } from '../session/in-background.ts';

interface Action {
  readonly label: string;
  /** Scope for the permission check. */
  readonly scope: Scope;
  readonly danger?: boolean;
  readonly run: () => void;
}

interface Props {
  readonly label: string;
  /** Subject of the permission check. */
  readonly subject: string;
  readonly actions: readonly Action[];
}

/**
 * Menu of actions on an entity. Checks the permissions when it opens, so that a denied action shows
 * its reason.
 */
export function ActionMenu({ label, subject, actions }: Props) {
  const [verdicts, setVerdicts] = useState<Verdicts | null>(null);
  const say = useToast();
  const open = async () => {
    setVerdicts({}); // opens at once; denials appear when they are known
    const scopes = actions.map(({ scope }) => scope);
    const known = await gatehouse.can(subject, scopes).catch(() => ({})); // the command decides, then
    setVerdicts((shown) => shown && known);
  };
  const denialOf = ({ scope }: Action): string | null => {
    const verdict = verdicts?.[scope];
    // A required confirmation is not a denial: the command asks for it.
    const isDenied = verdict && !verdict.allowed && verdict.code !== 'authentication_insufficient';
    return isDenied ? verdict.reason : null;
  };
  const run = (action: Action) => {
    const denial = denialOf(action);
    if (denial === null) action.run();
    else say(denial);
  };
  return (
    <MenuTrigger
      isOpen={verdicts !== null}
      onOpenChange={(wanted) => (wanted ? inBackground(open()) : setVerdicts(null))}
    >
      <Button className="button quiet icon" aria-label={label}>
        <Dots />
      </Button>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={label}>
          {actions.map((action) => {
            const denial = denialOf(action);
            const look = denial !== null ? 'denied' : action.danger === true ? 'danger' : '';
            return (
              <MenuItem
                key={action.label}
                className={`menu-item ${look}`}
                textValue={action.label}
                onAction={() => run(action)}
              >
                <Text slot="label">{action.label}</Text>
                {denial !== null && <Text slot="description">{denial}</Text>}
              </MenuItem>
            );
          })}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
