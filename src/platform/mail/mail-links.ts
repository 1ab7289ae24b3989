import { type CustomDecorator, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { MarkedMethods } from '../discovery/index.js';
import type { MailContent } from './mail-template.js';

/** Link of a mail that was sent. */
export interface SentLink {
  /** Address that the mail went to. */
  readonly to: string;
  /** One-time token or code in the link; empty without a link. */
  readonly token: string;
}

const MailLinkMark = Reflector.createDecorator<readonly string[]>();

/**
 * Marks a method that tells whether the link of a sent mail still has an effect: it receives a
 * {@link SentLink}, and resolves to false once the link was used, replaced or withdrawn. A mail of
 * a kind without such a method tells something, and is of use until it expires.
 * @param kinds of mails
 */
export function MailLink(...kinds: readonly string[]): CustomDecorator {
  return MailLinkMark(kinds);
}

type Check = (link: SentLink) => Promise<boolean>;

/** Tells whether links of mails have an effect, by the modules that they belong to. */
@Injectable()
export class MailLinks {
  private checks: ReadonlyMap<string, Check> | undefined;

  constructor(private readonly marked: MarkedMethods) {}

  /** Returns whether a mail of a kind is of any use to its recipient. */
  async isOfUse(kind: string, { to, action }: MailContent & { readonly to: string }): Promise<boolean> {
    this.checks ??= new Map(
      this.marked
        .find<readonly string[], Check>(MailLinkMark)
        .flatMap(({ mark, method }) => mark.map((checked) => [checked, method] as const)),
    );
    const token = action === undefined ? '' : tokenOf(action.url);
    return (await this.checks.get(kind)?.({ to, token })) ?? true;
  }
}

/** The token is a parameter of the page, or the last part of its path. */
function tokenOf(url: string): string {
  const [, parameter] = /[?&]token=([\w-]+)/.exec(url) ?? [];
  return parameter ?? url.slice(url.lastIndexOf('/') + 1);
}
