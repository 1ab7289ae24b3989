import { Injectable } from '@nestjs/common';
import { type CeremonyOptions, OwnMethods, PasskeyService } from '../../authenticator/index.js';
import { AccountService } from '../../iam/index.js';
import type { PersonPrincipal } from '../../kernel/index.js';
import { Database } from '../../platform/database/index.js';
import { MailLink } from '../../platform/mail/index.js';
import { EmailCodeMails } from '../email-codes/email-code-mails.js';
import { createEmailCode, EmailCodeRepository } from '../email-codes/email-code.repository.js';
import { codeSubjectOf, passkeyUseOf } from './step-up-binding.js';

/** Methods of a person, with the options of a passkey if it is one of them. */
type StepUpOptions = { readonly methods: readonly string[] } & Partial<CeremonyOptions>;

/** Tells people by what they can confirm who they are, and mails codes. */
@Injectable()
export class StepUpOptionsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountService,
    private readonly ownMethods: OwnMethods,
    private readonly passkeys: PasskeyService,
    private readonly codes: EmailCodeRepository,
    private readonly codeMails: EmailCodeMails,
  ) {}

  /**
   * Returns the step-up methods of the caller, and the options of a passkey if there is one. No
   * methods for people who sign in by external providers only.
   */
  async createOptions(caller: PersonPrincipal, method?: 'email_code'): Promise<StepUpOptions> {
    const { methods } = await this.ownMethods.find(caller);
    if (method !== undefined && methods.includes(method)) await this.sendCode(caller);
    if (!methods.includes('passkey')) return { methods };
    const scope = await this.ownMethods.findScope(caller);
    return { methods, ...(await this.passkeys.createOptions(passkeyUseOf(caller), caller.userId, scope)) };
  }

  /**
   * Mails a code to a person who can confirm who they are by one only. A mail that the budget of
   * the address withholds leaves the earlier code valid.
   */
  private async sendCode({ userId, sessionId }: PersonPrincipal): Promise<void> {
    await this.database.transaction(async () => {
      const { email, locale } = await this.accounts.requireActiveForShare(userId);
      if (email === null) return;
      const code = createEmailCode();
      const isSent = await this.codeMails.sendStepUp({ email, locale }, code);
      await this.codes.replace(codeSubjectOf(sessionId, email), code, isSent);
    });
  }

  /** The mail does not say for which session the code is: the person asks for another one there. */
  @MailLink('step-up-code')
  isMailOfUse(): Promise<boolean> {
    return Promise.resolve(false);
  }
}
