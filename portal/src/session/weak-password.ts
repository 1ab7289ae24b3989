let isWeak = false;

/**
 * Whether the sign-in in this tab was by a password that attackers try first. In memory, as it is
 * about this sign-in alone.
 */
export const weakPassword = {
  note: (): void => {
    isWeak = true;
  },
  isNoted: (): boolean => isWeak,
};
