import type { ComponentProps } from 'react';
import { Button } from './button.tsx';
import { ProviderLogo } from './provider-logo.tsx';

interface Props extends Omit<ComponentProps<typeof Button>, 'look' | 'icon'> {
  /** Kind of the provider. */
  readonly kind: string;
}

/** A button with the logo of an identity provider; Google's has the colours of its guidelines. */
export const ProviderButton = ({ kind, children, ...props }: Props) => (
  <Button {...props} look={kind === 'google_oauth' ? 'google' : 'provider'}>
    <ProviderLogo kind={kind} />
    {children}
  </Button>
);
