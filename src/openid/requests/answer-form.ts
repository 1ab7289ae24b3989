import { Inject, Injectable } from '@nestjs/common';
import { type Settings, SETTINGS } from '../../platform/config/index.js';
import { KeyDerivation, Sealer } from '../../platform/crypto/index.js';
import type { PostedForm } from '../../platform/web/index.js';

/** Seconds for which a browser can open the page: as long as the code in it is valid. */
const LIFETIME_SECONDS = 60;

/** Content of the parameter, sealed. */
interface SealedAnswer extends PostedForm {
  /** In milliseconds. */
  readonly expiresAt: number;
}

/**
 * Answers to authorization requests that a browser posts to the client (OAuth 2.0 Form Post
 * Response Mode). The address of the page holds the answer, sealed: nothing is stored, and a log of
 * addresses shows no code.
 */
@Injectable()
export class AnswerForms {
  private readonly sealer: Sealer;

  constructor(
    keys: KeyDerivation,
    @Inject(SETTINGS) private readonly settings: Settings,
  ) {
    this.sealer = new Sealer(keys, 'authorization-answer');
  }

  /** Returns the address of the page that posts an answer. */
  addressOf(form: PostedForm): string {
    const expiresAt = Date.now() + LIFETIME_SECONDS * 1_000;
    const sealed = this.sealer.seal(JSON.stringify({ ...form, expiresAt } satisfies SealedAnswer));
    const answer = Buffer.from(sealed, 'base64').toString('base64url');
    return `${this.settings.PUBLIC_URL}/oauth2/authorize/answer?answer=${answer}`;
  }

  /** @returns null if the answer is forged or expired */
  read(sealed: string): PostedForm | null {
    try {
      const answer = JSON.parse(this.sealer.open(sealed)) as SealedAnswer;
      return answer.expiresAt > Date.now() ? answer : null;
    } catch {
      return null;
    }
  }
}
