import { useEffect } from 'react';

/** The text of a badge at the end of what was typed. */
const BADGE = /gh_bd_[0-9A-Za-z]{10}_[0-9A-Za-z]{32}_[0-9A-Za-z]{6}$/;
/** Characters of a badge. */
const LENGTH = 56;

/** Returns the badge in a text that a scanner has read; null without one. */
export const badgeIn = (content: string): string | null => BADGE.exec(content.trim())?.[0] ?? null;

/** Listens for scanners that type what they read, wherever the focus is. */
export function useBadgeKeys(onBadge: (badge: string) => void): void {
  useEffect(() => {
    let typed = '';
    const read = ({ key }: KeyboardEvent) => {
      if (key.length > 1) return; // Shift, between the characters
      typed = (typed + key).slice(-LENGTH);
      const badge = badgeIn(typed);
      if (badge === null) return;
      typed = '';
      onBadge(badge);
    };
    document.addEventListener('keydown', read);
    return () => document.removeEventListener('keydown', read);
  }, [onBadge]);
}
