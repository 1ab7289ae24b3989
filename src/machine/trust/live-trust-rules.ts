import { Injectable } from '@nestjs/common';
import type { MachinePrincipal } from '../../kernel/index.js';
import { ChangeFeed, LiveSet } from '../../platform/live/index.js';
import { MachineDirectory } from '../machine-directory.js';
import { type RuleKey, ruleKey, TrustRuleRepository } from './trust-rule.repository.js';

const RULES_CHANNEL = 'gatehouse_trust_rules_changed';

/** Tells which trust rules are accepted, by caches that follow each change. */
@Injectable()
export class LiveTrustRules {
  /** Rules that exist, as {@link ruleKey} spells them. */
  private readonly live: LiveSet;

  constructor(
    rules: TrustRuleRepository,
    private readonly machines: MachineDirectory,
    feed: ChangeFeed,
  ) {
    this.live = new LiveSet(feed, RULES_CHANNEL, (keys) => rules.findExisting(keys));
  }

  /** Returns whether the rule by which a token was issued, and its account, are still accepted. */
  async isAccepted({ tenantId, userId, credentialId }: MachinePrincipal): Promise<boolean> {
    const exists = await this.live.has(ruleKey({ tenantId, accountId: userId, id: credentialId }));
    return exists && (await this.machines.isUsable(userId, tenantId));
  }

  /** Has every replica refuse tokens of a deleted rule, after the commit. */
  announce(rule: RuleKey): Promise<void> {
    return this.live.announce(ruleKey(rule));
  }
}
