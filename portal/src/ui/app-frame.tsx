import { useState, type ReactNode } from 'react';
import {
  Button as BaseButton,
  Header,
  Menu,
  MenuItem,
  MenuSection,
  MenuTrigger,
  Popover,
  Separator,
  Text,
} from 'react-aria-components';
import { Link } from 'wouter';
import { acting } from '../session/acting.ts';
import { useOperatorScopes } from '../session/is-operator.ts';
import { useSignOutUpstream } from '../session/sign-out.ts';
import { PAGE_PATHS, pathIn } from '../session/paths.ts';
import { distinctionOf, useMyTenants } from '../session/my-tenants.ts';
import { useMe } from '../session/queries.ts';
import { AccountNotices } from '../pages/account-notices.tsx';
import { accountGroups } from './account-groups.ts';
import { Avatar } from './badge.tsx';
import { Brand } from './brand.tsx';
import { Check, Chevron } from './icons.tsx';
import { PageNav, type PageNavProps } from './page-nav.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { text } from '../messages/index.ts';

const Skip = () => (
  <a className="skip" href="#content">
    {text('frame.skip')}
  </a>
);

interface FloorProps {
  /** The organization of these pages. */
  readonly tenantId?: string;
  /** Links to the pages next to this one. */
  readonly nav?: PageNavProps;
  /** Whether these are the pages of operators, which belong to no organization. */
  readonly isConsole?: boolean;
  readonly children: ReactNode;
}

/** Frame of the pages after the sign-in. */
export function AppFrame({ tenantId, nav, isConsole = false, children }: FloorProps) {
  return (
    <>
      <Skip />
      <header className={isConsole ? 'top console' : 'top'}>
        <Brand />
        {isConsole ? (
          <strong className="switcher">{text('operator')}</strong>
        ) : (
          <OrganizationSwitcher tenantId={tenantId} />
        )}
        <div className="end">
          {isConsole && (
            <Link className="button quiet leave-console" href={PAGE_PATHS.organizations}>
              {text('operator.leave')}
            </Link>
          )}
          <ThemeSwitch />
          <AccountMenu isConsole={isConsole} />
        </div>
      </header>
      <div className={nav ? 'floor' : 'floor single'}>
        {nav && <PageNav {...nav} />}
        <main id="content" tabIndex={-1}>
          {acting === null && <AccountNotices />}
          {children}
        </main>
      </div>
    </>
  );
}

function OrganizationSwitcher({ tenantId }: { readonly tenantId: string | undefined }) {
  const { data: tenants = [] } = useMyTenants();
  const current = tenants.find(({ id }) => id === tenantId);
  return (
    <MenuTrigger>
      <BaseButton className="button quiet switcher">
        <span>{current?.name ?? text('organizations')}</span>
        <Chevron />
      </BaseButton>
      <Popover className="popover">
        <Menu className="menu" aria-label={text('organizations')}>
          <MenuSection aria-label={text('frame.my-organizations')}>
            {tenants.map((tenant) => {
              const { id, name } = tenant;
              const distinction = distinctionOf(tenant, tenants);
              return (
                <MenuItem
                  key={id}
                  className="menu-item"
                  textValue={name}
                  href={pathIn(PAGE_PATHS.organization, id)}
                >
                  <Text slot="label">{name}</Text>
                  {id === tenantId && <Check />}
                  {distinction !== null && (
                    <Text slot="description">{text('organizations.id', { id: distinction })}</Text>
                  )}
                </MenuItem>
              );
            })}
          </MenuSection>
          {tenants.length > 0 && <Separator className="menu-line" />}
          <MenuItem className="menu-item" href={PAGE_PATHS.organizations}>
            {text('frame.all-organizations')}
          </MenuItem>
          <MenuItem className="menu-item" href={PAGE_PATHS.newOrganization}>
            {text('new-organization')}
          </MenuItem>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

function AccountMenu({ isConsole }: { readonly isConsole: boolean }) {
  const { data: me } = useMe();
  const signOut = useSignOutUpstream();
  const [isOpen, setOpen] = useState(false);
  // Asked once, when the menu first opens: few people are operators.
  const scopes = useOperatorScopes({ enabled: isOpen && !isConsole && acting === null, staleTime: Infinity });
  const isOperator = (scopes.data ?? []).length > 0;
  const name = me?.name ?? me?.email ?? text('frame.my-account');
  return (
    <MenuTrigger isOpen={isOpen} onOpenChange={setOpen}>
      <BaseButton className="button quiet account" aria-label={text('frame.my-account-of', { name })}>
        <Avatar name={name} />
        <span className="account-name">{name}</span>
        <Chevron />
      </BaseButton>
      <Popover className="popover" placement="bottom end">
        <Menu className="menu" aria-label={text('frame.my-account')}>
          <MenuSection aria-label={text('frame.account-pages')}>
            <Header className="menu-heading">{me?.email ?? name}</Header>
            {accountGroups()
              .flatMap(({ pages }) => pages)
              .map(([path, label]) => (
                <MenuItem key={path} id={path} className="menu-item" href={path}>
                  {label}
                </MenuItem>
              ))}
          </MenuSection>
          <Separator className="menu-line" />
          <MenuItem className="menu-item" onAction={() => signOut.mutate()}>
            {text('sign-out')}
          </MenuItem>
          {/* A phone has no room for it next to the menu. */}
          {isConsole && (
            <MenuItem className="menu-item" href={PAGE_PATHS.organizations}>
              {text('operator.leave')}
            </MenuItem>
          )}
          {/* At the end, where it moves nothing when the answer arrives. */}
          {isOperator && !isConsole && acting === null && (
            <MenuItem className="menu-item" href={PAGE_PATHS.operator}>
              {text('operator')}
            </MenuItem>
          )}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
