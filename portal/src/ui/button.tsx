import type { ReactNode } from 'react';
import { Button as Base, ProgressBar, type ButtonProps } from 'react-aria-components';

/** Beside the plain one. `link` looks like a piece of text that leads somewhere. */
type Look = 'primary' | 'danger' | 'quiet' | 'link';

interface Props extends Omit<ButtonProps, 'className' | 'children'> {
  readonly look?: Look;
  readonly small?: boolean;
  /** Square, for an icon; the button then needs an `aria-label`. */
  readonly icon?: boolean;
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** A button. While something is pending it keeps its place and its width, and says so. */
export function Button({ look, small = false, icon = false, wide = false, children, ...props }: Props) {
  const classes = ['button', look, small && 'small', icon && 'icon', wide && 'wide'];
  return (
    <Base {...props} className={classes.filter(Boolean).join(' ')}>
      {({ isPending }) => (
        <>
          {icon ? children : <span>{children}</span>}
          {isPending && <ProgressBar aria-label="Working" isIndeterminate className="spinner" />}
        </>
      )}
    </Base>
  );
}
